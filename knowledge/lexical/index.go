package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Index finds texts that were added to it. It is not safe for concurrent use while texts are added.
type Index struct {
	texts    []entry
	postings map[string][]posting
	length   int // of all texts, in terms
}

type entry struct {
	key    string
	length int
}

type posting struct{ text, times int }

// New returns an empty Index.
func New() *Index { return &Index{postings: map[string][]posting{}} }

// Add adds a text under a key.
func (x *Index) Add(key, text string) {
	n := len(x.texts)
	terms := Terms(text)
	x.texts, x.length = append(x.texts, entry{key, len(terms)}), x.length+len(terms)
	for _, t := range terms {
		list := x.postings[t]
		if last := len(list) - 1; last >= 0 && list[last].text == n {
			list[last].times++
			continue
		}
		x.postings[t] = append(list, posting{n, 1})
	}
}

// Match is a text that was found, and how well it fits.
type Match struct {
	Key   string
	Score float64
}

// weight is how much a term tells: one that few texts have, much (inverse document frequency).
func (x *Index) weight(term string) float64 {
	n, has := float64(len(x.texts)), float64(len(x.postings[term]))
	return math.Log(1 + (n-has+0.5)/(has+0.5))
}

// Cover tells how much of a question each text has: 1 is all of its words, each of them counted by how rare it is. The best come first, of
// equal ones those that were added first. A text that keep refuses is left out.
func (x *Index) Cover(question string, keep func(key string) bool) []Match {
	terms := slices.Compact(slices.Sorted(slices.Values(Terms(question))))
	whole := 0.0
	for _, t := range terms {
		whole += x.weight(t)
	}
	return x.matches(terms, keep, func(term string, _ posting) float64 { return x.weight(term) / whole })
}

// The usual constants of BM25: how soon more of the same word counts no more, and how much a long text is held to be long.
const (
	saturation = 1.2
	longness   = 0.75
)

// Search ranks texts by a question (BM25). The best come first, of equal ones those that were added first. A text that keep refuses is left
// out.
func (x *Index) Search(question string, keep func(key string) bool) []Match {
	terms := slices.Compact(slices.Sorted(slices.Values(Terms(question))))
	average := float64(max(x.length, 1)) / float64(max(len(x.texts), 1))
	return x.matches(terms, keep, func(term string, p posting) float64 {
		times := float64(p.times)
		return x.weight(term) * times * (saturation + 1) / (times + saturation*(1-longness+longness*float64(x.texts[p.text].length)/average))
	})
}

func (x *Index) matches(terms []string, keep func(key string) bool, score func(term string, p posting) float64) []Match {
	scores := map[int]float64{}
	for _, t := range terms {
		for _, p := range x.postings[t] {
			scores[p.text] += score(t, p)
		}
	}
	found := make([]int, 0, len(scores))
	for i := range scores {
		if keep(x.texts[i].key) {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	out := make([]Match, len(found))
	for i, at := range found {
		out[i] = Match{x.texts[at].key, scores[at]}
	}
	return out
}

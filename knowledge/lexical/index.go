package lexical

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/ranked"
)

// Index finds texts that were added to it. It is not safe for concurrent use while texts are added.
type Index struct {
	texts    []entry
	terms    map[string]int // in postings
	postings [][]posting
	stems    stems
	length   int // of all texts, in terms
	tallies  sync.Pool
}

type entry struct {
	key    string
	length int32
}

type posting struct{ text, times int32 }

// New returns an empty Index.
func New() *Index { return &Index{terms: map[string]int{}, stems: stems{}} }

// Add adds a text under a key.
func (x *Index) Add(key, text string) {
	n := int32(len(x.texts))
	terms := 0
	for t := range split(text, x.stems.of) {
		terms++
		at, ok := x.terms[t]
		if !ok {
			at = len(x.postings)
			x.terms[strings.Clone(t)] = at // what it is a part of may go
			x.postings = append(x.postings, nil)
		}
		list := x.postings[at]
		if last := len(list) - 1; last >= 0 && list[last].text == n {
			list[last].times++
			continue
		}
		x.postings[at] = append(list, posting{n, 1})
	}
	x.texts, x.length = append(x.texts, entry{key, int32(terms)}), x.length+terms
}

// of are the texts that have a term.
func (x *Index) of(term string) []posting {
	if at, ok := x.terms[term]; ok {
		return x.postings[at]
	}
	return nil
}

// Match is a text that was found, and how well it fits.
type Match struct {
	Key   string
	Score float64
}

// weight is how much a term tells: one that few texts have, much (inverse document frequency).
func (x *Index) weight(term string) float64 {
	n, has := float64(len(x.texts)), float64(len(x.of(term)))
	return math.Log(1 + (n-has+0.5)/(has+0.5))
}

// Cover tells how much of a question each text has: 1 is all of its words, each of them counted by how rare it is. The best come first, of
// equal ones those that were added first. A text that keep refuses is left out.
func (x *Index) Cover(question string, keep func(key string) bool) []Match {
	terms := distinct(question)
	whole := 0.0
	for _, t := range terms {
		whole += x.weight(t)
	}
	tally := x.tally()
	for _, t := range terms {
		share := x.weight(t) / whole
		for _, p := range x.of(t) {
			tally.add(p.text, share)
		}
	}
	return x.best(tally, keep, len(x.texts))
}

// distinct are the terms of a question, each once, in an order that adds up to the same each time.
func distinct(question string) []string {
	return slices.Compact(slices.Sorted(slices.Values(Terms(question))))
}

// The usual constants of BM25: how soon more of the same word counts no more, and how much a long text is held to be long.
const (
	saturation = 1.2
	longness   = 0.75
)

// Search ranks texts by a question (BM25), and returns the best of them, at most top: the best first, of equal ones those that were added first.
func (x *Index) Search(question string, top int) []Match {
	average := float64(max(x.length, 1)) / float64(max(len(x.texts), 1))
	tally := x.tally()
	for _, t := range distinct(question) {
		weight := x.weight(t)
		for _, p := range x.of(t) {
			times := float64(p.times)
			tally.add(p.text, weight*times*(saturation+1)/(times+saturation*(1-longness+longness*float64(x.texts[p.text].length)/average)))
		}
	}
	return x.best(tally, func(string) bool { return true }, top)
}

// best are the best of what was counted that keep takes.
func (x *Index) best(t *tally, keep func(key string) bool, top int) []Match {
	best := ranked.NewBest(top)
	for _, at := range t.met {
		if keep(x.texts[at].key) {
			best.Add(int(at), t.scores[at])
		}
	}
	x.release(t)
	list := best.Sorted()
	out := make([]Match, len(list))
	for i, s := range list {
		out[i] = Match{x.texts[s.At].key, s.Score}
	}
	return out
}

// tally has a score for each text, and which were met: a table is many times faster than a map where a word stands in every third text.
type tally struct {
	scores []float64
	met    []int32
}

func (t *tally) add(text int32, score float64) {
	if t.scores[text] == 0 {
		t.met = append(t.met, text)
	}
	t.scores[text] += score
}

// tally returns one in which every score is 0.
func (x *Index) tally() *tally {
	t, ok := x.tallies.Get().(*tally)
	if !ok || len(t.scores) < len(x.texts) {
		t = &tally{scores: make([]float64, len(x.texts))}
	}
	return t
}

// release gives a tally back for the next question.
func (x *Index) release(t *tally) {
	for _, at := range t.met {
		t.scores[at] = 0
	}
	t.met = t.met[:0]
	x.tallies.Put(t)
}

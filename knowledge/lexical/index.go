package lexical

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/ranked"
)

// Index is a full-text index. It is not safe for concurrent use while texts are added.
type Index struct {
	texts    []entry
	terms    map[string]int // index in postings
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
			x.terms[strings.Clone(t)] = at // the clone lets the text be garbage collected
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

func (x *Index) of(term string) []posting {
	if at, ok := x.terms[term]; ok {
		return x.postings[at]
	}
	return nil
}

// Has reports whether a term is in any text.
func (x *Index) Has(term string) bool { return len(x.of(term)) > 0 }

// Match is a found text with its score.
type Match struct {
	Key   string
	Score float64
}

// weight is the inverse document frequency of a term.
func (x *Index) weight(term string) float64 {
	n, has := float64(len(x.texts)), float64(len(x.of(term)))
	return math.Log(1 + (n-has+0.5)/(has+0.5))
}

// Cover returns the share of the question's words in each text, weighted by rarity; 1 is all of them. Matches are
// sorted by score, then by insertion. Texts that keep rejects are left out.
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

// distinct returns the unique terms in a stable order, which keeps floating-point sums reproducible.
func distinct(question string) []string {
	return slices.Compact(slices.Sorted(slices.Values(Terms(question))))
}

// The usual constants of BM25: term saturation, and length normalization.
const (
	saturation = 1.2
	longness   = 0.75
)

// Search ranks texts by BM25 and returns at most top matches, sorted by score, then by insertion.
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

// tally holds a score for each text, and the texts with one. A slice is many times faster than a map for frequent
// words.
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

// tally returns a zeroed tally.
func (x *Index) tally() *tally {
	t, ok := x.tallies.Get().(*tally)
	if !ok || len(t.scores) < len(x.texts) {
		t = &tally{scores: make([]float64, len(x.texts))}
	}
	return t
}

// release returns a tally for reuse.
func (x *Index) release(t *tally) {
	for _, at := range t.met {
		t.scores[at] = 0
	}
	t.met = t.met[:0]
	x.tallies.Put(t)
}

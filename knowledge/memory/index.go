package memory

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/lexical"
)

// Text is what an Index finds, by its key.
type Text struct{ Key, Text string }

// Hit is a text that an Index found, and how well it fits. What a score means is for the Index to say; a greater one fits better.
type Hit struct {
	Key   string
	Score float64
}

// Index finds texts by a question. Whatever it holds follows from the log, and may be thrown away. The suite in memorytest has what every one
// promises. Searches may run at once, and nothing is added meanwhile.
type Index interface {
	// Add adds texts. One with a key that is there already is not added again: what an event says does not change.
	Add(ctx context.Context, texts ...Text) error
	// Search lists the texts that fit a question best, at most top, the best first and of equal ones those that were added first. A blank
	// question finds nothing.
	Search(ctx context.Context, question string, top int) ([]Hit, error)
}

// Words is the Index that needs nothing: it ranks texts by the words that they have in common with the question (BM25).
type Words struct {
	index *lexical.Index
	there map[string]bool
}

// NewWords returns an empty Words.
func NewWords() *Words { return &Words{lexical.New(), map[string]bool{}} }

// Add implements Index.
func (w *Words) Add(ctx context.Context, texts ...Text) error {
	for _, t := range texts {
		if !w.there[t.Key] {
			w.there[t.Key] = true
			w.index.Add(t.Key, t.Text)
		}
	}
	return ctx.Err()
}

// Search implements Index.
func (w *Words) Search(ctx context.Context, question string, top int) ([]Hit, error) {
	var hits []Hit
	for _, m := range w.index.Search(question, top) {
		hits = append(hits, Hit(m))
	}
	return hits, ctx.Err()
}

// blank reports whether there is nothing to look for.
func blank(question string) bool { return strings.TrimSpace(question) == "" }

package memory

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/lexical"
)

// Text is an indexed text with its key.
type Text struct{ Key, Text string }

// Hit is a search result. Scores of one Index are comparable, and a greater score is a better match.
type Hit struct {
	Key   string
	Score float64
}

// Index finds texts by a question. Its contents derive from the log. Searches may run concurrently, but not with Add.
type Index interface {
	// Add adds texts. It skips keys that are already indexed, because the text of an event never changes.
	Add(ctx context.Context, texts ...Text) error
	// Search lists at most top matches, the best first, and ties in order of addition. A blank question has none.
	Search(ctx context.Context, question string, top int) ([]Hit, error)
}

// Words is an Index without a model. It ranks texts by common words (BM25).
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

func blank(question string) bool { return strings.TrimSpace(question) == "" }

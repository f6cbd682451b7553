package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// counting makes vectors of a size, and counts the texts that it was asked for.
type counting struct {
	key   string
	size  int
	asked *int
	err   error
}

func (c counting) Name() string { return c.key }
func (c counting) Key() string  { return c.key }

func (c counting) Embed(_ context.Context, texts []string) ([][]float32, error) {
	*c.asked += len(texts)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, c.size)
		out[i][len(text)%c.size] = 1
	}
	return out, c.err
}

// TestVectorsAreAskedForOnce: also by the next run, and again where the model, its address or the size of vectors is another.
func TestVectorsAreAskedForOnce(t *testing.T) {
	t.Parallel()
	w := &Workspace{local: t.TempDir()}
	texts := []string{"a", "bb", "a", ""}
	for _, step := range []struct {
		key   string
		size  int
		texts []string
		asked int
	}{
		{"small", 3, texts, 3},
		{"small", 3, texts, 0},
		{"small", 3, append([]string{"dddd"}, texts...), 1},
		{"small", 5, texts, 0},                                   // nothing is asked, so that nothing is noticed
		{"small", 5, append([]string{"eeeee"}, texts...), 1 + 4}, // one of another size: all are asked for
		{"small", 5, texts, 0},
		{"large", 5, texts, 3},
		{"small", 5, texts, 3}, // the other one's took their place
	} {
		asked := 0
		c := counting{key: step.key, size: step.size, asked: &asked}
		got, err := w.remembering(c).Embed(t.Context(), step.texts)
		if err != nil || asked != step.asked || len(got) != len(step.texts) {
			t.Fatalf("%+v: %d vectors, asked for %d, %v", step, len(got), asked, err)
		}
		for i, vector := range got {
			if vector[len(step.texts[i])%len(vector)] != 1 {
				t.Errorf("%+v: %q is %v", step, step.texts[i], vector)
			}
		}
	}
}

// TestVectorsOnDisk: many files become one, and what was damaged is asked for again.
func TestVectorsOnDisk(t *testing.T) {
	t.Parallel()
	w := &Workspace{local: t.TempDir()}
	asked := 0
	c := counting{key: "small", size: 3, asked: &asked}
	embed := func(texts ...string) {
		if _, err := w.remembering(c).Embed(t.Context(), texts); err != nil {
			t.Fatal(err)
		}
	}
	files := func() []string {
		list, _ := filepath.Glob(filepath.Join(w.local, vectorsTop, "*", "*"))
		return list
	}
	const n = 2*mostVectorFiles + 3
	for i := range n {
		embed(fmt.Sprint(i))
		if got := len(files()); got > mostVectorFiles {
			t.Fatalf("%d files after %d questions", got, i)
		}
	}
	for i := range n {
		embed(fmt.Sprint(i))
	}
	if asked != n {
		t.Fatalf("asked for %d vectors, want %d", asked, n)
	}
	for _, damage := range [][]byte{nil, []byte("x"), []byte(vectorsBegin), []byte(vectorsBegin + "\xff\xff\xff\xff")} {
		for _, file := range files() {
			if err := os.WriteFile(file, damage, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		asked = 0
		if embed("7"); asked != 1 || len(files()) != 1 {
			t.Errorf("%q: asked for %d, %d files are left", damage, asked, len(files()))
		}
	}
}

// TestRecallWithoutAnAnswer: words are enough, and it is told.
func TestRecallWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	for _, text := range []string{"The cache was cleared", "bb"} {
		if _, err := log.Add(ledger.Event{Type: ledger.Happening, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	w := &Workspace{local: t.TempDir()}
	asked := 0
	down := errors.New("no answer")
	for name, c := range map[string]struct {
		embedder Embedder
		told     []error
		want     string
	}{
		"none":     {nil, nil, "Initially, The cache was cleared."},
		"there":    {counting{key: "small", size: 3, asked: &asked}, nil, "Initially, The cache was cleared."},
		"no reply": {counting{key: "down", size: 3, asked: &asked, err: down}, []error{down}, "Initially, The cache was cleared."},
	} {
		var told []error
		got, err := w.Recall(t.Context(), log, "who cleared the cache?", 5, c.embedder, func(err error) { told = append(told, err) })
		if err != nil || got.Narrative() != c.want || !slices.EqualFunc(told, c.told, errors.Is) {
			t.Errorf("%s: %q, %v, told %v", name, got.Narrative(), err, told)
		}
	}
	// What has no word in common is found by its vector alone.
	got, err := w.Recall(t.Context(), log, "xx", 1, counting{key: "other", size: 3, asked: &asked}, nil)
	if err != nil || got.Narrative() != "Initially, bb." {
		t.Errorf("%q, %v", got.Narrative(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Recall(ctx, log, "cache", 1, counting{key: "other", size: 3, asked: &asked, err: down}, nil); err == nil {
		t.Error("who gives up is answered")
	}
}

package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/index"
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
		{"small", 5, texts, 0},                                   // no request, so the change is not detected
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

// TestVectorsOnDisk checks that damaged, locked or outdated vectors are requested again.
func TestVectorsOnDisk(t *testing.T) {
	t.Parallel()
	w := &Workspace{local: t.TempDir()}
	dir := filepath.Join(w.local, vectorsDir)
	asked := 0
	c := counting{key: "small", size: 3, asked: &asked}
	embed := func(step string, want int, texts ...string) {
		t.Helper()
		asked = 0
		if _, err := w.remembering(c).Embed(t.Context(), texts); err != nil || asked != want {
			t.Errorf("%s: asked for %d vectors, want %d, %v", step, asked, want, err)
		}
	}
	const earlier = "0123456789abcdef"
	if err := os.MkdirAll(filepath.Join(dir, earlier), 0o755); err != nil {
		t.Fatal(err)
	}
	var many []string
	for i := range keptAtOnce + 1 {
		many = append(many, fmt.Sprint(i))
	}
	embed("at first", len(many), many...)
	embed("again", 0, many...)
	if _, err := os.Stat(filepath.Join(dir, earlier)); err == nil {
		t.Error("the files of an earlier version are left")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, damage := range []string{"", "x"} {
		if err := os.WriteFile(files[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		embed("damaged", 1, "7")
		embed("mended", 0, "7")
	}
	x, err := index.Open(dir, c.Key())
	if err != nil {
		t.Fatal(err)
	}
	embed("in use", 1, "7")
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	embed("free", 0, "7")
}

// TestRecallWithoutAnAnswer checks that the search falls back to words, and says so.
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
	// An event without a common word is found by its vector alone.
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

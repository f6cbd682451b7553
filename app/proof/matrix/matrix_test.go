package matrix

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var write = flag.Bool("update", false, "write docs/edit-matrix.md")

var languages = []language{goShop, pythonShop, typescriptShop, javaShop, rustShop, cShop, cppShop}

// TestMatrix holds every edit in every language to what has to follow from it, and the published table to what was
// found. With -short it tries one language and leaves the table alone.
func TestMatrix(t *testing.T) {
	t.Parallel()
	found := &table{cells: map[string]map[string]outcome{}}
	tried := languages
	if testing.Short() {
		tried = languages[:1]
	}
	whole := t.Run("edits", func(t *testing.T) {
		for _, l := range tried {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				l.run(t, found)
			})
		}
	})
	if !whole || len(found.rows) == 0 || found.filled != expectedCells() {
		return // a failure is told already; a part of the matrix has no table
	}
	file := filepath.Join("..", "..", "..", "docs", "edit-matrix.md")
	text := found.markdown()
	if *write {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if published, err := os.ReadFile(file); err != nil || string(published) != text {
		t.Errorf("%s is not what was found (%v); run: go -C app/proof test ./matrix -update", file, err)
	}
}

// run tries all edits of a language.
func (l language) run(t *testing.T, found *table) {
	t.Helper()
	shop := documented(t, l)
	for _, x := range l.all() {
		t.Run(strings.ReplaceAll(x.row, " ", "_"), func(t *testing.T) {
			t.Parallel()
			found.add(l, x.row, l.try(t, shop, x))
		})
	}
	t.Run(strings.ReplaceAll(killedRow, " ", "_"), func(t *testing.T) {
		t.Parallel()
		found.add(l, killedRow, l.killed(t, shop))
	})
}

// all are the trials of a language.
func (l language) all() []trial { return slices.Concat(l.everywhere(), l.trials, l.told) }

func expectedCells() int {
	n := 0
	for _, l := range languages {
		n += len(l.all()) + 1
	}
	return n
}

// table collects outcomes by row and language.
type table struct {
	mu     sync.Mutex
	cells  map[string]map[string]outcome
	rows   []string
	filled int
}

func (f *table) add(l language, row string, o outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cells[row] == nil {
		f.cells[row] = map[string]outcome{}
		f.rows = append(f.rows, row)
	}
	short := make([]string, len(o.rerun))
	for i, m := range o.rerun {
		short[i] = l.short(m)
	}
	o.rerun = short
	f.cells[row][l.name] = o
	f.filled++
}

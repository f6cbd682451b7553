package matrix

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/testmode"
)

var write = flag.Bool("update", false, "run all cells and write docs/edit-matrix.md")

var languages = []language{goShop, pythonShop, typescriptShop, javaShop, rustShop, cShop, cppShop}

// TestMatrix tries edits in every language and compares the outcomes with the published table. The long run tries every
// edit and compares the whole page; otherwise a sample is compared with its cells of the table.
func TestMatrix(t *testing.T) {
	t.Parallel()
	long := testmode.Long() || *write
	found := &table{cells: map[string]map[string]outcome{}}
	passed := t.Run("edits", func(t *testing.T) {
		for _, l := range languages {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				l.run(t, found, long)
			})
		}
	})
	if !passed {
		return // reported by the cells
	}
	if found.filled == 0 || found.filled != found.tried {
		t.Fatalf("%d of the %d cells that were tried have an outcome", found.filled, found.tried)
	}
	if n := expectedCells(); long && found.filled != n {
		t.Fatalf("%d of %d cells were tried: the long run compares all of them", found.filled, n)
	}
	file := filepath.Join("..", "..", "..", "docs", "edit-matrix.md")
	if *write {
		if err := os.WriteFile(file, []byte(found.markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	published, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if long && string(published) != found.markdown() {
		t.Errorf("%s is out of date; run: go -C app/proof test ./matrix -update", file)
	}
	for _, problem := range found.differences(string(published)) {
		t.Errorf("%s: %s", file, problem)
	}
}

// run tries the edits of a language.
func (l language) run(t *testing.T, found *table, long bool) {
	t.Helper()
	shop := documented(t, l)
	for _, x := range l.all() {
		if !long && !l.sampled(x) {
			continue
		}
		t.Run(strings.ReplaceAll(x.row, " ", "_"), func(t *testing.T) {
			t.Parallel()
			found.begin()
			found.add(l, x.row, l.try(t, shop, x, long))
		})
	}
	if !long && l.name != goShop.name {
		return
	}
	t.Run(strings.ReplaceAll(killedRow, " ", "_"), func(t *testing.T) {
		t.Parallel()
		found.begin()
		found.add(l, killedRow, l.killed(t, shop, long))
	})
}

// sampled reports whether the default run includes an edit: all edits of Go; in other languages those that Go lacks, or that change other
// modules.
func (l language) sampled(x trial) bool {
	if l.name == goShop.name {
		return true
	}
	all := goShop.all()
	i := slices.IndexFunc(all, func(y trial) bool { return y.row == x.row })
	return i < 0 || !slices.Equal(slices.Sorted(strings.FieldsSeq(all[i].rerun)), slices.Sorted(strings.FieldsSeq(x.rerun)))
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
	mu            sync.Mutex
	cells         map[string]map[string]outcome
	tried, filled int
}

// begin counts a cell that is tried.
func (f *table) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tried++
}

func (f *table) add(l language, row string, o outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cells[row] == nil {
		f.cells[row] = map[string]outcome{}
	}
	short := make([]string, len(o.updated))
	for i, m := range o.updated {
		short[i] = l.short(m)
	}
	o.updated = short
	f.cells[row][l.name] = o
	f.filled++
}

// TestDifferences checks that a wrong cell, a missing row and changed text are found.
func TestDifferences(t *testing.T) {
	t.Parallel()
	page := introduction + "| Edit | Go | Python | TypeScript | Java | Rust | C | C++ | Missed |\n|---|\n" +
		"| nothing | none | none | none | none | none | cart | none | 0 | 0 | 0 |\n" + ending
	f := &table{cells: map[string]map[string]outcome{}}
	f.add(goShop, "nothing", outcome{})
	f.add(cShop, "nothing", outcome{updated: []string{"cart"}})
	if got := f.differences(page); len(got) > 0 {
		t.Errorf("found %q in a page that is right", got)
	}
	f.add(goShop, "nothing", outcome{updated: []string{"cart"}})
	f.add(goShop, "something", outcome{})
	want := []string{`nothing, Go: the table has "none", the outcome is "cart"`, "the text around the table differs", "there is no row something"}
	if got := f.differences(page + "more"); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

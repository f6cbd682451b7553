package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestChangedIsComplete draws edits. Every fact that differs between two surveys without a cache must be among the changes that a survey
// with a cache reports, and its digests must be the same.
func TestChangedIsComplete(t *testing.T) {
	t.Parallel()
	nothing, dir := openIndex(t, t.TempDir()), t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		remembered := emptyIndex(t, dir)
		tree := drawTree(t)
		before := observed(t, tree, nothing)
		remember(t, observed(t, tree, remembered))
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			for range rapid.IntRange(1, 4).Draw(t, "edits") {
				tree.edit(t)
			}
			if rapid.IntRange(0, 4).Draw(t, "commit") == 0 {
				tree.record("c" + strings.Repeat("i", len(tree.commits)))
			}
			now, grown := observed(t, tree, nothing), observed(t, tree, remembered)
			compare(t, before, now, grown)
			remember(t, grown)
			before = now
		}
	})
}

// tester is a test, or an example of a property.
type tester interface {
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Context() context.Context
}

// compare holds a survey with a memory to one before the changes and one after, which have none.
func compare(t tester, before, now, grown *Survey) {
	facts, all := grown.Changed()
	if all {
		t.Fatal("everything counts as changed")
	}
	changed := map[fact.Fact]bool{}
	for _, f := range facts {
		changed[f] = true
	}
	facts = slices.SortedFunc(maps.Keys(allFacts(before, now)), func(a, b fact.Fact) int { // those of one module together
		return cmp.Or(strings.Compare(a.Of, b.Of), strings.Compare(a.String(), b.String()))
	})
	for _, f := range facts {
		was, is := ask(t, before, f), ask(t, now, f)
		if got := ask(t, grown, f); got != is {
			t.Errorf("%s is %q, and %q where nothing is remembered", f, got, is)
		}
		if was != is && !changed[f] && !changed[fact.Of(f.Family, f.Of, "")] {
			t.Errorf("%s was %q and is %q, and is not told", f, was, is)
		}
		if got, want := remembered(t, grown, f), remembered(t, now, f); got != want {
			t.Errorf("%s has the value %s, and %s where nothing is remembered", f, got, want)
		}
	}
}

// remembered is the whole value of a fact whose value is remembered.
func remembered(t tester, s *Survey, f fact.Fact) string {
	var v any
	var err error
	switch {
	case !rememberedFacts[f.Family] || s.modules[f.Name] == nil:
	case f.Family == baseFacts:
		var kin source.Kinship
		if kin, err = s.kinship(t.Context(), []string{f.Name}); err == nil {
			v, _ = kin.Shapes(f.Name)
		}
	default:
		v, err = s.Value(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}

// allFacts lists all facts about the modules and files of several states, and some about missing ones.
func allFacts(states ...*Survey) map[fact.Fact]bool {
	out := map[fact.Fact]bool{AllModules: true, AllDivided: true, ListFact(ServiceList): true, ListFact(SettingsList): true, ListFact(SchemaList): true, ListFact(ManualList): true, ListFact(SampleList): true, SettingFact("title"): true}
	modules, files := map[string]bool{"none": true, ".": true}, map[string]bool{"none.go": true}
	for _, s := range states {
		for m := range s.modules {
			modules[m] = true
		}
		for _, p := range s.files() {
			for ; p != "."; p = path.Dir(p) {
				files[p] = true
			}
		}
	}
	for p := range files {
		for _, family := range []fact.Family{fact.Files, fact.Blobs, fact.Absences, pathFacts, fact.Listings, linkFacts, importerFacts, usageFacts, flowFacts, exampleFacts, manualFacts, extendFacts, baseFacts, languageFacts, readmeFacts, quotedFacts, reachedFacts, partFacts, bundleFacts, descriptionFacts} {
			out[fact.New(family, p)] = true
			out[fact.New(family, path.Dir(p))] = true
		}
	}
	for _, s := range states {
		for f := range s.bundled() {
			out[f] = true
		}
	}
	for m := range modules {
		for _, name := range namesIn(m, states) {
			for _, family := range []fact.Family{fact.Symbols, fact.Bodies, fact.Callers, fact.Callees, fact.Implementers} {
				out[fact.Of(family, m, name)] = true
			}
		}
	}
	return out
}

// namesIn are the names that may be asked of a module.
func namesIn(module string, states []*Survey) []string {
	set := map[string]bool{"*": true, "None": true, "none.*": true}
	for _, s := range states {
		table, _ := s.table(module)
		for _, prefix := range table.Files {
			set[prefix+"*"] = true
		}
		if k := s.known[module]; k != nil {
			for i := range k.Declared {
				set[k.Declared[i].Name] = true
			}
		}
		for name := range table.Names {
			set[name] = true
			for at := range len(name) {
				if name[at] == '.' {
					set[name[:at]], set[name[:at+1]+"*"] = true, true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func ask(t tester, s *Survey, f fact.Fact) string {
	d, err := s.Digest(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func observed(t *rapid.T, tree *drawnTree, x *index.Index) *Survey {
	s := surveyOf(tree.memoryTree, x)
	if err := s.Observe(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// remember leaves nothing undone, or everything: that must not matter.
func remember(t *rapid.T, s *Survey) {
	if err := errors.Join(s.Save(rapid.Bool().Draw(t, "done")), s.Batch.Commit()); err != nil {
		t.Fatal(err)
	}
}

// emptyIndex opens a new index, which goes with the example.
func emptyIndex(t *rapid.T, dir string) *index.Index {
	dir, err := os.MkdirTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(dir, "key")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.Close()
		_ = os.RemoveAll(dir)
	})
	return x
}

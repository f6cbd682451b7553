package worktree_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
)

// update runs the engine over a tree, with its files in dir.
func update(t *testing.T, tree survey.Tree, dir, cache string) *report.Update {
	t.Helper()
	files, err := store.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	x, err := index.Open(cache, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	batch := x.NewBatch()
	look := survey.New(survey.Config{
		Tree: tree, Index: x, Batch: batch, Languages: languages.All(), Owned: layout.Owns, MaxBytes: 1 << 20, Excluded: func(string) bool { return false },
	})
	e := engine.New(engine.Config{
		World: look, Plugins: []engine.Plugin{render.New(render.Config{Layout: layout}, files, languages.All(), look.LeftOut)},
		Words: survey.Words, Index: x, Batch: batch, Files: files, Layout: layout, Prompt: "look",
	})
	r, err := e.Update(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report.OfUpdate(r, report.Pages{Layout: layout}, look.FilesRead(), true)
}

// TestTheEngineOverABareCommit makes what it makes over a checkout of the same commit, push after push.
func TestTheEngineOverABareCommit(t *testing.T) {
	t.Parallel()
	h := serve(t)
	h.write("go.mod", "module example.com/shop\n\ngo 1.26\n")
	h.write("cart/cart.go", "// Package cart holds what is bought.\npackage cart\n\n// Total adds up.\nfunc Total(prices []int) int { return len(prices) }\n")
	h.write("shop.go", "// Package shop sells.\npackage shop\n\nimport \"example.com/shop/cart\"\n\n// Sell sells.\nfunc Sell() int { return cart.Total(nil) }\n")
	local, server := t.TempDir(), t.TempDir()
	for step, edit := range []func(){
		func() {},
		func() {
			h.write("cart/cart.go", "// Package cart holds what is bought.\npackage cart\n\n// Total adds up.\nfunc Total(prices ...int) int { return len(prices) }\n")
		},
		func() {},
		func() {
			h.write("pay/pay.go", "// Package pay takes money.\npackage pay\n\n// Take takes it.\nfunc Take() {}\n")
		},
		func() { h.git("rm", "-q", "pay/pay.go") },
	} {
		edit()
		bare, scratch := h.open(h.next())
		ours := update(t, bare, scratch.Dir(), server)
		theirs := update(t, h.tree, h.root, local)
		if !slices.Equal(ours.Rerun, theirs.Rerun) || !slices.Equal(ours.Removed, theirs.Removed) {
			t.Errorf("step %d: ran %v and removed %v, over a checkout %v and %v", step, ours.Rerun, ours.Removed, theirs.Rerun, theirs.Removed)
		}
		if step == 2 && len(ours.Rerun) > 0 {
			t.Errorf("a commit of what was written runs %v again", ours.Rerun)
		}
		got := files(t, scratch.Dir())
		maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".causal/tmp/") }) // in a checkout it is below .git
		if want := owned(t, h.root); !maps.Equal(got, want) || len(got) < 8 {
			t.Errorf("step %d: %q\nover a checkout %q", step, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
}

// owned are the files that causal keeps in a checkout.
func owned(t *testing.T, root string) map[string]string {
	t.Helper()
	out := files(t, root)
	maps.DeleteFunc(out, func(name, _ string) bool { return !layout.Owns(filepath.Clean(name)) && name != "docs/" })
	return out
}

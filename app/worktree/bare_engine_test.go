package worktree_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
)

// update runs the engine over a tree, with its files in dir.
func update(t *testing.T, tree engine.Tree, dir, cache string) *engine.Report {
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
	report, err := engine.New(engine.Config{
		Prompt: "look",
		Tree:   tree, Index: x, Dir: files, Layout: layout, Languages: languages.All(), MaxBytes: 1 << 20,
		Excluded:  func(string) bool { return false },
		Generator: func(language string) string { return render.Version + " " + language + "/1 none" },
		Plugin: func(l engine.Library) engine.Plugin {
			return render.New(render.Config{Layout: layout, Branch: "main"}, l, files)
		},
	}).Update(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
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

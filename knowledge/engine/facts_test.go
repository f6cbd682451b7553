package engine_test

import (
	"context"
	"maps"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
)

// TestTheFileBehindACause: b rests on a function of a. Whatever changed that function's interface is named by its file,
// with the same words whether or not anything is remembered.
func TestTheFileBehindACause(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"a/a.go": "package a\n\nfunc A() T { return 0 }\n", "a/t.go": "package a\n\ntype T int\n", "a/1.go": "package a\n\nfunc one() {}\n",
		"a/2.go": "package a\n\nfunc two() {}\n", "a/3.go": "package a\n\nfunc three() {}\n",
	}
	for _, c := range []struct {
		name         string
		edit         map[string]string
		file, detail string
	}{
		{"the file that declares it", map[string]string{"a/a.go": "package a\n\nfunc A(n int) T { return 0 }\n"}, "a/a.go", "a/a.go: a.A changed"},
		{"the file of a type that it leads to", map[string]string{"a/t.go": "package a\n\ntype T int64\n"}, "a/t.go", "a/t.go: a.A changed"},
		{
			"another file, too", map[string]string{"a/a.go": "package a\n\nfunc A(n int) T { return 0 }\n", "a/1.go": "package a\n\nfunc one() int { return 1 }\n"},
			"a/a.go", "a/a.go: a.A changed (a/1.go changed as well)",
		},
		{
			"many files", map[string]string{
				"a/t.go": "package a\n\ntype T int64\n", "a/1.go": "package a\n\nfunc one() int { return 1 }\n",
				"a/2.go": "package a\n\nfunc two() int { return 2 }\n", "a/3.go": "package a\n\nfunc three() int { return 3 }\n",
			},
			"a/1.go", "a/1.go: a.A changed (3 more files changed as well)",
		},
		{"all files are gone", map[string]string{"a/a.go": "", "a/t.go": "", "a/1.go": "", "a/2.go": "", "a/3.go": ""}, "a/1.go", "a/1.go: a.A is gone (4 more files changed as well)"},
	} {
		for _, remembered := range []bool{true, false} {
			b := setup(t)
			maps.Copy(b.tree.files, base)
			must(t)(b.update(t))
			for name, text := range c.edit {
				if b.tree.files[name] = text; text == "" {
					delete(b.tree.files, name)
				}
			}
			if !remembered {
				b.index = t.TempDir()
			}
			report, err := b.engine(t).Check(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var got engine.StaleNode
			for _, s := range report.Stale {
				if s.Node == "b" {
					got = s
				}
			}
			if got.File != c.file || got.Detail != c.detail {
				t.Errorf("%s, remembered %v: file %q, %q; want %q, %q", c.name, remembered, got.File, got.Detail, c.file, c.detail)
			}
		}
	}
}

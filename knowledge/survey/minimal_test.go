package survey

import (
	"fmt"
	"slices"
	"testing"
)

// TestOnlyWhatChangedIsTold checks that an edit reports few facts and reads few files.
func TestOnlyWhatChangedIsTold(t *testing.T) {
	t.Parallel()
	const a = "a/a.go"
	b := newBench(t)
	b.settle(t)
	b.tree.read = nil
	for _, step := range []struct {
		name, file, text string
		want, read       []string
	}{
		{"nothing", a, b.tree.files[a], nil, nil},
		{"a comment", a, "package a\n\n// here\n\nfunc A() int { return 1 }\n", []string{"blob " + a}, []string{a}},
		{"formatting", a, "package a\n\nfunc A() int {\n\treturn 1\n}\n", []string{"blob " + a}, []string{a}},
		{"a body", a, "package a\n\nfunc A() int { return 2 }\n", []string{"blob " + a, `body a ""`, "examples a", "file " + a, "flows a", "manual a"}, []string{a}},
		{"documentation", a, "package a\n\n// A is one.\nfunc A() int { return 2 }\n", []string{"blob " + a, `body a ""`, `callees a ""`, `callers a ""`, "examples a", "file " + a, "flows a", `implementers a ""`, "manual a"}, []string{a}},
		{"other documentation", a, "package a\n\n// A is two.\nfunc A() int { return 2 }\n", []string{"blob " + a, `body a ""`, "examples a", "file " + a, "flows a", "manual a"}, []string{a}},
		{
			"an interface", a, "package a\n\n// A is two.\nfunc A() int64 { return 2 }\n",
			[]string{"blob " + a, `body a ""`, "examples a", "file " + a, "flows a", "manual a", "symbol a *", "symbol a A"}, []string{a},
		},
		{
			"a symbol that nobody uses", a, "package a\n\n// A is two.\nfunc A() int64 { return 2 }\n\nfunc New() {}\n",
			[]string{"blob " + a, `body a ""`, `callees a ""`, `callers a ""`, "examples a", "file " + a, "flows a", `implementers a ""`, "manual a", "symbol a *", "symbol a New"}, []string{a},
		},
		{
			"an import", "c/c.go", "package c\n\nimport \"x/a\"\n\nfunc C() { a.A() }\n",
			[]string{
				"bases c", "blob c/c.go", `body c ""`, `callees c ""`, `callers a ""`, `callers c ""`, "examples a", "examples c", "file c/c.go", "flows c", `implementers a ""`, `implementers c ""`, "implements c", "importers a", "links c", "manual c", "usage a",
			}, []string{"c/c.go", "go.mod"},
		},
		{
			"a body that names the same", "c/c.go", "package c\n\nimport \"x/a\"\n\nfunc C() { _ = 2 * a.A() }\n",
			[]string{"blob c/c.go", `body c ""`, "examples c", "file c/c.go", "flows c", "manual c"}, []string{"c/c.go"},
		},
		{
			"a body that names another", "c/c.go", "package c\n\nimport \"x/a\"\n\nfunc C() { _ = 2 * a.A(); C() }\n",
			[]string{"blob c/c.go", `body c ""`, `callees c ""`, `callers a ""`, `callers c ""`, "examples c", "file c/c.go", "flows c", `implementers c ""`, "manual c"}, []string{"c/c.go"},
		},
		{
			"a file", "c/d.go", "package c\n",
			[]string{
				"absent c/d.go", "bases c", "blob c/d.go", `body c ""`, `callees c ""`, `callers a ""`, `callers c ""`, "examples c", "file c/d.go", "flows c", `implementers a ""`, `implementers c ""`, "implements c", "listing c", "manual c",
				"path c/d.go",
			}, []string{"c/d.go", "go.mod"},
		},
		{"no source", "c/data.bin", "\x00", []string{"absent c/data.bin", "blob c/data.bin", "path c/data.bin"}, nil},
		{"no source again", "c/data.bin", "\x01", []string{"blob c/data.bin"}, nil},
		{"what is not looked at", "skip/s.go", "package skip\n", []string{"absent skip/s.go", "blob skip/s.go", "path skip", "path skip/s.go"}, nil},
		{"causal's own", "own/page.md", "# Page\n", nil, nil},
	} {
		b.tree.files[step.file] = step.text
		b.run(t, true, func(t *testing.T, s *Survey) {
			b.tree.read = slices.Compact(slices.Sorted(slices.Values(b.tree.read)))
			if got := changedOf(t, s); !slices.Equal(got, step.want) || !slices.Equal(b.tree.read, step.read) {
				t.Errorf("%s: changed %q, read %q", step.name, got, b.tree.read)
			}
			b.tree.read = nil
		})
	}
}

// TestWhatIsToldDoesNotGrowWithTheRepository checks that an edit in one of a thousand modules reports as many facts as an edit in one of
// three.
func TestWhatIsToldDoesNotGrowWithTheRepository(t *testing.T) {
	t.Parallel()
	const modules = 1000
	b := newBench(t)
	for i := range modules {
		b.tree.files[fmt.Sprintf("m%d/m.go", i)] = fmt.Sprintf("package m\n\nimport \"x/m%d\"\n\nfunc M() int { return m.M() }\n", i/2)
	}
	b.settle(t)
	b.tree.read = nil
	b.tree.files["m1/m.go"] = "package m\n\nfunc M() int64 { return 0 }\n"
	s := b.survey(t)
	want := []string{
		"bases m1", "blob m1/m.go", `body m1 ""`, `callees m1 ""`, `callers m0 ""`, `callers m1 ""`, "examples m0", "examples m1", "file m1/m.go", "flows m1", `implementers m0 ""`, `implementers m1 ""`, "implements m1", "implements m2", "implements m3", "importers m0", "links m1", "manual m1",
		"symbol m1 *", "symbol m1 M", "usage m0",
	}
	if got := changedOf(t, s); !slices.Equal(got, want) {
		t.Errorf("changed %q", got)
	}
	if len(s.known) > 3 || s.FilesRead() != 1 {
		t.Errorf("%d modules loaded, %d files read", len(s.known), s.FilesRead())
	}
}

// TestOldVersionsAreForgotten checks that the cache of file versions is bounded.
func TestOldVersionsAreForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const file = "c/c.go"
	version := func(n string) string { return "package c\n\nfunc C() int { return " + n + " }\n" }
	grown := 0
	reads := func(text string) bool {
		b.tree.files[file], b.tree.read = text, nil
		b.run(t, true, func(_ *testing.T, s *Survey) { s.grown += grown })
		return slices.Contains(b.tree.read, file)
	}
	b.settle(t)
	if !reads(version("1")) || !reads(version("2")) || reads(version("1")) {
		t.Error("a version that was there before is read again, or a new one is not")
	}
	grown = mostGrown
	reads(version("1"))
	grown = 0
	if reads(version("1")) {
		t.Error("to forget, what is there was read again")
	}
	if !reads(version("2")) {
		t.Error("a version that is not there any more was not forgotten")
	}
	if reads(version("1")) {
		t.Error("the version that was there was forgotten")
	}
}

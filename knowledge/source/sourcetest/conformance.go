// Package sourcetest is the conformance suite that every Language must pass: one list of edits, each with the
// fingerprints that must and must not change, and the properties that hold on any input.
package sourcetest

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// Edit replaces the first occurrence of Old by New in the fixture's Base.
type Edit struct{ Old, New string }

// Fixture is one language's sample file with the edits of the suite written in that language.
type Fixture struct {
	Language source.Language
	Path     string
	// Base declares at least: Target, an exported function with a doc comment and a body; Other, an exported
	// function that does not mention it; Const, an exported constant with a literal value; Hidden, a function that
	// is not exported.
	Base                         string
	Target, Other, Const, Hidden string
	// Edits by the names of the suite. A name that the language has no equivalent for is in Without, with the reason.
	Edits   map[string]Edit
	Without map[string]string
}

type expectation struct {
	name string
	// what must differ from the base; everything else must be equal
	file, target, targetInterface, other, constant, exported bool
	// anyFile: the file's digest may differ or not, as the order of declarations means something or not
	anyFile bool
	extra   func(t *testing.T, before, after source.File, f Fixture)
}

var suite = []expectation{
	{name: "comment in a body"},
	{name: "comment between declarations"},
	{name: "comment at the top"},
	{name: "blank lines"},
	{name: "formatting"},
	{name: "body", file: true, target: true},
	{name: "string literal", file: true, target: true},
	{name: "doc comment", file: true, target: true},
	{name: "module doc", file: true, extra: func(t *testing.T, before, after source.File, _ Fixture) {
		if before.Doc == after.Doc || after.Doc == "" {
			t.Errorf("module doc %q, was %q", after.Doc, before.Doc)
		}
	}},
	{name: "signature", file: true, target: true, targetInterface: true},
	{name: "result type", file: true, target: true, targetInterface: true},
	{name: "decorator", file: true, target: true, targetInterface: true},
	{name: "constant value", file: true, constant: true},
	{name: "hidden signature", file: true},
	{name: "target hidden", file: true, target: true, targetInterface: true, exported: true},
	{name: "symbol added", file: true},
	{name: "symbols swapped", anyFile: true},
	{name: "import added", file: true, extra: func(t *testing.T, before, after source.File, _ Fixture) {
		if len(after.Imports) <= len(before.Imports) {
			t.Errorf("imports %v, were %v", after.Imports, before.Imports)
		}
	}},
	{name: "environment variable", file: true, extra: func(t *testing.T, before, after source.File, _ Fixture) {
		if reflect.DeepEqual(names(before.Facts), names(after.Facts)) {
			t.Errorf("facts unchanged: %v", after.Facts)
		}
	}},
	{name: "syntax error", file: true, target: true, extra: func(t *testing.T, _, after source.File, f Fixture) {
		if after.Problem == "" {
			t.Error("no Problem is reported")
		}
		if _, ok := find(after, f.Other); !ok {
			t.Errorf("%s is lost", f.Other)
		}
	}},
}

// Run holds f to the suite.
func Run(t *testing.T, f Fixture) {
	t.Helper()
	base := f.Language.Extract(context.Background(), f.Path, []byte(f.Base))
	checkBase(t, base, f)
	for _, want := range suite {
		t.Run(strings.ReplaceAll(want.name, " ", "_"), func(t *testing.T) {
			if reason, ok := f.Without[want.name]; ok {
				t.Logf("not in this language: %s", reason)
				return
			}
			edit, ok := f.Edits[want.name]
			if !ok {
				t.Fatalf("the fixture has no edit %q", want.name)
			}
			if !strings.Contains(f.Base, edit.Old) {
				t.Fatalf("%q is not in the fixture", edit.Old)
			}
			after := f.Language.Extract(context.Background(), f.Path, []byte(strings.Replace(f.Base, edit.Old, edit.New, 1)))
			compare(t, base, after, f, want)
		})
	}
	t.Run("line_ends_and_shifts", func(t *testing.T) {
		shifted := f.Language.Extract(context.Background(), f.Path, []byte(strings.TrimRight(f.Base, "\n")))
		if shifted.Content != base.Content {
			t.Error("a missing newline at the end changes Content")
		}
	})
}

func checkBase(t *testing.T, base source.File, f Fixture) {
	t.Helper()
	if base.Problem != "" {
		t.Fatalf("the fixture itself is not read whole: %s", base.Problem)
	}
	if base.Language != f.Language.Name() {
		t.Errorf("language %q, want %q", base.Language, f.Language.Name())
	}
	for _, name := range []string{f.Target, f.Other, f.Const} {
		s, ok := find(base, name)
		switch {
		case !ok:
			t.Fatalf("symbol %s not found in %v", name, symbolNames(base))
		case !s.Exported:
			t.Errorf("symbol %s is not exported", name)
		case s.Signature == "" || s.Interface == "" || s.Content == "" || s.Line < 1 || s.End < s.Line:
			t.Errorf("symbol %s is incomplete: %+v", name, s)
		}
	}
	if s, _ := find(base, f.Target); s.Doc == "" {
		t.Errorf("%s has no doc", f.Target)
	}
	if s, ok := find(base, f.Hidden); !ok || s.Exported {
		t.Errorf("%s must be there and not exported", f.Hidden)
	}
	CheckFile(t, base)
	CheckLines(t, base, []byte(f.Base))
}

// CheckFile fails t where a File breaks a rule that holds for every input: unique names, sane spans, sorted lists.
func CheckFile(t testing.TB, f source.File) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range f.Symbols {
		if s.Name == "" || seen[s.Name] {
			t.Errorf("symbol name %q is empty or not unique", s.Name)
		}
		seen[s.Name] = true
		if s.Line < 1 || s.End < s.Line {
			t.Errorf("%s: span %d-%d", s.Name, s.Line, s.End)
		}
		if s.Interface == "" || s.Content == "" {
			t.Errorf("%s: no digests", s.Name)
		}
		if s.Type != "" && len(s.Headers()) == 0 {
			t.Errorf("%s: the parts of %q are those of another signature", s.Name, s.Signature)
		}
		for i := 1; i < len(s.Refs); i++ {
			if s.Refs[i-1] >= s.Refs[i] {
				t.Errorf("%s: refs not sorted and unique: %v", s.Name, s.Refs)
			}
		}
	}
	for _, imp := range f.Imports {
		for i := 1; i < len(imp.Names); i++ {
			a, b := imp.Names[i-1], imp.Names[i]
			if a.Name > b.Name || a == b {
				t.Errorf("import %s: names not sorted and unique: %v", imp.Path, imp.Names)
			}
		}
	}
	if f.Content == "" {
		t.Error("no Content digest")
	}
	checkReferences(t, f)
}

// sameOrder reports whether two symbols use the same names in the same order.
func sameOrder(a, b source.Symbol) bool {
	order := func(s source.Symbol) []source.Reference {
		list := slices.Clone(s.Body)
		slices.SortStableFunc(list, func(a, b source.Reference) int { return a.Order - b.Order })
		for i := range list {
			list[i].Order, list[i].Line = 0, 0
		}
		return list
	}
	return slices.Equal(order(a), order(b))
}

func compare(t *testing.T, before, after source.File, f Fixture, want expectation) {
	t.Helper()
	differs := func(what string, got, want bool) {
		if got != want {
			t.Errorf("%s: changed %v, want %v", what, got, want)
		}
	}
	if !want.anyFile {
		differs("file content", before.Content != after.Content, want.file)
	}
	targetBefore, _ := find(before, f.Target)
	targetAfter, ok := find(after, f.Target)
	if !ok && want.name != "syntax error" && want.name != "target hidden" {
		t.Fatalf("%s is lost", f.Target)
	}
	if ok && want.name != "syntax error" {
		differs("target content", targetBefore.Content != targetAfter.Content, want.target)
		differs("target interface", targetBefore.Interface != targetAfter.Interface && !want.exported, want.targetInterface && !want.exported)
		differs("target exported", targetBefore.Exported != targetAfter.Exported, want.exported)
	}
	for name, changed := range map[string]bool{f.Other: want.other, f.Const: want.constant} {
		a, _ := find(before, name)
		b, ok := find(after, name)
		if want.name == "syntax error" {
			continue
		}
		if !ok {
			t.Fatalf("%s is lost", name)
		}
		differs(name+" content", a.Content != b.Content, changed)
		differs(name+" interface", a.Interface != b.Interface, changed)
	}
	if want.name != "syntax error" && after.Problem != "" {
		t.Errorf("problem: %s", after.Problem)
	}
	if want.name == "formatting" && !slices.EqualFunc(before.Symbols, after.Symbols, sameOrder) {
		t.Error("references have another order")
	}
	if want.extra != nil {
		want.extra(t, before, after, f)
	}
	CheckFile(t, after)
}

func find(f source.File, name string) (source.Symbol, bool) {
	for _, s := range f.Symbols {
		if s.Name == name {
			return s, true
		}
	}
	return source.Symbol{}, false
}

func symbolNames(f source.File) []string {
	var out []string
	for _, s := range f.Symbols {
		out = append(out, s.Name)
	}
	return out
}

func names(facts []source.Fact) []string {
	var out []string
	for _, f := range facts {
		out = append(out, string(f.Kind)+" "+f.Name)
	}
	return out
}

package source_test

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
)

// symbol is a declaration for tests: its digests follow from version.
func symbol(name string, version int, refs ...string) source.Symbol {
	slices.Sort(refs)
	return source.Symbol{
		Name: name, Kind: source.Func, Signature: name, Exported: name[0] < 'a' || name[0] > 'z', Line: 1, End: 1,
		Interface: source.DigestOf(name, fmt.Sprint(version)), Content: source.DigestOf(name, fmt.Sprint(version), "body"), Refs: refs,
	}
}

func unit(name string, scoped bool, symbols ...source.Symbol) source.Unit {
	return source.Unit{Path: name, File: source.File{Language: "test", Scoped: scoped, Symbols: symbols, Content: "c"}}
}

func deep(m source.Module) map[string]source.Digest {
	out := map[string]source.Digest{}
	for _, d := range m.Declarations() {
		out[d.Name] = d.Deep
	}
	return out
}

// changed lists the names whose deep digest differs between two states of a module.
func changed(a, b source.Module) []string {
	before, after := deep(a), deep(b)
	var out []string
	for name := range after {
		if before[name] != after[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func TestDeepDigests(t *testing.T) {
	t.Parallel()
	module := func(version int, extra ...source.Symbol) source.Module {
		symbols := append([]source.Symbol{
			symbol("Parse", 1, "Amount"), symbol("Amount", 1, "unit"), symbol("Amount.String", version), symbol("Amount.hidden", 1),
			symbol("unit", 1), symbol("Other", 1), symbol("A", 1, "B"), symbol("B", 1, "A"),
		}, extra...)
		return source.Module{Path: "m", Units: []source.Unit{unit("m/a.x", false, symbols...)}}
	}
	with := func(name string, version int) source.Module {
		m := module(1)
		for i, s := range m.Units[0].File.Symbols {
			if s.Name == name {
				m.Units[0].File.Symbols[i] = symbol(name, version, s.Refs...)
			}
		}
		return m
	}
	for _, c := range []struct {
		name string
		is   source.Module
		want []string
	}{
		{"nothing", module(1), nil},
		{"a method of a type that is reached", module(2), []string{"Amount", "Amount.String", "Parse"}},
		{"a type that is not exported and reached", with("unit", 2), []string{"Amount", "Parse", "unit"}},
		{"a function that nothing reaches", with("Other", 2), []string{"Other"}},
		{"a circle", with("A", 2), []string{"A", "B"}},
		{"a function more", module(1, symbol("New", 1)), []string{"New"}},
	} {
		if got := changed(module(1), c.is); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: changed %v, want %v", c.name, got, c.want)
		}
	}
}

// TestAFileCalledLikeASymbol checks that a file does not belong to a symbol of the same name in another file. index.ts often re-exports
// "ref" of ref.ts.
func TestAFileCalledLikeASymbol(t *testing.T) {
	t.Parallel()
	module := func(more ...source.Symbol) source.Module {
		return source.Module{Path: "m", Units: []source.Unit{
			unit("m/index.x", true, symbol("ref", 1)), unit("m/ref.x", true, append([]source.Symbol{symbol("ref", 1)}, more...)...),
		}}
	}
	if got := changed(module(), module(symbol("more", 1))); !reflect.DeepEqual(got, []string{"ref.more"}) {
		t.Errorf("changed %v", got)
	}
}

// TestMovesCostNothing checks that moving a declaration to another file of its directory changes no interface.
func TestMovesCostNothing(t *testing.T) {
	t.Parallel()
	a := source.Module{Path: "m", Units: []source.Unit{unit("m/a.x", false, symbol("F", 1, "T"), symbol("T", 1)), unit("m/b.x", false)}}
	b := source.Module{Path: "m", Units: []source.Unit{unit("m/a.x", false, symbol("T", 1)), unit("m/b.x", false, symbol("F", 1, "T"))}}
	if got := changed(a, b); got != nil {
		t.Errorf("changed %v", got)
	}
	if source.InterfaceOf(a.Declarations()) != source.InterfaceOf(b.Declarations()) {
		t.Error("the interface changed")
	}
}

// TestDeepIsReachability compares the digests with a plain walk: a symbol's deep digest changes exactly when the
// interface of something that it reaches does.
func TestDeepIsReachability(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "symbols")
		refs := make([][]string, n)
		edges := make([][]int, n)
		for i := range n {
			for j := range n {
				if i != j && rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
					refs[i] = append(refs[i], fmt.Sprintf("S%02d", j))
					edges[i] = append(edges[i], j)
				}
			}
		}
		edited := rapid.IntRange(0, n-1).Draw(t, "edited")
		build := func(version int) source.Module {
			var list []source.Symbol
			for i := range n {
				v := 1
				if i == edited {
					v = version
				}
				list = append(list, symbol(fmt.Sprintf("S%02d", i), v, refs[i]...))
			}
			return source.Module{Path: "m", Units: []source.Unit{unit("m/a.x", false, list...)}}
		}
		var want []string
		for i := range n {
			if reaches(edges, i, edited) {
				want = append(want, fmt.Sprintf("S%02d", i))
			}
		}
		if got := changed(build(1), build(2)); !reflect.DeepEqual(got, want) {
			t.Fatalf("changed %v, want %v; refs %v", got, want, refs)
		}
	})
}

func reaches(edges [][]int, from, to int) bool {
	seen := map[int]bool{from: true}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, next := range edges[queue[0]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// directs resolves imports that name a file: "dir/file.x", or a directory.
type directs struct{}

func (directs) Resolve(_ string, imp source.Import) []source.Target {
	target := source.Target{Dir: imp.Path, Names: imp.Names, All: imp.All}
	if path.Ext(imp.Path) != "" {
		target.Dir, target.File = path.Dir(imp.Path), path.Base(imp.Path)
	}
	return []source.Target{target}
}

func named(names ...string) []source.Name {
	var out []source.Name
	for _, n := range names {
		out = append(out, source.Name{Name: n})
	}
	return out
}

func TestTableHoldsWhatOthersMayName(t *testing.T) {
	t.Parallel()
	strict, loose := unit("m/a.x", false, symbol("F", 1, "g"), symbol("g", 1)), unit("m/b.x", false, symbol("H", 1), symbol("k", 1))
	strict.File.Strict = true
	m := source.Module{Path: "m", Units: []source.Unit{strict, loose}}
	declared := m.Declarations()
	if len(declared) != 4 {
		t.Fatalf("%d declarations", len(declared))
	}
	got := slices.Sorted(maps.Keys(source.NewTable(m, declared, nil).Names))
	if want := []string{"F", "H", "k"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLinker(t *testing.T) {
	t.Parallel()
	passOn := func(name string) source.Symbol {
		return source.Symbol{Name: name, Kind: source.Reexport, Exported: true, Refs: []string{name}, Interface: "r", Content: "r", Line: 1, End: 1}
	}
	barrel := unit("barrel/index.x", true, passOn("Sum"))
	barrel.File.Imports = []source.Import{
		{Path: "impl/sum.x", Names: named("Sum")}, {Path: "impl/more.x", All: true, Reexport: true},
	}
	modules := map[string]source.Module{
		"flat":   {Path: "flat", Units: []source.Unit{unit("flat/a.x", false, symbol("F", 1), symbol("T", 1), symbol("T.M", 1))}},
		"impl":   {Path: "impl", Units: []source.Unit{unit("impl/more.x", true, symbol("Extra", 1)), unit("impl/sum.x", true, symbol("Sum", 1))}},
		"barrel": {Path: "barrel", Units: []source.Unit{barrel}},
		"outer":  {Path: "outer", Units: []source.Unit{unit("outer/foreign.x", true), unit("outer/own.x", true, symbol("Own", 1))}},
	}
	resolvers := map[string]source.Resolver{"test": directs{}}
	l := source.Linker{Table: func(m string) (source.Table, bool) {
		module, ok := modules[m]
		return source.NewTable(module, module.Declarations(), resolvers), ok
	}}
	for _, c := range []struct {
		name   string
		target source.Target
		want   []source.Use
	}{
		{"a name", source.Target{Dir: "flat", Names: named("F")}, []source.Use{{Module: "flat", Name: "F"}}},
		{"a member that is not known is its type", source.Target{Dir: "flat", Names: named("T.X")}, []source.Use{{Module: "flat", Name: "T"}}},
		{"a name that is not known is everything", source.Target{Dir: "flat", Names: named("Gone")}, []source.Use{{Module: "flat", Name: "*"}}},
		{"a wildcard", source.Target{Dir: "flat", All: true}, []source.Use{{Module: "flat", Name: "*"}}},
		{"an import for its effect", source.Target{Dir: "flat"}, []source.Use{{Module: "flat"}}},
		{"a name of a file", source.Target{Dir: "impl", File: "sum.x", Names: named("Sum")}, []source.Use{{Module: "impl", Name: "sum.Sum"}}},
		{"all of a file", source.Target{Dir: "impl", File: "sum.x", All: true}, []source.Use{{Module: "impl", Name: "sum.*"}}},
		{"a file as a name", source.Target{Dir: "impl", Names: named("sum")}, []source.Use{{Module: "impl", Name: "sum.*"}}},
		{"a name passed on", source.Target{Dir: "barrel", File: "index.x", Names: named("Sum")},
			[]source.Use{{Module: "barrel", Name: "Sum"}, {Module: "impl", Name: "sum.Sum"}}},
		{"a name passed on by a wildcard", source.Target{Dir: "barrel", File: "index.x", Names: named("Extra")},
			[]source.Use{{Module: "barrel", Name: "*"}, {Module: "impl", Name: "more.Extra"}}},
		{"a file without names of its own", source.Target{Dir: "outer", Names: named("foreign.F")}, []source.Use{{Module: "outer", Name: "*"}}},
		{"a file without names of its own, whole", source.Target{Dir: "outer", Names: named("foreign")}, []source.Use{{Module: "outer", Name: "foreign.*"}}},
		{"no module", source.Target{Dir: "none", Names: named("X")}, nil},
	} {
		got := l.Uses("user", []source.Target{c.target})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, u := range got {
			if table, _ := l.Table(u.Module); u.Name != "" && table.Digest(u.Name) == "" {
				t.Errorf("%s: %v rests on nothing", c.name, u)
			}
		}
	}
	if got := l.Uses("flat", []source.Target{{Dir: "flat", Names: named("F")}}); len(got) != 0 {
		t.Errorf("a module uses itself: %v", got)
	}
}

func TestModuleDoc(t *testing.T) {
	t.Parallel()
	doc := func(name string, scoped bool, pkg, text string) source.Unit {
		return source.Unit{Path: name, File: source.File{Scoped: scoped, Package: pkg, Doc: text}}
	}
	for _, c := range []struct {
		name  string
		units []source.Unit
		want  string
	}{
		{"doc.go before the package's file", []source.Unit{doc("m/doc.go", false, "m", "doc"), doc("m/m.go", false, "m", "file")}, "m/doc.go"},
		{"the package's file before others", []source.Unit{doc("m/a.go", false, "m", "a"), doc("m/m.go", false, "m", "file")}, "m/m.go"},
		{"the head of a package", []source.Unit{doc("m/__init__.py", true, "", "head"), doc("m/a.py", true, "", "a")}, "m/__init__.py"},
		{"one file among many speaks for itself", []source.Unit{doc("m/a.py", true, "", "a"), doc("m/b.py", true, "", "")}, ""},
		{"a generated file among others", []source.Unit{{Path: "m/mock.go", File: source.File{Package: "m", Doc: "mock", Generated: true}}, doc("m/a.go", false, "m", "")}, ""},
		{"the only file speaks for all", []source.Unit{doc("m/a.py", true, "", "a")}, "m/a.py"},
	} {
		if _, got := (source.Module{Path: "m", Units: c.units}).Doc(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDeclarationsOfFilesThatSpeakForTheirDirectory checks that a re-exported name has the original declaration.
func TestDeclarationsOfFilesThatSpeakForTheirDirectory(t *testing.T) {
	t.Parallel()
	passed := symbol("Typer", 1)
	passed.Kind, passed.Doc = source.Reexport, "Passed on."
	declared := symbol("Typer", 2)
	declared.Kind = source.Class
	m := source.Module{Path: "typer", Units: []source.Unit{unit("typer/__init__.py", true, passed), unit("typer/main.py", true, declared)}}
	if got := m.Declarations(); len(got) != 1 || got[0].Kind != source.Class || got[0].Path != "typer/main.py" {
		t.Errorf("%+v", got)
	}
}

// TestDocumentationOfFiles checks that a symbol for a file has the file's documentation after its own.
func TestDocumentationOfFiles(t *testing.T) {
	t.Parallel()
	namespace := func(name, doc string) source.Symbol {
		s := symbol(name, 1)
		s.Kind, s.Doc = source.Namespace, doc
		return s
	}
	head := unit("m/mod.rs", true, namespace("bare", ""), namespace("both", "Before."), namespace("none", "Alone."), symbol("round", 1))
	m := source.Module{Path: "m", Units: []source.Unit{head}}
	for _, name := range []string{"bare", "both", "none", "round"} {
		u := unit("m/"+name+".rs", true, symbol("f", 1))
		u.File.Doc = map[string]string{"bare": "Within.", "both": "Within.", "round": "Rounds."}[name]
		m.Units = append(m.Units, u)
	}
	want := map[string]string{"bare": "Within.", "both": "Before.\n\nWithin.", "none": "Alone.", "round": ""}
	for _, d := range m.Declarations() {
		if doc, asked := want[d.Name]; asked && d.Doc != doc {
			t.Errorf("%s: %q, want %q", d.Name, d.Doc, doc)
		}
	}
	if head.File.Symbols[0].Doc != "" {
		t.Error("the symbol of the file was changed")
	}
}

// TestHeadersSpeakFirst checks that the documentation in a header precedes the one in the source.
func TestHeadersSpeakFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ source, header, want, path string }{
		{"Frees it.", "Delete an item and all below.", "Delete an item and all below.", "m/a.h"},
		{"Frees it.", "", "Frees it.", "m/a.c"},
		{"", "Delete an item.", "Delete an item.", "m/a.h"},
		{"", "", "", "m/a.c"},
		{"Internal: frees it.", "", "", "m/a.h"},
	} {
		body, head := symbol("free_item", 1), symbol("free_item", 1)
		body.Doc, head.Doc = c.source, c.header
		m := source.Module{Path: "m", Units: []source.Unit{unit("m/a.c", false, body), unit("m/a.h", false, head)}}
		if got := m.Declarations(); len(got) != 1 || got[0].Doc != c.want || got[0].Path != c.path {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestDefinitionsAreNoOverloads checks that a prototype with another parameter name is no overload of its documented definition.
func TestDefinitionsAreNoOverloads(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"m/a.c": "int parse(char *a)", "m/a.cc": "int parse(char *a)\nint parse(char *b)"} {
		body, head := symbol("parse", 1), symbol("parse", 1)
		body.Signature, body.Doc, body.Kind = "int parse(char *a)", "Parses it.", source.Func
		head.Signature, head.Kind = "int parse(char *b)", source.Func
		m := source.Module{Path: "m", Units: []source.Unit{unit(file, false, body), unit("m/a.h", false, head)}}
		if got := m.Declarations(); len(got) != 1 || got[0].Signature != want {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// TestBodiesAreNoOverloads checks that a macro before a function in a C header does not make it an overload of the definition.
func TestBodiesAreNoOverloads(t *testing.T) {
	t.Parallel()
	for file, overloads := range map[string]int{"m/a.c": 0, "m/a.cc": 1} {
		body, head := symbol("parse", 1), symbol("parse", 1)
		body.Signature, body.Doc, body.Kind = "int parse(void)", "See the header.", source.Func
		head.Signature, head.Doc, head.Kind = "API int parse(void)", "Parses it.", source.Func
		m := source.Module{Path: "m", Units: []source.Unit{unit(file, false, body), unit("m/a.h", false, head)}}
		got := m.Declarations()
		if len(got) != 1 || got[0].Doc != "Parses it." || len(got[0].Overloads) != overloads || (got[0].Signature == head.Signature) != (overloads == 0) {
			t.Errorf("%s: %+v", file, got[0].Symbol)
		}
	}
}

package source_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/source"
)

// names makes references of words: "F()" is called, "T" a type, "v=" a value, and what begins with "?." is open.
func names(words ...string) []source.Reference {
	var out []source.Reference
	for _, w := range words {
		r := source.Reference{Name: w, Kind: source.RefType, Line: 1}
		if name, ok := strings.CutSuffix(w, "()"); ok {
			r.Name, r.Kind = name, source.RefCall
		} else if name, ok := strings.CutSuffix(w, "="); ok {
			r.Name, r.Kind = name, source.RefValue
		}
		r.Name, r.Open = strings.CutPrefix(r.Name, "?.")
		out = append(out, r)
	}
	return source.SortReferences(out)
}

func using(s source.Symbol, kind source.Kind, words ...string) source.Symbol {
	s.Kind, s.Body = kind, names(words...)
	return s
}

// of formats the references of a declaration of m, one word each: "?" marks possible references, "!" references outside of the repository.
func of(refs *source.References, name string) string {
	var out []string
	for _, r := range refs.Of(name) {
		mark := ""
		if r.Outside {
			mark = "!"
		}
		if !r.Certain {
			mark += "?"
		}
		if r.Module != "m" {
			mark += r.Module + "#"
		}
		out = append(out, mark+r.Name)
	}
	return strings.Join(slices.Compact(out), " ")
}

// follow makes the references of the module m among others.
func follow(m source.Module, others ...source.Module) *source.References {
	resolvers := map[string]source.Resolver{}
	for _, l := range []string{"test", "go", "java"} {
		resolvers[l] = known{}
	}
	tables := map[string]source.Table{}
	for _, o := range append(others, m) {
		tables[o.Path] = source.NewTable(o, o.Declarations(), resolvers)
	}
	linker := source.Linker{Table: func(m string) (source.Table, bool) { t, ok := tables[m]; return t, ok }}
	return source.NewReferences(m, m.Declarations(), resolvers, linker)
}

// known resolves imports without the prefix "ext". Imports with the prefix "org" are dotted paths.
type known struct{ directs }

// Effects makes file operations effects.
func (known) Effects() *source.Effects {
	return source.EffectsOf("", "ext/disk.Halt", map[string]string{"ext/disk": "Remove Write"})
}

func (k known) Resolve(from string, imp source.Import) []source.Target {
	if strings.HasPrefix(imp.Path, "ext") {
		return nil
	}
	if strings.HasPrefix(imp.Path, "org.") {
		imp.Path = strings.ReplaceAll(imp.Path, ".", "/")
	}
	return k.directs.Resolve(from, imp)
}

func in(language string, u source.Unit, imports ...source.Import) source.Unit {
	u.File.Language, u.File.Imports = language, imports
	u.File.Strict = language == "go"
	return u
}

func TestReferencesWithoutFileScopes(t *testing.T) {
	t.Parallel()
	server := using(symbol("Server", 1), source.Struct, "Base", "Limit=")
	server.Bases = []string{"Base", "ext.Thing"}
	other := source.Module{Path: "other", Units: []source.Unit{in("go", unit("other/o.x", false, symbol("Open", 1), symbol("DB", 1), symbol("DB.Get", 1)))}}
	odd := source.Module{Path: "odd-name", Units: []source.Unit{in("go", unit("odd-name/o.x", false, symbol("Odd", 1)))}}
	outside := in("go", unit("m/c.x", false))
	outside.File.Body = names("Start()", "Limit=")
	m := source.Module{Path: "m", Units: []source.Unit{
		in("go", unit("m/a.x", false,
			using(symbol("Start", 1), source.Func, "Server", "other.Open()", "o.Open()", "other.DB.Get()", "other.DB.field=", "ext.Run()", "ext.T.Do()"),
			server,
			using(symbol("Server.Close", 1), source.Method, "Server", "Server.flush()", "Server.Sync()", "Server.Do()", "Server.limit="),
			using(symbol("Server.flush", 1), source.Method, "Server", "?.Get()", "flush()", "odd.Odd()"),
			using(symbol("Writer", 1), source.Interface),
			using(symbol("Use", 1), source.Func, "Writer.Sync()", "std.Sync()", "Conv()", "?.Limit="),
		), source.Import{Path: "other", Names: named("Open", "DB")}, source.Import{Path: "other", As: "o", Names: named("Open")},
			source.Import{Path: "odd-name", All: true}, source.Import{Path: "ext", Names: named("Run", "T", "Thing")}),
		in("go", unit("m/b.x", false,
			symbol("Base", 1), symbol("Base.Sync", 1), using(symbol("Limit", 1), source.Const), using(symbol("std", 1), source.Var),
			using(symbol("Conv", 1), source.Type), symbol("flush", 1), symbol("Store", 1), symbol("Store.Get", 1),
		)),
		outside,
	}}
	refs := follow(m, other, odd)
	for name, want := range map[string]string{
		"Start":        "!ext#Run !ext#T Server other#DB other#DB.Get other#Open",
		"Server":       "Base Limit",
		"Server.Close": "Server Server.flush Base.Sync",
		"Server.flush": "Server ?Store.Get flush odd-name#Odd",
		"Use":          "?Base.Sync Conv Writer ?Limit std",
		"":             "Limit Start",
		"Base":         "",
	} {
		got, expected := strings.Fields(of(refs, name)), strings.Fields(want)
		slices.Sort(got)
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("%q names %q, want %q", name, got, expected)
		}
	}
	var kind source.RefKind
	for _, r := range refs.Of("Use") {
		if r.Name == "Conv" {
			kind = r.Kind
		}
	}
	if kind != source.RefType {
		t.Errorf("a conversion is %q", kind)
	}
	var callers []string
	for _, r := range refs.Callers("Limit") {
		callers = append(callers, fmt.Sprint(r.Name, r.Certain))
	}
	if want := []string{"true", "Servertrue", "Usefalse"}; !slices.Equal(callers, want) {
		t.Errorf("callers %q, want %q", callers, want)
	}
	var crossings []string
	for _, c := range refs.Crossings() {
		crossings = append(crossings, c.From+">"+c.Module+"#"+c.Name)
	}
	want := []string{
		"Server.Close>#Do", "Start>#Do", "Server.flush>#Get", "Use>#Limit", "Use>#Sync", "Start>#field",
		"Server.flush>odd-name#Odd", "Start>other#DB", "Start>other#DB.Get", "Start>other#Open",
	}
	if !slices.Equal(crossings, want) {
		t.Errorf("crossings %q, want %q", crossings, want)
	}
}

func TestReferencesWithFileScopes(t *testing.T) {
	t.Parallel()
	m := source.Module{Path: "m", Units: []source.Unit{
		in("test", unit("m/a.x", true,
			using(symbol("F", 1), source.Func, "G()", "H()", "util.Help()", "lib.Thing.run()", "S()"),
			symbol("G", 1), using(symbol("C", 1), source.Class), using(symbol("C.run", 1), source.Method, "C.stop()", "stop()"),
			using(symbol("C.stop", 1), source.Method),
			using(symbol("All", 1), source.Func, "util"),
		), source.Import{Path: "m/util.x", Names: []source.Name{{Name: "Hidden", As: "H"}}}, source.Import{Path: "m/util.x", As: "util", All: true},
			source.Import{Path: "lib/lib.x", As: "lib", Names: named("Thing")}, source.Import{Path: "star/index.x", All: true}),
		in("test", unit("m/util.x", true, symbol("Hidden", 1), symbol("Help", 1), symbol("G", 1))),
	}}
	lib := source.Module{Path: "lib", Units: []source.Unit{in("test", unit("lib/lib.x", true, symbol("Thing", 1), symbol("Thing.run", 1)))}}
	star := source.Module{Path: "star", Units: []source.Unit{in("test", unit("star/index.x", true, symbol("S", 1)))}}
	refs := follow(m, lib, star)
	for name, want := range map[string]string{
		"a.F":     "a.G util.Hidden util.Help lib#Thing.run star#S",
		"a.C.run": "a.C.stop",
		"a.All":   "?util.G ?util.Help ?util.Hidden",
	} {
		got, expected := strings.Fields(of(refs, name)), strings.Fields(want)
		slices.Sort(got)
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("%q names %q, want %q", name, got, expected)
		}
	}
}

// TestPathsWithoutImport checks full paths in place of imports, for languages that allow them. The element before a type may also be a
// variable.
func TestPathsWithoutImport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, module, path, want string }{
		{"java", "org/other", "org.other", "org/other#Open.now"},
		{"java", "other", "other", ""},
		{"test", "org/other", "org.other", ""},
	} {
		other := source.Module{Path: c.module, Units: []source.Unit{in("java", unit(c.module+"/o.x", false, symbol("Open", 1), symbol("Open.now", 1)))}}
		m := source.Module{Path: "m", Units: []source.Unit{in(c.language, unit("m/a.x", false, using(symbol("F", 1), source.Func, c.path+".Open.now()")))}}
		if got := of(follow(m, other), "F"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestMembersAreInScope: code in a type names its members by themselves in some languages, and in others does not.
func TestMembersAreInScope(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"java": "C.stop", "go": "stop"} {
		m := source.Module{Path: "m", Units: []source.Unit{in(language, unit("m/a.x", false,
			using(symbol("C", 1), source.Struct), using(symbol("C.run", 1), source.Method, "stop()"), using(symbol("C.stop", 1), source.Method), symbol("stop", 1),
		))}}
		if got := of(follow(m), "C.run"); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
}

// TestBodyIsReachability compares body digests with a traversal of the references: the digest of a declaration changes exactly when the
// content of a reachable declaration does.
func TestBodyIsReachability(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "symbols")
		list := make([]source.Symbol, n)
		for i := range n {
			s := symbol(fmt.Sprintf("S%02d", i), 1)
			if i > 0 && rapid.Bool().Draw(t, "method") {
				s = using(symbol(fmt.Sprintf("S%02d.M%d", rapid.IntRange(0, n-1).Draw(t, "owner"), rapid.IntRange(0, 2).Draw(t, "name")), 1), source.Method)
			}
			for j := range n {
				switch rapid.IntRange(0, 6).Draw(t, "edge") {
				case 0:
					s.Body = append(s.Body, names(fmt.Sprintf("S%02d()", j))...)
				case 1:
					s.Body = append(s.Body, names(fmt.Sprintf("?.M%d()", j%3))...)
				case 2:
					s.Body = append(s.Body, names(fmt.Sprintf("S%02d.M%d()", j, j%3))...)
				}
			}
			s.Body = source.SortReferences(s.Body)
			list[i] = s
		}
		list = source.MergeSymbols(list)
		edited := rapid.IntRange(0, len(list)-1).Draw(t, "edited")
		build := func(content source.Digest) (*source.References, map[string]source.Digest) {
			now := slices.Clone(list)
			now[edited].Content = content
			refs := follow(source.Module{Path: "m", Units: []source.Unit{unit("m/a.x", false, now...)}})
			digests := map[string]source.Digest{}
			for _, s := range now {
				digests[s.Name], _ = refs.Body(s.Name)
			}
			return refs, digests
		}
		refs, before := build("1")
		_, after := build("2")
		changed, want := []string{}, []string{}
		for _, s := range list {
			if before[s.Name] != after[s.Name] {
				changed = append(changed, s.Name)
			}
			if walks(refs, s.Name, list[edited].Name) {
				want = append(want, s.Name)
			}
		}
		if !reflect.DeepEqual(changed, want) {
			t.Fatalf("an edit of %s changes %v, want %v", list[edited].Name, changed, want)
		}
	})
}

// walks reports whether a declaration reaches another one by a plain walk.
func walks(refs *source.References, from, to string) bool {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, r := range refs.Of(queue[0]) {
			if !seen[r.Name] {
				seen[r.Name] = true
				queue = append(queue, r.Name)
			}
		}
	}
	return false
}

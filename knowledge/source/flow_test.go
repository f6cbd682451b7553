package source_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

// TestFlows checks the calls in the flows of a module, and their order.
func TestFlows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		want string
	}{
		"a chain": {
			"func main() { a() }\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() {}\n", "main: main>a a>b",
		},
		"a leaf of which somebody says something": {
			"func main() { a() }\n\nfunc a() { b() }\n\n// b is the end.\nfunc b() { x.Do() }\n\nvar x any\n", "main: main>a a>b",
		},
		"too little to tell": {"func main() { a() }\n\nfunc a() {}\n", ""},
		"the order of the code, whatever the lines are": {
			"func main() { z(); y(); x() }\n\nfunc x() { x2() }\n\nfunc x2() {}\n\nfunc y() { x2() }\n\nfunc z() { x2() }\n", "main: main>z main>y main>x",
		},
		"a tool that many use": {
			"func main() { a(); b(); c(); d(); tool() }\n\nfunc a() { tool() }\n\nfunc b() { tool() }\n\nfunc c() { tool(); a() }\n\nfunc d() { tool(); c() }\n\nfunc tool() { e() }\n\nfunc e() {}\n",
			"main: main>c main>d",
		},
		"what has failed, and what only hands over": {
			"func main() { a(); if !ok { fail(); return }; d(name(), label()) }\n\nvar ok bool\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() {}\n\n// d does.\nfunc d(string, string) { x.Do() }\n\nvar x any\n\n// fail tells.\nfunc fail() { b() }\n\n// name is a field.\nfunc name() string { return t.n }\n\nvar t struct{ n string }\n\n// label is a constant.\nfunc label() string { return \"l\" }\n",
			"main: main>a a>b main>d",
		},
		"what it is called says nothing": {
			"func main() { getErrors(); logf() }\n\nfunc getErrors() { a() }\n\nfunc logf() { a() }\n\nfunc a() { b() }\n\nfunc b() {}\n", "main: main>getErrors getErrors>a main>logf",
		},
		"all calls of a function, although they are many": {
			"import \"ext/disk\"\n\nfunc Make() { a(); b(); c(); d(); e(); f(); g(); save() }\n\nfunc a() { z() }\n\nfunc b() { z() }\n\nfunc c() { z() }\n\nfunc d() { y() }\n\nfunc e() { y() }\n\nfunc f() { y() }\n\nfunc g() { y() }\n\nfunc y() { z() }\n\nfunc z() {}\n\nfunc save() { disk.Write() }\n\nfunc Other() { h(); i() }\n\nfunc h() { i() }\n\nfunc i() { j() }\n\nfunc j() { k() }\n\nfunc k() {}\n",
			"Make: Make>a Make>b Make>c Make>d Make>e Make>f Make>g Make>save; Other: Other>h Other>i i>j",
		},
		"what many call because it leads out": {
			"import \"ext/disk\"\n\nfunc A() { s() }\n\nfunc B() { s() }\n\nfunc C() { s() }\n\nfunc D() { s() }\n\nfunc E() { s(); f() }\n\nfunc f() { y() }\n\nfunc y() { z() }\n\nfunc z() {}\n\nfunc s() { disk.Remove() }\n",
			"E: E>s E>f f>y",
		},
		"a function that a function calls later": {
			"var _ = on(func() { run() })\n\nfunc on(func()) int { return 0 }\n\nfunc run() { a() }\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() { d() }\n\nfunc d() {}\n", "run: run>a a>b b>c",
		},
		"what is called for an argument comes before the function, and what a function that is passed does is no step": {
			"func main() { a(b(c()), func() { d() }) }\n\n// a is.\nfunc a(int, func()) { x.Do() }\n\n// b is.\nfunc b(int) int { return x.Do() }\n\n// c is.\nfunc c() int { return x.Do() }\n\nvar x any\n\n// d is.\nfunc d() {}\n",
			"main: main>c main>b main>a",
		},
		"what only reads and sets values": {
			"import \"ext/disk\"\n\nfunc Send() { getClient(); isOpen(); setLimit(); hasMore(); getAll(); getOne(); disk.Write() }\n\nfunc getClient() { a() }\n\nfunc a() {}\n\nfunc isOpen() { b() }\n\nfunc b() {}\n\nfunc setLimit() { c() }\n\nfunc c() {}\n\nfunc hasMore() { d() }\n\nfunc d() {}\n\nfunc getAll() { e() }\n\nfunc e() {}\n\nfunc getOne() { f() }\n\nfunc f() {}\n",
			"",
		},
		"what ends the program": {
			"import \"ext/disk\"\n\nfunc main() { if !ok { die() }; save(); tidy() }\n\nvar ok bool\n\nfunc die() { disk.Write(); disk.Halt() }\n\nfunc save() { disk.Write() }\n\nfunc tidy() { disk.Remove() }\n",
			"main: main>save main>tidy",
		},
		"an effect of the entry that is no step": {
			"import \"ext/disk\"\n\nfunc Do() { a(); b(); disk.Write() }\n\nfunc a() { disk.Write() }\n\nfunc b() { disk.Remove() }\n", "",
		},
		"effects of the callees": {
			"import \"ext/disk\"\n\nfunc Do() { a(); b() }\n\nfunc a() { disk.Write() }\n\nfunc b() { disk.Remove() }\n", "Do: Do>a Do>b",
		},
		"a callee that only helps": {
			"import \"ext/disk\"\n\nfunc Do() { a(); b() }\n\nfunc a() { disk.Write() }\n\n// b is the end.\nfunc b() { x.A(); x.B(); x.C() }\n\nvar x any\n", "",
		},
		"a circle": {
			"func main() { a() }\n\nfunc a() { b() }\n\nfunc b() { a(); c() }\n\nfunc c() { a() }\n", "main: main>a a>b b>c",
		},
		"what is passed on is called by somebody": {
			"var _ = register(handle)\n\nfunc register(f func()) int { return 0 }\n\nfunc handle() { a() }\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() { d() }\n\nfunc d() {}\n", "handle: handle>a a>b b>c",
		},
		"nobody begins with what is called by another entry": {
			"func Open() { Read() }\n\nfunc Read() { a() }\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() {}\n", "Open: Open>Read Read>a a>b",
		},
	} {
		formatted := strings.ReplaceAll(strings.ReplaceAll(c.src, "; ", "\n"), "{ ", "{\n")
		for _, src := range []string{c.src, formatted} {
			if got := spellFlows(flows(src)); got != c.want {
				t.Errorf("%s: %q, want %q, of\n%s", name, got, c.want, src)
			}
		}
	}
}

// TestFlowOfManyCalls: of more calls than a flow shows, those are kept that start something, then those with an effect, then the
// first, and the others are counted. A callee has all of its calls or none.
func TestFlowOfManyCalls(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("import \"ext/disk\"\n\nfunc main() {\n")
	for i := range 14 {
		fmt.Fprintf(&b, "\tf%02d()\n", i)
	}
	b.WriteString("\tstartJobs()\n\tsave()\n}\n\nfunc startJobs() { g(); h() }\n\nfunc save() { disk.Write() }\n\nfunc g() { h() }\n\nfunc h() {}\n")
	for i := range 14 {
		fmt.Fprintf(&b, "\nfunc f%02d() { g%02d() }\n\nfunc g%02d() {}\n", i, i, i)
	}
	f := flows(b.String())[0]
	want := "main: main>f00 main>f01 main>f02 main>f03 main>f04 main>f05 main>f06 main>f07 main>f08 main>f09 main>startJobs main>save"
	if got := spellFlows([]source.Flow{f}); got != want || f.More != 4 {
		t.Errorf("%s and %d more, want %s and 4", got, f.More, want)
	}
	parts := "func main() { if x { last() }"
	helpers := "\n\nvar x, y bool\n\nfunc last() { h() }\n\nfunc h() {}\n"
	for i := range 12 {
		parts += fmt.Sprintf("\n\tif y { g%02d() }", i)
		helpers += fmt.Sprintf("\nfunc g%02d() { h%02d() }\n\nfunc h%02d() {}\n", i, i, i)
	}
	f = flows(parts + "\n\tif y { g00() } }" + helpers)[0]
	if got := spellFlows([]source.Flow{f}); strings.Count(got, "g00") != 2 || strings.Contains(got, "g10") || f.More != 2 {
		t.Errorf("%s and %d more, want both calls of g00, none of g10, and 2", got, f.More)
	}
	few := flows("func main() { run() }\n\nfunc run() { a(); b(); c() }\n\nfunc a() { a1(); a2(); a3(); a4() }\n\nfunc b() { d() }\n\nfunc c() { d() }\n\nfunc d() {}\n" +
		"\nfunc a1() { e() }\n\nfunc a2() { e() }\n\nfunc a3() { e() }\n\nfunc a4() { e() }\n\nfunc e() {}\n")
	if got, want := spellFlows(few), "main: main>run run>a run>b run>c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBlocks: what begins a block of calls in some cases, which goes on, and which are in another.
func TestBlocks(t *testing.T) {
	t.Parallel()
	helpers := "\n\nvar x, y bool\n\nfunc a() { h() }\n\nfunc b() { h() }\n\nfunc c() { h() }\n\nfunc d() { h() }\n\nfunc h() { i() }\n\nfunc i() {}\n"
	for src, want := range map[string]string{
		"if x { a(); b() }; c()":                                                                    "a{if `x`} b1 c",
		"if x { a(); b() } else { c(); d() }":                                                       "a{if `x`} b1 c{otherwise} d1",
		"if x { a() }; if x { b(); c() }":                                                           "a{if `x`} b{if `x`} c1",
		"if x { a(); if y { b() }; c() }; d()":                                                      "a{if `x`} b1{if `y`} c1 d",
		"if x { if y { go a() } }; go b()":                                                          "a{if `x` and `y` → in the background} b{in the background}",
		"if x { if y { a() } }; b(); c()":                                                           "a{if `x` and `y`} b c",
		"if x { if y { a(); b() } }; c()":                                                           "a{if `x` and `y`} b1 c",
		"if x { a() } else if y { b() }; c()":                                                       "a{if `x`} b{otherwise, if `y`} c",
		"if x { i() } else if y { b() }; c(); d()":                                                  "b{in some cases} c d",
		"if x { for y { for x { a() } } }; b(); c()":                                                "a{if `x`, in a loop} b c",
		"if x { return }; if !y { a() }; b(); c()":                                                  "a{unless `x` → unless `y`} b1 c1",
		"if x != y { return }; if y != x { a() } else { b() }; c(); d()":                            "a{if `x == y` → if `y != x`} b1{otherwise} c1 d1",
		"if f(x != y) { return }; if g(z) != y { return }; a(); b(); c()":                           "a{unless `f(x != y)`, if `g(z) == y`} b1 c1",
		"if x == y { return }; if !y { if !x { a(); b() } }; c()":                                   "a{unless `x == y` → unless `y` or `x`} b2 c1",
		"for x { if y { for y { if x { for x { if y { for y { if x { a() } } } } } } } }; b(); c()": "a{in a loop → if `y`, in a loop → if `x`, in a loop → in a loop, if `x`} b c",
		"if x { i(); if y { b(); if x { c(); if y { d(); if x { go a() } } } } }":                   "b{if `x` and `y`} c1{if `x`} d2{if `y`} a3{in some cases, in the background}",
		"switch { case x: a(); case y: b() }; c()":                                                  "a{if `x`} b{otherwise, if `y`} c",
		"if x { a() } else { if y { b() } }; c(); d()":                                              "a{if `x`} b{otherwise → if `y`} c d",
	} {
		var got []string
		for _, s := range flows("func main() { " + strings.ReplaceAll(src, "; ", "\n") + " }" + helpers)[0].Steps {
			if s.From != "main" {
				continue
			}
			step := s.Name
			if s.Within > 0 {
				step += fmt.Sprint(s.Within)
			}
			if s.When != "" {
				step += "{" + string(s.When) + "}"
			}
			got = append(got, step)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", src, text, want)
		}
	}
}

// TestFlowsIntoOtherModules: what leads to another module is a step where it is a function, and two of them say too little.
func TestFlowsIntoOtherModules(t *testing.T) {
	t.Parallel()
	other := goModule("other", "type Key string\n\nfunc Open() { key() }\n\nfunc Read() { key() }\n\nfunc Close() { key() }\n\nfunc Get() {}\n\nfunc key() {}\n")
	for body, want := range map[string]string{
		"other.Open()\n\tother.Read()\n\tother.Close()":            "",
		"other.Open()\n\tother.Read()":                             "",
		"other.Open()\n\tother.Read()\n\tprintln(other.Key(`k`))":  "",
		"other.Open()\n\tlocal()":                                  "",
		"other.Open()\n\tother.Read()\n\tlocal()":                  "",
		"other.Open()\n\tother.Read()\n\tother.Close()\n\tlocal()": "Do: Do>Open Do>Read Do>Close Do>local",
	} {
		m := goModule("m", "import \"other\"\n\nfunc Do() {\n\t"+body+"\n}\n\n// local is near.\nfunc local() { x.Do() }\n\nvar x any\n")
		if got := spellFlows(follow(m, other).Flows()); got != want {
			t.Errorf("%q, want %q, of\n%s", got, want, body)
		}
	}
}

// goModule is a module of one file of Go.
func goModule(dir, src string) source.Module {
	name := dir + "/" + dir + ".go"
	f := golang.Language{}.Extract(context.Background(), name, []byte("package "+dir+"\n\n"+src))
	return source.Module{Path: dir, Units: []source.Unit{{Path: name, File: f}}}
}

// flows are those of one file of Go.
func flows(src string) []source.Flow {
	return follow(goModule("a", src)).Flows()
}

func spellFlows(flows []source.Flow) string {
	var out []string
	for _, f := range flows {
		s := f.Entry + ":"
		for _, step := range f.Steps {
			s += fmt.Sprintf(" %s>%s", step.From, step.Name)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

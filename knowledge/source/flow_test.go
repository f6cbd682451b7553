package source_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

// TestFlows: what is taken from the calls of a module, and in which order it is told.
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
			"func main() { a() }\n\nfunc a() { b() }\n\n// b is the end.\nfunc b() {}\n", "main: main>a a>b",
		},
		"too little to tell": {"func main() { a() }\n\nfunc a() {}\n", ""},
		"the order of the code, whatever the lines are": {
			"func main() { z(); y(); x() }\n\nfunc x() { x2() }\n\nfunc x2() {}\n\nfunc y() { x2() }\n\nfunc z() { x2() }\n", "main: main>z main>y main>x",
		},
		"a tool that many use": {
			"func main() { a(); b(); c(); d(); log() }\n\nfunc a() { log() }\n\nfunc b() { log() }\n\nfunc c() { log(); a() }\n\nfunc d() { log(); c() }\n\nfunc log() { e(); f() }\n\nfunc e() { f() }\n\nfunc f() {}\n",
			"main: main>c main>d",
		},
		"a circle": {
			"func main() { a() }\n\nfunc a() { b() }\n\nfunc b() { a(); c() }\n\nfunc c() { a() }\n", "main: main>a a>b b>c",
		},
		"what is passed on is called by somebody": {
			"var _ = register(handle)\n\nfunc register(f func()) int { return 0 }\n\nfunc handle() { a() }\n\nfunc a() { b() }\n\nfunc b() { c() }\n\nfunc c() {}\n", "handle: handle>a a>b",
		},
		"nobody begins with what is called by another entry": {
			"func Open() { Read() }\n\nfunc Read() { a() }\n\nfunc a() { b() }\n\nfunc b() {}\n", "Open: Open>Read Read>a",
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

// flows are those of one file of Go.
func flows(src string) []source.Flow {
	f := golang.Language{}.Extract(context.Background(), "a/a.go", []byte("package a\n\n"+src))
	m := source.Module{Path: "a", Units: []source.Unit{{Path: "a/a.go", File: f}}}
	declared := m.Declarations()
	table := source.NewTable(m, declared, nil)
	return source.NewReferences(m, declared, nil, source.Linker{Table: func(string) (source.Table, bool) { return table, true }}).Flows()
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

package api

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change/changetest"
)

// reading counts the Go files that are read.
type reading struct {
	survey.Reader
	files int
}

func (r *reading) Read(f fact.Fact) (any, error) {
	if (f.Family == fact.Blobs || strings.HasPrefix(f.Name, string(fact.Blobs)+" ")) && strings.Contains(f.Name, "/p.go") {
		r.files++
	}
	return r.Reader.Read(f)
}

// importing is a Go module of packages that each import the one before.
func importing(packages int) files {
	out := files{"go.mod": "module example.com/chain\n"}
	for i := range packages {
		text := fmt.Sprintf("package p%d\n\nfunc F(a int) int { return a }\n", i)
		if i > 0 {
			text = fmt.Sprintf("package p%d\n\nimport \"example.com/chain/p%d\"\n\nfunc F(a int) int { return p%d.F(a) }\n", i, i-1, i-1)
		}
		out[fmt.Sprintf("p%d/p.go", i)] = text
	}
	return out
}

// TestWhatImportsTooMuchIsNotRead: one file of each version is, to compare them alone; with one import less, all are. One is read once
// more, for what its comment promises.
func TestWhatImportsTooMuchIsNotRead(t *testing.T) {
	t.Parallel()
	for packages, want := range map[int]int{mostPackages: 2*mostPackages + 1, mostPackages + 1: 2 + 1} {
		was := importing(packages)
		last := fmt.Sprintf("p%d", packages-1)
		now := was.edited(t, edit{last + "/p.go", "F(a int)", "F(a string)"}, edit{last + "/p.go", "F(a)", "F(len(a))"})
		r := &reading{Reader: changetest.Between(t, was, now)}
		found, _, err := Breaks(r, last, &Parsed{})
		if err != nil || len(found) != 1 || found[0].Symbol != "F" {
			t.Errorf("%d packages: %v, %v", packages, found, err)
		}
		if r.files != want {
			t.Errorf("%d packages: %d files were read, want %d", packages, r.files, want)
		}
	}
}

// TestFilesAreParsedOnce for both versions and all packages of a run, as long as they are not too many.
func TestFilesAreParsedOnce(t *testing.T) {
	t.Parallel()
	p := &Parsed{}
	parse := func(name, text string) any {
		f, err := p.current().parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := parse("a.go", "package a\n")
	if parse("a.go", "package a\n") != first {
		t.Error("a file is parsed again")
	}
	if parse("b.go", "package a\n") == first || parse("a.go", "package b\n") == first {
		t.Error("another file is taken for it")
	}
	p.current().bytes = mostParsed + 1
	if parse("a.go", "package a\n") == first {
		t.Error("too much is kept")
	}
}

// TestImportsAreNamedApart: what an import is called in one package that is compared says nothing of another one.
func TestImportsAreNamedApart(t *testing.T) {
	t.Parallel()
	trees := (&Parsed{}).current()
	f, err := trees.parse("a.go", []byte("package a\n\nimport \"x/y\"\n\nimport (\n\t\"z\"\n\tv \"w\"\n)\n"))
	if err != nil {
		t.Fatal(err)
	}
	own := withOwnImports(f)
	for i, spec := range own.Imports {
		if spec == f.Imports[i] || spec.Path != f.Imports[i].Path || spec.Name != f.Imports[i].Name {
			t.Errorf("import %d is %v, of %v", i, spec, f.Imports[i])
		}
	}
	if len(own.Imports) != len(f.Imports) || own.Decls[0] == f.Decls[0] {
		t.Errorf("its own imports are %v", own.Imports)
	}
}

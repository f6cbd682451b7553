package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/githubsim"
)

// project is a small Go module in which each package uses the previous one.
type project struct {
	random   *rand.Rand
	packages []*goPackage
	named    int // how many names were given
}

type goPackage struct {
	name   string
	fields int       // of the exported type
	files  []*goFile // except the file of the type
}

type goFile struct {
	name      string
	functions []*goFunction
}

type goFunction struct {
	name                      string
	parameters, body, comment int
}

// edit is a change of a project.
type edit struct {
	what string
	docs bool // it changes the docs
	do   func(p *project, g *goPackage)
}

var edits = []edit{
	{"add a function", true, func(p *project, g *goPackage) { p.function(p.file(g)) }},
	{"add a file", true, func(p *project, g *goPackage) { p.addFile(g) }},
	{"widen a type that others use", true, func(_ *project, g *goPackage) { g.fields++ }},
	{"change a signature", true, func(p *project, g *goPackage) { p.any(p.file(g)).parameters++ }},
	{"delete a file", true, func(p *project, g *goPackage) {
		at := p.random.IntN(len(g.files))
		g.files = slices.Delete(g.files, at, at+1)
	}},
	{"change a body", true, func(p *project, g *goPackage) { p.any(p.file(g)).body++ }},
	{"change a comment in a body", false, func(p *project, g *goPackage) { p.any(p.file(g)).comment++ }},
}

func newProject(random *rand.Rand, packages int) *project {
	p := &project{random: random}
	for n := range packages {
		g := &goPackage{name: fmt.Sprintf("p%02d", n), fields: 1}
		p.addFile(g)
		p.packages = append(p.packages, g)
	}
	return p
}

func (p *project) name() int { p.named++; return p.named }

func (p *project) addFile(g *goPackage) *goFile {
	f := &goFile{name: fmt.Sprintf("f%d", p.name())}
	p.function(f)
	g.files = append(g.files, f)
	return f
}

// file is any file of a package, a new one when all are gone.
func (p *project) file(g *goPackage) *goFile {
	if len(g.files) == 0 {
		return p.addFile(g)
	}
	return g.files[p.random.IntN(len(g.files))]
}

func (p *project) function(f *goFile) {
	f.functions = append(f.functions, &goFunction{name: fmt.Sprintf("Do%d", p.name()), parameters: 1})
}

func (p *project) any(f *goFile) *goFunction { return f.functions[p.random.IntN(len(f.functions))] }

// change edits the project, and returns the changed files.
func (p *project) change(docs bool) githubsim.Change {
	before := p.texts()
	e := edits[p.random.IntN(len(edits))]
	for e.docs != docs {
		e = edits[p.random.IntN(len(edits))]
	}
	g := p.packages[p.random.IntN(len(p.packages))]
	if e.what == "delete a file" && len(g.files) == 0 {
		p.addFile(g)
	} else {
		e.do(p, g)
	}
	c := githubsim.Change{Write: map[string]string{}, Message: strings.ToUpper(e.what[:1]) + e.what[1:]}
	after := p.texts()
	for name, text := range after {
		if before[name] != text {
			c.Write[name] = text
		}
	}
	for name := range before {
		if _, kept := after[name]; !kept {
			c.Delete = append(c.Delete, name)
		}
	}
	return c
}

// texts are all files of the project.
func (p *project) texts() map[string]string {
	out := map[string]string{"go.mod": "module example.com/made\n\ngo 1.24\n", "README.md": "# Made\n\nFor the soak.\n"}
	for i, g := range p.packages {
		before := ""
		if i > 0 {
			before = p.packages[i-1].name
		}
		out[g.name+"/"+g.name+".go"] = g.text(before)
		for _, f := range g.files {
			out[g.name+"/"+f.name+".go"] = f.text(g.name)
		}
	}
	return out
}

func (g *goPackage) text(before string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s keeps records.\npackage %s\n", g.name, g.name)
	if before != "" {
		fmt.Fprintf(&b, "\nimport \"example.com/made/%s\"\n", before)
	}
	fmt.Fprint(&b, "\n// Record is what is kept.\ntype Record struct {\n")
	for n := range g.fields {
		fmt.Fprintf(&b, "\tField%d int\n", n)
	}
	fmt.Fprint(&b, "}\n")
	if before != "" {
		fmt.Fprintf(&b, "\n// Take takes over what another package keeps.\nfunc Take(r %s.Record) Record { return Record{Field0: r.Field0} }\n", before)
	}
	return b.String()
}

func (f *goFile) text(pkg string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", pkg)
	for _, fn := range f.functions {
		parameters := make([]string, fn.parameters)
		for n := range parameters {
			parameters[n] = fmt.Sprintf("a%d", n)
		}
		fmt.Fprintf(&b, "\n// %s is made.\nfunc %s(%s int) int {\n\t// thought over %d times\n\treturn a0 + %d\n}\n",
			fn.name, fn.name, strings.Join(parameters, ", "), fn.comment, fn.body)
	}
	return b.String()
}

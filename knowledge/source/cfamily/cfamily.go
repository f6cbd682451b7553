// Package cfamily reads C and C++ sources: declarations, references, includes, macros and the behaviour surface. It
// is best effort: macros are not expanded, and if the branches of a conditional cannot be read in sequence, one
// branch is taken.
package cfamily

import (
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

type language string

// C and CPP are the two languages of the family. A .h header is C unless it clearly is C++.
var (
	C   source.Language = language("c")
	CPP source.Language = language("c++")
)

var extensions = lazy.Value[map[language][]string]{Make: func() map[language][]string {
	return map[language][]string{
		"c":   {".c", ".h"},
		"c++": {".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl", ".cppm"},
	}
}}

// Name implements source.Language.
func (l language) Name() string { return string(l) }

// Version implements source.Language.
func (l language) Version() int { return 21 }

// Extensions implements source.Language.
func (l language) Extensions() []string { return slices.Clone(extensions.Get()[l]) }

// Extract implements source.Language.
func (l language) Extract(ctx context.Context, name string, src []byte) source.File {
	out := source.File{Language: l.Name(), Test: testFile(name)}
	if len(src) > math.MaxInt32/4 {
		out.Content, out.Problem = source.DigestOf(string(src)), "line 1: expected a smaller file"
		return out
	}
	meter := kernel.NewMeter(ctx, len(src))
	f := lex(&meter, src)
	f.dropAlternatives()
	o := &outline{file: f, cpp: l == CPP, header: header(name), namespaces: map[string]bool{}}
	if path.Ext(name) == ".h" && f.plainlyCPP() {
		o.cpp, out.Language = true, CPP.Name()
	}
	if !o.cpp {
		f.demote()
	}
	o.match = f.matchBrackets()
	o.run()
	o.macros()
	b := &builder{outline: o, docs: f.docs(), hasher: source.NewHasher()}
	if header(name) {
		b.findBelow()
	}
	out.Symbols = b.symbols()
	out.Package = o.pkg
	out.Doc = b.docs.ofFile()
	out.Body = b.uses.ofFile()
	out.Guard = b.guards.file
	out.Imports = append(f.includes(header(name), b.guards), o.modules...)
	s := survey{outline: o}
	s.run()
	out.Facts, out.Tests, out.Main = s.facts, s.sortedTests(), s.main
	out.Test = out.Test || !header(name) && len(out.Tests) > 0 && includesFramework(out.Imports)
	b.guards.guardMain(&out, s.mains, s.at)
	out.Generated = source.HasGenerator(f.src, "//")
	out.Problem = f.problem.String()
	out.Content = b.content(out)
	return out
}

func (b *builder) content(f source.File) source.Digest {
	if f.Test {
		return source.TestContent(&f)
	}
	h := b.hasher
	h.Reset()
	h.AddBytes(b.canon)
	h.Add(f.Doc)
	for _, s := range f.Symbols {
		if s.Doc != "" {
			h.Add(s.Name)
			h.Add(s.Doc)
		}
	}
	return h.Sum()
}

// header reports whether a file's declarations are for other files.
func header(name string) bool {
	switch path.Ext(name) {
	case ".c", ".cc", ".cpp", ".cxx":
		return false
	}
	return true
}

// plainlyCPP reports whether a header cannot be C: it uses C++ syntax outside of __cplusplus branches, or includes a
// standard C++ header without extension.
func (f *file) plainlyCPP() bool {
	for i := range f.directives {
		d := &f.directives[i]
		if d.system && d.path != "" && !strings.Contains(d.path, ".") && !f.branches[d.branch].cplusplus {
			return true
		}
	}
	is := func(i int, id uint8) bool {
		return i >= 0 && i < len(f.tokens) && f.tokens[i].kind == punctuation && f.tokens[i].id == id
	}
	plain := func(i int) bool { return i < len(f.tokens) && f.tokens[i].kind == identifier }
	for i, t := range f.tokens {
		if f.branches[t.branch].cplusplus {
			continue
		}
		found := false
		switch {
		case t.kind == punctuation:
			found = t.id == opScope && plain(i+1)
		case t.kind != identifier || t.id < kwClass:
		case t.id == kwNamespace:
			found = plain(i+1) && (is(i+2, '{') || is(i+2, opScope)) || is(i+1, '{')
		case t.id == kwTemplate:
			found = is(i+1, '<')
		case t.id == kwClass:
			found = plain(i+1) && (is(i+2, '{') || is(i+2, ':') || is(i+2, ';') || plain(i+2) && is(i+3, '{'))
		case t.id == kwAccess:
			found = is(i+1, ':') && !is(i-1, '?')
		}
		if found {
			return true
		}
	}
	return false
}

// demote turns C++ keywords into identifiers.
func (f *file) demote() {
	for i := range f.tokens {
		t := &f.tokens[i]
		if t.kind == identifier && t.id >= kwClass && !f.branches[t.branch].cplusplus {
			t.id = none
		}
	}
	for i := range f.words {
		if t := &f.words[i]; t.kind == identifier && t.id >= kwClass {
			t.id = none
		}
	}
}

// includes lists a file's includes. A header re-exports them.
func (f *file) includes(header bool, guards *guards) []source.Import {
	var out []source.Import
	for _, d := range f.directives {
		if d.path != "" {
			out = append(out, source.Import{
				Path: valid(d.path), All: true, Reexport: header, System: d.system, Line: int(d.line), Guard: guards.of(d.branch),
			})
		}
	}
	return out
}

// frameworks are header prefixes of test libraries.
var frameworks = []string{"gtest/", "gmock/", "catch2/", "catch.hpp", "boost/test/"}

func includesFramework(imports []source.Import) bool {
	return slices.ContainsFunc(imports, func(imp source.Import) bool {
		return slices.ContainsFunc(frameworks, func(f string) bool { return strings.HasPrefix(imp.Path, f) })
	})
}

// testFile applies the naming conventions of test runners and build files.
func testFile(name string) bool {
dirs:
	for _, dir := range strings.Split(path.Dir(name), "/") {
		switch dir {
		case "include":
			break dirs // public headers, even of a test library
		case "test", "tests", "unittest", "unittests", "gtest":
			return true
		}
	}
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if header(name) {
		return false
	}
	for _, end := range []string{"_test", "_unittest", "_tests"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.HasPrefix(stem, "test_")
}

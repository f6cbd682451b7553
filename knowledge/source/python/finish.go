package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

func (x *reader) finish(f *source.File, name string) {
	head := x.head()
	f.Body = x.bodies()
	f.Doc = x.doc
	f.Generated = source.HasGenerator(x.src, "#")
	f.Main = f.Main || x.main || head.shebang != ""
	f.Symbols = x.allSymbols()
	framework := x.importsTestFramework()
	f.Test = x.isTest(name, f.Symbols, framework)
	x.members()
	f.Imports = x.finalImports()
	if !f.Test {
		x.surface(name)
		x.data()
		ddl.Describe(x.facts, f.Symbols)
	}
	if f.Test {
		x.facts = nil
	}
	slices.SortStableFunc(x.facts, func(a, b source.Fact) int { return a.Line - b.Line })
	f.Facts = x.facts
	f.Tests = x.testNames(f.Test, framework)
	f.Problem = x.problem.String()
	f.Content = x.content(f, head)
}

// testNames lists the tests; outside test files only suites, and only if a test framework is imported.
func (x *reader) testNames(inTestFile, framework bool) []string {
	names := slices.DeleteFunc(x.tests, func(n string) bool {
		return !inTestFile && (!framework || !strings.Contains(n, "."))
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func (x *reader) content(f *source.File, h heading) source.Digest {
	if f.Test {
		return source.TestContent(f)
	}
	x.hasher.Reset()
	x.hasher.Add(h.shebang)
	x.hasher.Add(h.encoding)
	if f.Generated {
		x.hasher.Add("generated")
	}
	x.hasher.AddBytes(x.canon)
	return x.hasher.Sum()
}

type heading struct{ shebang, encoding string }

func (x *reader) head() heading {
	var h heading
	rest := x.src
	for i := range 2 {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		if i == 0 && strings.HasPrefix(l, "#!") {
			h.shebang = strings.TrimRight(l, " \t")
		}
		if l = strings.TrimLeft(l, " \t\f"); strings.HasPrefix(l, "#") {
			h.encoding = cmp.Or(h.encoding, encodingIn(l))
		}
	}
	return h
}

func encodingIn(comment string) string {
	_, value, found := strings.Cut(comment, "coding")
	if !found || value == "" || value[0] != ':' && value[0] != '=' {
		return ""
	}
	value = strings.TrimLeft(value[1:], " \t")
	end := strings.IndexFunc(value, func(c rune) bool {
		return !(c == '-' || c == '_' || c == '.' || c < 0x80 && identPart[byte(c)])
	})
	if end >= 0 {
		value = value[:end]
	}
	value = strings.ReplaceAll(strings.ToLower(value), "_", "-")
	if value == "utf-8" || value == "utf8" {
		return ""
	}
	return value
}

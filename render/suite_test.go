package render

import (
	"regexp"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine/enginetest"
)

// shop is three packages, of which two use another.
var shop = map[string]string{
	"go.mod": "module x\n", "README.md": "# Shop\n\nSells things.\n",
	"a/a.go": "// Package a counts.\npackage a\n\n// A is one.\nfunc A() int { return 1 }\n",
	"b/b.go": "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n", "c/c.go": "package c\n\nfunc C() {}\n",
}

// editsOfShop are made in sequence. A page depends on its module, on the names of its neighbours and on its importers. The list of modules
// depends on the line of each. The entry page and the guide depend on that, on dependencies and uses, and on the README.
var editsOfShop = []enginetest.Edit{
	{Name: "a comment", Files: map[string]string{"a/a.go": "// Package a counts.\npackage a\n\n// here\n\n// A is one.\nfunc A() int { return 1 }\n"}},
	{
		Name: "a body", Files: map[string]string{"a/a.go": "// Package a counts.\npackage a\n\n// A is one.\nfunc A() int { return 2 }\n"},
		Ran: []string{"module/a"},
	},
	{
		Name: "an interface", Files: map[string]string{"a/a.go": "// Package a counts.\npackage a\n\n// A is one.\nfunc A() int64 { return 2 }\n"},
		Ran: []string{"module/a", "module/b", "page/a"},
	},
	{
		Name: "what it is for", Files: map[string]string{"a/a.go": "// Package a adds up.\npackage a\n\n// A is one.\nfunc A() int64 { return 2 }\n"},
		Ran: []string{"module/a", "page/a", "page/index", "page/llms.txt", "page/modules"},
	},
	{
		Name: "an import", Files: map[string]string{"c/c.go": "package c\n\nimport \"x/a\"\n\nfunc C() { a.A() }\n"},
		Ran: []string{"module/c", "page/a", "page/c", "page/index", "page/llms.txt"},
	},
	{
		Name: "the name of a package", Files: map[string]string{"a/a.go": "// Package sum adds up.\npackage sum\n\n// A is one.\nfunc A() int64 { return 2 }\n"},
		Ran: []string{"module/a", "page/a", "page/b", "page/c", "page/index", "page/llms.txt", "page/modules"},
	},
	{Name: "the README", Files: map[string]string{"README.md": "# Market\n\nSells more.\n"}, Ran: []string{"page/documents", "page/index", "page/llms.txt"}},
	{Name: "what the README shows", Files: map[string]string{"README.md": "# Market\n\nSells more.\n\n    A()\n"}, Ran: []string{"page/a", "page/b", "page/c", "page/documents", "page/index", "page/llms.txt"}},
	{
		Name: "a piece of code in the README", Files: map[string]string{"README.md": "# Market\n\nSells more.\n\n    A()\n\n```go\nimport sum \"x/a\"\n\nprintln(sum.A())\n```\n"},
		Ran: []string{"module/a", "page/a", "page/b", "page/c", "page/documents", "page/index", "page/llms.txt"},
	},
	{
		Name: "prose around it", Files: map[string]string{"README.md": "# Market\n\nSells more.\n\n    A()\n\nLike this:\n\n```go\nimport sum \"x/a\"\n\nprintln(sum.A())\n```\n"},
		Ran: []string{"page/documents", "page/index", "page/llms.txt"},
	},
	{Name: "a module", Files: map[string]string{"d/e/e.go": "package e\n\nfunc E() {}\n"}, Ran: []string{"module/d/e", "page/commands", "page/d/e", "page/data", "page/extensions", "page/index", "page/llms.txt", "page/modules", "page/operations"}},
	{Name: "a module less", Gone: []string{"b/b.go"}, Ran: []string{"page/a", "page/commands", "page/data", "page/extensions", "page/index", "page/llms.txt", "page/modules", "page/operations"}, Removed: []string{"module/b", "page/b"}},
	{Name: "a header", Files: map[string]string{"h/h.h": "int h(int n);\n"}, Ran: []string{"module/h", "page/commands", "page/data", "page/extensions", "page/h", "page/index", "page/llms.txt", "page/modules", "page/operations"}},
	{Name: "what a document says of it", Files: map[string]string{"manual/api.rst": ".. c:function:: int h(int n)\n\n   Helps.\n"}, Ran: []string{"module/h", "page/documents", "page/h", "page/index", "page/llms.txt"}},
	{Name: "prose around that", Files: map[string]string{"manual/api.rst": "Text.\n\n.. c:function:: int h(int n)\n\n   Helps.\n\nMore.\n"}, Ran: []string{"page/documents"}},
	{Name: "other words", Files: map[string]string{"manual/api.rst": ".. c:function:: int h(int n)\n\n   Helps more.\n"}, Ran: []string{"module/h", "page/documents", "page/h"}},
	{Name: "no document", Gone: []string{"manual/api.rst"}, Ran: []string{"module/h", "page/documents", "page/h", "page/index", "page/llms.txt"}},
}

// links matches the places of symbols, which are provenance.
var links = regexp.MustCompile(`(?m)^  (at|lines): .*\n`)

// subject is Living Docs over the shop.
func subject(t testing.TB) enginetest.Subject { return docsOver(shop, editsOfShop)(t) }

// TestLivingDocsUnderTheSuite holds Living Docs to what every plugin is held to.
func TestLivingDocsUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, subject)
}

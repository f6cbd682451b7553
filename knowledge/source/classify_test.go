package source_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	c := source.NewClassifier([]source.Language{golang.Language{}})
	for name, want := range map[string]source.Classification{
		"a.go":                   {Language: "go", Readable: true},
		"cmd/x/main.go":          {Language: "go", Readable: true},
		"vendor/x/a.go":          {},
		"a/node_modules/x.rb":    {},
		"a/testdata/a.go":        {},
		".github/x.sh":           {},
		"_examples/a.go":         {},
		"_examples/a.rb":         {Language: "ruby"},
		"lib/a.rb":               {Language: "ruby"},
		"Makefile":               {Language: "make"},
		"data.json":              {},
		"pkg/README.md":          {Readme: true},
		"README":                 {Readme: true},
		"readme.rst":             {Readme: true},
		"README_old.md":          {},
		"vendors/vendor.go":      {Language: "go", Readable: true},
		"tools/vendor/README.md": {},
		".gradle":                {},
	} {
		if got := c.Classify(name); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestReadme(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# Shop\n\n[![ci](x)](y)\n\nSells things.\nMany of them.\n\nMore.": "Sells things.\nMany of them.",
		"Shop\n====\n\nSells things.":                                      "Sells things.",
		"<p align=center>\n  <img>\n</p>\n\nSells *things*.":               "Sells *things*.",
		"```\ncode\n```\n\nText":                                           "Text",
		"# Only a title":                                                   "",
		"":                                                                 "",
	} {
		if got := source.Readme([]byte(text)).Doc; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

// pages belong to a small shop.
var pages = fstest.MapFS{
	"index.md": {Data: []byte("# Shop\n\n[commands](commands.md)\n\n| Module |\n|---|\n| [`cart`](modules/cart.md#cartadd) |\n\n" +
		"[the site](https://example.com/far.md), [gone](gone.md)\n\n`[code](code.md)`\n")},
	"commands.md":        {Data: []byte("`--port`\n  the port, [`80`](far.md)\n")},
	"modules/cart.md":    {Data: []byte("[all](../commands.md), [prices](prices.md)\n")},
	"modules/prices.md":  {Data: []byte("A price\nhas no tax.\n")},
	"far.md":             {Data: []byte("far\n")},
	"modules/unknown.md": {Data: []byte("unknown\n")},
}

func TestFollow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		q      question
		clicks string
		wrong  string
	}{
		{name: "the entry page itself", q: question{Needle: "# Shop"}},
		{"a click", question{Path: []string{"commands.md"}, Needle: "the port"}, "commands", ""},
		{"an answer over lines", question{Path: []string{"modules/cart.md", "modules/prices.md"}, Needle: "price has no tax"}, "cart, prices", ""},
		{"up from a directory", question{Path: []string{"modules/cart.md", "commands.md"}, Needle: "--port"}, "cart, all", ""},
		{"a section", question{Path: []string{"modules/cart.md#cartadd"}, Needle: "prices"}, "cart", ""},
		{"no link to the section", question{Path: []string{"modules/cart.md#cart"}, Needle: "prices"}, "", "index.md has no link to modules/cart.md#cart"},
		{"no answer", question{Path: []string{"commands.md"}, Needle: "the host"}, "commands", `commands.md does not say "the host"`},
		{"no link", question{Path: []string{"modules/unknown.md"}, Needle: "unknown"}, "", "index.md has no link to modules/unknown.md"},
		{"a link to the web", question{Path: []string{"far.md"}, Needle: "far"}, "", "index.md has no link to far.md"},
		{"a link in code", question{Path: []string{"code.md"}, Needle: "code"}, "", "index.md has no link to code.md"},
		{"a link on another page", question{Path: []string{"modules/prices.md"}, Needle: "tax"}, "", "index.md has no link to modules/prices.md"},
		{"a page that is gone", question{Path: []string{"gone.md"}, Needle: "x"}, "gone", "open gone.md: file does not exist"},
		{"a page at the end that does not answer", question{Path: []string{"commands.md", "far.md"}, Needle: "near"}, "commands, 80", `far.md does not say "near"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			clicks, err := follow(pages, ".", test.q)
			wrong := ""
			if err != nil {
				wrong = err.Error()
			}
			if got := strings.Join(clicks, ", "); got != test.clicks || wrong != test.wrong {
				t.Errorf("got %q and %q, want %q and %q", got, wrong, test.clicks, test.wrong)
			}
		})
	}
}

func TestFollowToDocument(t *testing.T) {
	t.Parallel()
	root := fstest.MapFS{
		"docs/causal/index.md": {Data: []byte("[Settings](../settings.rst#ports)\n")},
		"docs/settings.rst":    {Data: []byte("The port is 80.\n")},
	}
	questions := []question{{Path: []string{"/docs/settings.rst#ports"}, Needle: "is 80"}, {Path: []string{"/README.md"}, Needle: "is 80"}}
	all := report{asked{repository{Questions: questions}, followAll(root, "docs/causal", questions)}}
	if _, answered, documents := all.sum(); answered != 1 || documents != 1 {
		t.Errorf("%d answered, %d in documents: %q", answered, documents, all.broken())
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	questions := []question{
		{Text: "Where is the port?", Path: []string{"commands.md"}, Needle: "the port"},
		{Text: "Where is the host?", Path: []string{"commands.md"}, Needle: "the host"},
		{Text: "Where is the tax?"},
	}
	all := report{asked{repository{Name: "example/shop", Questions: questions}, followAll(pages, ".", questions)}}
	if n, answered, documents := all.sum(); n != 3 || answered != 1 || documents != 0 {
		t.Errorf("%d questions, %d answered", n, answered)
	}
	var out strings.Builder
	all.print(&out, true)
	for _, want := range []string{
		"33.3 % answered\n",
		"example/shop: Where is the host?: commands.md does not say \"the host\"\n",
		"    Where is the tax?\n        not answered\n",
		"        entry page > commands: the port\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const good = "repository: a/b\nquestions:\n  - text: Where?\n    asked: a/b#1\n    answer: here\n"
	if _, err := decode([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"an unknown key":            good + "    pth: [index.md]\n",
		"three clicks":              good + "    path: [a.md, b.md, c.md]\n    needle: x\n",
		"clicks without answer":     good + "    path: [a.md]\n",
		"a source file":             good + "    path: [a.go]\n    needle: x\n",
		"a source file as document": good + "    path: [/a.go]\n    needle: x\n",
		"a page outside of these":   good + "    path: [../README.md]\n    needle: x\n",
		"no thread":                 strings.Replace(good, "a/b#1", "somewhere", 1),
	} {
		if _, err := decode([]byte(data)); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

func TestRepositories(t *testing.T) {
	t.Parallel()
	all, err := readRepositories()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 48 {
		t.Errorf("%d repositories", len(all))
	}
	for _, r := range all {
		if len(r.Questions) != 10 || len(r.Commit) != 40 || r.Language == "" {
			t.Errorf("%s: %d questions at %q in %q", r.Name, len(r.Questions), r.Commit, r.Language)
		}
	}
}

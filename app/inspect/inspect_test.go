package inspect_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// tree is a state of a repository in memory. A text that begins with "->" is a symbolic link.
type tree struct {
	survey.Tree // unused methods
	files       map[string]string
}

func (t tree) entries(context.Context) (out []survey.Entry, err error) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		mode := survey.Regular
		if strings.HasPrefix(t.files[name], "->") {
			mode = survey.Symlink
		}
		out = append(out, survey.Entry{Path: name, ID: fact.Digest(t.files[name]), Mode: mode})
	}
	return out, nil
}

func (t tree) Read(_ context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	for _, e := range list {
		var err error
		if int64(len(t.files[e.Path])) > limit {
			err = survey.ErrTooLarge
		}
		if err := fn(e, []byte(t.files[e.Path]), err); err != nil {
			return err
		}
	}
	return nil
}

// shop is a small repository.
var shop = map[string]string{
	"money/money.go":                  "package money\n\n// ParseAmount reads an amount.\nfunc ParseAmount(s string) int {\n\treturn len(s)\n}\n",
	"tax/tax.go":                      "package tax\n\n// Rate is in per cent.\nfunc Rate() int { return 19 }\n",
	"link.go":                         "->../outside",
	".env":                            "KEY=SECRET\n",
	"certs/tls.key":                   "SECRET\n",
	"cart/cart.go":                    "package cart // SECRET\n",
	"docs/causal/index.md":            "SECRET\n",
	".causal/nodes/money.yml":         "SECRET\n",
	".causal/principles/no-float.yml": "rule: Money is never a float\n",
	"logo.png":                        "\x89PNG\x00SECRET",
	"huge.txt":                        strings.Repeat("SECRET\n", 200_000),
}

func over(files map[string]string) *inspect.Files {
	t, layout := tree{files: files}, store.Layout{Docs: "docs/causal"}
	return inspect.New(inspect.Config{
		Tree: t, Entries: t.entries, Owned: layout.Owns, Shows: func(file string) bool {
			return !strings.HasPrefix(file, "cart/") && file != ".env" && !strings.HasSuffix(file, ".key")
		},
		Events: func() ([]ledger.Event, error) {
			return []ledger.Event{{ID: ledger.ID(strings.Repeat("ab", 32)), Type: ledger.Proposition, Text: "Amounts are cents"}}, nil
		},
		History: func(_ context.Context, file string, _ int) ([]string, error) {
			return []string{"2026-01-01 0123456789 Begin " + file}, nil
		},
	})
}

func run(t *testing.T, f *inspect.Files, c inspect.Call) *inspect.Output {
	t.Helper()
	out, err := f.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(name string, from, to int) inspect.Call {
	return inspect.Call{Tool: inspect.Read, About: name, From: from, To: to}
}

func grep(pattern, glob string) inspect.Call {
	return inspect.Call{Tool: inspect.Grep, About: pattern, Glob: glob}
}

func search(query string) inspect.Call { return inspect.Call{Tool: inspect.Search, About: query} }

func TestCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		call inspect.Call
		want []string // in the text
		none bool     // nothing is there
	}{
		{"lines", read("money/money.go", 3, 4), []string{"3\t// ParseAmount reads an amount.\n4\tfunc ParseAmount", "has 6 lines"}, false},
		{"beyond the end", read("money/money.go", 5, 99), []string{"6\t}"}, false},
		{"behind the end", read("money/money.go", 50, 99), []string{"has 6 lines"}, false},
		{"a dot before the path", read("./money/money.go", 1, 1), []string{"package money"}, false},
		{"a principle", read(".causal/principles/no-float.yml", 1, 1), []string{"never a float"}, false},
		{"a binary file", read("logo.png", 1, 9), []string{"not a text file"}, false},
		{"a large file", read("huge.txt", 1, 9), []string{"not a text file"}, false},
		{"no file", read("money/none.go", 1, 9), []string{"no file"}, true},
		{"a directory", read("money", 1, 9), []string{"no file"}, true},
		{"grep", grep(`func \w+`, "**"), []string{"money/money.go:4\tfunc ParseAmount", "tax/tax.go:4\t"}, false},
		{"grep in names anywhere", grep("func", "tax.go"), []string{"tax/tax.go:4\t"}, false},
		{"grep without a match", grep("zeppelin", "**"), []string{"no line matches"}, false},
		{"a pattern that is none", grep("(", "**"), []string{"error parsing regexp"}, true},
		{"a long pattern", grep(strings.Repeat("a", 600), "**"), []string{"more than"}, true},
		{"paths outside", grep("a", "../**"), []string{"write the path from"}, true},
		{"an absolute path", grep("a", "/etc/*"), []string{"empty path segment"}, true},
		{"search", search("how are amounts parsed"), []string{"money/money.go:3\t// ParseAmount reads an amount.", "event abababab"}, false},
		{"search in vain", search("zeppelin"), []string{"nothing has a word"}, false},
		{"a long query", search(strings.Repeat("a ", 600)), []string{"more than"}, true},
		{"history", inspect.Call{Tool: inspect.History, About: "tax/tax.go"}, []string{"Begin tax/tax.go"}, false},
		{"the history of no file", inspect.Call{Tool: inspect.History, About: "../x"}, []string{"no file"}, true},
	} {
		out := run(t, over(shop), c.call)
		for _, want := range c.want {
			if !strings.Contains(out.Text, want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, out.Text)
			}
		}
		if (out.Digest == "") != c.none {
			t.Errorf("%s: the digest is %q", c.name, out.Digest)
		}
	}
}

// TestSecretsAreNotShown: whatever a call asks for, it shows no file that it may not show.
func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	var calls []inspect.Call
	for _, name := range []string{
		".env", "./.env", "money/../.env", "../outside", "/etc/passwd", "link.go", "certs/tls.key", "cart/cart.go", "docs/causal/index.md", ".causal/nodes/money.yml",
		"logo.png", "huge.txt", ".git/config", ".", "", "\x00", "money/money.go/../../.env", `..\outside`, "**", "c*/cart.go",
	} {
		calls = append(calls, read(name, 1, 400), grep("SECRET", name), grep("SECRET|root:", "**/"+name), inspect.Call{Tool: inspect.History, About: name})
	}
	calls = append(calls, grep("SECRET", "**"), grep("S.CRET", "*"), grep("(?s).*", "**"), search("SECRET"), search("secret key env cart certs"))
	for _, c := range calls {
		if out := run(t, over(shop), c); strings.Contains(strings.ReplaceAll(out.Text, c.About, ""), "SECRET") || len(out.Places) > 0 && strings.Contains(strings.Join(out.Places[0].Lines, ""), "SECRET") {
			t.Errorf("%v shows\n%s", c, out.Text)
		}
	}
}

// TestDigests: a digest differs if and only if the output differs.
func TestDigests(t *testing.T) {
	t.Parallel()
	edit := func(name, old, text string) func(map[string]string) {
		return func(files map[string]string) { files[name] = strings.Replace(files[name], old, text, 1) }
	}
	another := func(files map[string]string) { files["zoo/zoo.go"] = "package zoo\n\nfunc Feed() {}\n" }
	for _, c := range []struct {
		name    string
		call    inspect.Call
		edit    func(map[string]string)
		differs bool
	}{
		{"another file", read("money/money.go", 1, 6), edit("tax/tax.go", "19", "20"), false},
		{"a line that was read", read("money/money.go", 1, 6), edit("money/money.go", "len(s)", "0"), true},
		{"a line that was not read", read("money/money.go", 1, 3), edit("money/money.go", "len(s)", "0"), false},
		{"lines behind the end", read("money/money.go", 1, 400), edit("money/money.go", "}\n", "}\n\nvar X int\n"), true},
		{"the file is gone", read("money/money.go", 1, 6), func(files map[string]string) { delete(files, "money/money.go") }, true},
		{"the file is a link", read("money/money.go", 1, 6), func(files map[string]string) { files["money/money.go"] = "->tax" }, true},
		{"text above a match", grep("func", "**"), edit("money/money.go", "package money\n", "package money\n\n// More.\n"), false},
		{"another match", grep("func", "**"), another, true},
		{"a matching line", grep("func", "**"), edit("tax/tax.go", "func Rate", "func Rates"), true},
		{"another line", grep("func Parse", "**"), edit("tax/tax.go", "19", "20"), false},
		{"a file without the words", search("parse amounts"), another, false},
		{"text above the words", search("parse amounts"), edit("money/money.go", "package money\n", "package money\n\n// More.\n"), false},
		{"a line with the words", search("parse amounts"), edit("money/money.go", "reads an amount", "reads one amount"), true},
		{"a file with the words", search("parse amounts"), func(files map[string]string) { files["zoo/zoo.go"] = "package zoo // amounts\n" }, true},
		{"another file's history", inspect.Call{Tool: inspect.History, About: "tax/tax.go"}, another, false},
		{"its own history", inspect.Call{Tool: inspect.History, About: "tax/tax.go"}, edit("tax/tax.go", "19", "20"), true},
	} {
		files := maps.Clone(shop)
		before := run(t, over(files), c.call).Digest
		c.edit(files)
		if now := run(t, over(files), c.call).Digest; (before != now) != c.differs {
			t.Errorf("%s: %v: the digest was %s and is %s", c.name, c.call, before, now)
		}
	}
}

func TestOutputsAreBounded(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files["long.txt"] = strings.Repeat(strings.Repeat("word ", 400)+"\n", 450)
	for _, c := range []inspect.Call{read("long.txt", 1, 100_000), grep("word", "**"), search("word")} {
		if out := run(t, over(files), c); len(out.Text) > 80<<10 || !strings.Contains(out.Text, "word") {
			t.Errorf("%v shows %d bytes", c, len(out.Text))
		}
	}
	if n := len(run(t, over(files), read("long.txt", 1, 100_000)).Places[0].Lines); n > 400 {
		t.Errorf("%d lines", n)
	}
}

// TestFacts: a call has one fact that determines it, and other facts are refused.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []inspect.Call{
		read("money/money.go", 1, 11), read("a b\n\"c\".go", 3, 3), grep(`func \w+ "x"`, "**/*.go"), grep("", "**"), search(""), search("zwei Wörter"), {Tool: inspect.History, About: "x"},
	} {
		o := c.Fact().As("digest")
		parsed, err := fact.Parse(o.String())
		if err != nil || parsed != o {
			t.Errorf("%v is written %q and read %v, %v", c, o, parsed, err)
		}
		if got, err := inspect.ParseCall(c.Fact()); err != nil || got != c || inspect.Check(c.Fact()) != nil {
			t.Errorf("%v is read as %v, %v", c, got, err)
		}
	}
	for _, f := range []fact.Fact{
		fact.New(inspect.Facts, "read a"), fact.New(inspect.Facts, "read a 1 x"), fact.New(inspect.Facts, "read a 01 2"), fact.New(inspect.Facts, "rm a"), fact.New(inspect.Facts, `search "x`),
		fact.New(fact.Files, "a.go"), fact.New(fact.Conclusions, "answer/x"), fact.New(fact.Conclusions, "page/index"), fact.New(fact.Units, "page"), fact.New(ledger.EventFacts, "x"), fact.Text("x").Fact,
	} {
		if inspect.Check(f) == nil {
			t.Errorf("%v is taken", f)
		}
	}
}

// TestConditions: the condition of an answer says what would make it wrong, and each change of a fact makes one of its terms true.
func TestConditions(t *testing.T) {
	t.Parallel()
	words := engine.Vocabulary(slices.Concat(survey.Words, inspect.Words))
	for _, c := range []struct {
		fact      fact.Fact
		condition string
		says      string
	}{
		{read("money/money.go", 1, 11).Fact(), `modified("money/money.go")`, "file: money/money.go:1-11"},
		{read("a[1].go", 2, 2).Fact(), `modified("a\\[1].go")`, "file: a[1].go:2"},
		{grep("func", "**").Fact(), `shown_changed("grep", "func")`, "grep: func in **"},
		{search("a word").Fact(), `shown_changed("search", "a word")`, "search: a word"},
		{inspect.Call{Tool: inspect.History, About: "x.go"}.Fact(), `modified("x.go")`, "history: x.go"},
		{fact.New(fact.Conclusions, "module/money"), `conclusion_changed("module/money")`, "module: money"},
		{ledger.Positions, `shown_changed("events", "positions")`, "log: the recorded events"},
		{fact.New(fact.Units, "module"), `shown_changed("units", "module")`, "list: the modules"},
	} {
		if got := inspect.Condition(words, []fact.Fact{c.fact, c.fact}); got != c.condition {
			t.Errorf("%v: the condition is %s, want %s", c.fact, got, c.condition)
		}
		if got := inspect.Describe(c.fact); got != c.says {
			t.Errorf("%v is described as %q, want %q", c.fact, got, c.says)
		}
		if _, err := words.Parse(c.condition); err != nil {
			t.Error(err)
		}
		for _, cause := range over(shop).Explain(nil, []fact.Change{{Fact: c.fact, Before: "a", After: "b"}}, nil) {
			parsed, err := words.Parse(c.condition)
			if err != nil {
				t.Fatal(err)
			}
			if _, word, _ := strings.Cut(parsed.String(), "("); cause.Detail == "" || word == "" {
				t.Errorf("%v is explained as %+v", c.fact, cause)
			}
		}
	}
	if got := inspect.Condition(words, nil); got != "evidence_changed()" {
		t.Errorf("the condition of nothing is %s", got)
	}
}

func TestBecause(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change fact.Change
		want   string
	}{
		{fact.Change{Fact: read("a.go", 1, 2).Fact(), Before: "x", After: "y"}, "a.go changed"},
		{fact.Change{Fact: read("a.go", 1, 2).Fact(), Before: "x"}, "a.go is gone"},
		{fact.Change{Fact: read("a.go", 1, 2).Fact(), After: "y"}, "a.go was added"},
		{fact.Change{Fact: grep("x", "**").Fact(), Before: "x", After: "y"}, "the results changed of grep: x in **"},
		{fact.Change{Fact: fact.New(fact.Conclusions, "module/money"), Before: "x", After: "y"}, "module money changed"},
	} {
		if got := inspect.Because(c.change); got != c.want {
			t.Errorf("%v: %q, want %q", c.change, got, c.want)
		}
	}
}

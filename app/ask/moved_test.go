package ask_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// TestMoved: an answer holds while the lines that it rests on are somewhere in their file, and cites them where they are.
func TestMoved(t *testing.T) {
	t.Parallel()
	const question, file = "How are amounts read?", "money/money.go"
	inserted := [2]string{"package money\n", "// Package money holds amounts.\npackage money\n"}
	for _, c := range []struct {
		name  string
		read  prompt.Response
		edits [][2]string
		cite  string // empty if the answer is invalid
	}{
		{"a line above", read(file, 5, 7), [][2]string{inserted}, file + ":6-8"},
		{"two lines above, and one removed", read(file, 4, 8), [][2]string{inserted, {"package money\n", "package money\n\n"}, {"// Package money holds amounts.\n", ""}}, file + ":6-8"},
		{"lines below", read(file, 5, 7), [][2]string{{"Itoa(n)", "Itoa(n+1)"}}, file + ":5-7"},
		{"a line within", read(file, 5, 7), [][2]string{inserted, {"\treturn strconv.Atoi", "\t// Reads.\n\treturn strconv.Atoi"}}, ""},
		{"the lines differ", read(file, 5, 7), [][2]string{inserted, {"Atoi(s)", "Atoi(s[1:])"}}, ""},
		{"a whole file", read(file, 1, 11), [][2]string{inserted}, ""},
		{"to the end of the file", call("read", map[string]any{"path": file, "from": 5}), [][2]string{inserted}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, nil)
			r.behave = script(c.read, told)
			kept := r.ask(ask.Question{Text: question, Keep: true}).Kept
			page := func() string {
				r.update()
				data, err := os.ReadFile(filepath.Join(r.dir, "docs/causal/answers.md"))
				if err != nil {
					t.Fatal(err)
				}
				return string(data)
			}
			page()
			for _, e := range c.edits {
				r.replace(file, e[0], e[1])
			}
			before, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(kept)))
			if err != nil {
				t.Fatal(err)
			}
			text := page()
			after, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(kept)))
			if holds := c.cite != ""; err != nil || holds != (string(before) == string(after)) || holds != strings.Contains(text, "`"+c.cite+"`") || holds == strings.Contains(text, "WARNING") {
				t.Errorf("%v: the page is\n%s", err, text)
			}
			for _, clone := range []string{"the same clone", "another clone"} {
				if a := r.ask(ask.Question{Text: question}); a.Reused != (c.cite != "") || a.Reused && a.Sentences[0].Cites[0].String() != c.cite {
					t.Errorf("%s: %+v", clone, a)
				}
				if err := os.RemoveAll(filepath.Join(r.dir, ".git", "causal")); err != nil {
					t.Fatal(err)
				}
			}
			if again := page(); again != text {
				t.Errorf("from scratch, the page is\n%s\ninstead of\n%s", again, text)
			}
		})
	}
}

// TestMovedTwins: lines that a file has twice are found by their numbers, since a change of one leaves the other.
func TestMovedTwins(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"twin/twin.go": "package twin\n\nfunc A() error {\n\treturn nil\n}\n\nfunc B() error {\n\treturn nil\n}\n"})
	r.behave = script(read("twin/twin.go", 4, 4), answers(0.9, claim("It returns nil.", "twin/twin.go:4")))
	r.ask(ask.Question{Text: "What does A return?"})
	if a := r.ask(ask.Question{Text: "What does A return?"}); !a.Reused {
		t.Error("an answer that holds is asked again")
	}
	r.replace("twin/twin.go", "return nil", "panic(1)")
	if a := r.ask(ask.Question{Text: "What does A return?"}); a.Reused {
		t.Error("the other line is taken for the cited one")
	}
}

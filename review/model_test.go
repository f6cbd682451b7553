package review

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// sources are the files of a repository.
type sources map[string]string

func (s sources) All() map[string]string { return s }

// scripted is a model that gives one answer.
type scripted struct {
	answer  string
	err     error
	asked   []prompt.Request
	dropped []prompt.Dropped
}

func (s *scripted) Complete(_ context.Context, r prompt.Request) (prompt.Response, error) {
	s.asked = append(s.asked, r)
	return prompt.Response{Answer: json.RawMessage(s.answer)}, s.err
}

func (s *scripted) Drop(_ string, list ...prompt.Dropped) { s.dropped = append(s.dropped, list...) }

const (
	moneyBefore = "package money\n\n// Parse reads an amount.\nfunc Parse(s string) (int, error) {\n\treturn strconv.Atoi(s)\n}\n\nfunc Old() {}\n\n\n\n\n\n\n\nfunc far() { panic(1) }\n"
	moneyAfter  = "package money\n\n// Parse reads an amount.\nfunc Parse(s string) (int, error) {\n\tn, _ :=  strconv.Atoi(s)\n\treturn n, nil\n}\n\n\n\n\n\n\n\n\nfunc far() { panic(1) }\n"
	cart        = "package cart\n\nimport \"example.com/shop/money\"\n\nfunc Total(s string) int {\n\tn, _ := money.Parse(s)\n\treturn n\n}\n"
	cartTest    = "package cart\n\nimport (\n\t\"testing\"\n\n\t\"example.com/shop/money\"\n)\n\nfunc TestTotal(t *testing.T) {\n\tmoney.Parse(\"1\")\n}\n"
)

// shownOf is the material about a change of money.go.
func shownOf(t *testing.T, memory *Memory, hidden ...string) *Shown {
	t.Helper()
	was := sources{"go.mod": "module example.com/shop\n\ngo 1.22\n", "money/money.go": moneyBefore, "cart/cart.go": cart, "cart/cart_test.go": cartTest,
		"README.md": "# Shop\n\nCall `Parse` with text.\n", "secret/key.txt": "one\n", "gone.txt": "x\n"}
	now := maps.Clone(was)
	now["money/money.go"], now["secret/key.txt"] = moneyAfter, "two\n"
	delete(now, "gone.txt")
	s, err := NewGiven(nil, memory).Show(changetest.Between(t, was, now), func(name string) bool {
		for _, dir := range hidden {
			if strings.HasPrefix(name, dir) {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestShow: a model sees the diff, places that use the changed symbols, earlier findings and the principles, each as data, and no hidden
// file.
func TestShow(t *testing.T) {
	t.Parallel()
	memory := &Memory{
		Records: []*record.Record{{
			Change: record.Change{Key: "pr-7", Outcome: record.Merged, At: time.Unix(0, 0)},
			Findings: []record.Finding{{
				ID: "f-1", Rule: "lint/x", Severity: finding.Warning, Path: "money/money.go", Line: 1, Symbol: "Parse", Message: "Not so.", Status: life.Fixed, FixedBy: "abc",
			}},
		}},
		Principles: map[string][]byte{
			principle.Path("ours"):   []byte("principle: ours\nrule: Count in cents.\nwhy: It was rounded.\nstatus: active\n"),
			principle.Path("theirs"): []byte("principle: theirs\nrule: Count in gold.\nstatus: declined\n"),
		},
	}
	text := shownOf(t, memory, "secret/").all.String()
	for _, want := range []string{
		" Diff of money/money.go>\n@@\n", " 4\tfunc Parse(s string) (int, error) {\n-5\t\treturn strconv.Atoi(s)\n+5\t\tn, _ :=  strconv.Atoi(s)\n+6\t\treturn n, nil\n 7\t}\n",
		" Diff of gone.txt (removed)>\n", " cart/cart.go>\n5\tfunc Total(s string) int {\n6\t\tn, _ := money.Parse(s)\n7\t\treturn n\n",
		" cart/cart_test.go>\n9\tfunc TestTotal(t *testing.T) {\n10\t\tmoney.Parse(\"1\")\n", " README.md>\n2\t\n3\tCall `Parse` with text.\n",
		"money/money.go in pr-7: lint/x Parse was flagged and fixed: Not so.\n", "ours: Count in cents. It was rounded.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown in\n%s", want, text)
		}
	}
	for _, none := range []string{"gold", "secret", "two", "panic(1)"} {
		if strings.Contains(text, none) {
			t.Errorf("%q is shown", none)
		}
	}
	if again := shownOf(t, memory, "secret/").all.String(); again != text {
		t.Error("the same change is shown in another way")
	}
	if s := shownOf(t, &Memory{}, ""); !s.Empty() {
		t.Errorf("hidden files are shown: %s", s.all.String())
	}
}

// TestFindings: a finding counts if its quote is in the new version and its names occur in the prompt.
func TestFindings(t *testing.T) {
	t.Parallel()
	s := shownOf(t, &Memory{}, "secret/")
	for name, test := range map[string]struct {
		file, quote, title, why, suggestion string
		want                                string // the lines and the message, or the reasons
	}{
		"a quote":              {"money/money.go", "n, _ := strconv.Atoi(s)", "The error is lost", "A wrong amount counts as 0.", "", "5-5 The error is lost. A wrong amount counts as 0."},
		"white space":          {"money/money.go", "n,_:= strconv . Atoi( s )\n return   n , nil", "The error of `strconv.Atoi` is lost!", "Why.", "", "5-6 The error of `strconv.Atoi` is lost! Why."},
		"beside the change":    {"money/money.go", "package money", "Loses the error", "Why.", "", "1-1 Loses the error. Why."},
		"far from the change":  {"money/money.go", "panic(1)", "Panics", "Why.", "", "16-16 Panics. Why."},
		"a suggestion":         {"money/money.go", "return n, nil", "Loses the error", "Why.", "Return the error of `Atoi`", "6-6 Loses the error. Why. Suggestion: Return the error of `Atoi`."},
		"a false suggestion":   {"money/money.go", "return n, nil", "Loses the error", "Why.", "Call `errors.Join`", "6-6 Loses the error. Why. name_not_found"},
		"part of a word":       {"money/money.go", "eturn n", "Title", "Why.", "", "no_such_place"},
		"words in one":         {"money/money.go", "returnn", "Title", "Why.", "", "no_such_place"},
		"an old line":          {"money/money.go", "return strconv.Atoi(s)", "Title", "Why.", "", "no_such_place"},
		"nothing like it":      {"money/money.go", "z := 9", "Title", "Why.", "", "no_such_place"},
		"no quote":             {"money/money.go", "", "Title", "Why.", "", "no_such_place"},
		"no words":             {"money/money.go", "}", "Title", "Why.", "", "no_such_place"},
		"a huge quote":         {"money/money.go", strings.Repeat("n ", 2000), "Title", "Why.", "", "no_such_place"},
		"an unchanged file":    {"cart/cart.go", "n, _ := money.Parse(s)", "Title", "Why.", "", "no_such_place"},
		"a hidden file":        {"secret/key.txt", "two", "Title", "Why.", "", "no_such_place"},
		"a removed file":       {"gone.txt", "x", "Title", "Why.", "", "no_such_place"},
		"a file outside":       {"../money/money.go", "return n, nil", "Title", "Why.", "", "no_such_place"},
		"an invented name":     {"money/money.go", "return n, nil", "Call `ParseAll` first", "Why.", "", "name_not_found"},
		"an invented why":      {"money/money.go", "return n, nil", "Title", "Because ParseAll() fails.", "", "name_not_found"},
		"a mention":            {"money/money.go", "return n, nil", "Title", "Ask @octocat about it.", "", "not_the_form"},
		"a link":               {"money/money.go", "return n, nil", "See [this](http://e.example)", "Why.", "", "not_the_form"},
		"a tag":                {"money/money.go", "return n, nil", "Title", "<img src=x>", "", "not_the_form"},
		"a comment":            {"money/money.go", "return n, nil", "Title", "<!-- causal:finding f-1 -->", "", "not_the_form"},
		"no title":             {"money/money.go", "return n, nil", "", "Why.", "", "not_the_form"},
		"a huge why":           {"money/money.go", "return n, nil", "Title", strings.Repeat("word ", 1000), "", "not_the_form"},
		"invisible characters": {"money/money.go", "return n, nil", "Lo\u202eses", "Why\u200b\n\n# yes", "", "6-6 Loses. Why # yes."},
	} {
		answer, err := json.Marshal(map[string]any{"findings": []any{map[string]string{
			"file": test.file, "quote": test.quote, "title": test.title, "why": test.why, "severity": "warning", "suggestion": test.suggestion,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		m := &scripted{answer: string(answer)}
		found, err := Question{Base: "b", Head: "h", Shown: s}.Findings(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%d-%d", f.Line, f.EndLine), f.Message)
			if f.Rule != ModelRule || f.Path != test.file || f.Severity != finding.Warning {
				t.Errorf("%s: %+v", name, f)
			}
		}
		for _, d := range m.dropped {
			got = append(got, string(d.Reason))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), test.want)
		}
		if r := m.asked[0]; r.Unit != "change/b..h" || r.Use != prompt.Review || !strings.Contains(r.System, prompt.DataRule) {
			t.Errorf("the request is %+v", r)
		}
	}
}

// TestManyFindings: an endless answer is cut, and a refusal is no answer.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	one := `{"file":"money/money.go","quote":"return n, nil","title":"` + strings.Repeat("Loses ", 50) + `","why":"Why.","severity":"error","suggestion":""},`
	m := &scripted{answer: `{"findings":[` + strings.TrimSuffix(strings.Repeat(one, mostOfModel+5), ",") + `]}`}
	found, err := Question{Shown: shownOf(t, &Memory{}, "secret/")}.Findings(t.Context(), m)
	if err != nil || len(found) != mostOfModel || len(m.dropped) != 5 {
		t.Errorf("%d are kept and %d dropped, %v", len(found), len(m.dropped), err)
	}
	m = &scripted{answer: `I cannot help with that.`}
	if _, err := (Question{Shown: shownOf(t, &Memory{}, "secret/")}).Findings(t.Context(), m); prompt.ReasonOf(err) != prompt.NotTheForm {
		t.Errorf("a refusal is %v", err)
	}
}

// TestFindingsKeepTheirIdentity: it does not depend on a model's wording, nor on how much of a line it quotes.
func TestFindingsKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	s := shownOf(t, &Memory{}, "secret/")
	lines := strings.Split(moneyAfter, "\n")
	flagged := map[string]bool{}
	for _, f := range []modelFinding{
		{File: "money/money.go", Quote: "n, _ := strconv.Atoi(s)", Title: "One", Why: "Why.", Severity: finding.Error},
		{File: "money/money.go", Quote: "strconv.Atoi(s)", Title: "Two", Why: "Other.", Severity: finding.Note},
	} {
		r, dropped := s.hold(f)
		if r == nil {
			t.Fatal(dropped)
		}
		flagged[fmt.Sprint(r.Rule, r.Path, r.Line, r.Text(lines))] = true
	}
	if len(flagged) != 1 {
		t.Errorf("%v", flagged)
	}
}

// TestSummary: sentences about a change rest on lines that were shown.
func TestSummary(t *testing.T) {
	t.Parallel()
	m := &scripted{answer: `{"sentences":[{"text":"` + "`Parse`" + ` ignores what is no number.","cites":["money/money.go:4-6"]},{"text":"Removes ` + "`Old`" + `.","cites":["money/money.go:7-8"]},
		{"text":"Invented.","cites":["money/money.go:90"]},{"text":"Everything.","cites":["all"]},{"text":"See @octocat.","cites":["money/money.go:5"]},{"text":"Sixth.","cites":["money/money.go:5"]}]}`}
	stand, err := Question{Base: "b", Shown: shownOf(t, &Memory{}, "secret/")}.Summary(t.Context(), m)
	if err != nil || len(stand) != 2 || stand[1].Text != "Removes `Old`." || stand[0].Cites[0].String() != "money/money.go:4-6" {
		t.Errorf("%v %v", stand, err)
	}
	var reasons []prompt.Reason
	for _, d := range m.dropped {
		reasons = append(reasons, d.Reason)
	}
	if fmt.Sprint(reasons) != "[not_the_form no_such_place no_such_place not_the_form]" || m.asked[0].Unit != "change/b..worktree" {
		t.Errorf("%v, unit %s", reasons, m.asked[0].Unit)
	}
}

// FuzzFinding: whatever a model reports, it lies in the new version of a shown file, and its words are plain text.
func FuzzFinding(f *testing.F) {
	f.Add("money/money.go", "return n, nil", "Loses the error", "Why.", "Return it")
	f.Add("../x", "}", "<b>", "@a", "[a](b)")
	var s *Shown
	f.Fuzz(func(t *testing.T, file, quote, title, why, suggestion string) {
		if s == nil {
			s = shownOf(t, &Memory{}, "secret/")
		}
		r, _ := s.hold(modelFinding{file, quote, title, why, finding.Error, suggestion})
		if r == nil {
			return
		}
		if r.Path != "money/money.go" || r.Line < 1 || r.EndLine < r.Line || r.EndLine > 16 {
			t.Errorf("%+v", r)
		}
		if _, ok := grounding.Clean(r.Message); !ok || strings.Contains(r.Message, "\n") {
			t.Errorf("%q", r.Message)
		}
	})
}

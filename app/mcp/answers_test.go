package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/workspace"
)

// TestAgentsKeepAnswers: sentences that the work tree shows are stored with their evidence, the others come back with the reason.
func TestAgentsKeepAnswers(t *testing.T) {
	t.Parallel()
	const question = "How are amounts read?"
	dir := newRepository(t, shop)
	update(t, dir)
	a := connect(t, dir)
	// the cited lines are those of the work tree
	write(t, dir, map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "len(s)", "len(s) + 1", 1), "id_rsa": "secret\n"})
	event := a.record("record_proposition", map[string]any{"text": "An amount is in cents of a euro"})
	text, data := a.told("answer_keep", map[string]any{
		"question": question, "confidence": 0.9, "open": []string{"which currencies there are", "<b>see</b> https://e.example"},
		"answer": []any{
			sentence("`ParseAmount` adds 1 to the length.", "money/money.go:7-10"), sentence("The cart adds up with `Total`.", "cart", "cart.Total"),
			sentence("An amount is in cents of a euro.", event), sentence("The shop sells things.", "README.md"),
			sentence("Calls `Round` first.", "money/money.go:7-10"), sentence("Has no source."), sentence("Is beyond.", "money/money.go:7-99"),
			sentence("Is nowhere.", "money/none.go:1"), sentence("Is secret.", "id_rsa:1"), sentence("Is outside.", "../../etc/passwd:1"),
			sentence("Ask @octocat.", "money/money.go:7-10"), sentence("See [x](http://e.example).", "money/money.go:7-10"),
		},
	})
	a.wants(text, "kept in .causal/answers/how-are-amounts-read-", "4 of 12 sentences", `cites a place that does not exist or may not be shown: "Is beyond."`, `: "Is nowhere."`, `: "Is secret."`, `: "Is outside."`,
		`names code that does not occur in the cited lines: "Calls`, `cites nothing: "Has no source."`, `does not have the requested form: "Ask @octocat."`, `modified("money/money.go")`)
	if n := len(data["dropped"].([]any)); n != 8 || len(data["answer"].([]any)) != 4 || data["replaced"] != false {
		t.Errorf("%d sentences are dropped: %v", n, data)
	}
	kept, page := a.file(data["kept"].(string)), a.file("docs/causal/answers.md")
	a.wants(kept, "question: \""+question, `cites: ["money/money.go:7-10"]`, `'shown "read money/money.go 7 10" `, `'shown "read README.md 1 400" `, "conclusion module/cart", "events positions", "which currencies there are")
	a.wants(page, "`ParseAmount` adds 1 to the length.", "money/money.go#L7-L10")
	for _, wrong := range []string{"read cart", "Round", "none.go", "id_rsa", "passwd", "@octocat", "e.example"} {
		if strings.Contains(kept+page, wrong) {
			t.Errorf("%q is stored:\n%s", wrong, kept)
		}
	}
	if text, _ := a.told("ask", map[string]any{"question": "reading amounts: how?"}); !strings.Contains(text, "the stored answer still holds") {
		t.Errorf("the answer is not given again:\n%s", text)
	}
	a.isFresh()

	// another answer replaces it; one without a valid sentence does not
	text, _, failed := a.ask("answer_keep", map[string]any{"question": question, "confidence": 1, "answer": []any{sentence("Invented.", "money/none.go:1")}})
	if a.wants(text, "nothing was stored", `"Invented."`); !failed || a.file(data["kept"].(string)) != kept {
		t.Error("an answer without a sentence is stored")
	}
	text, _ = a.told("answer_keep", map[string]any{"question": question, "confidence": 1, "answer": []any{sentence("By its length.", "money/money.go:9")}})
	a.wants(text, "replaced "+data["kept"].(string)+": 1 of 1")
	write(t, dir, map[string]string{"money/money.go": shop["money/money.go"]})
	update(t, dir)
	a.wants(a.file("docs/causal/answers.md"), "By its length.", "This answer may be wrong now: money/money.go changed")

	for want, args := range map[string]map[string]any{
		"confidence must be from 0 to 1": {"question": question, "confidence": 2, "answer": []any{sentence("By its length.", "money/money.go:9")}},
		"must be plain text":             {"question": "Who is <b>@octocat</b>?", "confidence": 1, "answer": []any{sentence("By its length.", "money/money.go:9")}},
		"60 are the most":                {"question": question, "confidence": 1, "answer": many(61)},
		"parameter is required":          {"question": question, "confidence": 1, "answer": []any{}},
	} {
		if text, _, failed := a.ask("answer_keep", args); !failed || !strings.Contains(text, want) {
			t.Errorf("%v: %s", args["question"], text)
		}
	}
}

func many(n int) (list []any) {
	for range n {
		list = append(list, sentence("By its length.", "money/money.go:9"))
	}
	return list
}

// file reads a file of the repository.
func (a *agent) file(name string) string {
	a.Helper()
	data, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		a.Fatal(err)
	}
	return string(data)
}

// isFresh holds the repository to causal check.
func (a *agent) isFresh() {
	a.Helper()
	w, err := workspace.Open(a.Context(), workspace.WorkTree{Dir: a.dir, Now: time.Now})
	if err != nil {
		a.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if c, err := w.Check(a.Context()); err != nil || len(c.Stale) > 0 {
		a.Errorf("%+v, %v", c, err)
	}
}

package summary_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// TestAnswer: an answer says who gave it. Nothing of a question, a model's text or a quotation becomes a link, a mention or a reference.
func TestAnswer(t *testing.T) {
	t.Parallel()
	const web, acts = "https://github.example/octo/shop", "Ask @octocat, fixes #1. See [x](http://e.example) <img src=x>"
	for name, c := range map[string]struct {
		answer report.Answer
		want   []string
	}{
		"a model": {report.Answer{From: report.FromModel, Confidence: 0.75, Open: []string{acts}, Sentences: []grounding.Sentence{
			{Text: acts}, {Text: "`Total` adds *up*.", Cites: []grounding.Cite{{File: "cart/cart.go", From: 5, To: 8}, {Ref: "event 0123456789"}, {File: "a](http://e.example) @octocat.go"}}},
		}}, []string{"- `Total` adds \\*up\\*. ([`cart/cart.go:5-8`](" + web + "/blob/abc/cart/cart.go#L5-L8), `event 0123456789`, ", "Open:", "written by a model", "confidence 0.75"}},
		"the index":    {report.Answer{From: report.FromIndex, Sentences: []grounding.Sentence{{Text: "cart: " + acts}}}, []string{"- cart: Ask", "from the index, no model was asked"}},
		"after a fall": {report.Answer{From: report.FromIndex, Failed: true, Sentences: []grounding.Sentence{{Text: "cart: Adds up."}}}, []string{"- cart: Adds up.", "the model gave no answer"}},
		"stored":       {report.Answer{From: report.FromStored, Confidence: 1, Sentences: []grounding.Sentence{{Text: "It adds up."}}}, []string{"- It adds up.", "that this repository keeps", "confidence 1"}},
		"nothing":      {report.Answer{From: report.FromModel, Sentences: []grounding.Sentence{{Text: acts}}}, []string{"No answer was found.", "a model was asked"}},
	} {
		got := summary.Answer(web, "abc", "How? "+acts, c.answer)
		for _, want := range append(c.want, "**Question:** How?") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, got)
			}
		}
		bare := code.ReplaceAllString(got, "")
		for _, m := range addresses.FindAllStringSubmatch(bare, -1) {
			if !strings.HasPrefix(m[1], web+"/blob/") {
				t.Errorf("%s links to %q", name, m[0])
			}
		}
		if mention.MatchString(bare) || strings.Contains(bare, "#1") || strings.Contains(bare, "<img") {
			t.Errorf("%s: a text acts:\n%s", name, got)
		}
	}
	if got := summary.Unanswered("Why?", errors.New("it stopped")); !strings.Contains(got, "No answer was found: it stopped.") {
		t.Error(got)
	}
}

package summary_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/review/finding"
)

// addresses are the targets of links, and mention is one that GitHub would send.
var (
	addresses = regexp.MustCompile(`\]\(([^)]*)\)|https?://[^\s)]*`)
	code      = regexp.MustCompile("`[^`]*`")
	mention   = regexp.MustCompile(`(^|[^\w.\\])@[A-Za-z]`)
)

// TestOverview: sentences of a model are shown with links to their places, as one block that is marked. Whatever a child process hands
// over, nothing of it becomes a link, a mention or a reference.
func TestOverview(t *testing.T) {
	t.Parallel()
	const web = "https://github.example/octo/shop"
	r := &summary.Review{Report: &report.Review{Head: "abc", Overview: []grounding.Sentence{
		{Text: "`Total` doubles *amounts*, see #12 and GH-3.", Cites: []grounding.Cite{{File: "cart/cart.go", From: 5, To: 8}, {File: "a](http://e.example) @octocat.go"}}},
		{Text: "See @octocat."}, {Text: "See [x](http://e.example)."}, {Text: "Two\n# lines"}, {Text: "<!-- causal:state x -->"},
	}, Findings: []report.Finding{{
		ID: "f-1", Rule: "model/review", Severity: finding.Warning, Path: "cart/cart.go", Line: 5, EndLine: 5, Side: finding.Right,
		Message: "Ask @octocat, fixes #1. See [x](http://e.example) <img src=x>",
	}}}}
	got := r.Overview(web)
	for _, want := range []string{"written by a model", "- `Total` doubles \\*amounts\\*", "([`cart/cart.go:5-8`](" + web + "/blob/abc/cart/cart.go#L5-L8), "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n- "); n != 2 {
		t.Errorf("%d sentences are shown:\n%s", n, got)
	}
	page := summary.Pull{Web: web, Base: "main", Report: &report.Update{}, Review: r}.Markdown() + "\n" + r.Remark(r.Report.Findings[0])
	if !strings.Contains(page, got) {
		t.Errorf("the comment is without the summary:\n%s", page)
	}
	bare := code.ReplaceAllString(page, "")
	for _, m := range addresses.FindAllStringSubmatch(bare, -1) {
		if !strings.HasPrefix(m[1], web+"/blob/") {
			t.Errorf("the comment links to %q", m[0])
		}
	}
	if mention.MatchString(bare) || strings.Contains(bare, "#1") || strings.Contains(bare, "<img") || strings.Contains(page, "causal:state") {
		t.Errorf("a model's text acts:\n%s", page)
	}
	if (&summary.Review{Report: &report.Review{}}).Overview(web) != "" {
		t.Error("a review without a model has a summary")
	}
}

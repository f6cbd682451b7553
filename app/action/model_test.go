package action_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reviewer is a program that reviews as a model, with text that would act if it were Markdown.
const reviewer = `#!/bin/sh
case "$(cat)" in
*causal.review/v1*) echo '{"findings":[{"file":"money/money.go","quote":"func Parse(s, currency string)","title":"The currency is ignored","why":"Every amount counts as cents.","severity":"warning","suggestion":""},
	{"file":"money/money.go","quote":"func Parse(s, currency string)","title":"Ask @octocat","why":"See http://e.example.","severity":"error","suggestion":""}]}' ;;
*) echo '{"sentences":[{"text":"Reads a currency.","cites":["money/money.go:8"]},{"text":"Thanks @octocat.","cites":["money/money.go:8"]}]}' ;;
esac
`

// TestReviewByAModel: findings and the summary of a model are in the job summary, and a model that is set in a wrong way is a usage error.
func TestReviewByAModel(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": broken})
	program := filepath.Join(t.TempDir(), "reviewer")
	if err := os.WriteFile(program, []byte(reviewer), 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	j := onPull(p, nil)
	j.env = map[string]string{"CAUSAL_MODEL": "local", "CAUSAL_MODEL_PROVIDER": "command", "CAUSAL_MODEL_COMMAND": program}
	d := h.run(j)
	h.ends(d, 0, "warning `model/review`", "The currency is ignored. Every amount counts as cents.", "written by a model", "- Reads a currency. ([`money/money.go:8`]")
	if text := d.summary + d.log; strings.Contains(text, "octocat") || strings.Contains(text, "e.example") {
		t.Errorf("a model's text acts:\n%s", text)
	}
	r := h.report(d).Review
	if r.Model == nil || r.Model.Requests != 2 || len(r.Model.Dropped) != 2 || len(r.Overview) != 1 {
		t.Errorf("the report says %+v, %+v", r.Model, r.Overview)
	}
	j.env["CAUSAL_MODEL_COMMAND"] = ""
	h.ends(h.run(j), 2, "CAUSAL_MODEL_COMMAND is not set")
}

// author is a program that writes the purpose of the cart as a model.
const author = `#!/bin/sh
case "$(cat)" in
*"unit: module/cart"*) echo '{"slots":[{"slot":"how","sentences":[{"text":"Adds up the prices.","cites":["cart/cart.go:LINES"]}]}]}' ;;
*) echo '{"slots":[]}' ;;
esac
`

// TestProseByAModel: the commit of the docs has the prose of a model, and the next job asks nothing.
func TestProseByAModel(t *testing.T) {
	t.Parallel()
	h := start(t, shop)
	program := filepath.Join(t.TempDir(), "author")
	text, _ := h.repo.Read("main", "cart/cart.go")
	lines := fmt.Sprintf("1-%d", strings.Count(text, "\n"))
	if err := os.WriteFile(program, []byte(strings.ReplaceAll(author, "LINES", lines)), 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	j := onMain("commit")
	j.env = map[string]string{"CAUSAL_MODEL": "local", "CAUSAL_MODEL_PROVIDER": "command", "CAUSAL_MODEL_COMMAND": program}
	d := h.run(j)
	h.ends(d, 0, "model local: requests: ")
	if page, _ := h.repo.Read("main", "docs/causal/modules/cart.md"); !strings.Contains(page, "Adds up the prices.") {
		t.Errorf("the page of the cart is\n%s", page)
	}
	h.ends(h.run(onMain("check")), 0)
	d = h.run(j)
	h.ends(d, 0, "everything is up to date")
	if m := h.report(d).Report.Model; m == nil || m.Requests != 0 {
		t.Errorf("the next job asked: %+v", m)
	}
}

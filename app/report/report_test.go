package report_test

import (
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/engine"
)

// TestJoin: what two runs of one commit did again is told once, with the reasons of both.
func TestJoin(t *testing.T) {
	t.Parallel()
	unit := func(subject, why string) report.Unit {
		return report.Unit{Kind: "page", Subject: subject, Outcome: "updated", Reasons: []engine.Reason{{Because: why}}}
	}
	u := &report.Update{Session: "s-1", PagesWritten: []string{"docs/index.md"}, Units: []report.Unit{unit("index", "a"), unit("cart", "b")}, FilesRead: 1}
	u.Join(&report.Update{Session: "s-2", PagesWritten: []string{"docs/index.md", "docs/a.md"}, Units: []report.Unit{unit("index", "c"), unit("log", "d")}, FilesRead: 2})
	if len(u.Units) != 3 || len(u.Units[0].Reasons) != 2 || u.Units[0].Reasons[1].Because != "c" || u.Units[2].Subject != "log" {
		t.Errorf("the units are %+v", u.Units)
	}
	if u.Session != "s-2" || len(u.PagesWritten) != 2 || u.PagesWritten[0] != "docs/a.md" || u.FilesRead != 3 {
		t.Errorf("%+v", u)
	}
}

package summary_test

import (
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
)

func TestChecked(t *testing.T) {
	t.Parallel()
	money, page := report.StaleNode{Node: "money"}, report.StaleNode{Page: "docs/causal/index.md"}
	for want, r := range map[string]report.Check{
		"all 2 modules are fresh":                                    {Fresh: 2},
		"1 module is fresh":                                          {Fresh: 1},
		"1 module stale, 1 module fresh":                             {Fresh: 1, Stale: []report.StaleNode{money, money}},
		"1 module and 1 file stale, 0 modules fresh":                 {Stale: []report.StaleNode{money, page}},
		"the repository has no source code yet; all pages are fresh": {},
	} {
		if got := summary.Checked(&r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

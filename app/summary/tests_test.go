package summary_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
)

func TestTestsRow(t *testing.T) {
	t.Parallel()
	fell := []testgen.Fallen{{Spec: ".causal/specs/money/Parse.yml", Because: `symbol_changed("money", "Parse")`, File: "money/money.go"}, {Spec: ".causal/specs/_root/Run.yml", Because: `body_changed("_root", "Run")`, File: "run.go"}}
	for name, c := range map[string]struct {
		tests *report.Tests
		title string
		row   string
	}{
		"no specs":     {nil, "no page goes stale", ""},
		"nothing fell": {&report.Tests{Specs: 3}, "no page goes stale", ""},
		"two fell": {
			&report.Tests{Invalidated: fell}, "no page goes stale, 2 specs invalidated",
			"| **Tests** | 2 specs invalidated: [`money.Parse`](https://x.org/o/r/blob/main/.causal/specs/money/Parse.yml) (`symbol_changed(\"money\", \"Parse\")`) · " +
				"[`Run`](https://x.org/o/r/blob/main/.causal/specs/_root/Run.yml) (`body_changed(\"_root\", \"Run\")`). Their tests are skipped until the next `causal testgen --verify`. |",
		},
		"behaviour": {
			&report.Tests{Invalidated: fell[:1], BehaviourChanges: []testgen.Change{{Spec: fell[0].Spec, Case: "c-3fa1", Call: `ParseRange("1-")`, Was: "error", Is: "1"}}},
			"no page goes stale, 1 spec invalidated, 1 behaviour changed",
			"| **Tests** | 1 spec invalidated, 1 behaviour changed: `ParseRange(\"1-\")` was an error, is `1`. Fix the code, or accept the change: " +
				"`causal testgen --accept .causal/specs/money/Parse.yml#c-3fa1`. |",
		},
		"hostile": {
			&report.Tests{Invalidated: []testgen.Fallen{{Spec: ".causal/specs/a|b/@octo.yml", Because: "`|@octo", File: "<b>"}}}, "no page goes stale, 1 spec invalidated",
			"| **Tests** | 1 spec invalidated: <code>.causal/specs/a&#124;b/&#64;octo.yml</code> (<code>&#96;&#124;&#64;octo</code>). Their tests are skipped until the next `causal testgen --verify`. |",
		},
	} {
		p := summary.Pull{Web: "https://x.org/o/r", Base: "main", Layout: store.Layout{Docs: "docs"}, Report: &report.Update{Tests: c.tests}, Files: -1}
		if got := p.Title(); got != c.title {
			t.Errorf("%s: the title is %q", name, got)
		}
		row := ""
		for line := range strings.Lines(p.Markdown()) {
			if strings.HasPrefix(line, "| **Tests**") {
				row = strings.TrimRight(line, "\n")
			}
		}
		if row != c.row {
			t.Errorf("%s:\ngot  %s\nwant %s", name, row, c.row)
		}
	}
}

// TestSpecsInCommits: a commit says which specs fell, and why.
func TestSpecsInCommits(t *testing.T) {
	t.Parallel()
	r := &report.Update{Tests: &report.Tests{Invalidated: []testgen.Fallen{{Spec: ".causal/specs/money/Parse.yml", Because: "x", File: "a\nb"}}}}
	if got, want := summary.Reasons(r), "- .causal/specs/money/Parse.yml: x through a b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

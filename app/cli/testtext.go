package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func testgenText(o *testgen.Outcome, targets []string, flags testgenFlags) string {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		plain.Add(&b, "%-12s "+format+"\n", append([]any{what}, args...)...)
	}
	for _, f := range o.Invalidated {
		line("invalidated", "%s: %s became true through %s", f.Spec, f.Because, f.File)
	}
	for _, c := range o.BehaviourChanges {
		line("changed", "%s was %s, is %s; fix the code, or run: causal testgen --accept %s#%s", c.Call, c.Was, c.Is, c.Spec, c.Case)
	}
	for _, q := range o.Quarantined {
		name := q.Spec
		if q.Case != "" {
			name += "#" + q.Case
		}
		line("kept out", "%s: %s", name, q.Reason)
	}
	for _, text := range withoutTests(o.NotGeneratable, targets) {
		line("no tests", "%s", text)
	}
	written, removed := "written", "removed"
	if flags.check {
		written, removed = "would write", "would remove"
	}
	for _, f := range o.FilesWritten {
		line(written, "%s", f)
	}
	for _, f := range o.FilesRemoved {
		line(removed, "%s", f)
	}
	b.WriteString(summaryOfTests(o))
	if next := nextOfTests(o, flags); next != "" {
		plain.Add(&b, "next: %s\n", next)
	}
	return b.String()
}

// mostUntested is the number of untestable functions listed individually if no targets are named.
const mostUntested = 10

// withoutTests lists untestable functions with the reason; without targets, many are grouped by reason.
func withoutTests(list []testgen.NotGeneratable, targets []string) []string {
	var out []string
	if len(list) <= mostUntested || len(targets) > 0 {
		for _, n := range list {
			out = append(out, n.Module+"."+n.Symbol+": "+n.Reason)
		}
		return out
	}
	count := map[string]int{}
	for _, n := range list {
		count[n.Reason]++
	}
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	rest := len(list)
	for _, reason := range reasons[:min(len(reasons), mostUntested/2)] {
		out = append(out, fmt.Sprintf("%s: %s", summary.Count(count[reason], "function"), reason))
		rest -= count[reason]
	}
	if rest > 0 {
		out = append(out, fmt.Sprintf("%s for other reasons", summary.Count(rest, "function")))
	}
	return append(out, "name a module to see which, or use --json")
}

func summaryOfTests(o *testgen.Outcome) string {
	if len(o.Specs) == 0 {
		return "no specs: no exported function in Go, Python or TypeScript can be tested\n"
	}
	count := map[spec.Status]int{}
	kept := 0
	for _, s := range o.Specs {
		count[s.Status]++
		kept += s.Kept
	}
	var parts []string
	for _, status := range []struct {
		spec.Status
		text string
	}{{spec.Active, "active"}, {spec.Pending, "waiting for a run"}, {spec.Invalidated, "invalidated"}, {spec.Quarantined, "quarantined"}} {
		if n := count[status.Status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status.text))
		}
	}
	text := fmt.Sprintf("%s: %s; %s in the code\n", summary.Count(len(o.Specs), "spec"), strings.Join(parts, ", "), summary.Count(kept, "case"))
	if v := o.Verified; v != nil && v.Candidates > 0 {
		text += summary.Count(v.Candidates, "call") + " tried"
		if v.Coverage.After > 0 { // not every language's tools count statements
			text += fmt.Sprintf("; all tests cover %.1f %% of the statements, hand-written tests %.1f %%", v.Coverage.After, v.Coverage.Before)
		}
		text += "\n"
	}
	return text
}

// nextOfTests returns the next command for unfinished work, or "".
func nextOfTests(o *testgen.Outcome, flags testgenFlags) string {
	changed := map[string]bool{}
	for _, c := range o.BehaviourChanges {
		changed[c.Spec] = true
	}
	switch {
	case flags.check && len(o.FilesWritten)+len(o.FilesRemoved) > 0:
		return "causal testgen writes these files; --verify runs invalidated and pending cases"
	case slices.ContainsFunc(o.Specs, func(s testgen.Told) bool {
		return s.Status == spec.Pending || s.Status == spec.Invalidated && !changed[s.Spec]
	}) && !flags.verify:
		return "causal testgen --verify builds and runs them; then causal update shows them on the pages"
	case len(changed) > 0:
		return "review each change: fix the code, or accept the new result"
	case len(o.FilesWritten)+len(o.FilesRemoved) > 0:
		return "causal update, which shows the specs on the pages"
	}
	return ""
}

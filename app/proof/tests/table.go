package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/testgen"
)

var suiteNames = [suites]string{generated: "generated", people: "people's"}

// result is the measurement of one library.
type result struct {
	library
	exported, specced    int // functions and methods
	keptFuncs, keptCases int
	reasons              map[string]int // why others have no specification
	statements           int
	reached              [suites]int
	possible             int // possible mutants
	verdicts             []verdict
	checked              checked
	skipped              []string // the library's own tests that fail without a mutant
	unusable             []string // suites of packages that fail so
	generation, took     time.Duration
}

// count counts the exported functions by result.
func (r *result) count(units []*unit, o *testgen.Outcome) {
	of := map[string]bool{}
	for _, u := range units {
		for _, name := range exported(u) {
			of[name] = true
		}
	}
	r.exported, r.reasons = len(of), map[string]int{}
	for _, s := range o.Specs {
		if !of[s.Module+" "+s.Symbol] {
			continue
		}
		r.specced++
		if r.keptCases += s.Kept; s.Kept > 0 {
			r.keptFuncs++
		}
	}
	for _, n := range o.NotGeneratable {
		if of[n.Module+" "+n.Symbol] {
			r.reasons[reasonKind(n.Reason)]++
		}
	}
}

// killed counts the mutants that ran with a suite, and the detected ones.
func (r *result) killed(suite int) (judged, killed int) {
	for _, v := range r.verdicts {
		if v.judged[suite] {
			judged++
		}
		if v.killed[suite] {
			killed++
		}
	}
	return judged, killed
}

func (r *result) title() string {
	name := r.repository + " `" + r.commit[:10] + "`"
	if r.heldOut {
		name += " *"
	}
	return name
}

func holdAll(results []*result) bool {
	return !slices.ContainsFunc(results, func(r *result) bool { return !r.checked.holds() })
}

// percent is a share as tables have it.
func percent(part, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}

// tables are the results in Markdown.
func tables(results []*result, o options, took time.Duration) string {
	var b strings.Builder
	b.WriteString("| Library | Exported | With a spec | Functions kept | Cases kept | No spec | Generated files | Faulty | Flaky | Generation | All |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range results {
		c := r.checked
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d in %d runs | %s | %s |\n", r.title(), r.exported, r.specced, r.keptFuncs, r.keptCases, r.exported-r.specced,
			c.files, len(c.unbuilt)+len(c.unformatted), len(c.flaky), c.repeated, seconds(r.generation), seconds(r.took))
	}
	b.WriteString("\n| Library | Statements | generated | people's | Mutants | generated | people's |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range results {
		b.WriteString(r.compared())
	}
	b.WriteString("\n| Why a function has no spec | " + strings.Join(names(results), " | ") + " |\n|---|" + strings.Repeat("--:|", len(results)) + "\n")
	for _, reason := range reasonsOf(results) {
		b.WriteString("| " + reason + " |")
		for _, r := range results {
			fmt.Fprintf(&b, " %d |", r.reasons[reason])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n" + notes(results, o) + fmt.Sprintf("- The whole run took %s.\n", seconds(took)))
	return b.String()
}

// compared is a row that compares the suites.
func (r *result) compared() string {
	cells := []string{r.title(), fmt.Sprint(r.statements)}
	for suite := range suites {
		cells = append(cells, percent(r.reached[suite], r.statements))
	}
	cells = append(cells, fmt.Sprintf("%d of %d", len(r.verdicts), r.possible))
	for suite := range suites {
		judged, killed := r.killed(suite)
		cells = append(cells, percent(killed, judged))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }

func names(results []*result) (out []string) {
	for _, r := range results {
		out = append(out, r.name())
	}
	return out
}

// reasonsOf lists reasons, those of most functions first.
func reasonsOf(results []*result) []string {
	sum := map[string]int{}
	for _, r := range results {
		for reason, n := range r.reasons {
			sum[reason] += n
		}
	}
	return slices.SortedFunc(maps.Keys(sum), func(a, b string) int {
		if sum[a] != sum[b] {
			return sum[b] - sum[a]
		}
		return strings.Compare(a, b)
	})
}

// notes are the details below the tables.
func notes(results []*result, o options) string {
	var b strings.Builder
	note := func(r *result, format string, args ...any) {
		fmt.Fprintf(&b, "- %s: %s.\n", r.name(), fmt.Sprintf(format, args...))
	}
	for _, r := range results {
		if len(r.skipped)+len(r.unusable) > 0 {
			note(r, "skipped, because they fail without a mutant: %s", strings.Join(slices.Concat(r.skipped, r.unusable), ", "))
		}
		for _, fault := range slices.Concat(r.checked.unbuilt, r.checked.unformatted, r.checked.flaky) {
			note(r, "FAULT: %s", fault)
		}
		for _, v := range r.verdicts {
			if o.survivors && !v.killed[generated] {
				note(r, "survives: %s%s", v.mutant, otherwise(v))
			}
		}
	}
	return b.String()
}

// otherwise names the suites that detect a mutant that the generated tests miss.
func otherwise(v verdict) string {
	var by []string
	for suite, killed := range v.killed {
		if killed {
			by = append(by, suiteNames[suite])
		}
	}
	if len(by) == 0 {
		return ""
	}
	return ", killed by " + strings.Join(by, ", ")
}

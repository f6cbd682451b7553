package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/testgen"
)

var suiteNames = [suites]string{generated: "generated", people: "people's", skeletons: "gotests", fuzzing: "fuzzing"}

// result is what was found out of one library.
type result struct {
	library
	exported, specced    int // functions and methods
	keptFuncs, keptCases int
	reasons              map[string]int // why others have no specification
	statements           int
	reached              [suites]int
	possible             int // mutants that there are
	verdicts             []verdict
	checked              checked
	skeletons, todo      int // test functions of gotests, and how many of them wait for cases
	skeletonsRefused     int // files
	skeletonsUnbuilt     []string
	fuzzed               fuzzed
	skipped              []string // people's tests that fail here without any mutant
	unusable             []string // suites of packages that fail so
	generation, took     time.Duration
}

// count counts what became of the exported functions.
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

// killed counts the mutants that a suite could judge, those that it notices, and those that it alone does.
func (r *result) killed(suite int) (judged, all, alone int) {
	for _, v := range r.verdicts {
		if v.judged[suite] {
			judged++
		}
		if !v.killed[suite] {
			continue
		}
		all++
		others := v.killed
		others[suite] = false
		if others == [suites]bool{} {
			alone++
		}
	}
	return judged, all, alone
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
	b.WriteString("\n| Library | Statements | generated | people's | gotests | fuzzing | Mutants | generated | people's | gotests | fuzzing | by generated alone |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
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
	b.WriteString("\n" + notes(results, o) + fmt.Sprintf("- All of it took %s.\n", seconds(took)))
	return b.String()
}

// compared is a row in which the suites stand side by side.
func (r *result) compared() string {
	cells := []string{r.title(), fmt.Sprint(r.statements)}
	for suite := range suites {
		cells = append(cells, percent(r.reached[suite], r.statements))
	}
	cells = append(cells, fmt.Sprint(len(r.verdicts)))
	for suite := range suites {
		judged, all, _ := r.killed(suite)
		cells = append(cells, percent(all, judged))
	}
	_, _, alone := r.killed(generated)
	return "| " + strings.Join(append(cells, fmt.Sprint(alone)), " | ") + " |\n"
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

// notes say what the tables have no room for.
func notes(results []*result, o options) string {
	var b strings.Builder
	note := func(r *result, format string, args ...any) {
		fmt.Fprintf(&b, "- %s: %s.\n", r.name(), fmt.Sprintf(format, args...))
	}
	for _, r := range results {
		note(r, "%d mutants are possible; gotests writes %d test functions, %d of which wait for cases", r.possible, r.skeletons, r.todo)
		if r.skeletonsRefused > 0 || len(r.skeletonsUnbuilt) > 0 {
			note(r, "gotests gives up %d files; its skeletons do not build in %d packages (%s)", r.skeletonsRefused, len(r.skeletonsUnbuilt), strings.Join(r.skeletonsUnbuilt, ", "))
		}
		if f := r.fuzzed; f.harnesses > 0 {
			note(r, "%d functions can be fuzzed; as the library is, these crash: %s", f.harnesses, cmp.Or(strings.Join(f.crashed, ", "), "none"))
		}
		if len(r.skipped)+len(r.unusable) > 0 {
			note(r, "left out, since they fail here without a mutant: %s", strings.Join(slices.Concat(r.skipped, r.unusable), ", "))
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

// otherwise names the suites that notice what the generated tests do not.
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

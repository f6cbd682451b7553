package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// in bytes; reviewers read results
const longestResult = 300

// Choose implements testgen.Plan. It selects calls that are stable, comparable, and add covered lines or a class of
// outcome to the selection. fuzzed reports whether tests can use hypothesis.
func (p *Plan) Choose(tried []*testgen.Call, fuzzed bool) *testgen.Chosen {
	c := &chooser{plan: p, Tally: testgen.NewTally()}
	c.Want, c.Gain, c.Took = func(o *option) *spec.Want { return o.want }, c.gain, c.took
	for _, one := range tried {
		c.sift(one)
	}
	var laws []Law
	if c.Agree() {
		laws = slices.DeleteFunc(slices.Clone(c.plan.Laws), func(l Law) bool { return l.Law == spec.NoPanic && (c.panics || !fuzzed) })
		laws = laws[:min(len(laws), 2)]
	}
	most := max(testgen.MostCases-len(laws), 1)
	c.Take(most)
	c.Others(min(most, 3), func(o *option) bool { return !o.want.Error }) // a second value of a class shows what one may hide
	return c.finish(laws)
}

type option struct {
	testgen.Candidate
	want  *spec.Want
	lines []string
	class string
	text  string
}

type chooser struct {
	testgen.Selection[option]
	testgen.Tally
	plan   *Plan
	odd    *spec.Case // the first incomparable case, used if there is no other
	panics bool       // some input raises an exception that is no rejection
}

func caseOf(c *testgen.Candidate, want *spec.Want) spec.Case {
	return testgen.CaseOf(c, want, spec.Golden, "project")
}

func (c *chooser) sift(t *testgen.Call) {
	first, kept := t.Runs[0].(*Outcome), caseOf(&testgen.Candidate{Args: t.Args, From: t.From}, nil)
	if !c.Settles(t, kept, 2) {
		return
	}
	want, raises, reason := first.want()
	switch {
	case reason != "" && first.Raised != "":
		c.panics = true // invalid input without a documented exception
		return
	case reason != "":
		if kept.Quarantined = reason; c.odd == nil {
			c.odd = &kept
		}
		return
	case t.Want != nil && !agrees(t.Want, want):
		c.KeepOut(kept, "the documentation shows "+testgen.Clip(t.Want.Text(), 80)+", and it gives "+testgen.Clip(want.Text(), 80), 2)
		return
	}
	if len(want.String()) > longestResult {
		return
	}
	if said := spec.Contradicted(c.plan.said, c.plan.Symbol, &spec.Case{Args: t.Args, Want: want}); said != "" && t.Want == nil {
		c.Contradict(kept, said, testgen.Clip(want.Text(), 80))
		return
	}
	o := option{t.Candidate, want, first.Lines, classOf(want, raises), spec.KeyOf(t.Args)}
	o.Raises = raises
	c.Options = append(c.Options, o)
}

// agrees reports whether a result matches the documented one; types need not be equal.
func agrees(shown, is *spec.Want) bool {
	if shown.Error || is.Error {
		return shown.Error == is.Error
	}
	if shown.StringOf != nil || is.StringOf != nil {
		return shown.Text() == is.Text()
	}
	a, b := shown.Values[0], is.Values[0]
	return a.String() == b.String() || a.Type != b.Type && typed(b.Value).String() == typed(a.Value).String()
}

func classOf(w *spec.Want, raises string) string {
	if w.Error {
		return "error " + raises
	}
	if w.StringOf != nil {
		return testgen.TextClass(*w.StringOf)
	}
	v := w.Values[0]
	switch x := v.Value.(type) {
	case bool:
		return fmt.Sprint(x)
	case int64:
		return fmt.Sprint(v.Type, min(max(x, -1), 2))
	case float64:
		return fmt.Sprint(v.Type, x < 0, x == 0)
	case string:
		return v.Type + testgen.TextClass(x)
	case []spec.Value:
		return fmt.Sprint(v.Type, min(len(x), 2))
	}
	return v.Type
}

func (c *chooser) gain(o *option) (gain int, adds bool) {
	gain = c.News(o.lines, o.class)
	adds = gain > 0
	if o.Want != nil {
		gain += 100 // documented results come first
		adds = true
	}
	return gain*8 + 6*(len(origins)-slices.Index(origins, o.From)) - min(len(o.text)/12, 16), adds
}

func (c *chooser) took(o *option) { c.Note(o.lines, o.class, o.From) }

func (c *chooser) finish(laws []Law) *testgen.Chosen {
	out := c.Chosen(origins)
	var works []string
	slices.SortStableFunc(c.Taken, func(a, b option) int {
		return slices.Index(origins, a.From) - slices.Index(origins, b.From)
	})
	for i := range c.Taken {
		one := caseOf(&c.Taken[i].Candidate, c.Taken[i].want)
		if out.Cases = append(out.Cases, one); !one.Want.Error {
			works = append(works, one.ID)
		}
	}
	for _, l := range laws {
		if len(works) > 0 {
			out.Cases = append(out.Cases, testgen.LawCase(l.Law, l.Why, l.Inverse, works))
		}
	}
	if len(c.Taken) == 0 && len(c.Out)+len(c.Contradicted) == 0 && c.odd != nil {
		c.Out = []spec.Case{*c.odd}
	}
	out.Cases = append(append(out.Cases, c.Out...), c.Contradicted...)
	return out
}

// propose returns the first cases, before any run: documented ones with their results, others without.
func propose(p *Plan) (cases []spec.Case, seeds []string) {
	seen := map[string]bool{}
	pool := slices.Clone(p.Pool)
	slices.SortStableFunc(pool, func(a, b testgen.Candidate) int { return shownFirst(a) - shownFirst(b) })
	var ids []string
	for i := range pool[:min(len(pool), testgen.MostCases-min(len(p.Laws), 2))] {
		one := caseOf(&pool[i], pool[i].Want)
		cases, ids, seen[pool[i].From] = append(cases, one), append(ids, one.ID), true
	}
	if len(pool) == 0 || pool[0].Want != nil {
		return cases, testgen.Seen(origins, seen) // documented cases become code at once, while laws are still unverified
	}
	for _, l := range p.Laws[:min(len(p.Laws), 2)] {
		cases = append(cases, testgen.LawCase(l.Law, l.Why, l.Inverse, ids))
	}
	return cases, testgen.Seen(origins, seen)
}

func shownFirst(c testgen.Candidate) int {
	if c.Want != nil {
		return 0
	}
	return 1 + slices.Index(origins, c.From)
}

func rationaleOf(p *Plan) string {
	var parts []string
	if p.Doc != "" {
		parts = append(parts, "The documentation says: "+strings.TrimSuffix(p.Doc, ".")+".")
	}
	for _, l := range p.Laws[:min(len(p.Laws), 2)] {
		if l.Law != spec.NoPanic {
			parts = append(parts, strings.ToUpper(l.Why[:1])+l.Why[1:]+".")
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "Callers rely on what "+last(p.Symbol)+" gives.")
	}
	return strings.Join(parts, " ")
}

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Choose implements testgen.Plan. It selects calls that are stable, comparable, and add a block, a killed mutant or a
// class of outcome to the selection.
func (p *Plan) Choose(tried []*testgen.Call, _ bool) *testgen.Chosen {
	c := &chooser{plan: p, shown: map[string]int{}, seeds: map[string]bool{}}
	c.Want, c.Gain, c.Took = func(o *option) *spec.Want { return o.want }, c.gain, c.took
	for _, one := range tried {
		c.sift(one)
	}
	var laws []Law
	if c.Agree() {
		laws = slices.DeleteFunc(slices.Clone(c.plan.Laws), func(l Law) bool { return l.Law == spec.NoPanic && c.panics })
		laws = laws[:min(len(laws), 2)]
	}
	c.keepPromised()
	c.choose(max(testgen.MostCases-len(laws), 1))
	c.prune()
	return c.finish(laws)
}

type option struct {
	testgen.Candidate
	want  *spec.Want
	kills []Mutant
	shows []string // features, each with its prefix: blocks, mutants, class of outcome
	text  string
}

type chooser struct {
	testgen.Selection[option]
	plan   *Plan
	shown  map[string]int
	seeds  map[string]bool
	panics bool
}

func (c *chooser) caseOf(one *testgen.Candidate, want *spec.Want) spec.Case {
	return testgen.CaseOf(one, want, c.plan.law(), "")
}

func (c *chooser) sift(t *testgen.Call) {
	first, kept := t.Runs[0].(*Outcome), c.caseOf(&testgen.Candidate{Args: t.Args, Why: t.Why}, nil)
	switch {
	case !first.Made && first.Ended == "":
		return
	case first.Panic != "" && first.Ended == "":
		c.panics = true
		if constructed(t.Args) && !c.plan.promised() { // values made by a constructor should not cause a panic
			c.KeepOut(kept, "it panics: "+testgen.OneLine(first.Panic, 120), 2)
		}
		return
	case !c.Settles(t, kept, 2):
		return
	}
	want, reason := c.plan.Want(first)
	if want == nil {
		if !c.plan.opaque() { // a plan with opaque results reports this already
			c.KeepOut(kept, reason, 2)
		}
		return
	}
	if t.Want == nil {
		kept.Want = want
		if said := spec.Contradicted(c.plan.said, c.plan.Symbol, &kept); said != "" {
			c.Contradict(kept, said, testgen.OneLine(want.Text(), 120))
			return
		}
	}
	if len(want.String()) <= longestResult {
		c.Options = append(c.Options, option{t.Candidate, want, first.Kills, shows(first.Blocks, first.Kills, want), spec.KeyOf(t.Args)})
	}
}

// opaque reports whether the function has a result that cannot be compared, other than its error.
func (p *Plan) opaque() bool {
	return slices.ContainsFunc(p.Outputs(), func(t *Type) bool { return !t.result() && t.Kind != Any })
}

// promised reports whether the function is documented, or named, to panic.
func (p *Plan) promised() bool {
	return strings.HasPrefix(lastName(p.Symbol), "Must") || strings.Contains(p.Doc, "panic")
}

func constructed(args []spec.Typed) bool {
	for _, a := range args {
		if m, ok := a.Value.(map[string]spec.Value); ok && m[spec.CallKey] != nil {
			return true
		}
	}
	return false
}

// classOf returns a coarse class of a result, such as an error, an empty text or a list of one.
func classOf(w *spec.Want) string {
	if w.Error {
		return "error"
	}
	if w.StringOf != nil {
		return testgen.TextClass(*w.StringOf)
	}
	parts := make([]string, len(w.Values))
	for i, v := range w.Values {
		switch x := v.Value.(type) {
		case nil:
			parts[i] = "nil"
		case bool:
			parts[i] = fmt.Sprint(x)
		case int64:
			parts[i] = fmt.Sprint(min(max(x, -1), 2))
		case float64:
			parts[i] = fmt.Sprint(x < 0, x == 0)
		case string:
			parts[i] = testgen.TextClass(x)
		case []spec.Value:
			parts[i] = fmt.Sprint("list", min(len(x), 2))
		case map[string]spec.Value:
			parts[i] = fmt.Sprint("map", min(len(x), 2), x["status"])
		default:
			parts[i] = "other"
		}
	}
	return strings.Join(parts, " ")
}

// Prefixes of features; worth weights them.
const (
	block    = "b"
	mutation = "m"
	class    = "c"
)

var worth = map[string]int{block: 4, mutation: 4, class: 3}

func shows(blocks []int, kills []Mutant, want *spec.Want) []string {
	out := []string{class + classOf(want)}
	for _, b := range blocks {
		out = append(out, fmt.Sprint(block, b))
	}
	for _, m := range kills {
		out = append(out, mutation+m.ID)
	}
	return out
}

var telling = map[string]int{testgen.FromDoc: 40, testgen.FromTest: 32, testgen.FromResult: 24, testgen.FromPackage: 20, testgen.FromLiteral: 12, testgen.FromModel: 8, testgen.FromBoundary: 0}

// telling returns how informative the origin is. Errors are worth less: they mostly matter next to successful results.
func (o *option) telling() int {
	if o.want.Error {
		return telling[o.From] / 4
	}
	return telling[o.From]
}

// gain scores what an option adds to the selection. A new class of outcome is enough only for the first three options.
func (c *chooser) gain(o *option) (gain int, adds bool) {
	for _, s := range o.shows {
		if c.shown[s] == 0 {
			gain += worth[s[:1]]
			adds = adds || s[:1] != class || len(c.Taken) < 3
		}
	}
	return gain*8 + o.telling() - 6*trivial(o.Args) - min(len(o.text)/8, 40), adds
}

func trivial(args []spec.Typed) (n int) {
	for _, a := range args {
		zero := false
		switch v := a.Value.(type) {
		case nil, bool:
			zero = true
		case string:
			zero = v == ""
		case int64:
			zero = v == 0
		case []spec.Value:
			zero = len(v) == 0
		case map[string]spec.Value:
			zero = len(v) == 0
		}
		if zero {
			n++
		}
	}
	return n
}

const mostShown = 3

// keepPromised takes documented examples: a mismatch must be reported whatever else it covers.
func (c *chooser) keepPromised() {
	for i := 0; i < len(c.Options) && len(c.Taken) < mostShown; i++ {
		if o := &c.Options[i]; o.Want != nil && (c.Differs(o) || !o.want.Equal(o.Want)) {
			c.Add(i)
			i--
		}
	}
}

// choose takes the options that add most, then documented calls, which are promised even when they add nothing, then a
// second value, since one alone may hide a behaviour.
func (c *chooser) choose(most int) {
	c.Take(most)
	c.Others(min(most, mostPromised), func(o *option) bool { return o.From == testgen.FromDoc })
	c.Others(min(most, 2), func(*option) bool { return true })
}

const mostPromised = 4

func (c *chooser) took(o *option) {
	for _, s := range o.shows {
		c.shown[s]++
	}
}

// prune drops options that add nothing, except documented ones, then sorts results before errors.
func (c *chooser) prune() {
	for i := len(c.Taken) - 1; i >= 0; i-- {
		o := c.Taken[i]
		alone := slices.ContainsFunc(o.shows, func(s string) bool { return c.shown[s] == 1 })
		if alone || o.From == testgen.FromDoc || len(c.Taken) <= 2 {
			continue
		}
		for _, s := range o.shows {
			c.shown[s]--
		}
		c.Taken = slices.Delete(c.Taken, i, i+1)
	}
	slices.SortStableFunc(c.Taken, func(a, b option) int {
		switch {
		case a.want.Error == b.want.Error:
			return telling[b.From] - telling[a.From]
		case a.want.Error:
			return 1
		}
		return -1
	})
	for _, o := range c.Taken {
		c.seeds[o.From] = true
	}
}

func (c *chooser) finish(laws []Law) *testgen.Chosen {
	out := &testgen.Chosen{Killed: c.killed()}
	for s := range c.shown {
		if s[:1] == block && c.shown[s] > 0 {
			out.Coverage++
		}
	}
	var works, all []string
	for i := range c.Taken {
		o := &c.Taken[i]
		one := c.caseOf(&o.Candidate, o.want)
		if o.Want != nil { // the actual result is reported separately
			one.Want = o.Want
		}
		if all = append(all, one.ID); !o.want.Error {
			works = append(works, one.ID)
		}
		out.Cases = append(out.Cases, one)
	}
	for _, l := range laws {
		over := all
		if l.Law == spec.RoundTrip {
			over = works
		}
		if len(over) > 0 {
			out.Cases = append(out.Cases, testgen.LawCase(l.Law, l.Why, l.Inverse, over))
		}
	}
	out.Cases = append(append(out.Cases, c.Out...), c.Contradicted...)
	out.Seeds = testgen.Seen(origins, c.seeds)
	return out
}

const mostKilled = 2 * mostMutants

// killed lists the mutants that the cases detect: those of the target, or else those of its callees.
func (c *chooser) killed() (ids []string) {
	own := func(m Mutant) bool { return m.Func == c.plan.Symbol }
	any := false
	for _, o := range c.Taken {
		any = any || slices.ContainsFunc(o.kills, own)
	}
	for _, o := range c.Taken {
		for _, m := range o.kills {
			if own(m) || !any {
				ids = append(ids, m.ID)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), mostKilled)]
}

// Expect implements testgen.Plan.
func (p *Plan) Expect(r testgen.Run, _ string) (*spec.Want, string) {
	o, _ := r.(*Outcome)
	switch {
	case !o.Made:
		return nil, "its arguments cannot be made: " + testgen.OneLine(o.Panic, 120)
	case o.Panic != "":
		return nil, "it panics: " + testgen.OneLine(o.Panic, 120)
	}
	return p.Want(o)
}

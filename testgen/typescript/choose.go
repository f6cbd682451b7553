package typescript

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Choose implements testgen.Plan. It selects calls that are stable, comparable, and add covered code or a class of
// outcome to the selection.
func (p *Plan) Choose(tried []*testgen.Call, _ bool) *testgen.Chosen {
	c := &chooser{plan: p, Tally: testgen.NewTally(), holds: make([]int, len(p.Laws)), worked: make([]int, len(p.Laws))}
	c.Want, c.Gain, c.Took = func(o *option) *spec.Want { return o.want }, c.gain, c.took
	for _, t := range tried {
		c.sift(t)
	}
	laws := c.laws()
	most := max(testgen.MostCases-len(laws), 1)
	c.Take(most)
	c.Others(min(most, 3), func(*option) bool { return true }) // a second value of a class shows what one may hide
	return c.finish(laws)
}

type option struct {
	testgen.Candidate
	want   *spec.Want
	blocks []string
	class  string
	size   int
	laws   []bool
}

type chooser struct {
	testgen.Selection[option]
	testgen.Tally
	plan          *Plan
	fails         bool
	holds, worked []int // by law: for how many candidates it holds, and for how many it was tried
}

func caseOf(c *testgen.Candidate, want *spec.Want) spec.Case {
	return testgen.CaseOf(c, want, spec.Golden, "directory")
}

func (c *chooser) sift(t *testgen.Call) {
	first, kept, most := t.Runs[0].(*Outcome), caseOf(&t.Candidate, t.Want), 2
	if t.Want != nil {
		most = testgen.MostCases
	}
	if c.fails = c.fails || first.Failed && first.Ended == ""; !first.Made && first.Ended == "" || !c.Settles(t, kept, most) {
		return
	}
	if first.Crashed() && (t.Want == nil || !t.Want.Error) {
		return // an accidental error is no behaviour to rely on
	}
	want, reason := c.plan.Want(first)
	said := spec.Contradicted(c.plan.doc, c.plan.Symbol, &spec.Case{Args: t.Args, Want: want})
	switch {
	case want == nil:
		c.KeepOut(kept, reason, most)
	case said != "" && t.Want == nil:
		c.Contradict(kept, said, testgen.OneLine(want.Text(), 120))
	case t.Want != nil && !t.Want.Equal(want):
		c.KeepOut(kept, "the documentation shows "+testgen.OneLine(t.Want.Text(), 120)+", and it gives "+testgen.OneLine(want.Text(), 120), most)
	case len(want.String()) <= longestResult:
		c.Options = append(c.Options, option{t.Candidate, want, first.Blocks, classOf(want), len(spec.KeyOf(t.Args)), first.Laws})
		for i := range min(len(first.Laws), len(c.holds)) {
			if !first.Failed {
				c.worked[i]++
				if first.Laws[i] {
					c.holds[i]++
				}
			}
		}
	}
}

// in bytes; reviewers read results
const longestResult = 400

// classOf returns a coarse class of a result, such as an error or an empty list.
func classOf(w *spec.Want) string {
	if w.Error {
		return "error"
	}
	parts := make([]string, len(w.Values))
	for i, v := range w.Values {
		parts[i] = valueClass(v.Value)
	}
	return strings.Join(parts, " ")
}

func valueClass(v spec.Value) string {
	switch x := v.(type) {
	case bool:
		return fmt.Sprint(x)
	case int64:
		return fmt.Sprint("int", x < 0, len(strings.TrimPrefix(strconv.FormatInt(x, 10), "-")))
	case float64:
		return fmt.Sprint("float", x < 0, x != x)
	case string:
		return fmt.Sprint("text", min(len(x)/4, 3), x != strings.ToLower(x), strings.ContainsAny(x, "0123456789"), strings.ContainsFunc(x, odd))
	case []spec.Value:
		return fmt.Sprint("list", min(len(x), 3))
	case map[string]spec.Value:
		return fmt.Sprint("map", min(len(x), 3), tagged(x))
	}
	return "null"
}

func odd(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func (c *chooser) gain(o *option) (gain int, adds bool) {
	gain = c.News(o.blocks, o.class)
	if o.Want != nil {
		gain += 40 // documented examples must stay true
	}
	return gain*8 + 3*(len(origins)-slices.Index(origins, o.From)) - min(o.size/20, 8), gain > 0
}

func (c *chooser) took(o *option) { c.Note(o.blocks, o.class, o.From) }

// laws returns the indexes of the plan's laws that hold for enough candidates.
func (c *chooser) laws() (out []int) {
	if !c.Agree() {
		return nil
	}
	for i, l := range c.plan.Laws {
		switch {
		case l.Law == spec.NoPanic && c.fails:
		case l.Law != spec.NoPanic && (c.holds[i] < 2 || 3*c.holds[i] < 2*c.worked[i]):
		default:
			out = append(out, i)
		}
	}
	return out[:min(len(out), 2)]
}

func (c *chooser) finish(laws []int) *testgen.Chosen {
	out := c.Chosen(origins)
	for i := range c.Taken {
		out.Cases = append(out.Cases, caseOf(&c.Taken[i].Candidate, c.Taken[i].want))
	}
	for _, i := range laws {
		l := c.plan.Laws[i]
		var over []string
		for n, o := range c.Taken {
			if l.Law == spec.NoPanic || !o.want.Error && i < len(o.laws) && o.laws[i] {
				over = append(over, out.Cases[n].ID)
			}
		}
		if len(over) >= 2 || l.Law == spec.NoPanic && len(over) > 0 {
			out.Cases = append(out.Cases, testgen.LawCase(l.Law, l.Why, l.Inverse, over))
		}
	}
	out.Cases = append(append(out.Cases, c.Out...), c.Contradicted...)
	return out
}

// Expect implements testgen.Plan.
func (p *Plan) Expect(r testgen.Run, _ string) (*spec.Want, string) {
	o, _ := r.(*Outcome)
	if !o.Made {
		return nil, "its arguments cannot be made"
	}
	return p.Want(o)
}

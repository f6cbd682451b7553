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

const mostCases = 6

// slow is the longest accepted call, in microseconds.
const slow = 1_000_000

// Tried is a candidate with the outcomes of its runs.
type Tried struct {
	Candidate
	Runs []*Outcome
}

// Choose selects the most informative candidates: stable, comparable, and adding covered code or a class of outcome to
// the selection.
func (p *Plan) Choose(tried []Tried) *testgen.Chosen {
	c := &chooser{plan: p, reached: map[string]bool{}, classes: map[string]bool{}, seeds: map[string]bool{}, holds: make([]int, len(p.Laws)), worked: make([]int, len(p.Laws))}
	for _, t := range tried {
		c.sift(t)
	}
	if c.unstable {
		c.options = nil
	}
	laws := c.laws()
	c.take(max(mostCases-len(laws), 1))
	return c.finish(laws)
}

type option struct {
	Candidate
	want   *spec.Want
	blocks []string
	class  string
	size   int
	laws   []bool
}

type chooser struct {
	plan          *Plan
	options       []option
	taken         []option
	reached       map[string]bool
	classes       map[string]bool
	seeds         map[string]bool
	out           []spec.Case // quarantined
	contradicted  []spec.Case // quarantined because they contradict the documentation
	unstable      bool
	fails         bool
	holds, worked []int // by law: for how many candidates it holds, and for how many it was tried
}

func caseOf(c Candidate, want *spec.Want) spec.Case {
	law := spec.Golden
	switch {
	case want != nil && want.Error:
		law = spec.Error
	case c.Want != nil:
		law = spec.Example
	}
	return spec.Case{ID: spec.ID(law, c.Args, nil), Law: law, Why: why(law, c.From), Args: c.Args, Want: want}
}

// keepOut quarantines a candidate, at most one for each reason.
func (c *chooser) keepOut(t Candidate, reason string) {
	for _, o := range c.out {
		if o.Quarantined == reason {
			return
		}
	}
	if len(c.out) < 2 || t.Want != nil && len(c.out) < mostCases {
		one := caseOf(t, t.Want)
		one.Quarantined = reason
		c.out = append(c.out, one)
	}
}

func (c *chooser) sift(t Tried) {
	if len(t.Runs) == 0 {
		return
	}
	first := t.Runs[0]
	for _, o := range t.Runs {
		if o.Ended != "" {
			c.keepOut(t.Candidate, o.Ended)
			return
		}
	}
	if !first.Made {
		return
	}
	c.fails = c.fails || first.Failed
	for _, o := range t.Runs[1:] {
		if o.same() != first.same() {
			c.unstable = true
			c.keepOut(t.Candidate, unstable)
			return
		}
	}
	if first.Crashed() && (t.Want == nil || !t.Want.Error) {
		return // an accidental error is no behaviour to rely on
	}
	if first.Micros > slow {
		c.keepOut(t.Candidate, "it takes more than a second")
		return
	}
	want, reason := c.plan.Want(first)
	said := spec.Contradicted(c.plan.doc, c.plan.Symbol, &spec.Case{Args: t.Args, Want: want})
	switch {
	case want == nil:
		c.keepOut(t.Candidate, reason)
	case said != "" && t.Want == nil:
		one := caseOf(t.Candidate, nil)
		one.Quarantined = "the documentation says " + said + ", and it gives " + testgen.OneLine(want.Text(), 120)
		if len(c.contradicted) < mostCases {
			c.contradicted = append(c.contradicted, one)
		}
	case t.Want != nil && !t.Want.Equal(want):
		c.keepOut(t.Candidate, "the documentation shows "+testgen.OneLine(t.Want.Text(), 120)+", and it gives "+testgen.OneLine(want.Text(), 120))
	case len(want.String()) <= longestResult:
		c.options = append(c.options, option{t.Candidate, want, first.Blocks, classOf(want), len(spec.KeyOf(t.Args)), first.Laws})
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

const unstable = "it gives another result in another run"

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
	for _, b := range o.blocks {
		if !c.reached[b] {
			gain += 4
		}
	}
	if !c.classes[o.class] {
		gain += 3
	}
	if o.Want != nil {
		gain += 40 // documented examples must stay true
	}
	return gain*8 + 3*(len(origins)-slices.Index(origins, o.From)) - min(o.size/20, 8), gain > 0
}

func (c *chooser) take(most int) {
	for len(c.taken) < most {
		best, bestGain := -1, 0
		for i := range c.options {
			if gain, adds := c.gain(&c.options[i]); adds && (best < 0 || gain > bestGain) {
				best, bestGain = i, gain
			}
		}
		if best < 0 {
			break
		}
		c.add(best)
	}
	for i := 0; len(c.taken) < min(most, 3) && i < len(c.options); i++ { // a second value of a class shows what one may hide
		if c.differs(&c.options[i]) {
			c.add(i)
			i--
		}
	}
}

func (c *chooser) differs(o *option) bool {
	return !slices.ContainsFunc(c.taken, func(t option) bool { return t.want.Equal(o.want) })
}

func (c *chooser) add(i int) {
	o := c.options[i]
	for _, b := range o.blocks {
		c.reached[b] = true
	}
	c.classes[o.class] = true
	c.seeds[o.From] = true
	c.taken = append(c.taken, o)
	c.options = slices.Delete(c.options, i, i+1)
}

// laws returns the indexes of the plan's laws that hold for enough candidates.
func (c *chooser) laws() (out []int) {
	if len(c.options) == 0 {
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

func why(law spec.Law, from string) string {
	text := map[string]string{
		fromDoc: "the documentation names it", fromTest: "a test of the directory uses it", fromLiteral: "the code decides by it", FromModel: "a model proposed it", fromBoundary: "a value at the edge",
	}[from]
	if law == spec.Example {
		text = "the documentation shows it"
	}
	if law == spec.Error {
		text += ", and it is refused"
	}
	return text
}

func (c *chooser) finish(laws []int) *testgen.Chosen {
	out := &testgen.Chosen{Coverage: len(c.reached)}
	for _, o := range c.taken {
		out.Cases = append(out.Cases, caseOf(o.Candidate, o.want))
	}
	for _, i := range laws {
		l := c.plan.Laws[i]
		var over []string
		for n, o := range c.taken {
			if l.Law == spec.NoPanic || !o.want.Error && i < len(o.laws) && o.laws[i] {
				over = append(over, out.Cases[n].ID)
			}
		}
		if len(over) >= 2 || l.Law == spec.NoPanic && len(over) > 0 {
			out.Cases = append(out.Cases, spec.Case{ID: spec.ID(l.Law, nil, over), Law: l.Law, Why: l.Why, Over: over, Inverse: l.Inverse})
		}
	}
	out.Cases = append(append(out.Cases, c.out...), c.contradicted...)
	out.Seeds = testgen.Seen(origins, c.seeds)
	return out
}

// Settled returns the result on which all runs of a call agree, or a reason.
func (p *Plan) Settled(runs []*Outcome) (*spec.Want, string) {
	first := runs[0]
	for _, o := range runs {
		switch {
		case o.Ended != "":
			return nil, o.Ended
		case !o.Made:
			return nil, "its arguments cannot be made"
		case o.same() != first.same():
			return nil, unstable
		}
	}
	return p.Want(first)
}

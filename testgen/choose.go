package testgen

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/testgen/spec"
)

// MostCases limits the cases of a spec.
const MostCases = 6

const (
	mostLaws      = 2
	mostReported  = 2         // quarantined cases of undocumented calls
	mostKilled    = 24        // mutants in the evidence
	slow          = 1_000_000 // longest accepted call, in microseconds
	longestResult = 400       // bytes; reviewers read results
	longestQuoted = 120       // bytes of a result in a reason
)

// Unstable is the reason for a candidate whose runs differ.
const Unstable = "it gives another result in another run"

// Taste weighs the calls of a language.
type Taste struct {
	Origins    []string       // of arguments, the most informative first
	Weights    map[string]int // of origins
	Errors     int            // divides the weight of an error
	Documented int            // weight of a documented result
	Trivial    int            // weight of each trivial argument, which is deducted
	Text, Most int            // one is deducted for each Text bytes of arguments, Most at most
	// Alone is the number of calls that are taken for their class of result alone.
	Alone int
	// Promised is the number of documented results that are taken first. They stay when a run gives another result, which
	// is reported as a change; other languages quarantine them.
	Promised int
	Tried    bool // a run tries the laws for each call
	Prunes   bool // drops what later calls made redundant
	More     []More
	Sort     func(a, b *Option) int // nil for the order in which they were taken
}

// More takes further calls with a result unlike the others, until there are Most.
type More struct {
	Most int
	Fits func(o *Option) bool
}

// Option is a call that may become a case, with what it shows.
type Option struct {
	Candidate
	Sight

	text     string
	features []string
}

// trivial returns the number of arguments that are the zero value.
func (o *Option) trivial() (n int) {
	for _, a := range o.Args {
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

// chooser chooses among options, and collects the cases that are kept out.
type chooser struct {
	*Target

	options, taken []*Option
	shown          map[string]int // how many taken options have a feature
	unstable       bool
	breaks         bool
	holds, worked  []int // by law: for how many calls it holds, and for how many it was tried
	out            []spec.Case
	contradicted   []spec.Case // their result differs from the documentation
}

// Choose selects the most informative calls, and the laws that hold for them: calls that are stable, can be compared, and
// add code, a mutant or a class of result. Tests can use random values if fuzzed is set.
func (t *Target) Choose(tried []*Call, fuzzed bool) *Chosen {
	c := &chooser{Target: t, shown: map[string]int{}, holds: make([]int, len(t.Laws)), worked: make([]int, len(t.Laws))}
	for _, one := range tried {
		c.sift(one)
	}
	var laws []int
	if c.unstable {
		c.options = nil // any call may be
	} else if len(c.options) > 0 {
		laws = c.laws(fuzzed)
	}
	most := max(MostCases-len(laws), 1)
	for i := 0; i < len(c.options) && len(c.taken) < t.Taste.Promised; i++ {
		if o := c.options[i]; o.Candidate.Want != nil && (c.differs(o) || !o.Sight.Want.Equal(o.Candidate.Want)) {
			c.take(i)
			i--
		}
	}
	c.best(most)
	for _, more := range t.Taste.More {
		c.others(min(most, more.Most), more.Fits)
	}
	if t.Taste.Prunes {
		c.prune()
	}
	if t.Taste.Sort != nil {
		slices.SortStableFunc(c.taken, t.Taste.Sort)
	}
	return c.chosen(laws)
}

func (c *chooser) sift(t *Call) {
	see, ended := c.Look(t), t.Runs[0].Info().Ended != ""
	c.breaks = c.breaks || see.Breaks && !ended
	kept, most := c.caseOf(&t.Candidate, t.Want), mostReported
	if t.Want != nil {
		most = MostCases
	}
	switch {
	case see.Unmade && !ended, !c.settles(t, kept, most), see.Accident && (t.Want == nil || !t.Want.Error):
		return
	case see.Want == nil:
		if !see.Silent {
			c.keepOut(kept, see.Reason, most)
		}
		return
	}
	gives := OneLine(see.Want.Text(), longestQuoted)
	if t.Want == nil {
		if said := spec.Contradicted(c.Said, c.Spec.Symbol, &spec.Case{Args: t.Args, Want: see.Want}); said != "" {
			c.contradict(kept, said, gives)
			return
		}
	} else if c.Taste.Promised == 0 && !t.Want.Agrees(see.Want) {
		c.keepOut(kept, "the documentation shows "+OneLine(t.Want.Text(), longestQuoted)+", and it gives "+gives, most)
		return
	}
	if len(see.Want.String()) <= longestResult {
		c.add(t, see)
	}
}

func (c *chooser) add(t *Call, see Sight) {
	o := &Option{Candidate: t.Candidate, Sight: see, text: spec.KeyOf(t.Args)}
	o.Candidate.Raises = see.Raises
	if o.Class == "" {
		o.Class = classOf(see.Want, see.Raises)
	}
	o.features = []string{"c" + o.Class}
	for _, code := range see.Shows {
		o.features = append(o.features, "b"+code)
	}
	for _, m := range see.Kills {
		o.features = append(o.features, "m"+m.ID)
	}
	c.options = append(c.options, o)
	for i, holds := range see.Holds[:min(len(see.Holds), len(c.holds))] {
		if see.Want.Error {
			continue
		}
		if c.worked[i]++; holds {
			c.holds[i]++
		}
	}
}

// settles reports whether the runs of a call agree on an outcome that a test may wait for. If not, it quarantines one.
func (c *chooser) settles(t *Call, one spec.Case, most int) bool {
	reason := unsettled(t.Runs)
	if c.unstable = c.unstable || reason == Unstable; reason == "" && t.Runs[0].Info().Micros > slow {
		reason = "it takes more than a second"
	}
	if reason != "" {
		c.keepOut(one, reason, most)
	}
	return reason == ""
}

// keepOut quarantines a case unless there are most, or one with the same reason.
func (c *chooser) keepOut(one spec.Case, reason string, most int) {
	if len(c.out) < most && !slices.ContainsFunc(c.out, func(o spec.Case) bool { return o.Quarantined == reason }) {
		one.Quarantined = reason
		c.out = append(c.out, one)
	}
}

func (c *chooser) contradict(one spec.Case, said, gives string) {
	if len(c.contradicted) < MostCases {
		one.Want, one.Quarantined = nil, "the documentation says "+said+", and it gives "+gives
		c.contradicted = append(c.contradicted, one)
	}
}

// laws returns the indexes of the laws that hold for enough calls, as far as they were tried.
func (c *chooser) laws(fuzzed bool) (out []int) {
	for i, l := range c.Laws {
		switch {
		case l.Law == spec.NoPanic && (c.breaks || !fuzzed):
		case l.Law != spec.NoPanic && c.Taste.Tried && (c.holds[i] < 2 || 3*c.holds[i] < 2*c.worked[i]):
		default:
			out = append(out, i)
		}
	}
	return out[:min(len(out), mostLaws)]
}

// best takes the option that adds most until most are taken or none adds anything.
func (c *chooser) best(most int) {
	for len(c.taken) < most {
		best, bestGain := -1, 0
		for i, o := range c.options {
			if gain, adds := c.gain(o); adds && (best < 0 || gain > bestGain) {
				best, bestGain = i, gain
			}
		}
		if best < 0 {
			return
		}
		c.take(best)
	}
}

// gain scores what an option adds to the taken ones.
func (c *chooser) gain(o *Option) (gain int, adds bool) {
	taste := c.Taste
	for i, f := range o.features {
		switch {
		case c.shown[f] > 0:
		case i == 0: // the class
			gain, adds = gain+3, len(c.taken) < taste.Alone
		default:
			gain, adds = gain+4, true
		}
	}
	if o.Candidate.Want != nil && taste.Documented > 0 {
		gain, adds = gain+taste.Documented, true
	}
	weight := taste.Weights[o.From]
	if o.Sight.Want.Error {
		weight /= taste.Errors
	}
	return gain*8 + weight - taste.Trivial*o.trivial() - min(len(o.text)/taste.Text, taste.Most), adds
}

func (c *chooser) others(most int, fit func(*Option) bool) {
	for i := 0; len(c.taken) < most && i < len(c.options); i++ {
		if o := c.options[i]; fit(o) && c.differs(o) {
			c.take(i)
			i--
		}
	}
}

// differs reports whether no option with the same result is taken.
func (c *chooser) differs(o *Option) bool {
	return !slices.ContainsFunc(c.taken, func(t *Option) bool { return t.Sight.Want.Equal(o.Sight.Want) })
}

func (c *chooser) take(i int) {
	c.taken = append(c.taken, c.options[i])
	for _, f := range c.options[i].features {
		c.shown[f]++
	}
	c.options = slices.Delete(c.options, i, i+1)
}

// prune drops options that add nothing to the others, except documented calls.
func (c *chooser) prune() {
	for i := len(c.taken) - 1; i >= 0; i-- {
		o := c.taken[i]
		alone := slices.ContainsFunc(o.features, func(f string) bool { return c.shown[f] == 1 })
		if alone || o.From == FromDoc || len(c.taken) <= 2 {
			continue
		}
		for _, f := range o.features {
			c.shown[f]--
		}
		c.taken = slices.Delete(c.taken, i, i+1)
	}
}

func (c *chooser) chosen(laws []int) *Chosen {
	out, seeds := &Chosen{Killed: c.killed()}, map[string]bool{}
	for f, n := range c.shown {
		if f[0] == 'b' && n > 0 {
			out.Coverage++
		}
	}
	for _, o := range c.taken {
		want := o.Sight.Want
		if c.Taste.Promised > 0 && o.Candidate.Want != nil {
			want = o.Candidate.Want
		}
		out.Cases, seeds[o.From] = append(out.Cases, c.caseOf(&o.Candidate, want)), true
	}
	for _, i := range laws {
		l := c.Laws[i]
		var over []string
		for n, o := range c.taken {
			holds := !c.Taste.Tried || i < len(o.Holds) && o.Holds[i]
			if l.Law == spec.NoPanic || !o.Sight.Want.Error && holds {
				over = append(over, out.Cases[n].ID)
			}
		}
		if len(over) > 1 || len(over) == 1 && (l.Law == spec.NoPanic || !c.Taste.Tried) {
			out.Cases = append(out.Cases, l.over(over))
		}
	}
	out.Cases = append(append(out.Cases, c.out...), c.contradicted...)
	out.Seeds = seen(c.Taste.Origins, seeds)
	return out
}

// over returns the case of a law that holds for other cases.
func (l Law) over(over []string) spec.Case {
	return spec.Case{ID: spec.ID(l.Law, nil, over), Law: l.Law, Why: l.Why, Over: over, Inverse: l.Inverse}
}

// killed lists the mutants that the cases detect: those of the target, or else those of its callees.
func (c *chooser) killed() (ids []string) {
	own := func(m Mutant) bool { return m.Func == c.Spec.Symbol }
	some := slices.ContainsFunc(c.taken, func(o *Option) bool { return slices.ContainsFunc(o.Kills, own) })
	for _, o := range c.taken {
		for _, m := range o.Kills {
			if own(m) || !some {
				ids = append(ids, m.ID)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), mostKilled)]
}

// classOf returns a coarse class of a result, such as an error, an empty text or a list of one.
func classOf(w *spec.Want, raises string) string {
	if w.Error {
		return "error " + raises
	}
	if w.StringOf != nil {
		return textClass(*w.StringOf)
	}
	text := ""
	for _, v := range w.Values {
		text += " " + v.Type
		switch x := v.Value.(type) {
		case bool:
			text += fmt.Sprint(x)
		case int64:
			text += fmt.Sprint(min(max(x, -1), 2))
		case float64:
			text += fmt.Sprint(x < 0, x == 0)
		case string:
			text += textClass(x)
		case []spec.Value:
			text += fmt.Sprint("list", min(len(x), 2))
		case map[string]spec.Value:
			text += fmt.Sprint("map", min(len(x), 2), x["status"])
		case nil:
			text += "nothing"
		}
	}
	return text
}

func textClass(s string) string {
	switch {
	case s == "":
		return "empty"
	case s[0] == '-':
		return "minus"
	}
	return "text"
}

// seen returns the seen ones of the origins.
func seen(origins []string, seen map[string]bool) (out []string) {
	for _, from := range origins {
		if seen[from] {
			out = append(out, from)
		}
	}
	return out
}

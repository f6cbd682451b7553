package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// Flow is the sequence of relevant calls from one function, found by static analysis. Ambiguous calls are left out.
type Flow struct {
	Entry string // the name of a declaration in the module
	// Handler marks an entry that handles a route. Effects counts the steps with an external effect.
	Handler bool
	Effects int
	Steps   []Step // in code order, depth first
	More    int    // relevant calls of the entry that are no steps
}

// Step is one call of a Flow.
type Step struct {
	From string // the caller in the module
	Use         // the callee; a flow ends at a callee in another module
	// Within is the number of blocks of the caller's steps that began earlier and contain this one. When begins others.
	Within int
	When   When
	More   int // relevant calls of the callee that are no steps, if others are
}

// When is the condition of a block of steps in words, beyond that the caller or the block around it runs: one of the
// following, or with the code of a condition: "if `x`", "unless `x`", "if `x` is `y`". Those of several blocks are separated
// by Within.
type When string

// Excludes reports whether the first block excludes the one before it.
func (w When) Excludes() bool {
	return strings.HasPrefix(string(w), string(InOtherCases)) || strings.HasPrefix(string(w), string(Otherwise)) || strings.HasPrefix(string(w), orElse)
}

// Alone returns the condition without the word that excludes the block before it.
func (w When) Alone() string {
	return strings.TrimPrefix(strings.TrimPrefix(string(w), but), orElse)
}

const (
	// but begins the condition of an arm that runs only if those of the arms before do not hold, and orElse one that none of
	// these can hold with.
	but    = control.Otherwise + ", "
	orElse = "or "
)

// Within separates the conditions of blocks that begin with one step, from the outside in.
const Within = " → "

const (
	Always       When = ""
	InSomeCases  When = "in some cases"
	InOtherCases When = "in other cases"
	Otherwise    When = control.Otherwise
	InLoop       When = "in a loop" // zero or more times
	InBackground When = "in the background"
)

const (
	// A flow has at least fewestSteps calls, or fewestInside if none has an external effect. A flow whose callees are
	// all in one other module is uninformative.
	fewestSteps  = 2
	fewestInside = 3
	// A flow whose entry makes all the calls needs fewestReach points, and half as many more if the entry has an effect that
	// is no step: one for each callee, two if that has an effect or leads to more calls.
	fewestReach = 4
	// mostCalls limits the calls of the entry, and the steps of a flow of few calls. Others have up to mostSteps steps, so
	// that the steps of a callee are all of its calls.
	mostCalls = 12
	mostSteps = 7
	fewCalls  = 3
	// mostEntries limits the entries considered per module.
	mostEntries = 32
	// toolCallers is the maximum number of callers of a step; a function with more callers may be a utility.
	toolCallers = 4
	mostWeight  = 1 << 20
	// awayWeight is the weight of a call into another module, whose flows cover the calls behind it.
	awayWeight = 3
	// fewestCalls is the number of calls that make an undocumented function without further calls in the repository a
	// step.
	fewestCalls = 3
)

// Flows lists a module's flows with external effects or the most calls, in descending order. An entry is a route
// handler, a main function, an exported function, or a function passed as a value or called later by unknown code. An
// entry called by another entry is a step of that flow. Functions with more than [toolCallers] callers in the module
// may be utilities and are left out.
func (r *References) Flows() []Flow {
	c := newCalls(r)
	called := map[int]bool{}
	for i := range r.declared {
		if c.entry[i] && !r.declared[i].Kind.IsUnnamed() {
			for _, k := range c.of[i] {
				called[k.node] = true
			}
		}
	}
	rank := func(i int) int {
		switch {
		case r.declared[i].begins():
			return 0
		case r.handlers[i] || r.declared[i].Kind.IsUnnamed():
			return 1
		}
		return 2
	}
	var entries []int
	for i := range r.declared {
		if c.entry[i] && (!called[i] || rank(i) < 2) {
			entries = append(entries, i)
		}
	}
	slices.SortFunc(entries, func(a, b int) int {
		return cmp.Or(rank(a)-rank(b), c.worths[b].compare(c.worths[a]), strings.Compare(r.declared[a].Name, r.declared[b].Name))
	})
	var out []Flow
	for _, i := range entries[:min(len(entries), mostEntries)] {
		if f, tells := c.flow(i); tells {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Flow) int { return b.Effects - a.Effects })
	return out
}

// flow returns the flow from an entry and reports whether it is informative. A main function that only calls another
// module is.
func (c *calls) flow(entry int) (f Flow, tells bool) {
	f = Flow{Entry: c.declared[entry].Name, Handler: c.handlers[entry]}
	c.steps(&f, entry)
	away, reach, own, nested, plain := 0, 0, 0, false, true
	modules, seen := map[string]bool{}, map[Use]bool{}
	for _, s := range f.Steps {
		modules[s.Module] = true
		if nested = nested || s.From != f.Entry; s.From == f.Entry {
			own++
		}
		if s.Module != c.module {
			away++
		}
		effect := c.effectOf(s.Use) > 0
		if effect {
			f.Effects++
		}
		plain = plain && accesses.MatchString(last(s.Name)) && (!effect || c.isRequired(s.Use))
		if seen[s.Use] {
			continue
		}
		seen[s.Use] = true
		if reach++; effect || s.Module == c.module && c.worths[c.byName[s.Name]].weight > 1 {
			reach++
		}
	}
	fewest := fewestReach
	if c.effects[entry] > 0 {
		fewest += fewestReach / 2
	}
	switch main := c.declared[entry].begins(); {
	case own == 1 && c.declared[entry].Kind == Script && c.hasFlow(f.Steps[0]): // which says the same
		return f, false
	case main && away > 0:
		return f, true
	case plain && !main && c.effects[entry] > 0: // what the call needs
		return f, false
	case c.declared[entry].Kind == Answer && own < fewestSteps && f.Effects == 0:
		return f, false
	case main || f.Handler || c.declared[entry].Kind.IsUnnamed():
		return f, len(f.Steps) >= fewestSteps
	case f.Effects == 0 && (len(f.Steps) < fewestInside || len(modules) == 1 && away > 0):
		return f, false
	}
	return f, nested || reach >= fewest
}

// hasFlow reports whether another flow starts at the callee of a step.
func (c *calls) hasFlow(s Step) bool {
	i, ok := c.byName[s.Name]
	return ok && s.Module == c.module && c.entry[i]
}

// accesses matches functions that read or set a value.
var accesses = lazyregexp.New(`^_*(?:[Gg]et|[Ss]et|[Ii]s|[Hh]as)(?:[A-Z_]|$)`)

type worth struct {
	effect Effect
	weight int
}

func (w worth) compare(other worth) int {
	return cmp.Or(cmp.Compare(w.effect, other.effect), cmp.Compare(w.weight, other.weight))
}

type calls struct {
	*References

	of      [][]call
	later   [][]call // those that are counted only: in function literals, and of utilities
	entry   []bool
	worths  []worth
	ordered []occurrence
}

// occurrence is a call in one of its places.
type occurrence struct {
	*tie
	control.Place
}

type call struct {
	node   int
	use    Use
	branch control.Branch
	nests  []control.Nest // of its caller; in a list that steps chooses from, those around the branch, from the outside in
}

func newCalls(r *References) *calls {
	n := len(r.declared)
	c := &calls{References: r, of: make([][]call, n), later: make([][]call, n), entry: make([]bool, n), worths: make([]worth, n)}
	callers := map[Use]int{}
	for i := range r.declared {
		d := &r.declared[i]
		if !r.runs[i] || r.overloaded(i) {
			continue
		}
		c.entry[i] = r.handlers[i] || d.Kind.IsUnnamed() || (d.Exported || d.Symbol.Name == "main") && r.inOneFile(i)
		c.of[i], c.later[i] = c.calledBy(i)
		for at, k := range c.of[i] {
			if !slices.ContainsFunc(c.of[i][:at], k.again) {
				callers[k.use]++
			}
		}
	}
	c.weigh()
	for i := range c.of {
		c.of[i] = slices.DeleteFunc(c.of[i], func(k call) bool {
			if !c.isTool(k, callers[k.use]) {
				return false
			}
			c.later[i] = append(c.later[i], k)
			return true
		})
	}
	c.weigh()
	for from, links := range r.links {
		for _, l := range links {
			later := l.kind == RefValue || l.kind == RefCall && (l.branch.IsApart() || l.branch.Returned() && !r.wraps(from))
			if later && l.certain && l.node >= 0 && l.node < len(r.declared) && r.runs[l.node] {
				c.entry[l.node] = !r.overloaded(l.node)
			}
		}
	}
	return c
}

// isTool reports whether a function with many callers is a utility: it has no external effect, leads to few calls, or
// is used in much of the repository.
func (c *calls) isTool(k call, callers int) bool {
	if k.node < 0 && c.worth(k).effect > 0 || k.node >= 0 && c.effects[k.node] > 0 {
		return false
	}
	return callers > toolCallers && c.worth(k).weight <= max(awayWeight, callers/2) ||
		k.node < 0 && c.linker.Common != nil && c.linker.Common(k.use)
}

// inOneFile reports whether the calls belong to the function of one file, besides those that call it: a program's main
// that calls the main of its library.
func (r *References) inOneFile(i int) bool {
	return !slices.ContainsFunc(r.links[i], func(l tie) bool { return l.path != r.declared[i].Path && l.node != i && !r.elsewhere[l.path] })
}

// overloaded reports whether the calls belong to several functions of one name. Calls before the first of them are in
// its decorators, or in a private one.
func (r *References) overloaded(i int) bool {
	d := &r.declared[i]
	ahead := TraitsOfFile(d.Path).Overloads
	var first, others bool
	for _, l := range r.links[i] {
		if l.kind == RefCall && l.path == d.Path {
			other := l.line > d.End || ahead && l.line < d.Line
			first, others = first || !other, others || other
		}
	}
	return first && others
}

// runs reports whether a symbol is a function, or a value that wraps one.
func (s *Symbol) runs() bool {
	return isFunction(s.Kind) || slices.ContainsFunc(s.Body, func(r Reference) bool { return r.Branch.Returned() })
}

// wraps reports whether a declaration is a value that wraps a function.
func (r *References) wraps(i int) bool {
	return i < len(r.declared) && !isFunction(r.declared[i].Kind) && r.runs[i]
}

func (r *References) function(node int) (int, bool) {
	if local, ok := r.standsFor(node); ok {
		node = local
	}
	return node, r.runs[node]
}

// calledBy lists the calls of a declaration in the order of the code: one for each place that no other one contains.
// Those that may also run at another time are separate.
func (c *calls) calledBy(from int) (out, later []call) {
	r := c.References
	c.ordered = c.ordered[:0]
	for i := range r.links[from] {
		l := &r.links[from][i]
		if r.elsewhere[l.path] && !r.elsewhere[r.declared[from].Path] { // of a variant for another platform
			continue
		}
		switch l.kind {
		case RefValue:
			if f, ok := r.passed(l); ok && f != from {
				later = append(later, call{f, Use{r.module, r.declared[f].Name}, l.branch, nil})
			}
		case RefCall:
			for _, p := range control.Places(l.nests, l.branch, l.order) {
				c.ordered = append(c.ordered, occurrence{l, p})
			}
		}
	}
	slices.SortStableFunc(c.ordered, func(a, b occurrence) int { return cmp.Or(strings.Compare(a.path, b.path), a.Order-b.Order) })
	wraps := r.wraps(from)
	for i, l := range c.ordered {
		again := i > 0 && l.declaredTwice(c.ordered[i-1].tie)
		// A selection from the receiver is not certain, because a subtype may override the member. Here it counts as
		// the type's member.
		own := l.node >= 0 && l.node < len(r.declared)
		member := l.node < 0 && !l.certain && !l.open && !unnamed(l.away.Name) // of an interface or base class
		if !l.certain && !own && !member || l.open || l.outside || l.passing || l.Branch == control.Apart || again || l.node == from {
			continue
		}
		literal := l.Branch == control.Later || l.branch.AlsoLater() || l.Branch.Returned() && !wraps && !r.handlers[from]
		if wraps && !literal && !l.Branch.Returned() { // runs before the function
			continue
		}
		k := call{-1, l.away, l.Branch, l.nests}
		if wraps {
			k.branch &^= control.Result
		}
		switch {
		case l.node >= len(r.declared):
			continue
		case l.node >= 0:
			f, ok := r.function(l.node)
			if !ok || f == from || r.onlyEnds(f) {
				continue
			}
			k.node, k.use = f, Use{r.module, r.declared[f].Name}
		case strings.HasSuffix(l.away.Name, "*") || l.away.Module == r.module && !member:
			continue
		}
		if literal {
			later = append(later, k)
		} else {
			out = k.addTo(out, func(o call) []control.Nest { return control.Chain(o.nests, o.branch) })
		}
	}
	return out, later
}

// passed returns the function that code passes on, which handles no route.
func (r *References) passed(l *tie) (node int, ok bool) {
	if !l.certain || l.node < 0 || l.node >= len(r.declared) || l.branch.IsApart() {
		return 0, false
	}
	node, ok = r.function(l.node)
	return node, ok && isFunction(r.declared[node].Kind) && !r.handlers[node]
}

// addTo adds a call to a list, unless another one contains it, and drops the ones that it contains. The function returns
// the nests around the branch of a call.
func (k call) addTo(list []call, around func(call) []control.Nest) []call {
	if slices.ContainsFunc(list, func(o call) bool { return k.within(o, around) }) {
		return list
	}
	return append(slices.DeleteFunc(list, func(o call) bool { return o.within(k, around) }), k)
}

// again reports whether two calls have the same callee.
func (k call) again(o call) bool { return k.use == o.use }

// within reports whether another call of the callee runs whenever k does.
func (k call) within(o call, around func(call) []control.Nest) bool {
	inside := func(n control.Nest) bool { return n.Branch.Within(o.branch) }
	always := !o.branch.Conditional() && o.branch.Rank() <= k.branch.Rank()
	return k.again(o) && (always || o.branch.Conditional() && k.branch.Returned() == o.branch.Returned() && slices.ContainsFunc(around(k), inside))
}

// declaredTwice reports whether two ties are the same reference to a name that two modules declare, as in C headers.
func (l *tie) declaredTwice(before *tie) bool {
	return l.node < 0 && before.node < 0 && l.path == before.path && l.order == before.order &&
		l.away.Name == before.away.Name && l.away.Module != before.away.Module
}

// weigh computes the worth of each function; the functions of a cycle share one.
func (c *calls) weigh() {
	g := digraph{edges: make([][]int, len(c.of))}
	for i, list := range c.of {
		for _, k := range list {
			if k.node >= 0 {
				g.edges[i] = append(g.edges[i], k.node)
			}
		}
	}
	for _, circle := range g.components() {
		var all worth
		for _, i := range circle {
			all.weight++
			all.effect = max(all.effect, c.effects[i])
			for _, k := range c.of[i] {
				if k.node < 0 || g.component[k.node] != g.component[i] {
					w := c.worth(k)
					all = worth{max(all.effect, w.effect), min(all.weight+w.weight, mostWeight)}
				}
			}
		}
		for _, i := range circle {
			c.worths[i] = all
		}
	}
}

func (c *calls) worth(k call) worth {
	if k.node < 0 {
		return worth{c.effectOf(k.use), awayWeight}
	}
	return c.worths[k.node]
}

func (c *calls) effectOf(u Use) Effect {
	if c.isRequired(u) {
		return nearEffect // of an implementation
	}
	if u.Module == c.module {
		return c.worths[c.byName[u.Name]].effect
	}
	t, _ := c.linker.Table(u.Module)
	return t.effectOf(u.Name)
}

// says reports whether a call is worth showing. A leaf function must do something: a getter or a function that
// returns a constant does not count.
func (c *calls) says(k call) bool {
	w := c.worth(k)
	if k.node < 0 {
		t, _ := c.linker.Table(k.use.Module)
		return !t.Accessors[k.use.Name]
	}
	n := c.callsOf(k.node)
	return w.weight > 1 || c.effects[k.node] == directEffect || n >= fewestCalls && !c.wraps(k.node) ||
		(n > 0 || c.isAbstract(k.node)) && (w.effect > 0 || c.declared[k.node].Doc != "")
}

// callsOf returns the number of calls in a declaration.
func (c *calls) callsOf(node int) (n int) {
	for _, l := range c.links[node] {
		if l.kind == RefCall {
			n++
		}
	}
	return n
}

// onlyEnds reports whether a function always ends the program, and does little before.
func (r *References) onlyEnds(i int) bool {
	n := 0
	for _, l := range r.links[i] {
		if l.kind == RefCall && l.certain && !l.outside && !l.branch.IsApart() {
			n++
		}
	}
	return r.ends[i] && n < fewestCalls && last(r.declared[i].Name) != "main"
}

// isRequired reports whether a name is a method of an interface that types implement by their methods alone.
func (r *References) isRequired(u Use) bool {
	table, _ := r.linker.Table(u.Module)
	return table.Required[u.Name]
}

func (r *References) isAbstract(i int) bool {
	owner, ok := r.byName[parent(r.declared[i].Name)]
	return ok && isAbstract(&r.declared[i], &r.declared[owner])
}

func isAbstract(d, owner *Declared) bool {
	return owner != nil && (owner.Kind == Interface || owner.Kind == Trait ||
		strings.Contains(d.Signature, "abstract") && slices.ContainsFunc(d.Headers(), func(h Header) bool { return h.Is("abstract") }))
}

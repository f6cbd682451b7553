package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Flow is how the code goes on from one function: the calls that matter, of functions of the repository. Nobody runs the code: a call
// that may lead elsewhere is left out.
type Flow struct {
	Entry string // the name of a declaration of the module
	Steps []Step // in the order of the code, what a function calls behind it
}

// Step is one call of a Flow.
type Step struct {
	From string // the function of the module that calls
	Use         // what it calls: of the module itself, or of another one, where the flow ends
}

const (
	// mostSteps is how many calls a flow has at most, fewestSteps how many at least that say anything, and fewestAway how many of
	// other modules where that is all there is: what two of those have to do with each other nobody can see.
	mostSteps   = 7
	fewestSteps = 2
	fewestAway  = 3
	// mostFlows is how many flows a module has at most, mostEntries how many entries are looked at for them: many lead to the same.
	mostFlows   = 6
	mostEntries = 24
	// toolCallers is how many functions of a module call something that is a tool of theirs, and no step on their way.
	toolCallers = 4
	// mostWeight is what is as much as any.
	mostWeight = 1 << 20
	// awayWeight is what a call of another module counts for: what that leads to is for the flows of that module.
	awayWeight = 3
)

// Flows are those of a module that lead to most, that which leads to most first. An entry is a function that others can call, or
// that is called main, or whose value is passed on: somebody calls it who cannot be seen. One that another entry calls is a step of
// that one's. A step is a call of which the code says where
// it leads, of what at most [toolCallers] functions of the module call. Of all the calls that can be come to, those are taken first that lead to most, as
// weighed by the number of calls behind them.
func (r *References) Flows() []Flow {
	c := newCalls(r)
	type begin struct {
		node, weight int
	}
	var entries []begin
	for i := range r.declared {
		if c.entry[i] {
			entries = append(entries, begin{i, c.weights[i]})
		}
	}
	called := map[int]bool{}
	for _, e := range entries {
		for _, k := range c.of[e.node] {
			called[k.node] = true
		}
	}
	entries = slices.DeleteFunc(entries, func(e begin) bool { return called[e.node] })
	slices.SortFunc(entries, func(a, b begin) int {
		return cmp.Or(b.weight-a.weight, strings.Compare(r.declared[a.node].Name, r.declared[b.node].Name))
	})
	var out []Flow
	passed := map[Use]bool{} // by flows that were chosen before
	for _, e := range entries[:min(len(entries), mostEntries)] {
		f := Flow{r.declared[e.node].Name, c.steps(e.node)}
		again := 0
		for _, s := range f.Steps {
			if passed[s.Use] {
				again++
			}
		}
		if len(out) == mostFlows || !c.tells(f) || again*2 > len(f.Steps) {
			continue
		}
		for _, s := range f.Steps {
			passed[s.Use] = true
		}
		out = append(out, f)
	}
	return out
}

// tells reports whether a flow has enough steps that say anything. A program that only begins here goes on in another module: that is
// what happens.
func (c *calls) tells(f Flow) bool {
	telling, away := 0, 0
	for _, s := range f.Steps {
		if !plain(s.Name) {
			telling++
		}
		if s.Module != c.module {
			away++
		}
	}
	if last(f.Entry) == "main" && away > 0 {
		return true
	}
	return telling >= fewestSteps && (away < len(f.Steps) || away >= fewestAway)
}

// calls are the certain calls between the functions of a module, and out of it.
type calls struct {
	*References

	of      [][]call
	entry   []bool
	weights []int   // how much each function leads to
	failing answers // of troubled
	handing answers // of plain
	ordered []*tie  // the calls of the function that is looked at
}

// answers are what a question was answered of names: a module calls the same again and again.
type answers map[string]bool

func (a answers) to(question func(name string) bool, name string) bool {
	is, known := a[name]
	if !known {
		is = question(name)
		a[name] = is
	}
	return is
}

// call is one call: of a function of the module, or of another module.
type call struct {
	node int // -1 for one of another module
	use  Use
}

func newCalls(r *References) *calls {
	c := &calls{References: r, of: make([][]call, len(r.declared)), entry: make([]bool, len(r.declared)), weights: make([]int, len(r.declared)), failing: answers{}, handing: answers{}}
	callers := map[Use]int{}
	for i := range r.declared {
		d := &r.declared[i]
		if !isFunction(d.Kind) {
			continue
		}
		if r.overloaded(i) {
			continue
		}
		c.entry[i] = (d.Exported || d.Symbol.Name == "main") && r.inOneFile(i) && !troubled(d.Name)
		c.of[i] = c.calledBy(i)
		for _, k := range c.of[i] {
			callers[k.use]++
		}
	}
	for i := range c.of {
		c.of[i] = slices.DeleteFunc(c.of[i], func(k call) bool { return callers[k.use] > toolCallers })
	}
	c.weigh()
	for _, links := range r.links {
		for _, l := range links {
			if l.kind == RefValue && l.certain && l.node >= 0 && l.node < len(r.declared) && isFunction(r.declared[l.node].Kind) {
				c.entry[l.node] = !troubled(r.declared[l.node].Name) && !r.overloaded(l.node)
			}
		}
	}
	return c
}

// inOneFile reports whether one file alone says what a declaration does: of two programs that lie side by side, nobody knows which main
// is meant.
func (r *References) inOneFile(i int) bool {
	return !slices.ContainsFunc(r.links[i], func(l tie) bool { return l.path != r.links[i][0].path })
}

// overloaded reports whether what a declaration calls belongs to several functions of its name: nobody knows which of them is called.
func (r *References) overloaded(i int) bool {
	d := &r.declared[i]
	var first, others bool
	for _, l := range r.links[i] {
		if l.kind == RefCall && l.path == d.Path {
			within := d.Line <= l.line && l.line <= d.End
			first, others = first || within, others || !within
		}
	}
	return first && others
}

func isFunction(k Kind) bool { return k == Func || k == Method }

// function is the one that is called by the name of a declaration: that, or what it only passes on, as `export default f` does.
func (r *References) function(node int) (int, bool) {
	if local, ok := r.standsFor(node); ok {
		node = local
	}
	return node, isFunction(r.declared[node].Kind)
}

// calledBy lists what a declaration certainly calls, in the order of the code, each once.
func (c *calls) calledBy(from int) []call {
	r := c.References
	c.ordered = c.ordered[:0]
	for i := range r.links[from] {
		if r.links[from][i].kind == RefCall {
			c.ordered = append(c.ordered, &r.links[from][i])
		}
	}
	slices.SortStableFunc(c.ordered, func(a, b *tie) int { return cmp.Or(strings.Compare(a.path, b.path), a.order-b.order) })
	var out []call
	for i, l := range c.ordered {
		again := i > 0 && l.declaredTwice(c.ordered[i-1])
		// What is selected from the function's own receiver leads to a declaration without being certain: a type that extends this one
		// may have another. Here it is that one.
		own := l.node >= 0 && l.node < len(r.declared)
		if !l.certain && !own || l.open || l.outside || l.passing || l.apart || again || l.node == from {
			continue
		}
		k := call{node: -1, use: l.away}
		switch {
		case l.node >= len(r.declared):
			continue
		case l.node >= 0:
			f, ok := r.function(l.node)
			if !ok || f == from {
				continue
			}
			k = call{f, Use{r.module, r.declared[f].Name}}
		case strings.HasSuffix(l.away.Name, "*") || l.away.Module == r.module || c.handing.to(plain, l.away.Name) || macro.MatchString(last(l.away.Name)):
			continue
		}
		// What Java calls is a member of a type: a name alone is that of the type.
		if c.failing.to(troubled, k.use.Name) || k.node < 0 && strings.HasSuffix(l.path, ".java") && !strings.Contains(k.use.Name, ".") {
			continue
		}
		if !slices.ContainsFunc(out, func(o call) bool { return o.use == k.use }) {
			out = append(out, k)
		}
	}
	return out
}

// declaredTwice reports whether a reference is the one before it, to what another module declares as well, as headers do.
func (l *tie) declaredTwice(before *tie) bool {
	return l.node < 0 && before.node < 0 && l.path == before.path && l.order == before.order &&
		l.away.Name == before.away.Name && l.away.Module != before.away.Module
}

// weigh weighs the functions: those that call each other in a circle lead to as much as all of them.
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
		w := 0
		for _, i := range circle {
			w++
			for _, k := range c.of[i] {
				if k.node < 0 || g.component[k.node] != g.component[i] {
					w = min(w+c.worth(k), mostWeight)
				}
			}
		}
		for _, i := range circle {
			c.weights[i] = w
		}
	}
}

func (c *calls) worth(k call) int {
	if k.node < 0 {
		return awayWeight
	}
	return c.weights[k.node]
}

// steps are the calls that matter of what can be come to from a function.
func (c *calls) steps(entry int) []Step {
	type candidate struct {
		from, worth, at int // at is its place among the calls of from
		call
	}
	chosen := map[int][]int{} // the places of the calls of each function
	seen := map[Use]bool{{c.module, c.declared[entry].Name}: true}
	var open []candidate
	reach := func(node int) {
		for at, k := range c.of[node] {
			open = append(open, candidate{node, c.worth(k), at, k})
		}
	}
	reach(entry)
	for n := 0; n < mostSteps && len(open) > 0; {
		best := 0
		for i := range open {
			if open[i].worth > open[best].worth {
				best = i
			}
		}
		k := open[best]
		open = slices.Delete(open, best, best+1)
		if seen[k.use] || k.worth < 2 && (c.declared[k.node].Doc == "" || plain(k.use.Name)) { // a small one of which nobody says anything
			continue
		}
		seen[k.use] = true
		chosen[k.from] = append(chosen[k.from], k.at)
		n++
		if k.node >= 0 {
			reach(k.node)
		}
	}
	var out []Step
	var walk func(node int)
	walk = func(node int) {
		slices.Sort(chosen[node])
		for _, at := range chosen[node] {
			k := c.of[node][at]
			out = append(out, Step{c.declared[node].Name, k.use})
			if k.node >= 0 {
				walk(k.node)
			}
		}
	}
	walk(entry)
	return out
}

// What the last name of a function says by the customs of all languages: that it makes or tells of a failure or is there for who looks
// for one, that it only hands a value over, turns it into another, compares it or reads a clock, and that it is no function but a macro.
var (
	failure = lazyregexp.New(`(?i)(?:err|errors?|exceptions?)$`)
	trouble = lazyregexp.New(`(?i)^(?:create|make|new|build|throw|raise)_?(?:error|exception)|^(?:strerror|perror|unreachable)|^_*(?:assert|warn|warning|log|debug|trace|panic|abort|fail)(?:_|f?$)|^_*(?-i:(?:[Aa]ssert|[Ww]arn|[Ll]og|[Dd]ebug|[Tt]race|[Pp]anic|[Ff]ail)[A-Z0-9])|_(?:warn|log|trace|strerror)$|(?-i:[a-z](?:Error|Exception)s?[A-Z])|_(?:error|exception)_`)
	handing = lazyregexp.New(`^_*(?:[Gg]et|[Ii]s|[Hh]as|[Ss]et|[Ww]ith|[Tt]o|[Aa]s)(?:_|[A-Z0-9])|^get(?:bool|int|float|list|dict|str|attr|item)|[a-z0-9](?:To[A-Z]|_to_)|^(?:len|Len|length|size|Size|name|Name|begin|end|str|String|toString)$|^(?:equals?|Equal|compareTo|compare|Compare|hashCode|[Ll]ess|__(?:eq|ne|lt|le|gt|ge|hash)__)$|(?:^|_)now$|^_*(?i:current_?time|elapsed)`)
	macro   = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)
)

// troubled reports whether a function, or what it is a member of, is about what went wrong.
func troubled(name string) bool {
	return trouble.MatchString(last(name)) || failure.MatchString(last(name)) || failure.MatchString(last(parent(name)))
}

// plain reports whether a function only hands a value over, as far as its name tells.
func plain(name string) bool {
	name = last(name)
	return handing.MatchString(name) && !strings.HasPrefix(strings.ToLower(name), "new") // which makes one
}

package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// steps chooses the steps of a flow: the calls of the entry, then those of the callees that lead to most.
func (c *calls) steps(f *Flow, entry int) {
	chosen, more := map[int][]call{}, map[int]int{}
	seen := map[Use]bool{{c.module, f.Entry}: true}
	var open []call
	n := 0
	expand := func(node int) {
		var list []call
		for _, k := range c.of[node] {
			if !seen[k.use] && c.says(k) && (node == entry || !k.branch.Returned()) {
				k.nests = control.Chain(k.nests, k.branch)
				list = append(list, k)
			}
		}
		list = joined(withoutGuards(list, c.outlets[node]))
		switch room := mostCalls - n; {
		case n > fewCalls && n+len(list) > mostSteps && !(starts.MatchString(last(c.declared[node].Name)) && room >= fewCalls):
			return
		case len(list) > room:
			all := len(list)
			list = c.foremost(list, room)
			more[node] = all - len(list)
		}
		for _, k := range list {
			seen[k.use] = true
		}
		chosen[node], open, n = list, append(open, list...), n+len(list)
	}
	expand(entry)
	for len(open) > 0 {
		best := 0
		for i := range open {
			if cmp.Or(c.reach(open[i])-c.reach(open[best]), c.worth(open[i]).compare(c.worth(open[best]))) > 0 {
				best = i
			}
		}
		k := open[best]
		open = slices.Delete(open, best, best+1)
		if _, again := chosen[k.node]; k.node >= 0 && !again {
			expand(k.node)
		}
	}
	omitted := func(node int) (n int) {
		count := func(list []call, counts func(k call) bool) {
			for _, k := range list {
				if !seen[k.use] && counts(k) {
					seen[k.use] = true
					n++
				}
			}
		}
		count(c.of[node], func(k call) bool { return !c.says(k) && k.node >= 0 && c.callsOf(k.node) > 0 })
		count(c.later[node], c.says)
		return n
	}
	var walk func(node int)
	walk = func(node int) {
		list := chosen[node]
		delete(chosen, node) // the calls of a callee follow its first call
		for i, b := range blocksOf(list) {
			k := list[i]
			f.Steps = append(f.Steps, Step{From: c.declared[node].Name, Use: k.use, Within: b.within, When: b.when})
			if _, first := chosen[k.node]; first {
				f.Steps[len(f.Steps)-1].More = more[k.node] + omitted(k.node)
				walk(k.node)
			}
		}
	}
	f.More = more[entry] + omitted(entry)
	walk(entry)
}

// starts matches functions that start what goes on: a server, a job.
var starts = lazyregexp.New(`^(?:[Rr]un|[Ss]tart|[Ss]erve|[Ll]isten)(?:[A-Z_]|$)`)

// reach ranks a call: first one that starts something, then one with an effect.
func (c *calls) reach(k call) int {
	if starts.MatchString(last(k.use.Name)) {
		return int(directEffect) + 1
	}
	return int(c.worth(k).effect)
}

// foremost returns up to n calls in their order: first those with the longest reach, then those that run in all cases, then
// the earlier ones. Of a callee it returns all calls or none, unless that would leave nothing.
func (c *calls) foremost(list []call, n int) []call {
	order, first, rank := make([]int, len(list)), make([]int, len(list)), make([]control.Branch, len(list)) // rank is that of the first call
	firsts := map[Use]int{}
	for i, k := range list {
		if _, again := firsts[k.use]; !again {
			firsts[k.use], rank[i] = i, k.branch.Rank()
		}
		order[i], first[i] = i, firsts[k.use]
		rank[first[i]] = min(rank[first[i]], k.branch.Rank())
	}
	slices.SortStableFunc(order, func(a, b int) int {
		a, b = first[a], first[b]
		return cmp.Or(c.reach(list[b])-c.reach(list[a]), cmp.Compare(rank[a], rank[b]), a-b)
	})
	whole := n
	for whole > 0 && whole < len(order) && first[order[whole-1]] == first[order[whole]] {
		whole--
	}
	n = cmp.Or(whole, n)
	order = order[:n]
	slices.Sort(order)
	out := make([]call, n)
	for i, at := range order {
		out[i] = list[at]
	}
	return out
}

func isFunction(k Kind) bool { return k == Func || k == Method || k.IsUnnamed() }

// isAccessor reports whether a method only reads or sets a value: it calls nothing, and has such a name or only returns. An
// abstract method, which has no code, must have such a name, and take nothing if it reads. A static method that takes nothing
// and returns its own type reads a singleton.
func (s *Symbol) isAccessor(abstract bool) bool {
	if s.Kind == Method && slices.ContainsFunc(s.Headers(), func(h Header) bool {
		return h.Is("static") && len(h.Params) == 0 && h.Result == last(parent(s.Name))
	}) {
		return true
	}
	if s.Kind != Method || slices.ContainsFunc(s.Body, func(r Reference) bool { return r.Kind == RefCall }) {
		return false
	}
	name := strings.TrimLeft(last(s.Name), "_#")
	named := func(prefix string) bool {
		rest, ok := strings.CutPrefix(strings.ToLower(name), prefix)
		return ok && rest != "" && (name[len(prefix)] < 'a' || name[len(prefix)] > 'z')
	}
	reads := slices.ContainsFunc([]string{"get", "is", "has"}, named)
	returns := !slices.ContainsFunc(s.Headers(), func(h Header) bool {
		asks := func(p Parameter) bool { return p.Kind != Receiver }
		return slices.ContainsFunc(h.Params, asks) || slices.Contains([]string{"", "void", "None"}, h.Result)
	})
	return named("set") || reads && !abstract || returns && (reads || !abstract)
}

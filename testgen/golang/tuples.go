package golang

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Limits of the calls of a function, and of the bytes of their arguments.
const (
	mostCandidates = 96
	longestCalls   = 1 << 20
)

// pool collects the calls to try: those found in documentation and code, and combinations of seeds.
func (p *Package) pool(plan *Plan, f *function) {
	plan.Candidates = p.candidates(plan, f, p.seedsFor(plan, f))
	plan.more = func(texts []Said) []testgen.Candidate {
		s := p.seedsFor(plan, f)
		own := s.Texts
		s.Texts = nil
		for _, t := range texts {
			s.Text(t.Text, testgen.FromResult, "what "+t.Symbol+" gives")
		}
		s.Texts = append(s.Texts, own...)
		seen := map[string]bool{}
		for _, c := range plan.Candidates {
			seen[spec.KeyOf(c.Args)] = true
		}
		return slices.DeleteFunc(p.candidates(plan, f, s), func(c testgen.Candidate) bool { return seen[spec.KeyOf(c.Args)] })
	}
}

// Said is a text that a function returned.
type Said struct{ Symbol, Text string }

// More returns further calls with texts that other functions of the package returned.
func (p *Plan) More(texts []Said) []testgen.Candidate {
	if p.more == nil {
		return nil
	}
	return p.more(texts)
}

func (p *Package) seedsFor(plan *Plan, f *function) *seeds {
	s := p.seedsOf(f)
	for _, t := range append(slices.Clone(plan.Results), plan.Recv) {
		if t != nil && t.Kind == Pointer {
			t = t.Elem
		}
		if t != nil && t.Kind == Array {
			s.length(int64(t.Len)) // likely the length of the input
		}
	}
	return s
}

func (p *Package) candidates(plan *Plan, f *function, s *seeds) []testgen.Candidate {
	pool := testgen.Pool{Most: mostCandidates, Longest: longestCalls}
	receivers := []seed{{}}
	filled := plan.Recv != nil && plan.fills()
	switch {
	case filled:
		receivers[0].Value = zero(plan.Recv.Elem)
	case plan.Recv != nil:
		receivers = s.of(plan.Recv, 0)
	}
	on := func(r seed, c testgen.Candidate) {
		if plan.Recv != nil {
			c.Args = append([]spec.Typed{{Type: plan.Recv.Text, Value: r.Value}}, c.Args...)
		}
		pool.Add(c)
	}
	for _, c := range p.written(plan, f) {
		for _, r := range receivers[:min(len(receivers), 3)] {
			on(r, c)
		}
	}
	if filled {
		for _, c := range s.tuples(plan.Params, mostCandidates, 0) {
			on(receivers[0], c)
		}
		return pool.Calls
	}
	for _, c := range s.tuples(plan.Inputs(), mostCandidates, 0) {
		pool.Add(c)
	}
	return pool.Calls
}

// readers matches methods that overwrite their receiver.
var readers = lazyregexp.New(`^(Unmarshal|Scan|Decode|GobDecode|ReadFrom|Parse|Set$)`)

func (p *Plan) fills() bool {
	return p.After && readers.MatchString(testgen.LastName(p.Spec.Symbol)) && p.Recv.Elem.nameable()
}

func zero(t *Type) spec.Value {
	switch t.Kind {
	case Bool:
		return false
	case String:
		return ""
	case Int, Uint, Float:
		return int64(0)
	case Array:
		list := make([]spec.Value, t.Len)
		for i := range list {
			list[i] = zero(t.Elem)
		}
		return list
	case Struct:
		return map[string]spec.Value{}
	}
	return nil
}

// small matches names of parameters that are counts, for which large numbers are meaningless or costly.
var small = lazyregexp.New(`(?i)(digit|decimal|prec|width|depth|count|limit|size|len|index|idx|offset|base|bits|places|repeat|indent|level|^n$|^i$|^num$|^k$)`)

// sensible drops values that make no sense for the parameter's name.
func sensible(in Param, list []seed) []seed {
	if in.Type.Kind != Int && in.Type.Kind != Uint || !small.MatchString(in.Name) {
		return list
	}
	return slices.DeleteFunc(list, func(x seed) bool {
		n, ok := x.Value.(int64)
		_, huge := x.Value.(uint64)
		return huge || ok && (n > 64 || n < -2)
	})
}

// tuples combines values of parameters: first all combinations of few values, then each value with the first of the
// others, then values at the same index.
func (s *seeds) tuples(params []Param, most, depth int) []testgen.Candidate {
	if len(params) == 0 {
		return []testgen.Candidate{{From: testgen.FromBoundary, Why: "the one call there is"}}
	}
	lists := make([][]seed, len(params))
	for i, in := range params {
		if lists[i] = sensible(in, s.of(in.Type, depth)); len(lists[i]) == 0 {
			return nil
		}
	}
	pool := testgen.Pool{Most: most, Longest: 399}
	testgen.Tuples(lists, 12, 8, most, most, 0, func(at []int) { pool.Add(combined(params, lists, at)) })
	return pool.Calls
}

// combined takes one value of each list. Its origin is the least informative of them.
func combined(params []Param, lists [][]seed, at []int) testgen.Candidate {
	c := testgen.Candidate{From: testgen.FromDoc}
	for i, list := range lists {
		x := list[at[i]%len(list)]
		c.Args = append(c.Args, spec.Typed{Type: params[i].Type.Text, Value: x.Value})
		if x.Why == "" {
			continue // a fixed value
		}
		if c.Why == "" || slices.Index(origins, x.From) > slices.Index(origins, c.From) {
			c.From, c.Why = x.From, x.Why
			if len(lists) > 1 && params[i].Name != "" && params[i].Name != "_" && params[i].Type.Kind != Request && !strings.HasPrefix(x.Why, "the ") {
				c.Why = params[i].Name + ": " + x.Why
			}
		}
	}
	if c.Why == "" {
		c.From, c.Why = testgen.FromBoundary, "the one call there is"
	}
	return c
}

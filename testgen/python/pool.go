package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

const mostCandidates = 150

// pool collects the calls to try: those in documentation and tests, and combinations of seeds.
func (m *module) pool(p *Plan, f *function) error {
	calls := &testgen.Pool{Most: mostCandidates, Longest: 599}
	docs := []string{f.Doc, f.file.Doc}
	if c := f.file.symbols[f.class]; c != nil {
		docs = append(docs, c.Doc)
	}
	var receivers []testgen.Candidate // constructor calls
	receive := func(c call, from string) {
		if p.Receiver == nil {
			return
		}
		if args, ok := bind(c, p.Receiver.Params); ok {
			receivers = append(receivers, testgen.Candidate{Args: args, From: from})
		}
	}
	for _, doc := range docs {
		for _, one := range doctests(doc) {
			if c, ok := p.shownCandidate(one); ok {
				calls.Add(c)
			}
			if one.class != nil && testgen.LastName(one.class.name) == p.Class {
				receive(*one.class, testgen.FromDoc)
			}
		}
	}
	tests, err := m.peopleTests()
	if err != nil {
		return err
	}
	s := m.seedsOf(f)
	for _, t := range tests {
		for _, one := range uses(t, p.Class) {
			if len(receivers) < mostReceivers {
				receive(one.call, testgen.FromTest)
			}
		}
	}
	receivers = append(receivers, p.receivers(s)...)
	for _, t := range tests {
		for i, one := range uses(t, testgen.LastName(f.Name)) {
			args, ok := bind(one.call, p.Params)
			from := testgen.FromTest
			if ok && p.Receiver != nil {
				if ok = len(receivers) > 0; ok {
					made := receivers[i%len(receivers)]
					args, from = append([]spec.Typed{p.receiver(made.Args)}, args...), testgen.Least(origins, from, made.From)
				}
			}
			if ok && p.fitting(args) == nil {
				calls.Add(testgen.Candidate{Args: args, From: from})
			}
		}
	}
	p.combine(s, receivers, calls.Add)
	p.Candidates = calls.Calls
	slices.SortStableFunc(p.Candidates, func(a, b testgen.Candidate) int { return shownFirst(a) - shownFirst(b) })
	return nil
}

// shownFirst orders documented results first, then the others by their origin.
func shownFirst(c testgen.Candidate) int {
	if c.Want != nil {
		return 0
	}
	return 1 + slices.Index(origins, c.From)
}

// shownCandidate returns the candidate for an example if it calls this function.
func (p *Plan) shownCandidate(one shown) (testgen.Candidate, bool) {
	c := testgen.Candidate{From: testgen.FromDoc, Want: one.want, Raises: one.raises}
	if one.method != (p.Receiver != nil) || testgen.LastName(one.name) != testgen.LastName(p.Name) {
		return c, false
	}
	if p.Receiver == nil && p.Class != "" && !strings.HasSuffix("."+one.name, "."+p.Name) {
		return c, false
	}
	args, ok := bind(one.call, p.Params)
	if !ok {
		return c, false
	}
	if one.method {
		made, ok := bind(*one.class, p.Receiver.Params)
		if !ok || testgen.LastName(one.class.name) != p.Class {
			return c, false
		}
		args = append([]spec.Typed{p.receiver(made)}, args...)
	}
	if c.Args = args; p.fitting(args) != nil {
		return c, false
	}
	if c.Want != nil && c.Want.StringOf != nil && p.Result != nil && p.Result.Kind == typeStr {
		c.Want = &spec.Want{Values: []spec.Typed{typed(*c.Want.StringOf)}}
	}
	return c, true
}

// receiver returns the argument that constructs an object.
func (p *Plan) receiver(args []spec.Typed) spec.Typed {
	list := make([]spec.Value, len(args))
	for i, a := range args {
		list[i] = a
	}
	return spec.Typed{Type: p.Class, Value: map[string]spec.Value{spec.CallKey: p.Class, spec.ArgsKey: list}}
}

const mostReceivers = 8

func (p *Plan) receivers(s *seeds) (out []testgen.Candidate) {
	if p.Receiver == nil {
		return nil
	}
	combinations(s, p.Receiver.Params, mostReceivers, func(args []spec.Typed, from string) { out = append(out, testgen.Candidate{Args: args, From: from}) })
	return out
}

// bind assigns the arguments of a call to parameters. Omitted ones become defaults.
func bind(c call, params []Param) ([]spec.Typed, bool) {
	out := make([]spec.Typed, len(params))
	given, used := 0, 0
	for i, p := range params {
		v, named := c.named[p.Name]
		switch {
		case p.Rest:
			rest := append([]spec.Value{}, c.args[min(given, len(c.args)):]...)
			given = len(c.args)
			out[i] = spec.Typed{Type: typeTuple, Value: rest}
			if len(rest) == 0 {
				out[i] = spec.Typed{Type: typeDefault}
			}
		case !p.Keyword && given < len(c.args):
			if named {
				return nil, false
			}
			out[i] = typed(c.args[given])
			given++
		case named && !p.Positional:
			out[i] = typed(v)
			used++
		case p.Optional:
			out[i] = spec.Typed{Type: typeDefault}
		default:
			return nil, false
		}
	}
	if given < len(c.args) || used < len(c.named) {
		return nil, false
	}
	return trimmed(out), true
}

func trimmed(args []spec.Typed) []spec.Typed {
	for len(args) > 0 && args[len(args)-1].Type == typeDefault {
		args = args[:len(args)-1]
	}
	return args
}

func (p *Plan) combine(s *seeds, receivers []testgen.Candidate, add func(testgen.Candidate)) {
	if len(p.Params) == 0 && p.Receiver == nil {
		add(testgen.Candidate{From: testgen.FromBoundary, Why: "the one call there is"})
		return
	}
	if p.Receiver == nil {
		combinations(s, p.Params, mostCandidates, func(args []spec.Typed, from string) { add(testgen.Candidate{Args: args, From: from}) })
		return
	}
	for i, made := range receivers {
		most := max(mostCandidates/max(len(receivers), 1), 4)
		combinations(s, p.Params, most, func(args []spec.Typed, from string) {
			if from = testgen.Least(origins, from, made.From); i > 0 {
				from = testgen.FromBoundary
			}
			add(testgen.Candidate{Args: append([]spec.Typed{p.receiver(made.Args)}, args...), From: from})
		})
	}
}

// combinations varies one parameter at a time, then all together. The first value of an optional parameter is its
// default.
func combinations(s *seeds, params []Param, most int, tell func(args []spec.Typed, from string)) {
	lists := make([][]seed, len(params))
	for i, p := range params {
		if p.Optional || p.Rest {
			lists[i] = []seed{{Value: map[string]spec.Value{typeDefault: nil}, From: testgen.FromDoc}}
		}
		if !p.Rest {
			lists[i] = append(lists[i], s.of(p.Type, 0)...)
		} else if p.Type != nil {
			for _, one := range s.of(&Type{Kind: typeList, Of: []*Type{p.Type}}, 0) {
				if list, ok := one.Value.([]spec.Value); ok && len(list) > 0 {
					lists[i] = append(lists[i], seed{Value: map[string]spec.Value{typeTuple: list}, From: one.From})
				}
			}
		}
		if len(lists[i]) == 0 {
			return
		}
	}
	told := 0
	testgen.Tuples(lists, 0, 0, 0, mostSeeds, 2, func(at []int) {
		args, from := make([]spec.Typed, len(params)), testgen.FromDoc
		for i, list := range lists {
			one := list[at[i]%len(list)]
			args[i] = typed(one.Value)
			from = testgen.Least(origins, from, one.From)
		}
		if args = trimmed(args); len(args) == 0 && len(params) > 0 { // defaults only
			from = testgen.FromBoundary
		}
		if told++; told <= most {
			tell(args, from)
		}
	})
}

// fitting returns an error if the arguments do not fit the parameters.
func (p *Plan) fitting(args []spec.Typed) error {
	rest := args
	if p.Receiver != nil {
		if len(args) == 0 || args[0].Type != p.Class {
			return fmt.Errorf("it is a method of %s, and no such object is given", p.Class)
		}
		made, ok := madeFrom(args[0])
		if !ok {
			return fmt.Errorf("%s is no object of %s", testgen.Clip(args[0].String(), 80), p.Class)
		}
		if err := fit(made, p.Receiver.Params, p.Class); err != nil {
			return err
		}
		rest = args[1:]
	}
	return fit(rest, p.Params, p.Spec.Symbol)
}

// madeFrom returns the constructor's arguments of an object.
func madeFrom(t spec.Typed) ([]spec.Typed, bool) {
	m, _ := t.Value.(map[string]spec.Value)
	list, ok := m[spec.ArgsKey].([]spec.Value)
	if !ok || m[spec.CallKey] != t.Type {
		return nil, false
	}
	out := make([]spec.Typed, len(list))
	for i, one := range list {
		if out[i], ok = one.(spec.Typed); !ok {
			return nil, false
		}
	}
	return out, true
}

func fit(args []spec.Typed, params []Param, name string) error {
	if len(args) > len(params) {
		return fmt.Errorf("%d arguments are given, and %s takes %d", len(args), name, len(params))
	}
	skipped := false
	for i, p := range params {
		given := i < len(args) && args[i].Type != typeDefault
		switch {
		case !given && !p.Optional && !p.Rest:
			return fmt.Errorf("%s takes %s, which is not given", name, testgen.Clip(p.Name, 60))
		case !given:
			skipped = skipped || !p.Rest
			continue
		case p.Rest && args[i].Type != typeTuple:
			return fmt.Errorf("%s takes what %s has as a tuple", name, testgen.Clip(p.Name, 60))
		case skipped && (p.Rest || p.Positional):
			return fmt.Errorf("%s is given without the parameters before it", testgen.Clip(p.Name, 60))
		case !p.Rest && !p.Guessed && !p.Type.takes(args[i]):
			return fmt.Errorf("an argument is a %s, and %s takes a %s", testgen.Clip(args[i].Type, 80), name, testgen.Clip(p.Type.String(), 80))
		}
		if _, err := write(args[i], 0); err != nil {
			return err
		}
	}
	return nil
}

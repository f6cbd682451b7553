package golang

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func (s *seeds) of(t *Type, depth int) []seed {
	if made := s.constructed(t, depth); made != nil {
		return made
	}
	out := s.exported(t)
	switch t.Kind {
	case Bool:
		out = append(out, edge(false, "false"), edge(true, "true"))
	case String:
		out = append(out, s.strings()...)
	case Int, Uint:
		out = append(out, s.integers(t)...)
	case Float:
		out = append(out, s.floats()...)
	case Slice, Array:
		out = append(out, s.lists(t, depth)...)
	case Map:
		out = s.maps(t, depth)
	case Struct:
		out = append(out, s.structs(t, depth)...)
	case Pointer:
		for _, x := range s.of(t.Elem, depth) {
			if m, ok := x.Value.(map[string]spec.Value); !ok || m[constKey] == nil { // constants have no address
				out = append(out, x)
			}
		}
	case Reader:
		out = s.bytes()
	case Request:
		out = s.requests()
	case Writer, Context:
		out = []seed{{Value: nil, From: testgen.FromDoc}}
	case Handler:
		out = []seed{{Value: "next", From: testgen.FromDoc}}
	case Time:
		out = append(out, times...)
	case Fault:
		out = []seed{edge(nil, "no error"), edge("failed", "some error")}
	case Any:
		out = append(out, s.Texts...)
		out = append(out, edge(nil, "nil"), edge("a", "a text"), edge(int64(1), "a number"), edge(true, "a bool"), edge(0.5, "a fraction"))
	}
	return sorted(out)
}

var times = []seed{
	edge("2024-02-29T13:14:15Z", "a leap day"), edge("1970-01-01T00:00:00Z", "the first second of Unix"),
	edge("2006-01-02T15:04:05.999999999Z", "with nanoseconds"), edge("0001-01-01T00:00:00Z", "the zero value"),
}

const mostExported = 16

func (s *seeds) exported(t *Type) (out []seed) {
	if t.Path != "" || t.Name == "" {
		return nil
	}
	for _, name := range append(append([]string{}, s.pkg.consts[t.Name]...), s.pkg.fixed()[t.Name]...) {
		if len(out) < mostExported {
			out = append(out, seed{Value: map[string]spec.Value{constKey: name}, From: testgen.FromLiteral, Why: "the package exports " + name})
		}
	}
	return out
}

func (s *seeds) floats() (out []seed) {
	for _, n := range s.Numbers {
		out = append(out, seed{Value: float64(n.Value.(int64)), From: n.From, Why: n.Why})
	}
	return append(out, fractions...)
}

var fractions = []seed{
	edge(0.0, "zero"), edge(1.0, "one"), edge(-1.0, "below zero"), edge(0.5, "a half"), edge(-2.25, "a fraction below zero"), edge(1e6, "a million"),
	edge(1.0/3, "a fraction without end"),
}

var usual = []seed{
	edge(int64(0), "zero"), edge(int64(1), "one"), edge(int64(-1), "below zero"), edge(int64(2), "two"), edge(int64(7), "a small number"),
	edge(int64(100), "a hundred"), edge(int64(-100), "a hundred below zero"), edge(int64(1234), "a number of four digits"),
}

func (s *seeds) integers(t *Type) []seed {
	var out []seed
	if t.Text == "rune" {
		return s.runes()
	}
	low, high := int64(0), uint64(math.MaxUint64)>>(64-t.Bits)
	if t.Kind == Int {
		low, high = math.MinInt64>>(64-t.Bits), uint64(math.MaxInt64)>>(64-t.Bits)
	}
	fits := func(n int64) bool {
		return n >= low && (n < 0 || uint64(n) <= high) && (!t.Machine || n == int64(int32(n)))
	}
	for _, n := range slices.Concat(s.Numbers, usual) {
		if fits(n.Value.(int64)) {
			out = append(out, n)
		}
	}
	if t.Machine {
		return out // limits depend on the machine
	}
	largest := edge(int64(high), "the largest there is")
	if t.Kind == Int {
		return append(out, largest, edge(low, "the smallest there is"))
	}
	if high > math.MaxInt64 {
		largest.Value = high
	}
	return append(out, largest)
}

func (s *seeds) runes() (out []seed) {
	for _, x := range s.Texts {
		if r := []rune(x.Value.(string)); len(r) == 1 {
			out = append(out, seed{Value: int64(r[0]), From: x.From, Why: x.Why})
		}
	}
	return append(out, edge(int64('a'), "a letter"), edge(int64('/'), "a slash"), edge(int64('é'), "a letter that is no ASCII"), edge(int64(0), "a NUL"))
}

// constKey is the key of a value that is a constant of the package, or a variable that nothing changes.
const constKey = "const"

func bytesOf(t *Type) bool { return t.Elem.Kind == Uint && t.Elem.Bits == 8 && t.Elem.Name == "" }

// bytes returns texts for byte input, those with a length that the code checks first.
func (s *seeds) bytes() []seed {
	var out []seed
	for _, n := range s.lengths {
		out = append(out, seed{Value: filled(n), From: testgen.FromLiteral, Why: fmt.Sprintf("%d bytes, a length that the code knows", n)})
	}
	return append(out, s.strings()...)
}

func (s *seeds) lists(t *Type, depth int) []seed {
	if t.Kind == Slice && bytesOf(t) {
		return append(s.bytes(), edge(nil, "nil"))
	}
	if t.Kind == Array && bytesOf(t) {
		return s.arrays(t)
	}
	elems := s.of(t.Elem, depth+1)
	if t.Kind == Slice {
		return testgen.Lists(elems, edge(nil, "nil"))
	}
	var out []seed
	for i := range min(4, len(elems)) {
		list := make([]spec.Value, t.Len)
		for n := range list {
			list[n] = elems[(i+n)%len(elems)].Value
		}
		out = append(out, seed{Value: list, From: elems[i].From, Why: fmt.Sprintf("%d of them", t.Len)})
	}
	return out
}

const mostSet = 24

// arrays returns byte arrays that are easy to read: zero, counting up, and with one byte set at an index that the code
// reads.
func (s *seeds) arrays(t *Type) []seed {
	zero := func() []spec.Value {
		list := make([]spec.Value, t.Len)
		for i := range list {
			list[i] = int64(0)
		}
		return list
	}
	up := zero()
	for i := range up {
		up[i] = int64(i + 1)
	}
	out := []seed{edge(up, "counting up"), edge(zero(), "all zero")}
	seen := map[int64]bool{}
	for _, at := range s.indexes {
		if at >= int64(t.Len) || seen[at] {
			continue
		}
		seen[at] = true
		for _, n := range s.Numbers {
			if v := n.Value.(int64); v > 0 && v < 256 && len(out) < mostSet {
				list := zero()
				list[at] = v
				out = append(out, seed{Value: list, From: testgen.FromLiteral, Why: fmt.Sprintf("byte %d is %d", at, v)})
			}
		}
	}
	return out
}

func (s *seeds) maps(t *Type, depth int) []seed {
	keys, values := s.of(t.Key, depth+1), s.of(t.Elem, depth+1)
	if len(keys) == 0 || len(values) == 0 {
		return nil
	}
	name := func(v spec.Value) string {
		if text, ok := v.(string); ok {
			return text
		}
		return strings.Trim((spec.Typed{Type: "x", Value: v}).String()[len("{x: "):], "}")
	}
	empty := []seed{edge(map[string]spec.Value{}, "nothing in it"), edge(nil, "nil")}
	if _, odd := keys[0].Value.(map[string]spec.Value); odd {
		return empty
	}
	one, two := map[string]spec.Value{name(keys[0].Value): values[0].Value}, map[string]spec.Value{}
	for i := range min(3, len(keys)) {
		two[name(keys[i].Value)] = values[i%len(values)].Value
	}
	return append([]seed{{Value: one, From: keys[0].From, Why: "one key"}, {Value: two, From: keys[0].From, Why: fmt.Sprintf("%d keys", len(two))}}, empty...)
}

func (s *seeds) structs(t *Type, depth int) []seed {
	out := []seed{edge(map[string]spec.Value{}, "the zero value")}
	if depth > 2 {
		return out
	}
	all := map[string]spec.Value{}
	for _, f := range t.Fields {
		if !f.Type.visible() {
			continue
		}
		values := s.of(f.Type, depth+1)
		for _, v := range values[:min(len(values), 3)] {
			if v.Value != nil && len(out) < mostSeeds {
				out = append(out, seed{Value: map[string]spec.Value{f.Name: v.Value}, From: v.From, Why: f.Name + " alone is set"})
			}
		}
		if len(values) > 1 && values[1].Value != nil {
			all[f.Name] = values[1].Value
		}
	}
	if len(all) > 1 {
		out = append(out, edge(all, "all fields are set"))
	}
	return out
}

const mostMade = 40

// constructed returns values made by a constructor; nil for types that need none.
func (s *seeds) constructed(t *Type, depth int) []seed {
	if depth > 1 || t.visible() {
		return nil
	}
	c := s.pkg.constructor(t)
	if c == nil {
		return nil
	}
	if made, ok := s.made[t.Text]; ok {
		return made
	}
	var out []seed
	own := s
	if f := s.pkg.funcs[c.Name]; f != nil {
		own = s.pkg.seedsOf(f) // seeds for the constructor's own inputs
		for _, x := range s.Texts {
			own.Text(x.Value.(string), x.From, x.Why)
		}
		for _, one := range s.pkg.written(&Plan{Signature: c.Signature}, f) {
			who := strings.TrimSuffix(one.Why, " calls it so")
			if who == "the documentation" {
				who += " of " + c.Name
			}
			out = append(out, seed{Value: callOf(c, one), From: one.From, Why: "made as " + who + " does"})
		}
	}
	for _, args := range own.tuples(c.Params, mostMade, depth+1) {
		out = append(out, seed{Value: callOf(c, args), From: args.From, Why: args.Why})
	}
	s.made[t.Text] = out
	return out
}

func callOf(c *Constructor, args testgen.Candidate) spec.Value {
	list := make([]spec.Value, len(args.Args))
	for i, a := range args.Args {
		list[i] = a
	}
	return map[string]spec.Value{spec.CallKey: c.Name, spec.ArgsKey: list}
}

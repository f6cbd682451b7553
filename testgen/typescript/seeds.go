package typescript

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type seed = testgen.Seed

type seeds struct {
	testgen.Seeds

	depth int
}

// longestSeed limits the bytes of a text, mostSeeds the seeds of one kind, mostCandidates the calls of one function.
const (
	longestSeed    = 120
	mostSeeds      = 32
	mostCandidates = 64
)

var (
	quotedInDoc = lazyregexp.New("\"([^\"\n]*)\"|`([^`\n]*)`|'([^'\n]*)'")
	numberInDoc = lazyregexp.New(`(?:^|[\s(=])(-?\d{1,12}(?:\.\d{1,6})?)(?:[\s,.);]|$)`)
)

// pool collects the calls to try: existing calls, then combinations of seeds.
func (p *Package) pool(plan *Plan, d *decl) {
	s := &seeds{Seeds: testgen.Seeds{Longest: longestSeed, Most: mostSeeds}}
	calls := testgen.Pool{Most: mostCandidates, Longest: 399}
	for _, e := range docExamples(d.Doc, d.Name) {
		s.learn(e.args, testgen.FromDoc)
		if args, ok := plan.typed(e.args); ok {
			calls.Add(testgen.Candidate{Args: args, From: testgen.FromDoc, Want: e.want})
		}
	}
	for _, f := range p.tests {
		for _, c := range callsIn(f.Tokens, d.Name) {
			s.learn(c.args, testgen.FromTest)
			if args, ok := plan.typed(c.args); ok {
				calls.Add(testgen.Candidate{Args: args, From: testgen.FromTest})
			}
		}
	}
	s.doc(d.Doc)
	s.literals(d)
	s.tuples(plan.Params, &calls)
	plan.Candidates = calls.Calls
}

// typed adds the parameter types to arguments; false if they do not fit.
func (p *Plan) typed(values []spec.Value) ([]spec.Typed, bool) {
	out := []spec.Typed{}
	for i, in := range p.Params {
		switch {
		case in.Rest:
			rest := []spec.Value{}
			if i < len(values) {
				rest = values[i:]
			}
			if !in.Type.has(rest) {
				return nil, false
			}
			return append(out, in.typed(rest)), true
		case i >= len(values):
			if !in.Optional && !in.Type.has(undefined()) {
				return nil, false
			}
			out = append(out, omitted)
		case tagged(values[i]) == undefinedKey && in.Optional:
			out = append(out, omitted)
		case !in.Type.has(values[i]) || !in.Type.writable():
			return nil, false
		default:
			out = append(out, in.typed(values[i]))
		}
	}
	return out, len(values) <= len(p.Params)
}

var omitted = spec.Typed{Type: "undefined"}

func (in *Param) typed(v spec.Value) spec.Typed {
	if tagged(v) == undefinedKey {
		return omitted
	}
	return spec.Typed{Type: in.label(v), Value: v}
}

var shortType = lazyregexp.New(`^[A-Za-z_$][A-Za-z0-9_$.]*(\[\])*$`)

// label names the type of an argument: the source's name for it if short, else that of the value.
func (in *Param) label(v spec.Value) string {
	if shortType.MatchString(in.Type.Text) && in.Type.Text != "undefined" {
		return in.Type.Text
	}
	return typeOf(v)
}

func (s *seeds) learn(values []spec.Value, from string) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			s.Text(v, from, "")
		case int64:
			s.Number(v, from, "")
		case float64:
			s.Number(number(v), from, "")
		case []spec.Value:
			if s.depth < mostNested {
				s.depth++
				s.learn(v, from)
				s.depth--
			}
		}
	}
}

func (s *seeds) doc(doc string) {
	if len(doc) > longestExample {
		doc = doc[:longestExample]
	}
	for _, m := range quotedInDoc.FindAllStringSubmatch(doc, mostSeeds) {
		s.Text(m[1]+m[2]+m[3], testgen.FromDoc, "")
	}
	for _, m := range numberInDoc.FindAllStringSubmatch(doc, mostSeeds) {
		if v, ok := numberOf(strings.TrimPrefix(m[1], "-")); ok {
			if m[1][0] == '-' {
				v = negative(v)
			}
			s.learn([]spec.Value{v}, testgen.FromDoc)
		}
	}
}

// literals adds the literals of bodies and the neighbours of integers.
func (s *seeds) literals(d *decl) {
	for _, place := range d.file.Places[d.Name] {
		for _, t := range d.file.Tokens[place.Body:place.To] {
			switch t.Kind {
			case ecma.String, ecma.Template:
				if text, ok := textOf(t); ok {
					s.Text(text, testgen.FromLiteral, "")
				}
			case ecma.Number:
				v, _ := numberOf(t.Text)
				if n, ok := v.(int64); ok {
					for _, near := range []int64{n, n + 1, n - 1} {
						s.Number(number(float64(near)), testgen.FromLiteral, "")
					}
				}
			}
		}
	}
}

func (s *seeds) of(t *Type, depth int) []seed {
	if depth > deepest {
		return nil
	}
	var out []seed
	switch t.Kind {
	case Text:
		out = s.strings()
	case Number:
		out = append(slices.Clone(s.Numbers), testgen.Edges(int64(0), int64(1), int64(-1), int64(2), 0.5, int64(100), int64(-100), 1234.5678, int64(1000000), math.NaN())...)
	case Boolean:
		out = testgen.Edges(true, false)
	case BigInt:
		out = testgen.Edges(tag(bigintKey, "0"), tag(bigintKey, "1"), tag(bigintKey, "-1"), tag(bigintKey, "9007199254740993"))
	case Literal:
		out = testgen.Edges(t.Value)
	case Null:
		out = testgen.Edges(nil)
	case Nothing:
		out = testgen.Edges(undefined())
	case Any:
		out = append(slices.Clone(s.Texts), testgen.Edges("a", int64(1), true, nil, []spec.Value{int64(1), "a"}, map[string]spec.Value{"a": int64(1)}, undefined(), 0.5, "")...)
	case Bytes:
		for _, x := range s.Texts[:min(len(s.Texts), 4)] {
			out = append(out, seed{Value: tag(bytesKey, hex.EncodeToString([]byte(x.Value.(string)))), From: x.From})
		}
		out = append(out, testgen.Edges(tag(bytesKey, ""), tag(bytesKey, "00"), tag(bytesKey, "48656c6c6f"), tag(bytesKey, "00ff7f80"))...)
	case Moment:
		out = testgen.Edges(tag(dateKey, "2020-02-29T12:34:56.789Z"), tag(dateKey, "1970-01-01T00:00:00.000Z"), tag(dateKey, "1999-12-31T23:59:59.999Z"), tag(dateKey, "Invalid Date"))
	case Pattern:
		out = testgen.Edges(tag(regexpKey, []spec.Value{"[a-z]+", ""}), tag(regexpKey, []spec.Value{`\d`, "g"}))
	case Array:
		out = testgen.Lists(s.of(t.Elem, depth+1))
	case Tuple:
		out = s.tuplesOf(t, depth)
	case Dictionary:
		out = s.records(t, depth)
	case Object:
		out = s.objects(t, depth)
	case Union:
		out = s.unions(t, depth)
	}
	out = testgen.ByOrigin(out, origins)
	return out[:min(len(out), 2*mostSeeds)]
}

func (s *seeds) strings() []seed {
	return s.Strings(5, func(text string) []string {
		_, last := utf8.DecodeLastRuneInString(text)
		_, first := utf8.DecodeRuneInString(text)
		return []string{text[:len(text)-last], text[first:], text + "x", " " + text, text + text, strings.ToUpper(text)}
	}, "", "a", "0", " ", "fooBar", "foo bar", "Foo_Bar-baz", "-1", "é", "1.2", "a/b", "a=b&c", "😀")
}

func (s *seeds) tuplesOf(t *Type, depth int) []seed {
	lists := make([][]seed, len(t.Elems))
	most := 0
	for i, e := range t.Elems {
		if lists[i] = s.of(e, depth+1); len(lists[i]) == 0 {
			return nil
		}
		most = max(most, len(lists[i]))
	}
	var out []seed
	for n := range min(most, 6) {
		list := make([]spec.Value, len(lists))
		for i := range lists {
			list[i] = lists[i][n%len(lists[i])].Value
		}
		out = append(out, seed{Value: list, From: testgen.FromBoundary})
	}
	return out
}

func (s *seeds) records(t *Type, depth int) []seed {
	values := s.of(t.Elem, depth+1)
	if len(values) == 0 {
		return nil
	}
	keys := []string{"a", "b", "foo"}
	for _, x := range s.Texts {
		if text := x.Value.(string); identifier.MatchString(text) {
			keys = append([]string{text}, keys...)
		}
	}
	one, more := map[string]spec.Value{keys[0]: values[0].Value}, map[string]spec.Value{}
	for i := range min(3, len(keys)) {
		more[keys[i]] = values[i%len(values)].Value
	}
	from := values[0].From
	return append([]seed{{Value: one, From: from}, {Value: more, From: from}}, testgen.Edges(map[string]spec.Value{})...)
}

// objects returns an object with the required fields, and variants of it with one field set or changed.
func (s *seeds) objects(t *Type, depth int) []seed {
	base, from := map[string]spec.Value{}, testgen.FromBoundary
	for _, f := range t.Fields {
		if f.Optional {
			continue
		}
		values := s.of(f.Type, depth+1)
		if len(values) == 0 {
			return nil
		}
		base[f.Name], from = values[0].Value, values[0].From
	}
	out := []seed{{Value: base, From: from}}
	for _, f := range t.Fields {
		if !f.Type.writable() {
			continue
		}
		values := s.of(f.Type, depth+1)
		for _, v := range values[:min(len(values), 3)] {
			if len(out) < mostSeeds && tagged(v.Value) != undefinedKey {
				one := map[string]spec.Value{f.Name: v.Value}
				for name, other := range base {
					if name != f.Name {
						one[name] = other
					}
				}
				out = append(out, seed{Value: one, From: v.From})
			}
		}
	}
	return slices.DeleteFunc(out, func(x seed) bool { return tagged(x.Value) != "" })
}

func (s *seeds) unions(t *Type, depth int) []seed {
	lists := make([][]seed, len(t.Elems))
	for i, e := range t.Elems {
		if e.writable() {
			lists[i] = s.of(e, depth+1)
		}
	}
	var out []seed
	for n := range mostSeeds {
		for _, list := range lists {
			if n < len(list) && len(out) < mostSeeds {
				out = append(out, list[n])
			}
		}
	}
	return out
}

func (s *seeds) values(in Param) []seed {
	var out []seed
	if in.Optional {
		out = append(out, seed{Value: undefined()})
	}
	if !in.Type.writable() {
		return out
	}
	return append(out, s.of(in.Type, 0)...)
}

// tuples combines values of parameters: first all combinations of few values, then each value with the first of the
// others, then values at the same index.
func (s *seeds) tuples(params []Param, calls *testgen.Pool) {
	lists := make([][]seed, len(params))
	for i, in := range params {
		if lists[i] = s.values(in); len(lists[i]) == 0 {
			return
		}
	}
	if len(params) == 0 {
		calls.Add(testgen.Candidate{From: testgen.FromBoundary})
		return
	}
	testgen.Tuples(lists, 8, 6, mostCandidates, mostSeeds, 0, func(at []int) {
		c := testgen.Candidate{}
		for i, list := range lists {
			x := list[at[i]%len(list)]
			c.Args = append(c.Args, params[i].typed(x.Value))
			if slices.Index(origins, x.From) > slices.Index(origins, c.From) {
				c.From = x.From
			}
		}
		c.From = cmp.Or(c.From, testgen.FromBoundary) // all arguments are omitted
		calls.Add(c)
	})
}

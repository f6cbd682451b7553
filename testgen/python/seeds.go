package python

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen/spec"
)

// Where seeds come from, the most telling first.
const (
	fromDoc      = "doc"
	fromTest     = "test"
	fromLiteral  = "literal"
	fromBoundary = "boundary"
)

var origins = []string{fromDoc, fromTest, fromLiteral, fromBoundary}

// seed is a value that may show something, and where it comes from.
type seed struct {
	value spec.Typed
	from  string
}

// seeds are those of one function.
type seeds struct{ texts, numbers []seed }

// longestSeed is how many bytes a text may have to be tried in a combination, and mostSeeds how many of one kind are.
const (
	longestSeed = 80
	mostSeeds   = 24
)

var (
	inDoc   = regexp.MustCompile("\"((?:[^\"\\\\\n]|\\\\.)*)\"|`+([^`\n]*)`+|'((?:[^'\\\\\n]|\\\\.)*)'")
	inWords = regexp.MustCompile(`(?:^|[\s(=])(-?\d{1,15})\b`)
)

func (s *seeds) text(text, from string) {
	if len(text) > longestSeed || !utf8.ValidString(text) || len(s.texts) >= mostSeeds {
		return
	}
	s.texts = append(s.texts, seed{typed(text), from})
}

func (s *seeds) number(n int64, from string) {
	if len(s.numbers) < mostSeeds {
		s.numbers = append(s.numbers, seed{typed(n), from})
	}
}

// seedsOf collects what documentation and code say of the values that a function is made for.
func (m *module) seedsOf(f *function) *seeds {
	s := &seeds{}
	doc := f.Doc[:min(len(f.Doc), longestDoc)]
	for _, match := range inDoc.FindAllStringSubmatch(doc, -1) {
		inner := match[1] + match[2] + match[3]
		if v, ok := literal(tokens(inner), nil); ok && match[2] != "" {
			if quoted, isText := v.(string); isText {
				inner = quoted
			}
		}
		s.text(inner, fromDoc)
	}
	for _, match := range inWords.FindAllStringSubmatch(doc, -1) {
		if n, err := strconv.ParseInt(match[1], 10, 64); err == nil {
			s.number(n, fromDoc)
		}
	}
	s.literals(f.file, f.Symbol)
	for _, ref := range f.Body {
		if near := f.file.symbols[ref.Name]; near != nil && near != f.Symbol && near.Kind != source.Class {
			s.literals(f.file, near)
		}
	}
	return s
}

// literals takes the literals of a declaration, and the numbers on both sides of each. What is said of it is no code.
func (s *seeds) literals(f *file, of *source.Symbol) {
	src := f.sourceOf(of)
	if len(src) > longestDoc {
		return
	}
	toks := tokens(src)
	for i, t := range toks {
		switch {
		case t.kind == tText && t.text != "" && !strings.Contains(t.text, "\n") && (i == 0 || toks[i-1].text != ":"):
			if !strings.ContainsAny(t.text, "%{") {
				s.text(t.text, fromLiteral)
			}
		case t.kind == tNumber:
			v, ok := numberOf(t.text, "")
			if n, isInt := v.(int64); ok && isInt && n < 1<<60 {
				for _, near := range []int64{n, n + 1, n - 1} {
					s.number(near, fromLiteral)
				}
			}
		}
	}
}

// of are the values of a type that are tried, the most telling first.
func (s *seeds) of(t *Type, depth int) []seed {
	if t == nil || depth > 3 {
		return nil
	}
	var out []seed
	edge := func(values ...spec.Value) {
		for _, v := range values {
			out = append(out, seed{typed(v), fromBoundary})
		}
	}
	for _, v := range t.Values {
		out = append(out, seed{typed(v), fromDoc})
	}
	switch t.Kind {
	case typeStr:
		out = s.strings()
	case typeInt:
		out = append(out, s.numbers...)
		edge(int64(0), int64(1), int64(-1), int64(2), int64(7), int64(100), int64(-100), int64(1234), int64(1000000))
	case typeFloat:
		out = append(out, s.numbers...)
		edge(0.0, 1.0, -1.0, 0.5, -2.25, 1e6, 1234.5678)
	case typeBool:
		edge(false, true)
	case typeBytes:
		for _, one := range s.strings() {
			if text := one.value.Value.(string); strings.Trim(text, asciiText) == "" {
				out = append(out, seed{spec.Typed{Type: typeBytes, Value: text}, one.from})
			}
		}
		edge(map[string]spec.Value{typeBytes: "\x00ÿ"})
	case typeNone:
		edge(nil)
	case kindAny:
		out = s.strings()[:min(4, len(s.strings()))]
		edge(nil, int64(1), 0.5, true, []spec.Value{int64(1), "a"})
	case kindUnion:
		for _, o := range t.Of {
			list := s.of(o, depth)
			out = append(out, list[:min(len(list), 12)]...)
		}
	case typeList, typeSet, typeFrozenset, typeTuple, typeTuple + "…", typeDict:
		out = s.containers(t, depth)
	}
	return sorted(out)
}

var asciiText = func() string {
	var b strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		b.WriteByte(c)
	}
	return b.String()
}()

// sorted are seeds by where they come from, each once.
func sorted(list []seed) []seed {
	slices.SortStableFunc(list, func(a, b seed) int { return slices.Index(origins, a.from) - slices.Index(origins, b.from) })
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(x seed) bool {
		text := x.value.String()
		twice := seen[text]
		seen[text] = true
		return twice
	})
}

// strings are the texts, what people mistype of them, and the usual odd ones.
func (s *seeds) strings() []seed {
	out := slices.Clone(s.texts)
	add := func(text string) {
		if text != "" && len(text) <= longestSeed {
			out = append(out, seed{typed(text), fromBoundary})
		}
	}
	for _, x := range s.texts[:min(len(s.texts), 4)] {
		text := x.value.Value.(string)
		if text == "" {
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text)
		for _, odd := range []string{text[:len(text)-size], text + "x", " " + text, text + text, strings.ToUpper(text)} {
			add(odd)
		}
	}
	for _, text := range []string{"a", "hello world", "Hello, World!", "0", "42", "-1", "1.5", " padded  text ", "A b", "camelCase", "snake_case", "é", "a/b", "x=1"} {
		add(text)
	}
	return append(out, seed{typed(""), fromBoundary})
}

// containers are values that hold others: some, one, none.
func (s *seeds) containers(t *Type, depth int) []seed {
	make := func(from string, of string, v ...spec.Value) seed {
		if of == typeSet || of == typeFrozenset {
			v = ordered(v)
		}
		if v == nil {
			v = []spec.Value{}
		}
		return seed{spec.Typed{Type: of, Value: v}, from}
	}
	element := func(i int) []seed {
		if i < len(t.Of) {
			return s.of(t.Of[i], depth+1)
		}
		return []seed{{typed(int64(1)), fromBoundary}, {typed(int64(2)), fromBoundary}, {typed(int64(3)), fromBoundary}}
	}
	kind := strings.TrimSuffix(t.Kind, "…")
	if t.Kind == typeTuple && len(t.Of) > 0 {
		var out []seed
		for i := range 4 {
			var all []spec.Value
			from := fromDoc
			for n := range t.Of {
				list := element(n)
				if len(list) == 0 {
					return nil
				}
				one := list[min(i, len(list)-1)]
				all = append(all, bare(one.value))
				from = origins[max(slices.Index(origins, from), slices.Index(origins, one.from))]
			}
			out = append(out, make(from, kind, all...))
		}
		return out
	}
	elems := element(0)
	if len(elems) == 0 {
		return nil
	}
	if kind == typeDict {
		return s.dicts(elems, element(1))
	}
	pick := func(n, from int) (out []spec.Value) {
		seen := map[string]bool{}
		for i := range min(n, len(elems)) {
			e := elems[(from+i)%len(elems)].value
			if (kind == typeSet || kind == typeFrozenset) && seen[e.String()] {
				continue
			}
			seen[e.String()] = true
			out = append(out, bare(e))
		}
		return out
	}
	first := elems[0].from
	out := []seed{make(first, kind, pick(3, 0)...), make(first, kind, pick(1, 0)...), make(fromBoundary, kind), make(first, kind, pick(4, 1)...)}
	if kind == typeList {
		repeated := pick(2, 0)
		out = append(out, make(first, kind, append(repeated, repeated...)...))
	}
	return out
}

func (s *seeds) dicts(keys, values []seed) []seed {
	if len(keys) == 0 || len(values) == 0 {
		return nil
	}
	build := func(n int) spec.Typed {
		var ks, vs []spec.Value
		for i := range min(n, len(keys)) {
			ks, vs = append(ks, bare(keys[i].value)), append(vs, bare(values[i%len(values)].value))
		}
		return typed(dictOf(ks, vs))
	}
	return []seed{{build(1), keys[0].from}, {build(3), keys[0].from}, {build(0), fromBoundary}}
}

// mostCandidates is how many calls of one function are tried.
const mostCandidates = 150

// pool finds the calls that may become cases: those that documentation and tests show, and combinations of values.
func (m *module) pool(p *Plan, f *function) error {
	seen := map[string]bool{}
	add := func(c Candidate) {
		text := argsText(c.Args)
		if !seen[text] && len(text) < 600 && len(p.Pool) < mostCandidates {
			seen[text] = true
			p.Pool = append(p.Pool, c)
		}
	}
	docs := []string{f.Doc, f.file.Doc}
	if c := f.file.symbols[f.class]; c != nil {
		docs = append(docs, c.Doc)
	}
	var receivers [][]spec.Typed
	for _, doc := range docs {
		for _, one := range doctests(doc) {
			if c, ok := p.shownCandidate(one); ok {
				add(c)
			}
			if p.Receiver != nil && one.class != nil && last(one.class.name) == p.Class {
				if args, ok := bind(*one.class, p.Receiver.Params); ok {
					receivers = append(receivers, args)
				}
			}
		}
	}
	tests, err := m.peopleTests()
	if err != nil {
		return err
	}
	s := m.seedsOf(f)
	receivers = append(receivers, p.receivers(s)...)
	for _, t := range tests {
		for i, one := range uses(t.toks, last(f.Name)) {
			args, ok := bind(one.call, p.Params)
			if ok && p.Receiver != nil {
				if ok = len(receivers) > 0; ok {
					args = append([]spec.Typed{p.receiver(receivers[i%len(receivers)])}, args...)
				}
			}
			if ok && p.fitting(args) == nil {
				add(Candidate{Args: args, From: fromTest})
			}
		}
	}
	p.combine(s, receivers, add)
	return nil
}

// shownCandidate is the call that an example shows, if it is one of the function.
func (p *Plan) shownCandidate(one shown) (Candidate, bool) {
	c := Candidate{From: fromDoc, Want: one.want, Raises: one.raises}
	if one.method != (p.Receiver != nil) || last(one.name) != last(p.Name) {
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
		if !ok || last(one.class.name) != p.Class {
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

// receiver is the argument that stands for an object.
func (p *Plan) receiver(args []spec.Typed) spec.Typed {
	list := make([]spec.Value, len(args))
	for i, a := range args {
		list[i] = a
	}
	return spec.Typed{Type: p.Class, Value: map[string]spec.Value{spec.CallKey: p.Class, spec.ArgsKey: list}}
}

// mostReceivers is how many objects of a class the methods of it are tried on.
const mostReceivers = 8

// receivers are arguments that a class may be made from.
func (p *Plan) receivers(s *seeds) (out [][]spec.Typed) {
	if p.Receiver == nil {
		return nil
	}
	combinations(s, p.Receiver.Params, mostReceivers, func(args []spec.Typed, _ string) { out = append(out, args) })
	return out
}

// bind gives each parameter its argument of a call; what is not given is left to its default, and not told at the end.
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

// trimmed are arguments without the defaults at their end.
func trimmed(args []spec.Typed) []spec.Typed {
	for len(args) > 0 && args[len(args)-1].Type == typeDefault {
		args = args[:len(args)-1]
	}
	return args
}

// combine tries combinations of values.
func (p *Plan) combine(s *seeds, receivers [][]spec.Typed, add func(Candidate)) {
	if p.Receiver == nil {
		combinations(s, p.Params, mostCandidates, func(args []spec.Typed, from string) { add(Candidate{Args: args, From: from}) })
		return
	}
	for i, made := range receivers {
		most := max(mostCandidates/max(len(receivers), 1), 4)
		combinations(s, p.Params, most, func(args []spec.Typed, from string) {
			if from != fromBoundary && i > 0 {
				from = fromBoundary
			}
			add(Candidate{Args: append([]spec.Typed{p.receiver(made)}, args...), From: from})
		})
	}
}

// combinations tells of combinations of the values of parameters: each value of the first with the defaults of the others, then each value
// of each other one, then those at one place in all lists.
func combinations(s *seeds, params []Param, most int, tell func(args []spec.Typed, from string)) {
	lists := make([][]seed, len(params))
	for i, p := range params {
		switch {
		case p.Rest:
			lists[i] = []seed{{spec.Typed{Type: typeDefault}, fromDoc}}
			for _, one := range s.of(&Type{Kind: typeList, Of: []*Type{p.Type}}, 0) {
				if list, ok := one.value.Value.([]spec.Value); ok && p.Type != nil && len(list) > 0 {
					lists[i] = append(lists[i], seed{spec.Typed{Type: typeTuple, Value: list}, one.from})
				}
			}
		default:
			if p.Optional {
				lists[i] = []seed{{spec.Typed{Type: typeDefault}, fromDoc}}
			}
			lists[i] = append(lists[i], s.of(p.Type, 0)...)
		}
		if len(lists[i]) == 0 {
			return
		}
	}
	told := 0
	add := func(at func(i int) int) {
		args, from := make([]spec.Typed, len(params)), fromDoc
		for i, list := range lists {
			one := list[at(i)%len(list)]
			args[i] = one.value
			from = origins[max(slices.Index(origins, from), slices.Index(origins, one.from))]
		}
		if told++; told <= most {
			tell(trimmed(args), from)
		}
	}
	add(func(int) int { return 0 })
	for i := range lists {
		for j := 1; j < len(lists[i]); j++ {
			add(func(n int) int {
				if n == i {
					return j
				}
				return 0
			})
		}
	}
	if len(params) < 2 {
		return
	}
	for shift := range 3 {
		for j := 1; j < mostSeeds; j++ {
			add(func(n int) int { return j + n*shift })
		}
	}
}

func argsText(args []spec.Typed) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
	}
	return b.String()
}

// fitting says what keeps arguments from being those of the function.
func (p *Plan) fitting(args []spec.Typed) error {
	rest := args
	if p.Receiver != nil {
		if len(args) == 0 || args[0].Type != p.Class {
			return fmt.Errorf("it is a method of %s, and no such object is given", p.Class)
		}
		made, ok := madeFrom(args[0])
		if !ok {
			return fmt.Errorf("%s is no object of %s", clip(args[0].String(), 80), p.Class)
		}
		if err := fit(made, p.Receiver.Params, p.Class); err != nil {
			return err
		}
		rest = args[1:]
	}
	return fit(rest, p.Params, p.Symbol)
}

// madeFrom are the arguments of the class that an object is made with.
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
			return fmt.Errorf("%s takes %s, which is not given", name, clip(p.Name, 60))
		case !given:
			skipped = skipped || !p.Rest
			continue
		case p.Rest && args[i].Type != typeTuple:
			return fmt.Errorf("%s takes what %s has as a tuple", name, clip(p.Name, 60))
		case skipped && (p.Rest || p.Positional):
			return fmt.Errorf("%s is given, and what stands before it is not", clip(p.Name, 60))
		case !p.Rest && !p.Type.takes(args[i]):
			return fmt.Errorf("an argument is a %s, and %s takes a %s", clip(args[i].Type, 80), name, clip(p.Type.String(), 80))
		}
		if _, err := write(args[i], 0); err != nil {
			return err
		}
	}
	return nil
}

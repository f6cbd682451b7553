package golang

import (
	"go/ast"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	value spec.Value
	from  string
}

// seeds are those of one function.
type seeds struct {
	planner *Planner
	texts   []seed
	numbers []seed
	made    map[string][]seed // of types with constructors
}

// longestSeed is how many bytes a text may have to stand in a spec, and mostSeeds how many of one kind are tried.
const (
	longestSeed = 120
	mostSeeds   = 40
)

var (
	inDoc   = regexp.MustCompile("\"((?:[^\"\\\\\n]|\\\\.)*)\"|`([^`\n]*)`|“([^”\n]*)”")
	numeral = regexp.MustCompile(`(?:^|[\s(=])(-?\d{1,18})\b`)
)

// seedsOf collects what documentation, tests and code say of the values that a function is made for.
func (p *Planner) seedsOf(f *function) *seeds {
	s := &seeds{planner: p, made: map[string][]seed{}}
	doc := f.decl.Doc.Text()
	for _, m := range inDoc.FindAllStringSubmatch(doc, -1) {
		text := m[1] + m[2] + m[3]
		if unquoted, err := strconv.Unquote(`"` + m[1] + `"`); err == nil && m[1] != "" {
			text = unquoted
		}
		s.text(text, fromDoc)
	}
	for _, m := range numeral.FindAllStringSubmatch(doc, -1) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			s.number(n, fromDoc)
		}
	}
	_, method, ok := strings.Cut(f.name, ".")
	if !ok {
		method = f.name
	}
	for _, t := range p.tests {
		if mentions(t, method) {
			s.literals(t.Body, fromTest)
		}
	}
	s.literals(f.decl.Body, fromLiteral)
	for _, callee := range p.near(f) {
		s.literals(callee.decl.Body, fromLiteral)
	}
	return s
}

// near are the functions of the package that one calls by name, one step far.
func (p *Planner) near(f *function) (out []*function) {
	seen := map[string]bool{f.name: true}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
			seen[id.Name] = true
			if g := p.funcs[id.Name]; g != nil && g.decl.Body != nil {
				out = append(out, g)
			}
		}
		return true
	})
	return out
}

// mentions reports whether a test names a function.
func mentions(d *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

func (s *seeds) text(text, from string) {
	if len(text) <= longestSeed && utf8.ValidString(text) && len(s.texts) < mostSeeds && !slices.ContainsFunc(s.texts, func(o seed) bool { return o.value == text }) {
		s.texts = append(s.texts, seed{text, from})
	}
}

func (s *seeds) number(n int64, from string) {
	if len(s.numbers) < mostSeeds && !slices.ContainsFunc(s.numbers, func(o seed) bool { return o.value == n }) {
		s.numbers = append(s.numbers, seed{n, from})
	}
}

// literals takes the literals of code, and the numbers on both sides of each.
func (s *seeds) literals(body *ast.BlockStmt, from string) {
	if body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		switch lit.Kind {
		case token.STRING:
			if text, err := strconv.Unquote(lit.Value); err == nil && !strings.Contains(text, "%") {
				s.text(text, from)
			}
		case token.CHAR:
			if r, _, _, err := strconv.UnquoteChar(strings.Trim(lit.Value, "'"), '\''); err == nil {
				s.text(string(r), from)
			}
		case token.INT:
			if n, err := strconv.ParseInt(lit.Value, 0, 64); err == nil && n > math.MinInt64 && n < math.MaxInt64 {
				for _, near := range []int64{n, n + 1, n - 1} {
					s.number(near, from)
				}
			}
		}
		return true
	})
}

// of are the values of a type that are tried, the most telling first.
func (s *seeds) of(t *Type, depth int) []seed {
	if made := s.constructed(t, depth); made != nil {
		return made
	}
	var out []seed
	switch t.Kind {
	case Bool:
		out = []seed{{false, fromBoundary}, {true, fromBoundary}}
	case String:
		out = s.strings()
	case Int, Uint:
		out = s.integers(t)
	case Float:
		for _, n := range s.numbers {
			out = append(out, seed{float64(n.value.(int64)), n.from})
		}
		for _, f := range []float64{0, 1, -1, 0.5, -2.25, 1e6} {
			out = append(out, seed{f, fromBoundary})
		}
	case Slice, Array:
		out = s.lists(t, depth)
	case Map:
		out = s.maps(t, depth)
	case Struct:
		out = s.structs(t, depth)
	case Pointer:
		out = s.of(t.Elem, depth)
	case Reader:
		out = s.strings()
	case Context:
		out = []seed{{nil, fromBoundary}}
	case Fault:
		out = []seed{{nil, fromBoundary}, {"failed", fromBoundary}}
	case Any:
		out = []seed{{nil, fromBoundary}, {"a", fromBoundary}, {int64(1), fromBoundary}, {true, fromBoundary}, {0.5, fromBoundary}}
		out = append(out, s.texts...)
	}
	return sorted(out)
}

// sorted are seeds by where they come from, each once.
func sorted(list []seed) []seed {
	slices.SortStableFunc(list, func(a, b seed) int { return slices.Index(origins, a.from) - slices.Index(origins, b.from) })
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(x seed) bool {
		text := (spec.Typed{Value: x.value}).String()
		twice := seen[text]
		seen[text] = true
		return twice
	})
}

// strings are the texts, what people mistype of them, and the usual odd ones.
func (s *seeds) strings() []seed {
	out := slices.Clone(s.texts)
	for _, x := range s.texts[:min(len(s.texts), 6)] {
		text := x.value.(string)
		if text == "" {
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text)
		_, first := utf8.DecodeRuneInString(text)
		for _, odd := range []string{text[:len(text)-size], text[first:], text + "x", " " + text, text + text, "-" + text, strings.ToUpper(text)} {
			if odd != "" && len(odd) <= longestSeed {
				out = append(out, seed{odd, fromBoundary})
			}
		}
	}
	for _, text := range []string{"", "a", "0", " ", "-1", "A b", "é", "1.2", "a/b", "\x00"} {
		out = append(out, seed{text, fromBoundary})
	}
	return out
}

// integers are the numbers that fit into a type, and those at its limits.
func (s *seeds) integers(t *Type) []seed {
	var out []seed
	for _, name := range s.planner.consts[t.Name] {
		if t.Path == "" {
			out = append(out, seed{map[string]spec.Value{constKey: name}, fromLiteral})
		}
	}
	low, high := int64(0), uint64(math.MaxUint64)>>(64-t.Bits)
	if t.Kind == Int {
		low, high = math.MinInt64>>(64-t.Bits), uint64(math.MaxInt64)>>(64-t.Bits)
	}
	fits := func(n int64) bool { return n >= low && (n < 0 || uint64(n) <= high) }
	for _, n := range s.numbers {
		if fits(n.value.(int64)) {
			out = append(out, n)
		}
	}
	for _, n := range []int64{0, 1, -1, 2, 7, 100, -100, 1234} {
		if fits(n) {
			out = append(out, seed{n, fromBoundary})
		}
	}
	if t.Text == "int" || t.Text == "uint" {
		return out // as large as the machine has them
	}
	if t.Kind == Int {
		return append(out, seed{int64(high), fromBoundary}, seed{low, fromBoundary})
	}
	if high > math.MaxInt64 {
		return append(out, seed{high, fromBoundary})
	}
	return append(out, seed{int64(high), fromBoundary})
}

// constKey is the key of a value that is a constant of the package.
const constKey = "const"

func (s *seeds) lists(t *Type, depth int) []seed {
	if t.Kind == Slice && t.Elem.Kind == Uint && t.Elem.Bits == 8 && t.Elem.Name == "" {
		out := s.strings()
		return append(out, seed{nil, fromBoundary})
	}
	elems := s.of(t.Elem, depth+1)
	if len(elems) == 0 {
		return nil
	}
	pick := func(n int, from int) spec.Value {
		list := make([]spec.Value, n)
		for i := range list {
			list[i] = elems[(from+i)%len(elems)].value
		}
		return list
	}
	if t.Kind == Array {
		var out []seed
		for i := range min(4, len(elems)) {
			out = append(out, seed{pick(t.Len, i), elems[i].from})
		}
		return out
	}
	first := elems[0]
	return []seed{
		{pick(min(3, len(elems)), 0), first.from}, {pick(1, 0), first.from}, {[]spec.Value{}, fromBoundary}, {nil, fromBoundary},
		{[]spec.Value{elems[len(elems)-1].value, first.value, first.value}, first.from}, {pick(min(5, len(elems)), 1), first.from},
	}
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
	one, two := map[string]spec.Value{name(keys[0].value): values[0].value}, map[string]spec.Value{}
	for i := range min(3, len(keys)) {
		two[name(keys[i].value)] = values[i%len(values)].value
	}
	if _, odd := keys[0].value.(map[string]spec.Value); odd {
		return []seed{{map[string]spec.Value{}, fromBoundary}, {nil, fromBoundary}}
	}
	return []seed{{one, keys[0].from}, {two, keys[0].from}, {map[string]spec.Value{}, fromBoundary}, {nil, fromBoundary}}
}

// structs are the zero value, and values that set one field, or all.
func (s *seeds) structs(t *Type, depth int) []seed {
	out := []seed{{map[string]spec.Value{}, fromBoundary}}
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
			if v.value != nil && len(out) < mostSeeds {
				out = append(out, seed{map[string]spec.Value{f.Name: v.value}, v.from})
			}
		}
		if len(values) > 1 && values[1].value != nil {
			all[f.Name] = values[1].value
		}
	}
	if len(all) > 1 {
		out = append(out, seed{all, fromBoundary})
	}
	return out
}

// constructed are the values that a constructor makes; nil of types that need none.
func (s *seeds) constructed(t *Type, depth int) []seed {
	if depth > 1 || t.visible() {
		return nil
	}
	c := s.planner.constructor(t)
	if c == nil {
		return nil
	}
	if made, ok := s.made[t.Text]; ok {
		return made
	}
	var out []seed
	own := s
	if f := s.planner.funcs[c.Name]; f != nil {
		own = s.planner.seedsOf(f) // what the constructor is made for
		for _, x := range s.texts {
			own.text(x.value.(string), x.from)
		}
	}
	for _, args := range own.tuples(c.Params, c.Variadic, 12, depth+1) {
		list := make([]spec.Value, len(args.Args))
		for i, a := range args.Args {
			list[i] = a
		}
		out = append(out, seed{map[string]spec.Value{spec.CallKey: c.Name, spec.ArgsKey: list}, args.From})
	}
	s.made[t.Text] = out
	return out
}

// mostCandidates is how many calls of one function are tried.
const mostCandidates = 96

// pool makes the calls that are tried.
func (p *Planner) pool(plan *Plan, f *function) {
	plan.Pool = p.seedsOf(f).tuples(plan.Inputs(), plan.Variadic, mostCandidates, 0)
}

// tuples combines the values of parameters: all of them with each other where they are few, else each with the first of the others, and
// then those at one place in all lists.
func (s *seeds) tuples(params []Param, variadic bool, most, depth int) []Candidate {
	lists := make([][]seed, len(params))
	product := 1
	for i, in := range params {
		if lists[i] = s.of(in.Type, depth); len(lists[i]) == 0 {
			return nil
		}
		product = min(product*len(lists[i]), most+1)
	}
	var out []Candidate
	seen := map[string]bool{}
	add := func(at []int) {
		c := Candidate{From: fromDoc}
		text := ""
		for i, list := range lists {
			x := list[at[i]%len(list)]
			c.Args = append(c.Args, spec.Typed{Type: params[i].Type.Text, Value: x.value})
			if slices.Index(origins, x.from) > slices.Index(origins, c.From) {
				c.From = x.from
			}
			text += c.Args[i].String()
		}
		if !seen[text] && len(out) < most && len(text) < 400 {
			seen[text] = true
			out = append(out, c)
		}
	}
	at := make([]int, len(params))
	if len(params) <= 1 {
		for i := range lists1(lists) {
			add([]int{i})
		}
		if len(params) == 0 {
			add(nil)
		}
		return out
	}
	s.product(lists, most, add)
	for i := range lists {
		for j := range lists[i] {
			clear(at)
			at[i] = j
			add(at)
		}
	}
	for j := range most {
		for i := range at {
			at[i] = j
		}
		add(at)
	}
	return out
}

func lists1(lists [][]seed) []seed {
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// product adds the combinations of as many first values of each list as make half of the most that are tried.
func (s *seeds) product(lists [][]seed, most int, add func(at []int)) {
	width := 1
	for ; width < 12; width++ {
		total := 1
		for range lists {
			total *= width + 1
		}
		if total > most/2 {
			break
		}
	}
	at := make([]int, len(lists))
	var fill func(i int)
	fill = func(i int) {
		if i == len(lists) {
			add(at)
			return
		}
		for j := range min(width, len(lists[i])) {
			at[i] = j
			fill(i + 1)
		}
	}
	if len(lists) <= 8 {
		fill(0)
	}
}

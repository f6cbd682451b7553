package golang

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// pairs are prefixes or suffixes of the names of inverse functions.
var pairs = [][2]string{
	{"Marshal", "Unmarshal"}, {"Encode", "Decode"}, {"Quote", "Unquote"}, {"Escape", "Unescape"}, {"Format", "Parse"}, {"Pack", "Unpack"}, {"Compress", "Decompress"},
	{"Serialize", "Deserialize"}, {"To", "From"},
}

// settled matches names of functions that should be idempotent.
var settled = lazyregexp.New(`^(Clean|Normali[sz]e|Trim|Canonical|Canonicali[sz]e|Squeeze|Squash|Simplify|Dedup|Unique|Uniq|Sort|Sanitize|Abs|Lower|Upper|ToLower|ToUpper|Fold)`)

// findLaws finds the laws that types and names suggest. Running them decides whether they hold.
func (p *Package) findLaws(plan *Plan) {
	base, method, isMethod := strings.Cut(plan.Spec.Symbol, ".")
	switch {
	case !isMethod:
		p.lawsOfFunction(plan)
	default:
		p.lawsOfMethod(plan, base, method)
	}
	if plan.takesText() && plan.modern(18) { // without fuzzing, the table of calls is enough
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.NoPanic, Why: "takes text that anybody may have written"})
	}
}

// takesText reports whether all parameters can be fuzzed and at least one is text.
func (p *Plan) takesText() bool {
	if p.Recv != nil || p.Variadic || len(p.Params) == 0 || len(p.TypeArgs) > 0 {
		return false
	}
	text := false
	for _, in := range p.Params {
		switch {
		case in.Type.Kind == String && in.Type.Name == "", in.Type.Text == "[]byte", in.Type.Text == "[]uint8":
			text = true
		case (in.Type.Kind == Int || in.Type.Kind == Uint || in.Type.Kind == Bool || in.Type.Kind == Float) && in.Type.Name == "":
		default:
			return false
		}
	}
	return text
}

// comparing describes the law of a function that compares two values of one type; empty if it does not compare.
func comparing(name string, out *Type) string {
	switch {
	case comparison.MatchString(name) && out.Text == "int":
		return "a value is as large as itself, and comes before another exactly when that comes after it"
	case precedence.MatchString(name) && out.Text == "bool":
		return "no value comes before itself, nor do two before each other"
	case equality.MatchString(name) && out.Text == "bool":
		return "a value equals itself, and two equal each other or neither the other"
	}
	return ""
}

var (
	comparison = lazyregexp.New(`^(Compare|Cmp)($|\p{Lu})`)
	precedence = lazyregexp.New(`^(Is)?(Less|LessThan|Before)$`)
	equality   = lazyregexp.New(`^(Equals?|Same)($|\p{Lu})`)
)

func (p *Package) lawsOfFunction(plan *Plan) {
	if len(plan.Params) == 2 && len(plan.Results) == 1 && !plan.Variadic && !plan.Fails && plan.Params[0].Type.Text == plan.Params[1].Type.Text {
		if why := comparing(plan.Spec.Symbol, plan.Results[0]); why != "" {
			plan.Laws = append(plan.Laws, testgen.Law{Law: spec.Order, Why: why})
		}
	}
	p.streamed(plan)
	if len(plan.Params) != 1 || len(plan.Results) != 1 || plan.Variadic {
		return
	}
	in, out := plan.Params[0].Type, plan.Results[0]
	made := strings.HasPrefix(plan.Spec.Symbol, "New") && !plan.Fails // accepts any text, so String need not lead back
	if in.Kind == String && in.Name == "" && out.Stringer && out.Path == "" && !made {
		inverse := strings.TrimPrefix(out.Text, "*") + ".String"
		if f := p.funcs[inverse]; f != nil {
			plan.Laws = append(plan.Laws, testgen.Law{Law: spec.RoundTrip, Inverse: inverse, Why: "what " + inverse + " writes, " + plan.Spec.Symbol + " reads as the same"})
		}
	}
	if in.Text == out.Text && !plan.Fails && settled.MatchString(plan.Spec.Symbol) && in.visible() {
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.Idempotent, Why: "a second time there is nothing left to do"})
	}
	if inverse := p.partner(plan.Spec.Symbol); inverse != "" && in.visible() {
		if s := p.signatureOf(inverse); s != nil && len(s.Params) == 1 && len(s.Results) == 1 && s.Params[0].Type.Text == out.Text && s.Results[0].Text == in.Text {
			plan.Laws = append(plan.Laws, testgen.Law{Law: spec.RoundTrip, Inverse: inverse, Why: inverse + " makes of what " + plan.Spec.Symbol + " gives what it was given", Wrapped: s.Fails})
		}
	}
}

// streamed adds the round trip of a function that writes to an io.Writer with one that reads an io.Reader, as Encode
// and Decode do.
func (p *Package) streamed(plan *Plan) {
	inverse := p.partner(plan.Spec.Symbol)
	if inverse == "" || len(plan.Params) != 2 || plan.writer() != 0 || len(plan.Results) > 0 || !plan.Params[1].Type.visible() {
		return
	}
	s := p.signatureOf(inverse)
	if s != nil && len(s.Params) == 1 && s.Params[0].Type.Text == "io.Reader" && len(s.Results) == 1 && s.Results[0].Text == plan.Params[1].Type.Text {
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.RoundTrip, Inverse: inverse, Why: inverse + " reads what " + plan.Spec.Symbol + " wrote as the same", Wrapped: s.Fails})
	}
}

func (p *Package) partner(symbol string) string {
	for _, other := range testgen.Partners(symbol, pairs) {
		if f := p.funcs[other.Name]; f != nil && f.decl.Recv == nil {
			return other.Name
		}
	}
	return ""
}

func (p *Package) signatureOf(symbol string) *Signature {
	f := p.funcs[symbol]
	if f == nil || f.decl.Type.TypeParams != nil {
		return nil
	}
	s := signatureOf(p, f, &resolver{of: p, args: map[string]*Type{}})
	return &s
}

func (p *Package) lawsOfMethod(plan *Plan, base, method string) {
	if back := inverseOf(method); back != "" && len(plan.Params) == 0 && len(plan.Results) == 1 && plan.Fails {
		inverse := base + "." + back
		s := p.signatureOf(inverse)
		if s != nil && len(s.Params) == 1 && len(s.Results) == 0 && s.Fails && (s.Params[0].Type.Text == plan.Results[0].Text || s.Params[0].Type.Kind == Any && s.Params[0].Type.Name == "") && comparable(plan.Recv) {
			plan.Laws = append(plan.Laws, testgen.Law{Law: spec.RoundTrip, Inverse: inverse, Why: "what " + plan.Spec.Symbol + " writes, " + inverse + " reads as the same"})
		}
	}
	if len(plan.Params) != 1 || len(plan.Results) != 1 || plan.Fails || plan.Params[0].Type.Text != plan.Recv.Text {
		return
	}
	if why := comparing(method, plan.Results[0]); why != "" {
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.Order, Why: why})
	}
}

// inverses are the pairs of methods without a common name.
var inverses = map[string]string{"Value": "Scan", "GobEncode": "GobDecode"}

func inverseOf(method string) string {
	if rest, ok := strings.CutPrefix(method, "Marshal"); ok {
		return "Unmarshal" + rest
	}
	return inverses[method]
}

func comparable(t *Type) bool {
	return t.result() || t.Kind == Pointer && (t.Elem.result() || t.Elem.ByPointer)
}

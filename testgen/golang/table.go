package golang

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// longestName limits the bytes of a case's reason in the name of its test.
const longestName = 90

func (g *generator) tests() {
	rows, text := g.alike(g.rows())
	if len(rows) == 0 {
		return
	}
	g.headers = g.plan.HTTP != "" && headers(rows)
	fails, works := false, false
	for _, r := range rows {
		fails, works = fails || r.Want.Error, works || !r.Want.Error
	}
	fields := g.fieldNames()
	g.line("// Why: %s", testgen.OneLine(cmp.Or(strings.TrimSpace(g.spec.Rationale), "its results are recorded."), 600))
	g.line("func %s(t *testing.T) {", g.plan.test())
	g.needs(works && g.floating(text))
	g.line("\ttests := []struct {\n\t\tname string")
	g.columns(fields, text, works)
	if fails && works {
		g.line("\t\twantErr bool")
	}
	g.line("\t}{")
	for _, r := range rows {
		g.row(r, fields, fails && works)
	}
	g.line("\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {")
	g.call(fields, text, fails, works)
	g.line("\t\t})\n\t}\n}")
}

// alike drops the rows whose results have another form than those of the table. text reports which results are compared
// as texts.
func (g *generator) alike(rows []row) (kept []row, text []bool) {
	outs := g.plan.Outputs()
	said := func(w *spec.Want, i int) bool {
		return w.StringOf != nil || !w.Error && w.Values[i].Type == stringOf+outs[i].Text
	}
	text = make([]bool, len(outs))
	for i := range outs {
		text[i] = slices.ContainsFunc(rows, func(r row) bool { return said(r.Want, i) })
	}
	for _, r := range rows {
		odd := false
		for i := range outs {
			odd = odd || !r.Want.Error && said(r.Want, i) != text[i]
		}
		if odd {
			g.misfits[r.ID] = "some cases compare the result of String, and this one a value"
			continue
		}
		kept = append(kept, r)
	}
	return kept, text
}

func (g *generator) needs(floating bool) {
	g.wrappers()
	if g.headers {
		g.values.use("strings")
		fmt.Fprintf(&g.body, responseType, "header, ")
	} else if g.plan.HTTP != "" {
		fmt.Fprintf(&g.body, responseType, "")
	}
	if g.values.headed {
		g.body.WriteString(headedCode)
	}
	if floating {
		g.values.imports["math"] = "math"
		g.body.WriteString(closeCode)
	}
}

func (g *generator) columns(fields []string, text []bool, works bool) {
	for i, name := range fields {
		if name != "" {
			g.line("\t\t%s %s", name, g.values.code(g.plan.given(i)))
		}
	}
	for i, t := range g.plan.Outputs() {
		switch {
		case !works:
		case text[i] || t.Kind == Reader || t == written:
			g.line("\t\t%s string", wantName(i, len(text)))
		default:
			g.line("\t\t%s %s", wantName(i, len(text)), g.values.code(t))
		}
	}
}

func wantName(i, of int) string {
	if of == 1 {
		return "want"
	}
	return "want" + strconv.Itoa(i+1)
}

// fieldNames names the inputs in the table like the parameters, unless the name is taken.
func (g *generator) fieldNames() []string {
	taken := map[string]bool{"name": true, "want": true, "wantErr": true, "f": true, g.plan.qualifier(): true, "": true, "_": true}
	for i := range g.plan.Outputs() {
		taken[wantName(i, len(g.plan.Outputs()))] = true
	}
	var out []string
	for i, in := range g.plan.Inputs() {
		if _, single := fixed[in.Type.Kind]; single {
			out = append(out, "")
			continue
		}
		name := in.Name
		if g.plan.Recv != nil && i == 0 {
			name = "recv"
		}
		for n := i; taken[name]; n++ {
			name = "arg" + strconv.Itoa(n)
		}
		taken[name] = true
		out = append(out, name)
	}
	return out
}

func (g *generator) row(r row, fields []string, errs bool) {
	parts := []string{"name: " + strconv.Quote(strings.TrimSpace(r.ID+" "+testgen.OneLine(r.Why, longestName)))}
	for i, arg := range r.args {
		if fields[i] == "" {
			continue
		}
		parts = append(parts, fields[i]+": "+arg)
	}
	for i, want := range r.want {
		parts = append(parts, wantName(i, len(r.want))+": "+want)
	}
	if r.Want.Error && errs {
		parts = append(parts, "wantErr: true")
	}
	g.line("\t\t{%s},", strings.Join(parts, ", "))
}

// wrappers writes helpers for constructors that may fail.
func (g *generator) wrappers() {
	g.eachWrapped(func(c *Constructor, t *Type, params, names string) {
		g.line("\t%s := func(%s) %s {\n\t\tt.Helper()\n\t\tv, err := %s(%s)", wrapper(c.Name), params, g.values.code(t), g.values.own(c.Name), names)
		g.line("\t\tif err != nil {\n\t\t\tt.Fatalf(\"%s: %%v\", err)\n\t\t}\n\t\treturn v\n\t}", c.Name)
	})
}

// eachWrapped calls do for the types of inputs that are made by a constructor that may fail, with its parameters.
func (g *generator) eachWrapped(do func(c *Constructor, t *Type, params, names string)) {
	seen := map[string]bool{}
	var look func(t *Type)
	look = func(t *Type) {
		if t.Elem != nil && !g.values.made[t.Text] {
			look(t.Elem)
		}
		c := g.plan.Constructors[t.Text]
		if c == nil || !g.values.made[t.Text] || seen[t.Text] {
			return
		}
		seen[t.Text] = true
		var params, names []string
		for i, in := range c.Params {
			name := "a" + strconv.Itoa(i)
			params, names = append(params, name+" "+g.values.code(in.Type)), append(names, name)
		}
		if c.Variadic {
			names[len(names)-1] += "..."
		}
		do(c, t, strings.Join(params, ", "), strings.Join(names, ", "))
	}
	for _, in := range g.plan.Inputs() {
		look(in.Type)
	}
}

func (g *generator) invoke(p *Plan, inputs []string) string {
	if p.Variadic {
		inputs = append(inputs[:len(inputs)-1:len(inputs)-1], inputs[len(inputs)-1]+"...")
	}
	if p.Recv != nil {
		_, method, _ := strings.Cut(p.Spec.Symbol, ".")
		return inputs[0] + "." + method + "(" + strings.Join(inputs[1:], ", ") + ")"
	}
	name := g.values.own(p.Spec.Symbol)
	if len(p.TypeArgs) > 0 {
		name += "[" + strings.Join(p.TypeArgs, ", ") + "]"
	}
	return name + "(" + strings.Join(inputs, ", ") + ")"
}

func (g *generator) call(fields []string, text []bool, fails, works bool) {
	p := g.plan
	inputs := make([]string, len(fields))
	for i, name := range fields {
		t := p.Inputs()[i].Type
		switch {
		case name != "":
			inputs[i] = "tt." + name
		case t.Kind == Writer:
			g.values.use("bytes")
			g.line("\t\t\tvar out bytes.Buffer")
			inputs[i] = "&out"
		default:
			g.values.use(fixed[t.Kind].imports...)
			inputs[i] = fixed[t.Kind].value
		}
	}
	if p.byValue() {
		g.line("\t\t\trecv := tt.recv")
		inputs[0] = "recv"
	}
	if p.HTTP != "" {
		g.answered(inputs)
		return
	}
	gots := p.resultNames(works)
	left := gots
	if p.Fails {
		left = append(append([]string{}, gots...), "err")
	}
	switch {
	case len(left) == 0:
		g.line("\t\t\t%s", g.invoke(p, inputs))
	default:
		g.line("\t\t\t%s := %s", strings.Join(left, ", "), g.invoke(p, inputs))
	}
	shown := p.Spec.Symbol
	if p.Fails {
		g.compareError(shown, fails, works)
	}
	if !works {
		return
	}
	if p.After {
		gots = []string{"recv"}
	} else if p.writer() >= 0 {
		gots = append(gots, "out.String()")
	}
	for i, t := range p.Outputs() {
		g.compare(shown, gots[i], "tt."+wantName(i, len(gots)), t, text[i])
	}
}

// closeName names the helper in a test that compares floating-point numbers; closeCode is its source. Rounding differs
// between machines.
const (
	closeName = "closeTo"
	closeCode = `	closeTo := func(got, want float64) bool {
		return got == want || math.Abs(got-want) <= 1e-9*math.Abs(want) || math.IsNaN(got) && math.IsNaN(want)
	}
`
)

func (g *generator) wide(t *Type, text string) string {
	if t.Text == "float64" {
		return text
	}
	return "float64(" + text + ")"
}

func (g *generator) floating(text []bool) bool {
	for i, t := range g.plan.Outputs() {
		if t.Kind == Float && !text[i] {
			return true
		}
	}
	return false
}

func (p *Plan) resultNames(used bool) []string {
	out := []string{}
	for i := range p.Results {
		switch {
		case !used:
			out = append(out, "_")
		case len(p.Results) > 1:
			out = append(out, "got"+strconv.Itoa(i+1))
		default:
			out = append(out, "got")
		}
	}
	return out
}

func (g *generator) compareError(shown string, fails, works bool) {
	switch {
	case fails && works:
		g.line("\t\t\tif (err != nil) != tt.wantErr {\n\t\t\t\tt.Fatalf(\"%s returned the error %%v, want an error: %%t\", err, tt.wantErr)\n\t\t\t}", shown)
		g.line("\t\t\tif err != nil {\n\t\t\t\treturn\n\t\t\t}")
	case fails:
		g.line("\t\t\tif err == nil {\n\t\t\t\tt.Fatal(\"%s returned no error\")\n\t\t\t}", shown)
	default:
		g.line("\t\t\tif err != nil {\n\t\t\t\tt.Fatalf(\"%s returned the error %%v\", err)\n\t\t\t}", shown)
	}
}

func (g *generator) answered(inputs []string) {
	g.line("\t\t\trec := httptest.NewRecorder()\n\t\t\t%s", g.answer(g.plan, inputs))
	header := ""
	if g.headers {
		g.body.WriteString(headerCode)
		header = "header.String(), "
	}
	g.line("\t\t\tgot := response{rec.Code, rec.Header().Get(\"Content-Type\"), rec.Header().Get(\"Location\"), %srec.Body.String()}", header)
	g.line("\t\t\tif got != tt.want {\n\t\t\t\tt.Errorf(\"%s: got %%+v, want %%+v\", got, tt.want)\n\t\t\t}", g.plan.Spec.Symbol)
}

func (g *generator) compare(shown, got, want string, t *Type, text bool) {
	if t.Kind == Reader {
		g.values.imports["iotest"] = "testing/iotest"
		g.line("\t\t\tif err := iotest.TestReader(%s, []byte(%s)); err != nil {\n\t\t\t\tt.Errorf(\"%s: %%v\", err)\n\t\t\t}", got, want, shown)
		return
	}
	if text {
		if t.Kind == Pointer {
			g.line("\t\t\tif %s == nil {\n\t\t\t\tt.Fatal(\"%s returned nil\")\n\t\t\t}", got, shown)
		}
		g.line("\t\t\tif got := %s.String(); got != %s {\n\t\t\t\tt.Errorf(\"%s: got %%q, want %%q\", got, %s)\n\t\t\t}", got, want, shown, want)
		return
	}
	verb := map[Kind]string{String: "%q", Bool: "%t"}[t.Kind]
	if verb == "" || t.Stringer {
		verb = "%v"
	}
	differ := g.differ(got, want, scalar(t))
	if t.Kind == Float {
		differ = fmt.Sprintf("!%s(%s, %s)", closeName, g.wide(t, got), g.wide(t, want))
	}
	g.line("\t\t\tif %s {\n\t\t\t\tt.Errorf(\"%s: got %s, want %s\", %s, %s)\n\t\t\t}", differ, shown, verb, verb, got, want)
}

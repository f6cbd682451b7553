package golang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func (g *generator) laws() {
	for c := range g.spec.Laws() {
		write := lawWriters[c.Law]
		if write == nil {
			continue
		}
		cases := g.over(c)
		if len(cases) == 0 {
			if g.misfits[c.ID] == "" {
				g.misfits[c.ID] = "its cases are not part of the code"
			}
			continue
		}
		if err := write(g, c, cases); err != nil {
			g.misfits[c.ID] = err.Error()
		}
	}
}

func (g *generator) over(c *spec.Case) (list [][]string) {
	if len(c.Over) == 0 {
		args, err := g.args(c)
		if err != nil {
			g.misfits[c.ID] = err.Error()
			return nil
		}
		return [][]string{args}
	}
	for _, id := range c.Over {
		other := g.spec.Case(id)
		if other == nil || other.Quarantined != "" || g.misfits[id] != "" {
			continue
		}
		if args, err := g.args(other); err == nil {
			list = append(list, args)
		}
	}
	return list
}

var lawWriters = map[spec.Law]func(g *generator, c *spec.Case, cases [][]string) error{
	spec.RoundTrip: (*generator).roundTrip, spec.Idempotent: (*generator).idempotent, spec.Order: (*generator).order, spec.NoPanic: (*generator).noPanic,
}

func (g *generator) open(c *spec.Case, law string) {
	g.line("\n// %s: %s", c.ID, testgen.OneLine(cmp.Or(strings.TrimSpace(c.Why), string(c.Law)), 400))
	g.line("func %s(t *testing.T) {", g.plan.test(law))
	g.wrappers()
}

// listed writes a slice literal and drops the element types, as gofmt -s does.
func (g *generator) listed(t *Type, values []string) string {
	code := g.values.code(t)
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(v, "&"), strings.TrimPrefix(code, "*")); ok && strings.HasPrefix(rest, "{") && (t.Kind != Pointer) == !strings.HasPrefix(v, "&") {
			out[i] = rest
		}
	}
	return "[]" + code + "{" + strings.Join(out, ", ") + "}"
}

func distinct(cases [][]string) (out []string) {
	for _, args := range cases {
		for _, a := range args {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

func (g *generator) roundTrip(c *spec.Case, cases [][]string) error {
	p := g.plan
	inputs := p.Inputs()
	if p.writer() == 0 && len(inputs) == 2 && p.leadsTo(c.Inverse) {
		g.open(c, "roundtrip")
		g.streamed(c.Inverse, cases)
		return nil
	}
	if len(inputs) != 1 || len(p.Results) != 1 || !p.leadsTo(c.Inverse) {
		return fmt.Errorf("%s does not lead back from %s", testgen.OneLine(c.Inverse, 80), p.Spec.Symbol)
	}
	g.open(c, "roundtrip")
	t := p.given(0)
	g.line("\tfor _, in := range %s {", g.listed(t, distinct(cases)))
	_, method, _ := strings.Cut(c.Inverse, ".")
	switch {
	case p.Recv != nil:
		g.marshalled(t, method)
	case strings.HasSuffix(c.Inverse, ".String"):
		g.reparsed()
	default:
		g.assign("there", g.invoke(p, []string{"in"}), p.Spec.Symbol, p.Fails)
		g.back(c.Inverse, "there", scalar(t))
	}
	g.line("\t}\n}")
	return nil
}

func (p *Plan) leadsTo(inverse string) bool {
	return slices.ContainsFunc(p.Laws, func(l testgen.Law) bool { return l.Law == spec.RoundTrip && l.Inverse == inverse })
}

// streamed checks that the inverse reads back the value written to a writer.
func (g *generator) streamed(inverse string, cases [][]string) {
	p := g.plan
	for i := range cases {
		cases[i] = cases[i][1:]
	}
	g.values.imports["bytes"] = "bytes"
	g.line("\tfor _, in := range %s {\n\t\tvar there bytes.Buffer", g.listed(p.Params[1].Type, distinct(cases)))
	call := g.invoke(p, []string{"&there", "in"})
	if p.Fails {
		g.line("\t\tif err := %s; err != nil {\n\t\t\tt.Fatalf(\"%s, for %%v: %%v\", in, err)\n\t\t}", call, p.Spec.Symbol)
	} else {
		g.line("\t\t%s", call)
	}
	g.back(inverse, "&there", false)
	g.line("\t}\n}")
}

// back checks that the inverse gives what the target was given.
func (g *generator) back(inverse, of string, scalar bool) {
	fails := slices.ContainsFunc(g.plan.Laws, func(l testgen.Law) bool { return l.Inverse == inverse && l.Wrapped })
	g.assign("back", g.values.own(inverse)+"("+of+")", inverse, fails)
	g.line("\t\tif %s {\n\t\t\tt.Errorf(\"%%v came back as %%v\", in, back)\n\t\t}", g.differ("back", "in", scalar))
}

// assign calls a function, and ends the test if it returns an error.
func (g *generator) assign(name, call, what string, fails bool) {
	if !fails {
		g.line("\t\t%s := %s", name, call)
		return
	}
	g.line("\t\t%s, err := %s", name, call)
	g.line("\t\tif err != nil {\n\t\t\tt.Fatalf(\"%s, for %%v: %%v\", in, err)\n\t\t}", what)
}

// differ writes a condition that two values differ.
func (g *generator) differ(a, b string, scalar bool) string {
	if scalar {
		return a + " != " + b
	}
	g.values.imports["reflect"] = "reflect"
	return "!reflect.DeepEqual(" + a + ", " + b + ")"
}

// reparsed checks that parsing the String of a value gives the same String.
func (g *generator) reparsed() {
	p := g.plan
	g.assign("v", g.invoke(p, []string{"in"}), p.Spec.Symbol, p.Fails)
	again := g.invoke(p, []string{"v.String()"})
	if p.Fails {
		g.line("\t\tagain, err := %s", again)
		g.line("\t\tif err != nil {\n\t\t\tt.Fatalf(\"%s does not read %%q, which it wrote of %%q: %%v\", v.String(), in, err)\n\t\t}", p.Spec.Symbol)
	} else {
		g.line("\t\tagain := %s", again)
	}
	g.line("\t\tif again.String() != v.String() {\n\t\t\tt.Errorf(\"%%q reads as %%q, and that as %%q\", in, v.String(), again.String())\n\t\t}")
}

func (g *generator) marshalled(t *Type, inverse string) {
	p := g.plan
	_, method, _ := strings.Cut(p.Spec.Symbol, ".")
	g.assign("data", "in."+method+"()", p.Spec.Symbol, true)
	value := t
	if t.Kind == Pointer {
		value = t.Elem
	}
	g.line("\t\tvar again %s\n\t\tif err := again.%s(data); err != nil {\n\t\t\tt.Fatalf(\"%s(%%q): %%v\", data, err)\n\t\t}", g.values.code(value), inverse, inverse)
	if value.Stringer || value.ByPointer {
		g.line("\t\tif again.String() != in.String() {\n\t\t\tt.Errorf(\"%%s came back as %%s\", in.String(), again.String())\n\t\t}")
		return
	}
	original := "in"
	if t.Kind == Pointer {
		original = "*in"
	}
	g.line("\t\tif %s {\n\t\t\tt.Errorf(\"%%v came back as %%v\", %s, again)\n\t\t}", g.differ("again", original, false), original)
}

func (g *generator) idempotent(c *spec.Case, cases [][]string) error {
	p := g.plan
	if len(p.Inputs()) != 1 || len(p.Results) != 1 || p.Fails || p.Recv != nil || p.Params[0].Type.Text != p.Results[0].Text {
		return fmt.Errorf("%s cannot be applied to its result", p.Spec.Symbol)
	}
	t := p.Params[0].Type
	g.open(c, "idempotent")
	g.line("\tfor _, in := range %s {", g.listed(t, distinct(cases)))
	g.line("\t\tonce := %s\n\t\ttwice := %s", g.invoke(p, []string{"in"}), g.invoke(p, []string{"once"}))
	g.line("\t\tif %s {\n\t\t\tt.Errorf(\"%%#v becomes %%#v, and that %%#v\", in, once, twice)\n\t\t}\n\t}\n}", g.differ("twice", "once", scalar(t)))
	return nil
}

func (g *generator) order(c *spec.Case, cases [][]string) error {
	p := g.plan
	inputs := p.Inputs()
	if len(inputs) != 2 || len(p.Results) != 1 || p.Fails || p.Variadic || inputs[0].Type.Text != inputs[1].Type.Text || comparing(testgen.LastName(p.Spec.Symbol), p.Results[0]) == "" {
		return fmt.Errorf("%s compares nothing", p.Spec.Symbol)
	}
	g.open(c, "order")
	list := distinct(cases)
	if p.byValue() {
		for i := range list {
			list[i] = "&" + strings.TrimPrefix(list[i], "&")
		}
	}
	g.line("\tvalues := %s", g.listed(inputs[0].Type, list))
	g.line("\tfor i, a := range values {\n\t\tfor j, b := range values {")
	g.line("\t\t\tab, ba := %s, %s", g.invoke(p, []string{"a", "b"}), g.invoke(p, []string{"b", "a"}))
	verb := "%t"
	switch name := testgen.LastName(p.Spec.Symbol); {
	case p.Results[0].Text == "int":
		verb = "%d"
		g.line("\t\t\tif i == j && ab != 0 || ab > 0 && ba >= 0 || ab < 0 && ba <= 0 || ab == 0 && ba != 0 {")
	case equality.MatchString(name):
		g.line("\t\t\tif i == j && !ab || ab != ba {")
	default:
		g.line("\t\t\tif ab && (i == j || ba) {")
	}
	g.line("\t\t\t\tt.Errorf(\"%s of %%v and %%v is %[2]s, and the other way round %[2]s\", a, b, ab, ba)\n\t\t\t}", p.Spec.Symbol, verb)
	g.line("\t\t}\n\t}\n}")
	return nil
}

// noPanic writes a fuzz test; before Go 1.18, a test of the seeds.
func (g *generator) noPanic(c *spec.Case, cases [][]string) error {
	p := g.plan
	if !p.takesText() {
		return fmt.Errorf("%s has parameters that a fuzzer cannot generate", p.Spec.Symbol)
	}
	var params, names []string
	for i, name := range g.fieldNames() {
		params, names = append(params, name+" "+g.values.code(p.Params[i].Type)), append(names, name)
	}
	g.line("\n// %s: %s", c.ID, testgen.OneLine(cmp.Or(strings.TrimSpace(c.Why), string(c.Law)), 400))
	call := g.invoke(p, names)
	if !p.modern(18) {
		g.line("func %s(t *testing.T) {", p.test("nopanic"))
		for _, args := range cases {
			g.line("\t%s", g.invoke(p, args))
		}
		g.line("}")
		return nil
	}
	g.line("func %s(f *testing.F) {", p.fuzz())
	for _, args := range cases {
		for i := range args { // f.Add needs the exact types
			if t := p.Params[i].Type; scalar(t) && t.Text != "string" && t.Text != "bool" && t.Text != "int" {
				args[i] = t.Text + "(" + args[i] + ")"
			}
		}
		g.line("\tf.Add(%s)", strings.Join(args, ", "))
	}
	g.line("\tf.Fuzz(func(_ *testing.T, %s) {\n\t\t%s\n\t})\n}", strings.Join(params, ", "), call)
	return nil
}

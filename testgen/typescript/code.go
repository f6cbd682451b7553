package typescript

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// generator writes one file, with the tests of the functions of one source file.
type generator struct {
	body    strings.Builder
	imports map[string]map[string]string // local names by path and exported name
	locals  map[string]string            // path and exported name by local name
	vitest  map[string]bool
	check   bool // fast-check is used
	misfits testgen.Misfits
}

// generate generates the test file of some specs.
func generate(specs []testgen.Coded) ([]byte, testgen.Misfits, error) {
	specs = slices.SortedFunc(slices.Values(specs), func(a, b testgen.Coded) int { return strings.Compare(a.File, b.File) })
	g := &generator{imports: map[string]map[string]string{}, locals: map[string]string{}, vitest: map[string]bool{}, misfits: testgen.Misfits{}}
	for _, one := range specs {
		if p := PlanOf(one.Target); one.Spec.Status != spec.Invalidated {
			g.local(p.Import, p.Exported)
			for _, l := range p.Laws {
				if l.Name != "" {
					g.local(p.Import, l.Name)
				}
			}
		}
	}
	for _, one := range specs {
		p := PlanOf(one.Target)
		if one.Spec.Status == spec.Invalidated {
			g.skipped(p, one.Spec)
			continue
		}
		u := &unit{generator: g, plan: p, Coded: one}
		u.tests()
	}
	if g.body.Len() == 0 {
		return nil, g.misfits, nil
	}
	return []byte(testgen.Header(comment, path.Dir(specs[0].File)) + "\n" + g.header() + g.body.String()), g.misfits, nil
}

// taken are the names that tests use themselves.
var taken = testgen.Words("describe expect test fc")

// local returns the name in a test of an exported function, or of the class of a static method.
func (g *generator) local(from, exported string) string {
	base, rest, static := strings.Cut(exported, ".")
	if static {
		rest = "." + rest
	}
	for name, at := range g.locals {
		if at == from+" "+base {
			return name + rest
		}
	}
	name := base
	if base == "default" {
		name = "subject"
	}
	plain := name
	for n := 1; taken[name] || reserved[name] || g.locals[name] != ""; n++ {
		name = plain + "Export" + strings.Repeat("_", n-1)
	}
	g.locals[name] = from + " " + base
	return name + rest
}

// use imports an exported name and returns its local name.
func (g *generator) use(from, exported string) string {
	name := g.local(from, exported)
	base, _, _ := strings.Cut(exported, ".")
	local, _, _ := strings.Cut(name, ".")
	if g.imports[from] == nil {
		g.imports[from] = map[string]string{}
	}
	g.imports[from][base] = local
	return name
}

func (g *generator) header() string {
	var b strings.Builder
	line := func(start string, names []string, from string) {
		n := node{text: start + "{", close: "}", spaced: true, behind: " from " + quote(from) + ";"}
		for _, name := range names {
			n.items = append(n.items, leaf(name))
		}
		n.print(&b, 0, 0, 0)
		b.WriteByte('\n')
	}
	if g.check {
		b.WriteString("import fc from \"fast-check\";\n")
	}
	line("import ", slices.Sorted(maps.Keys(g.vitest)), "vitest")
	for _, from := range slices.Sorted(maps.Keys(g.imports)) {
		start, names := "import ", []string{}
		for _, exported := range slices.Sorted(maps.Keys(g.imports[from])) {
			switch local := g.imports[from][exported]; {
			case exported == "default":
				start += local + ", "
			case local != exported:
				names = append(names, exported+" as "+local)
			default:
				names = append(names, exported)
			}
		}
		if len(names) == 0 {
			b.WriteString(strings.TrimSuffix(start, ", ") + " from " + quote(from) + ";\n")
			continue
		}
		line(start, names, from)
	}
	return b.String()
}

// skipped writes an invalidated spec. It compiles without the target.
func (g *generator) skipped(p *Plan, s *spec.Spec) {
	g.vitest["describe"], g.vitest["test"] = true, true
	fmt.Fprintf(&g.body, "\ndescribe(%s, () => {\n  test.skip(%s, () => {});\n});\n", quote(p.Name), quote(testgen.Skipped(s, p.Name)))
}

type unit struct {
	*generator
	testgen.Coded

	plan  *Plan
	out   strings.Builder
	names []string
}

func (u *unit) misfit(c *spec.Case, why error) { u.misfits.Add(u.File, c.ID, why.Error()) }

// row is a case that is a call with a result.
type row struct {
	*spec.Case
	args []node
	want node
}

// undefinedCode is the code, and the type in specs, of an omitted argument.
const undefinedCode = "undefined"

func (p *Plan) args(c *spec.Case) ([]node, error) {
	if len(c.Args) != len(p.Params) {
		return nil, fmt.Errorf("%d arguments are given, and %s takes %d", len(c.Args), p.Name, len(p.Params))
	}
	out := make([]node, len(p.Params))
	for i, in := range p.Params {
		a := c.Args[i]
		if a.Type == undefinedCode && (a.Value == nil || tagged(a.Value) == undefinedKey) && !in.Rest {
			if !in.Optional && !in.Type.has(undefined()) {
				return nil, fmt.Errorf("%s may not be left out", in.Name)
			}
			out[i] = leaf(undefinedCode)
			continue
		}
		if a.Type != in.label(a.Value) {
			return nil, fmt.Errorf("an argument is a %s, and %s takes a %s", testgen.OneLine(a.Type, 80), p.Name, in.Type.Text)
		}
		if err := in.Type.holds(a.Value); err != nil {
			return nil, err
		}
		var err error
		if out[i], err = code(a.Value, 0); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func wantCode(w *spec.Want) (node, error) {
	if w.StringOf != nil || len(w.Values) != 1 {
		return node{}, fmt.Errorf("one value is wanted, with its type")
	}
	v := w.Values[0]
	if v.Type != typeOf(v.Value) {
		return node{}, fmt.Errorf("%s is no %s", testgen.OneLine(v.String(), 80), testgen.OneLine(v.Type, 40))
	}
	return code(v.Value, 0)
}

// rows returns the cases that are calls, split into those with a result and those that throw.
func (u *unit) rows() (works, fails []row) {
	for c := range u.Spec.Calls() {
		r := row{Case: c}
		var err error
		if r.args, err = u.plan.args(c); err == nil && !c.Want.Error {
			r.want, err = wantCode(c.Want)
		}
		switch {
		case err != nil:
			u.misfit(c, err)
		case c.Want.Error:
			fails = append(fails, r)
		default:
			works = append(works, r)
		}
	}
	return works, fails
}

func (u *unit) tests() {
	works, fails := u.rows()
	u.names = u.paramNames()
	if len(works) > 0 {
		u.table(works, true)
	}
	if len(fails) > 0 {
		u.table(fails, false)
	}
	for c := range u.Spec.Laws() {
		if err := u.law(c); err != nil {
			u.misfit(c, err)
		}
	}
	if u.out.Len() == 0 {
		return
	}
	u.vitest["describe"], u.vitest["test"] = true, true
	fmt.Fprintf(&u.body, "\n%sdescribe(%s, () => {\n%s});\n", commented("Why: "+testgen.OneLine(cmp.Or(strings.TrimSpace(u.Spec.Rationale), "its results are recorded."), 600)), quote(u.plan.Name), strings.TrimPrefix(u.out.String(), "\n"))
}

// title starts with the case ID, by which a run identifies failures.
func title(c *spec.Case) string { return strings.TrimSpace(c.ID + " " + testgen.OneLine(c.Why, 90)) }

// used counts the parameters up to the last one that any row passes.
func (u *unit) used(rows []row) int {
	n := 0
	for _, r := range rows {
		for i, a := range r.args {
			if a.text != undefinedCode || u.plan.Params[i].Rest {
				n = max(n, i+1)
			}
		}
	}
	return n
}

func (u *unit) table(rows []row, works bool) {
	u.vitest["expect"] = true
	if len(rows) == 1 {
		u.single(rows[0], works)
		return
	}
	used := u.used(rows)
	list := node{text: "test.each" + u.rowType(rows, used, works) + "([", close: "]", broken: true}
	equal := "toBe"
	for _, r := range rows {
		one := node{text: "[", close: "]", items: []node{leaf(quote(title(r.Case)))}}
		one.items = append(one.items, r.args[:used]...)
		if works {
			one.items = append(one.items, r.want)
			equal = matcher(r.want, equal)
		}
		list.items = append(list.items, one)
	}
	names := append([]string{"_case"}, u.names[:used]...)
	if works {
		names = append(names, "want")
	}
	u.out.WriteString("\n  ")
	list.print(&u.out, 2, 2, 0)
	late := u.late()
	head, indent := `)("%s", `+late+"("+strings.Join(names, ", ")+") => {", 4
	if len("  ]"+head) > width {
		head, indent = ")(\n    \"%s\",\n    "+late+"("+strings.Join(names, ", ")+") => {", 6
	}
	u.out.WriteString(head + "\n")
	u.expect(u.names[:used], equal, works, indent)
	if indent == 6 {
		u.out.WriteString("    },\n  );\n")
		return
	}
	u.out.WriteString("  });\n")
}

func (u *unit) late() string {
	if u.plan.Late {
		return "async "
	}
	return ""
}

func matcher(want node, otherwise string) string {
	if want.close != "" || strings.HasPrefix(want.text, "new ") {
		return "toEqual"
	}
	return otherwise
}

func (u *unit) expect(args []string, equal string, works bool, indent int) {
	call := u.call(args)
	n := node{text: "expect(", close: ")", items: []node{leaf(call)}, behind: "." + equal + "(want);"}
	switch {
	case works && u.plan.Late:
		n.items[0] = leaf("await " + call)
	case !works && u.plan.Late:
		n.text, n.items[0], n.behind = "await expect(", leaf("async () => "+call), ".rejects.toThrow();"
	case !works:
		n.items[0], n.behind = leaf("() => "+call), ".toThrow();"
	}
	u.out.WriteString(strings.Repeat(" ", indent))
	n.print(&u.out, indent, indent, 0)
	u.out.WriteString("\n")
}

// single writes the test of one case, without a table.
func (u *unit) single(r row, works bool) {
	u.opening(r.Case, u.late())
	used := u.used([]row{r})
	for i, a := range r.args[:used] {
		declared := ""
		if !u.plan.Params[i].Type.plain() || a.text == undefinedCode || a.close != "" && len(a.items) == 0 {
			declared = ": " + u.paramType(i)
		}
		u.constant(u.names[i]+declared, a)
	}
	if works {
		u.constant("want", r.want)
	}
	u.expect(u.names[:used], matcher(r.want, "toBe"), works, 4)
	u.out.WriteString("  });\n")
}

func (u *unit) constant(name string, value node) {
	start := "    const " + name + " ="
	switch {
	case value.close == "" && len([]rune(start+" "+value.flat()+";")) > width:
		u.out.WriteString(start + "\n      " + value.flat())
	default:
		u.out.WriteString(start + " ")
		value.print(&u.out, 4, len([]rune(start))+1, 1)
	}
	u.out.WriteString(";\n")
}

func (u *unit) call(args []string) string {
	args = slices.Clone(args)
	if n := len(args); n > 0 && n == len(u.plan.Params) && u.plan.Params[n-1].Rest {
		args[n-1] = "..." + args[n-1]
	}
	return u.use(u.plan.Import, u.plan.Exported) + "(" + strings.Join(args, ", ") + ")"
}

// rowType returns the type arguments of a table if they cannot be inferred.
func (u *unit) rowType(rows []row, used int, works bool) string {
	needed := false
	parts := []string{"string"}
	for i, in := range u.plan.Params[:used] {
		needed = needed || !in.Type.plain() || in.Type.Kind == Any && len(rows) > 1
		parts = append(parts, u.paramType(i))
	}
	if !needed {
		return ""
	}
	if works {
		parts = append(parts, "unknown")
	}
	list := node{text: "[", close: "]"}
	for _, part := range parts {
		list.items = append(list.items, leaf(part))
	}
	if text := "<" + list.flat() + ">"; len("  test.each([")+len(text) <= width {
		return text
	}
	var b strings.Builder
	list.print(&b, 4, 4, 0)
	return "<\n    " + b.String() + "\n  >"
}

// paramType returns the type of a parameter in terms that a test can name.
func (u *unit) paramType(i int) string {
	in := u.plan.Params[i]
	if in.Type.Foreign {
		text := "Parameters<typeof " + u.use(u.plan.Import, u.plan.Exported) + ">[" + strconv.Itoa(i) + "]"
		if in.Rest {
			return in.Type.Text
		}
		return text
	}
	if in.Optional {
		return in.Type.Text + " | undefined"
	}
	return in.Type.Text
}

var reserved = testgen.Words(`arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for
	function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined
	var void while with yield async of`)

// paramNames names the parameters in tests as in the source, unless the name is taken.
func (u *unit) paramNames() []string {
	used := map[string]bool{"want": true, "_case": true, "once": true, "values": true}
	var out []string
	for i, in := range u.plan.Params {
		name := in.Name
		for n := i; used[name] || taken[name] || reserved[name] || u.locals[name] != "" || !identifier.MatchString(name); n++ {
			name = "arg" + strconv.Itoa(n)
		}
		used[name] = true
		out = append(out, name)
	}
	return out
}

// directives are words that tools treat as a directive at the start of a comment.
var directives = []string{"eslint", "istanbul", "jshint", "jslint", "global", "globals", "exported", "prettier", "biome", "deno", "c8", "v8", "node", "webpack", "vite"}

// commented wraps a text as a comment that contains no directive.
func commented(text string) string {
	text = strings.NewReplacer("@vitest-", "@ vitest-", "@jest-", "@ jest-", "sourceMappingURL", "source-mapping-URL").Replace(text)
	var b strings.Builder
	line := "//"
	for word := range strings.FieldsSeq(text) {
		head, _, _ := strings.Cut(strings.ToLower(word), "-")
		if len([]rune(line))+1+len([]rune(word)) > width && line != "//" && !strings.ContainsAny(word[:1], "@#/*<!") && !slices.Contains(directives, head) {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
	return b.String()
}

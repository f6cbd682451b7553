package python

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Test is a function in a generated file.
type Test struct {
	Name string
	Spec string // path of its spec
	Case string // case ID; empty for a table, whose rows have their own
}

// Tests generates the test file of some specs of one module, and lists its functions. Cases that no longer fit their
// target are left out and listed in misfits, by spec and ID.
func Tests(specs []testgen.Coded) (data []byte, tests []Test, misfits testgen.Misfits) {
	w := &writer{names: scope{}, imports: map[string]bool{}, own: map[string]bool{}, misfits: testgen.Misfits{}}
	for _, one := range specs {
		w.spec(one, PlanOf(one.Target))
	}
	if w.body.Len() == 0 {
		return nil, nil, w.misfits
	}
	return []byte(testgen.Header(comment, path.Dir(specs[0].File)) + "\n" + w.importLines() + w.body.String()), w.tests, w.misfits
}

type writer struct {
	body    strings.Builder
	names   scope // function names in use
	imports map[string]bool
	own     map[string]bool // names to import from the module
	tests   []Test
	misfits testgen.Misfits

	// state of the current spec
	coded testgen.Coded
	plan  *Plan
	said  bool // its rationale has been written
}

// local renames imports that pytest would collect as tests, and those that clash with names in tests.
func local(name string) string {
	if soft[name] || strings.HasPrefix(strings.ToLower(name), "test") {
		return "the_" + name
	}
	return name
}

// use imports a dotted name of the module and returns it as a test writes it.
func (w *writer) use(name string) string {
	first, rest, _ := strings.Cut(name, ".")
	w.own[first] = true
	return strings.TrimSuffix(local(first)+"."+rest, ".")
}

// ownImport imports names, never the module itself, whose name may be shadowed in its package.
func (w *writer) ownImport(module string) string {
	var names []string
	for name := range w.own {
		if local(name) != name {
			name += " as " + local(name)
		}
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { // isort's order: constants, classes, functions
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	line := "from " + module + " import " + strings.Join(names, ", ")
	if len(line) > width {
		line = "from " + module + " import (\n    " + strings.Join(names, ",\n    ") + ",\n)"
	}
	return line
}

func rank(name string) int {
	switch {
	case name == strings.ToUpper(name) && len(name) > 1:
		return 0
	case name[:1] == strings.ToUpper(name[:1]):
		return 1
	}
	return 2
}

// importLines groups imports as isort does: standard library, installed packages, project.
func (w *writer) importLines() string {
	var groups [3][]string
	for line := range w.imports {
		switch first := strings.Fields(line)[1]; {
		case first == "contextlib":
			groups[0] = append(groups[0], line)
		case first == "pytest" || first == "hypothesis":
			groups[1] = append(groups[1], line)
		default:
			groups[2] = append(groups[2], line)
		}
	}
	if len(w.own) > 0 {
		groups[2] = append(groups[2], w.ownImport(w.plan.Spec.Pkg))
	}
	out := ""
	for _, g := range groups {
		slices.SortFunc(g, func(a, b string) int { // plain imports first
			return strings.Compare(strings.Replace(a, "import ", "0 ", 1), strings.Replace(b, "import ", "0 ", 1))
		})
		if len(g) > 0 {
			out += "\n" + strings.Join(g, "\n") + "\n"
		}
	}
	return out
}

func (w *writer) misfit(c *spec.Case, why error) { w.misfits.Add(w.coded.File, c.ID, why.Error()) }

func stem(p *Plan) string { return strings.ToLower(strings.ReplaceAll(p.Name, ".", "_")) }

func (w *writer) spec(one testgen.Coded, p *Plan) {
	w.coded, w.plan, w.said = one, p, false
	if one.Spec.Status == spec.Invalidated {
		w.skipped(one.Spec)
		return
	}
	for _, t := range w.tables() {
		w.table(t)
	}
	for c := range one.Spec.Laws() {
		if err := w.law(c); err != nil {
			w.misfit(c, err)
		}
	}
}

// function registers a test and returns a unique name for it.
func (w *writer) function(name, of string) string {
	name = w.names.name(name)
	w.tests = append(w.tests, Test{name, w.coded.File, of})
	return name
}

// skipped writes an invalidated spec. It imports nothing from the target.
func (w *writer) skipped(s *spec.Spec) {
	w.imports["import pytest"] = true
	reason := quoted(testgen.Skipped(s, s.Target.Symbol))
	w.body.WriteString("\n\n" + callText("@pytest.mark.skip", []string{"reason=" + reason}, 0) + "\n")
	fmt.Fprintf(&w.body, "def %s():\n%s", w.function("test_"+stem(w.plan), ""), w.docstring(s.Rationale))
}

func (w *writer) docstring(why string) string {
	why = strings.NewReplacer(`\`, `\\`, `"`, `'`).Replace(testgen.OneLine(why, 1000))
	if why == "" {
		why = "It holds what callers rely on."
	}
	lines := wrap(why, width-len(`    """`)-3)
	if len(lines) == 1 {
		return `    """` + lines[0] + `"""` + "\n"
	}
	return `    """` + strings.Join(lines, "\n    ") + "\n    \"\"\"\n"
}

// reason returns the docstring of the first test of a spec, and nothing for the others.
func (w *writer) reason() string {
	if w.said {
		return ""
	}
	w.said = true
	return w.docstring(w.coded.Spec.Rationale)
}

type row struct {
	*spec.Case
	values []string // sources of the arguments, then of the result
}

// table is a test of the cases with the same call shape and kind of result.
type table struct {
	how   shape
	sort  string // sortValue, sortText or sortError
	close bool   // compare numbers approximately
	truth bool   // all results are True, False or None
	fault string // exception class
	rows  []row
}

func (w *writer) tables() (out []*table) {
	for c := range w.coded.Spec.Calls() {
		t, r, err := w.plan.row(c)
		if err == nil && t.fault != "" {
			t.fault, err = w.exception(t.fault)
		}
		if err != nil {
			w.misfit(c, err)
			continue
		}
		at := slices.IndexFunc(out, func(o *table) bool { return o.sort == t.sort && o.fault == t.fault && o.how.key() == t.how.key() })
		if at < 0 {
			at, out = len(out), append(out, t)
		}
		out[at].close = out[at].close || t.close
		out[at].truth = out[at].truth && t.truth
		out[at].rows = append(out[at].rows, r)
	}
	return out
}

const (
	sortValue = "value"
	sortText  = "text"
	sortError = "error"
)

// row converts a case to a table row, with a table of its form.
func (p *Plan) row(c *spec.Case) (*table, row, error) {
	how, values, err := p.given(c.Args)
	if err != nil {
		return nil, row{}, err
	}
	t := &table{how: how, sort: sortValue}
	switch wanted := c.Want; {
	case wanted.Error:
		t.sort, t.fault = sortError, cmp.Or(c.Raises, "Exception")
	case wanted.StringOf != nil:
		t.sort = sortText
		values = append(values, quoted(*wanted.StringOf))
	case len(wanted.Values) != 1:
		return nil, row{}, fmt.Errorf("%d results are wanted, and a function gives one", len(wanted.Values))
	default:
		v, err := write(wanted.Values[0], 0)
		if err != nil {
			return nil, row{}, err
		}
		t.truth = v == "None" || v == "True" || v == "False"
		t.close = wanted.Values[0].Type == typeFloat && len(strings.Trim(v, "-0.")) > 15
		values = append(values, v)
	}
	return t, row{c, values}, nil
}

// exception returns the name of an exception class in a test, and imports it.
func (w *writer) exception(name string) (string, error) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		if builtinErrors[name] {
			return name, nil
		}
		return "", errors.New("there is no exception " + testgen.Clip(name, 60))
	}
	module := name[:at]
	for _, part := range strings.Split(name, ".") {
		if !identifier.MatchString(part) || reserved[part] {
			return "", errors.New(testgen.Clip(name, 60) + " is no name of an exception")
		}
	}
	if module == w.plan.Spec.Pkg {
		return w.use(name[at+1:]), nil
	}
	first, _, _ := strings.Cut(module, ".")
	if mine, _, _ := strings.Cut(w.plan.Spec.Pkg, "."); first != mine {
		return "", errors.New(testgen.Clip(name, 60) + " is no exception of this project")
	}
	w.imports["import "+module] = true
	return name, nil
}

func (w *writer) table(t *table) {
	name := "test_" + stem(w.plan) + t.how.suffix()
	target := w.use(w.plan.Name)
	columns := t.how.columns(taken(target, t.fault))
	names := slices.Clone(columns.names)
	invoked := columns.call(target)
	var check string
	switch t.sort {
	case sortError:
		name += "_refuses"
		check = "    with pytest.raises(" + t.fault + "):\n        " + invoked + "\n"
	case sortText:
		check = assertion("str("+invoked+") == ", "expected")
	default:
		operator, wanted := " == ", "expected"
		if t.close {
			wanted = "pytest.approx(expected, rel=1e-12)"
		} else if t.truth {
			operator = " is "
		}
		check = assertion(invoked+operator, wanted)
	}
	if t.sort != sortError {
		names = append(names, "expected")
	}
	if t.sort == sortError || t.close {
		w.imports["import pytest"] = true
	}
	if len(columns.names) == 0 && len(t.rows) == 1 && t.sort != sortError {
		names, check = nil, strings.Replace(check, "expected", t.rows[0].values[0], 1)
	}
	w.parametrized(name, names, t.rows, check)
}

func assertion(left, right string) string {
	if line := "    assert " + left + right; len(line) <= width {
		return line + "\n"
	}
	return "    assert (\n        " + strings.TrimRight(left, " ") + " " + right + "\n    )\n"
}

// parametrized writes a test over rows, without a table if there are no columns.
func (w *writer) parametrized(name string, columns []string, rows []row, check string) {
	if len(columns) == 0 {
		w.body.WriteString("\n\n")
		fmt.Fprintf(&w.body, "def %s():\n%s%s", w.function(name, rows[0].ID), w.reason(), check)
		return
	}
	w.imports["import pytest"] = true
	heads := quoted(columns[0])
	if len(columns) > 1 {
		parts := make([]string, len(columns))
		for i, c := range columns {
			parts[i] = quoted(c)
		}
		heads = "(" + strings.Join(parts, ", ") + ")"
	}
	w.body.WriteString("\n\n@pytest.mark.parametrize(\n    " + heads + ",\n    [\n")
	for _, r := range rows {
		id := r.ID
		if why := testgen.OneLine(r.Why, 60); why != "" {
			id += " " + why
		}
		w.body.WriteString(callText("        pytest.param", append(slices.Clone(r.values), "id="+quoted(id)), 8) + ",\n")
	}
	w.body.WriteString("    ],\n)\n")
	fmt.Fprintf(&w.body, "%s%s%s", defLine(w.function(name, ""), columns), w.reason(), check)
}

// taken returns the names that columns must not have.
func taken(used ...string) scope {
	s := scope{}
	for _, name := range used {
		first, _, _ := strings.Cut(name, ".")
		s[first] = true
	}
	return s
}

func (w *writer) law(c *spec.Case) error {
	p := w.plan
	if c.Law == spec.NoPanic {
		return w.noPanic(c)
	}
	var rows []row
	var how shape
	for _, id := range c.Over {
		over := w.coded.Spec.Case(id)
		if over == nil || !over.Coded() || over.Want == nil || over.Want.Error {
			continue
		}
		one, values, err := p.given(over.Args)
		if err != nil || len(rows) > 0 && one.key() != how.key() {
			continue // called in another way than the others
		}
		how, rows = one, append(rows, row{over, values})
	}
	if len(rows) == 0 {
		return errors.New("no case is left that it is over")
	}
	if c.Inverse != "" && !dotted(c.Inverse) {
		return errors.New(testgen.Clip(c.Inverse, 60) + " is no name")
	}
	columns := how.columns(taken(local(p.Name), local(c.Inverse)))
	if len(columns.names) == 0 || p.Receiver != nil || columns.parts[0].keyword {
		return errors.New("there is nothing that it could be given again")
	}
	target := w.use(p.Name)
	name, once := "test_"+stem(p), columns.call(target)
	again := func(of, value string) string { // again passes value as the first argument, and the others unchanged
		next := columns
		next.parts = slices.Clone(columns.parts)
		next.parts[0].column = value
		return next.call(of)
	}
	var check string
	switch c.Law {
	case spec.Idempotent:
		name += "_idempotent"
		check = "    once = " + once + "\n" + assertion(again(target, "once")+" == ", "once")
	case spec.RoundTrip:
		name += "_roundtrip"
		inverse := w.use(c.Inverse)
		if p.reads() {
			check = "    once = " + once + "\n" + assertion(again(target, inverse+"(once)")+" == ", "once")
		} else {
			check = assertion(inverse+"("+once+") == ", columns.names[0])
		}
	default:
		return fmt.Errorf("the law %s is none that functions of Python are held to", c.Law)
	}
	w.parametrized(name, columns.names, rows, check)
	w.tests[len(w.tests)-1].Case = c.ID
	return nil
}

// reads reports whether a function parses the output of its inverse.
func (p *Plan) reads() bool {
	for _, l := range p.Laws {
		if l.Law == spec.RoundTrip {
			return strings.HasPrefix(l.Why, "what ")
		}
	}
	return false
}

func dotted(name string) bool {
	return name != "" && !slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !identifier.MatchString(part) || reserved[part] })
}

// noPanic writes a property test with hypothesis.
func (w *writer) noPanic(c *spec.Case) error {
	p := w.plan
	if !p.Hypothesis || p.Receiver != nil || len(p.Params) == 0 || p.Params[0].Type == nil {
		return errors.New("hypothesis is none of the project's tools")
	}
	strategy := "st.text()"
	if p.Params[0].Type.Kind == typeBytes {
		strategy = "st.binary()"
	}
	target := w.use(p.Name)
	column := taken(target).name(p.Params[0].Name)
	line := "    " + target + "(" + column + ")\n"
	var refused []string
	for o := range w.coded.Spec.Calls() {
		if o.Want.Error && p.fitting(o.Args) == nil {
			fault, err := w.exception(cmp.Or(o.Raises, "Exception"))
			if err == nil && !slices.Contains(refused, fault) {
				refused = append(refused, fault)
			}
		}
	}
	if slices.Sort(refused); len(refused) > 0 {
		w.imports["import contextlib"] = true
		line = "    with contextlib.suppress(" + strings.Join(refused, ", ") + "):\n    " + line
	}
	w.imports["from hypothesis import given, settings"], w.imports["from hypothesis import strategies as st"] = true, true
	fmt.Fprintf(&w.body, "\n\n@settings(derandomize=True, deadline=None)\n@given(%s)\ndef %s(%s):\n%s%s", strategy, w.function("test_"+stem(p)+"_no_panic", c.ID), column, w.reason(), line)
	return nil
}

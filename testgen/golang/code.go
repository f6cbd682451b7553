package golang

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	reader "github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Stems gives each symbol of a package the stem of its test file's name: lower case with _ for dots, and a suffix to
// avoid build constraints and duplicates.
func Stems(symbols []string) map[string]string {
	out, taken := map[string]string{}, map[string]bool{}
	for _, symbol := range slices.Sorted(slices.Values(symbols)) {
		stem := strings.ToLower(strings.ReplaceAll(symbol, ".", "_"))
		plain := stem
		for n := 1; taken[stem] || reader.Guard(File("", stem), &ast.File{}) != ""; n++ {
			stem = plain + "_" + strconv.Itoa(n)
		}
		taken[stem], out[symbol] = true, stem
	}
	return out
}

// prefix sorts generated files after all others in a directory.
const prefix = "zz_causal_"

// File returns the test file of a stem.
func File(dir, stem string) string { return path.Join(dir, prefix+stem+"_test.go") }

// Owns reports whether the name of a file is that of a generated test file.
func Owns(file string) bool {
	base := path.Base(file)
	return strings.HasPrefix(base, prefix) && strings.HasSuffix(base, "_test.go")
}

// test returns the name of a test of the target; suffix is empty for the table of calls.
func (p *Plan) test(suffix ...string) string {
	return "Test" + p.ident() + strings.Join(append([]string{""}, suffix...), "_") + "_causal"
}

func (p *Plan) fuzz() string { return "Fuzz" + p.ident() + "_causal" }

// TestOf returns the name of the test of a case, including the subtest of a table row.
func TestOf(t *testgen.Target, c *spec.Case) string {
	p := PlanOf(t)
	switch {
	case c.Want != nil:
		return p.test() + "/" + c.ID
	case c.Law == spec.NoPanic && p.modern(18):
		return p.fuzz()
	}
	return p.test(strings.ReplaceAll(string(c.Law), "_", ""))
}

// ident is the symbol as a part of a name, with the suffix that its file has.
func (p *Plan) ident() string {
	name := strings.ReplaceAll(p.Spec.Symbol, ".", "_")
	if suffix, ok := strings.CutPrefix(p.stem, strings.ToLower(name)); ok {
		name += suffix
	}
	first := []rune(name)[0]
	return string(unicode.ToUpper(first)) + name[len(string(first)):]
}

// code generates the tests of a spec. Those of an invalidated spec compile whatever happened to the target.
func code(one testgen.Coded) ([]byte, testgen.Misfits, error) {
	p := PlanOf(one.Target)
	if one.Spec.Status == spec.Invalidated {
		return fmt.Appendf(nil, "%s\n\npackage %s_test\n\nimport \"testing\"\n\nfunc %s(t *testing.T) {\n\tt.Skip(%s)\n}\n",
			testgen.Header(comment, one.File), p.Package, p.test(), strconv.Quote(testgen.Skipped(one.Spec, p.Spec.Symbol))), nil, nil
	}
	g := newGenerator(p)
	g.spec = one.Spec
	g.values.imports["testing"] = "testing"
	g.tests()
	g.laws()
	misfits := testgen.Misfits{one.File: g.misfits}
	if g.body.Len() == 0 {
		return nil, misfits, nil
	}
	text := fmt.Sprintf("%s\n\npackage %s_test\n\n%s%s", testgen.Header(comment, one.File), p.Package, g.importDecl(), &g.body)
	code, err := format.Source([]byte(text))
	if err != nil {
		return nil, nil, fmt.Errorf("format the tests of %s: %w", p.Spec.Symbol, err)
	}
	return code, misfits, nil
}

// Fits implements testgen.Plan.
func (p *Plan) Fits(c *spec.Case) error {
	g := newGenerator(p)
	if _, err := g.args(c); err != nil || c.Want == nil || c.Want.Error {
		return err
	}
	_, err := g.want(c.Want)
	return err
}

type generator struct {
	plan    *Plan
	spec    *spec.Spec
	values  *values
	body    bytes.Buffer
	misfits map[string]string
	headers bool // some case compares response headers
}

func newGenerator(p *Plan) *generator {
	return &generator{plan: p, values: newValues(p), misfits: map[string]string{}}
}

func (g *generator) line(text string, args ...any) { fmt.Fprintf(&g.body, text+"\n", args...) }

func (g *generator) importDecl() string {
	var std, others []string
	imports := g.values.imports
	for _, name := range slices.SortedFunc(maps.Keys(imports), func(a, b string) int { return cmp.Or(strings.Compare(imports[a], imports[b]), strings.Compare(a, b)) }) {
		at := imports[name]
		if !bytes.Contains(g.body.Bytes(), []byte(name+".")) { // an import of a dropped case
			continue
		}
		text := strconv.Quote(at)
		if importName(at) != name {
			text = name + " " + text
		}
		if first, _, _ := strings.Cut(at, "/"); strings.Contains(first, ".") || at == g.plan.Spec.Pkg {
			others = append(others, "\t"+text+"\n")
		} else {
			std = append(std, "\t"+text+"\n")
		}
	}
	text := "import (\n" + strings.Join(std, "")
	if len(std) > 0 && len(others) > 0 {
		text += "\n"
	}
	return text + strings.Join(others, "") + ")\n\n"
}

type row struct {
	*spec.Case
	args []string
	want []string // sources of the expected results; nil for an error
}

func (g *generator) rows() (rows []row) {
	for c := range g.spec.Calls() {
		r := row{Case: c}
		var err error
		if r.args, err = g.args(c); err == nil && !c.Want.Error {
			r.want, err = g.want(c.Want)
		}
		if err == nil && c.Want.Error && !g.plan.Fails {
			err = errors.New("it returns no error")
		}
		if err != nil {
			g.misfits[c.ID] = err.Error()
			continue
		}
		rows = append(rows, r)
	}
	return rows
}

func (g *generator) args(c *spec.Case) ([]string, error) {
	inputs := g.plan.Inputs()
	if len(c.Args) != len(inputs) {
		return nil, fmt.Errorf("%d arguments are given, and %s takes %d", len(c.Args), g.plan.Spec.Symbol, len(inputs))
	}
	out := make([]string, len(inputs))
	for i, in := range inputs {
		if c.Args[i].Type != in.Type.Text {
			return nil, fmt.Errorf("an argument is a %s, and %s takes a %s", testgen.OneLine(c.Args[i].Type, 80), g.plan.Spec.Symbol, in.Type.Text)
		}
		var err error
		if out[i], err = g.values.write(g.plan.given(i), c.Args[i].Value, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// given returns the type of an input as tests give it.
func (p *Plan) given(i int) *Type {
	if t := p.Inputs()[i].Type; i > 0 || !p.byValue() {
		return t
	}
	return p.Recv.Elem
}

func (p *Plan) byValue() bool {
	return p.Recv != nil && p.Recv.Kind == Pointer && p.Constructors[p.Recv.Text] == nil
}

func (g *generator) want(w *spec.Want) ([]string, error) {
	outs := g.plan.Outputs()
	if w.StringOf != nil {
		if len(outs) != 1 || !stringable(outs[0], g.plan.After) {
			return nil, fmt.Errorf("what %s returns has no method String", g.plan.Spec.Symbol)
		}
		return []string{quote(*w.StringOf)}, nil
	}
	if len(w.Values) != len(outs) {
		return nil, fmt.Errorf("%d results are wanted, and %s gives %d", len(w.Values), g.plan.Spec.Symbol, len(outs))
	}
	out := make([]string, len(outs))
	for i, t := range outs {
		v := w.Values[i]
		if text, ok := v.Value.(string); ok && v.Type == stringOf+t.Text && stringable(t, false) {
			out[i] = quote(text)
			continue
		}
		if text, ok := textOf(v.Value); ok && v.Type == t.Text && t.Kind == Reader {
			out[i] = quote(text)
			continue
		}
		if v.Type != t.Text {
			return nil, fmt.Errorf("a %s is wanted, and %s gives a %s", testgen.OneLine(v.Type, 80), g.plan.Spec.Symbol, t.Text)
		}
		var err error
		if out[i], err = g.values.write(t, v.Value, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func stringable(t *Type, variable bool) bool { return t.Stringer || variable && t.ByPointer }

package golang

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Recorder is an external test file, in a temporary copy of the package, that makes calls and writes their outcomes to
// the file named by CAUSAL_RECORD.
type Recorder struct {
	Code  []byte
	Calls []*testgen.Call // the calls that can be written, in order
	lines []int           // their first lines
}

// RecorderFile is the file name of a recorder.
const RecorderFile = "zz_causal_record_test.go"

// The environment variables of a recorder and the name of its test.
const (
	RecordOut     = "CAUSAL_RECORD"         // the file for outcomes
	RecordCalls   = "CAUSAL_RECORD_CALLS"   // numbers of calls, separated by commas
	RecordMutants = "CAUSAL_RECORD_MUTANTS" // if not empty, record which mutants change each call
	RecordSeconds = "CAUSAL_RECORD_SECONDS" // time limit of one call
	RecordTest    = "TestCausalRecord"
)

//go:embed recorder.txt
var recorderFrame string

// NewRecorder writes the recorder of one package, which may be instrumented. It numbers the calls and
// records why a call cannot be written.
func NewRecorder(calls []*testgen.Call, instrumented bool) (*Recorder, error) {
	r := &Recorder{}
	imports := map[string]string{}
	var bodies []string
	for _, c := range calls {
		w := newValues(PlanOf(c.Target))
		body, err := callCode(w, c)
		if err != nil {
			c.Fault = err.Error()
			continue
		}
		c.Number = len(r.Calls)
		maps.Copy(imports, w.imports)
		r.Calls, bodies = append(r.Calls, c), append(bodies, body)
	}
	if len(r.Calls) == 0 {
		return r, nil
	}
	p := PlanOf(r.Calls[0].Target)
	if instrumented {
		imports[p.qualifier()] = p.Spec.Pkg
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s_test\n\nimport (\n", p.Package)
	for _, at := range []string{"encoding/hex", "encoding/json", "fmt", "io", "os", "reflect", "runtime", "strconv", "strings", "sync/atomic", "testing", "time", "unicode/utf8", "math"} {
		fmt.Fprintf(&b, "\tcausal_%s %q\n", strings.ReplaceAll(at, "/", "_"), at)
	}
	noted := notes(p.qualifier(), instrumented)
	all := strings.Join(bodies, "") + noted
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if !strings.Contains(all, name+".") {
			continue
		}
		fmt.Fprintf(&b, "\t%s %q\n", name, imports[name])
	}
	b.WriteString(")\n\n")
	b.WriteString(noted + recorderFrame)
	b.WriteString("\nvar causalCalls = []func() causalOutcome{\n")
	for _, body := range bodies {
		r.lines = append(r.lines, bytes.Count(b.Bytes(), []byte("\n"))+1)
		b.WriteString(body)
	}
	b.WriteString("}\n")
	r.Code = b.Bytes()
	if _, err := format.Source(r.Code); err != nil {
		return nil, fmt.Errorf("write the recorder of %s: %w", p.Spec.Pkg, err)
	}
	return r, nil
}

// notes declares variables for coverage and mutants: those of an instrumented package, or empty ones.
func notes(pkg string, instrumented bool) string {
	if !instrumented {
		return "var causalPlaces, causalAsked []bool\n\nvar causalMutant, causalSteps, causalMost = new(int), new(int64), new(int64)\n\n"
	}
	return strings.ReplaceAll("var causalPlaces, causalAsked = pkg.CausalPlaces[:], pkg.CausalAsked[:]\n\n"+
		"var causalMutant, causalSteps, causalMost = &pkg.CausalMutant, &pkg.CausalSteps, &pkg.CausalMost\n\n", "pkg.", pkg+".")
}

// At returns the call at a line of the recorder.
func (r *Recorder) At(line int) *testgen.Call {
	var found *testgen.Call
	for i, first := range r.lines {
		if first <= line {
			found = r.Calls[i]
		}
	}
	return found
}

func callCode(w *values, c *testgen.Call) (string, error) {
	p := PlanOf(c.Target)
	g := &generator{plan: p, values: w}
	args, err := g.args(&spec.Case{Args: c.Args})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("func() (o causalOutcome) { defer causalCatch(&o);")
	if w.headed {
		b.WriteString(headedCode)
	}
	g.eachWrapped(func(c *Constructor, t *Type, params, names string) { // if one fails, the call is not made
		fmt.Fprintf(&b, "%s := func(%s) %s { v, err := %s(%s); if err != nil { panic(causalRefused) }; return v };", wrapper(c.Name), params, g.values.code(t), g.values.own(c.Name), names)
	})
	names := make([]string, len(args))
	for i := range names {
		names[i] = fmt.Sprintf("in%d", i)
		fmt.Fprintf(&b, "var %s %s = %s;", names[i], g.values.code(p.given(i)), args[i])
	}
	b.WriteString("o.Made = true; causalReset();")
	if p.HTTP != "" {
		fmt.Fprintf(&b, "rec := httptest.NewRecorder(); %s; causalReached(&o);", g.answer(p, slices.Clone(names)))
		b.WriteString(`o.response(rec.Code, rec.Header().Get("Content-Type"), rec.Header().Get("Location"), rec.Body.String(), rec.Header().WriteSubset); return },` + "\n")
		return b.String(), nil
	}
	var results, left []string
	for i := range p.Results {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	left = slices.Clone(results)
	if p.Fails {
		left = append(left, "err")
	}
	call := g.invoke(p, slices.Clone(names))
	if len(left) > 0 {
		call = strings.Join(left, ", ") + " := " + call
	}
	b.WriteString(call + "; causalReached(&o);")
	if p.Fails {
		b.WriteString("if err != nil { o.Fault = true; ")
		for _, r := range results {
			b.WriteString("_ = " + r + ";")
		}
		b.WriteString("return };")
	}
	b.WriteString(p.noted(results, names) + "return },\n")
	return b.String(), nil
}

func (p *Plan) noted(results, names []string) string {
	if p.After {
		results = names[:1]
	} else if at := p.writer(); at >= 0 {
		results = append(results, names[at]+".String()")
	}
	var b strings.Builder
	for i, t := range p.Outputs() {
		switch {
		case stringable(t, p.After) && p.After:
			fmt.Fprintf(&b, "o.text(&%s);", results[i])
		case t.Kind == Reader:
			fmt.Fprintf(&b, "o.read(%s);", results[i])
		case stringable(t, false):
			fmt.Fprintf(&b, "o.text(%s);", results[i])
		default:
			fmt.Fprintf(&b, "o.value(%s);", results[i])
		}
	}
	return b.String()
}

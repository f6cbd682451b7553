package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Param is a parameter.
type Param struct {
	Name     string `json:"n"`
	Type     *Type  `json:"t"`
	Optional bool   `json:"o,omitempty"`
	Rest     bool   `json:"r,omitempty"` // takes all further arguments as a list
}

// Plan is the information from which tests of one function are generated. It implements testgen.Plan.
type Plan struct {
	testgen.Target `json:"-"`

	Name     string  `json:"n"`           // in the file: parse, Money.parse
	Exported string  `json:"e"`           // in imports: parse, default, Money.parse
	Import   string  `json:"i"`           // import path in a test beside it
	Check    bool    `json:"c,omitempty"` // fast-check is a dependency
	Params   []Param `json:"p,omitempty"`
	Result   *Type   `json:"r,omitempty"` // nil without an annotation
	Late     bool    `json:"a,omitempty"` // it returns a promise
}

// PlanOf returns the plan of a TypeScript target; nil for other languages.
func PlanOf(t *testgen.Target) *Plan {
	p, _ := t.Plan.(*Plan)
	return p
}

// Symbols implements testgen.Module. It returns the exported functions with a body.
func (p *Package) Symbols() []string {
	var out []string
	for name, d := range p.names {
		if d.target() && d.hasBody() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Target implements testgen.Module.
func (p *Package) Target(symbol string) (*testgen.Target, error) {
	d := p.names[symbol]
	if !d.target() {
		return nil, nil
	}
	plan := &Plan{Name: d.Name, Exported: d.exported, Import: p.importPath(d.file.name), Check: p.check, Target: testgen.Target{
		Spec: spec.Target{Lang: Language.Name, Pkg: d.file.name, Symbol: symbol}, Language: p.version, File: d.file.name,
		Doc: synopsis(d.Doc), Said: d.Doc, Signature: d.Signature, Taste: taste, Within: "directory",
	}}
	t := &plan.Target
	t.Plan = plan
	if p.vitest {
		t.CodeFile = p.codeFile(d.file.name)
	}
	var err error
	if t.Reason, err = p.fit(plan, d); err != nil || t.Reason != "" {
		return t, err
	}
	p.pool(plan, d)
	p.findLaws(plan)
	if len(t.Candidates) == 0 {
		t.Reason = "no arguments are known for it"
	}
	t.Rationale = testgen.Rationale(plan.Name, strings.TrimSuffix(t.Doc, "."))
	return t, nil
}

// codeFile keeps the extension in the name if two files differ only in that.
func (p *Package) codeFile(name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if path.Ext(name) != ".ts" && p.files[stem+".ts"] != nil {
		stem = name
	}
	return stem + ownEnding
}

// named matches valid names of targets in specs.
var named = lazyregexp.New(`^[\p{L}_$][\p{L}\p{Nd}_$-]*(\.[\p{L}_$][\p{L}\p{Nd}_$]*){0,4}$`)

var dotted = lazyregexp.New(`^[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)?$`)

// fit reads the signature of a function and returns a reason if it cannot be tested.
func (p *Package) fit(plan *Plan, d *decl) (string, error) {
	switch {
	case d.file.Problem != "":
		return "its file does not parse: " + d.file.Problem, nil
	case p.twice[plan.Spec.Symbol]:
		return "another file declares the name, too", nil
	case !named.MatchString(plan.Spec.Symbol) || !importable.MatchString(plan.File) || !dotted.MatchString(plan.Exported):
		return "its name, or that of its file, is none that a spec can have", nil
	case d.is("*"):
		return "is a generator", nil
	}
	if reason := p.signature(plan, d); reason != "" {
		return reason, nil
	}
	reason, reaches, err := p.follow(plan.Spec.Symbol)
	plan.Reaches = reaches
	return reason, err
}

var importable = lazyregexp.New(`^[\p{L}\p{Nd}_.~@+/-]{1,1000}$`)

// signature reads the overload with the most parameters. It returns a reason if none can be tested.
func (p *Package) signature(plan *Plan, d *decl) string {
	reason, most := "its signature cannot be read", -1
	list := d.Headers()
	for i, h := range list[:min(len(list), mostOverloads)] {
		one := &Plan{}
		if why := p.overload(one, d, h); why != "" {
			if i == 0 {
				reason = why
			}
			continue
		}
		if n := len(one.Params); n > most {
			most, plan.Params, plan.Result, plan.Late = n, one.Params, one.Result, one.Late
		}
	}
	if most >= 0 {
		return ""
	}
	return reason
}

const mostOverloads = 8

// mostNames limits the type names resolved for one function.
const mostNames = 400

func (p *Package) overload(plan *Plan, d *decl, h source.Header) string {
	left := mostNames
	names := &resolver{pkg: p, file: d.file, params: map[string]*Type{}, left: &left}
	if h.Value != "" { // a constant with a function type
		call := names.call(h.Result)
		if call == nil {
			return "is a " + testgen.OneLine(h.Result, 60) + ", which is no function type that can be read"
		}
		h = *call
	}
	for _, t := range h.TypeParams {
		bound := &Type{Text: "unknown", Kind: Any}
		if t.Type != "" {
			bound = names.of(t.Type)
		}
		anyone := *bound
		anyone.Foreign = true
		names.params[t.Name] = &anyone
	}
	for _, q := range h.Params {
		if q.Kind == source.Receiver {
			continue
		}
		in := paramOf(q, names)
		if reason := in.unfit(); reason != "" {
			return reason
		}
		plan.Params = append(plan.Params, in)
	}
	if plan.Late = h.Is("async"); h.Result == "" {
		return ""
	}
	plan.Result = names.of(h.Result)
	plan.Late = plan.Late || plan.Result.Async
	switch {
	case plan.Result.Kind == Callable:
		return "returns a function, which causal cannot compare"
	case plan.Result.Kind == Nothing && !strings.Contains(plan.Result.Text, "undefined"):
		return "returns nothing that could be compared"
	case plan.Result.Text == "never":
		return "returns nothing"
	}
	return ""
}

func paramOf(q source.Parameter, names *resolver) Param {
	in := Param{Name: q.Name, Rest: q.Kind == source.Variadic}
	in.Optional = q.Optional && !in.Rest
	if strings.ContainsAny(q.Name, "{[") {
		in.Name = "options"
	}
	if q.Type != "" {
		in.Type = names.of(q.Type)
	} else if v, ok := startOf(q.Default); ok {
		in.Type = widened(v)
	}
	return in
}

// widened returns the type of a parameter's default value.
func widened(v spec.Value) *Type {
	if kind, ok := predeclared[typeOf(v)]; ok && kind != Null && kind != Nothing {
		return &Type{Text: typeOf(v), Kind: kind}
	}
	return nil
}

// unfit returns why no test can provide a parameter. Optional ones are left out.
func (in *Param) unfit() string {
	switch {
	case in.Type == nil && !in.Optional:
		return "takes " + testgen.OneLine(in.Name, 40) + ", which has no type"
	case in.Type == nil:
		in.Type = opaque("unknown")
	}
	if in.Rest && in.Type.Kind != Array {
		return "takes " + testgen.OneLine(in.Name, 40) + ", of which causal can make no value"
	}
	if !in.Type.writable() && !in.Optional {
		what := testgen.OneLine(in.Type.Text, 60)
		if in.Type.Kind == Callable {
			what = "a function"
		}
		return "takes " + what + ", of which causal can make no value"
	}
	return ""
}

// follow follows a function transitively. It returns the reason why its results are unpredictable, or all names that it
// reaches in other modules of the repository.
func (p *Package) follow(symbol string) (reason string, all []testgen.Name, err error) {
	return testgen.Follow(p.repository, p.Dir, symbol, func(m testgen.Module, n testgen.Name, reach testgen.Reach, there bool) (string, []testgen.Name) {
		other, ok := m.(*Package)
		switch {
		case !ok:
			return "reaches " + n.Dir + ", which is no TypeScript", nil
		case there:
			return other.reaches(reach)
		case strings.HasSuffix(n.Name, "*"):
			return "reaches everything of " + n.Dir, nil
		}
		return "", nil
	})
}

// sentence requires an upper-case letter or the end after a full stop, which excludes abbreviations.
var sentence = lazyregexp.New(`^(.+?[.!?])(?:\s+[\p{Lu}` + "`" + `]|\s*$)`)

func synopsis(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	var lines []string
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(strings.TrimSpace(line), "@") || strings.HasPrefix(strings.TrimSpace(line), "```") {
			break
		}
		lines = append(lines, line)
	}
	text := testgen.OneLine(strings.Join(lines, " "), 300)
	if m := sentence.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// Fits implements testgen.Plan.
func (p *Plan) Fits(c *spec.Case) error {
	if _, err := p.args(c); err != nil {
		return err
	}
	if c.Want == nil || c.Want.Error {
		return nil
	}
	_, err := wantCode(c.Want)
	return err
}

func prefix(file string) string { return source.Prefix(file, true) }

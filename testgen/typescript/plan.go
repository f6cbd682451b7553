package typescript

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
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

// Law is a law that a function may satisfy.
type Law struct {
	Law spec.Law `json:"l"`
	// Inverse is the function that reverses the target in a round trip, by its name in the module.
	Inverse string `json:"i,omitempty"`
	// InverseFile and InverseName are its file and exported name.
	InverseFile string `json:"f,omitempty"`
	InverseName string `json:"m,omitempty"`
	InverseLate bool   `json:"a,omitempty"` // it returns a promise
	Why         string `json:"w"`
}

// Candidate is a call that may become a case.
type Candidate struct {
	Args []spec.Typed
	From string     // the least informative origin of its arguments
	Want *spec.Want // the documented result, if any
}

// Plan is the information from which tests of one function are generated. It implements testgen.Target.
type Plan struct {
	Symbol   string      `json:"s"` // in the module: file.parse, file.Money.parse
	Name     string      `json:"n"` // in the file: parse, Money.parse
	Exported string      `json:"e"` // in imports: parse, default, Money.parse
	Source   string      `json:"f"` // source file
	Import   string      `json:"i"` // import path in a test beside it
	Version  string      `json:"v"`
	Vitest   bool        `json:"h,omitempty"`
	Check    bool        `json:"c,omitempty"` // fast-check is a dependency
	Said     string      `json:"d,omitempty"` // first sentence of its documentation
	doc      string      // full documentation
	Params   []Param     `json:"p,omitempty"`
	Result   *Type       `json:"r,omitempty"` // nil without an annotation
	Late     bool        `json:"a,omitempty"` // it returns a promise
	Laws     []Law       `json:"l,omitempty"`
	Pool     []Candidate `json:"-"`

	reason   string
	outside  []testgen.Name // names of other modules that it reaches
	codeFile string
}

var _ testgen.Target = (*Plan)(nil)

// Symbols implements testgen.Module. It returns the exported functions with a body.
func (p *Package) Symbols() []string {
	var out []string
	for name, d := range p.names {
		if d.kind == aFunction && d.exported != "" && slices.ContainsFunc(d.sigs, func(s signature) bool { return s.body.to > 0 }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Target implements testgen.Module.
func (p *Package) Target(symbol string) (testgen.Target, error) {
	d := p.names[symbol]
	if d == nil || d.kind != aFunction || d.exported == "" || len(d.sigs) == 0 {
		return nil, nil
	}
	plan := &Plan{
		Symbol: symbol, Name: d.name, Exported: d.exported, Source: d.file.name, Import: p.importPath(d.file.name), Version: p.version,
		Vitest: p.vitest, Check: p.check, Said: synopsis(d.doc), doc: d.doc,
	}
	if p.vitest {
		plan.codeFile = p.codeFile(d.file.name)
	}
	reason, err := p.fit(plan, d)
	if err != nil {
		return nil, err
	}
	if plan.reason = reason; reason != "" {
		return plan, nil
	}
	p.pool(plan, d)
	p.findLaws(plan)
	if len(plan.Pool) == 0 {
		plan.reason = "no arguments are known for it"
	}
	return plan, nil
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
	case d.file.problem != "":
		return "its file does not parse: " + d.file.problem, nil
	case p.twice[plan.Symbol]:
		return "another file declares the name, too", nil
	case !named.MatchString(plan.Symbol) || !importable.MatchString(plan.Source) || !dotted.MatchString(plan.Exported):
		return "its name, or that of its file, is none that a spec can have", nil
	case d.special != "":
		return d.special, nil
	}
	if reason := p.signature(plan, d); reason != "" {
		return reason, nil
	}
	reach, there, err := p.repo.Reach(p.Dir, plan.Symbol)
	if err != nil || !there {
		return "its body was not found", err
	}
	reason, others := p.reaches(reach)
	if reason == "" {
		if reason, plan.outside, err = p.deep(others); err != nil {
			return "", err
		}
	}
	return reason, nil
}

var importable = lazyregexp.New(`^[\p{L}\p{Nd}_.~@+/-]{1,1000}$`)

// signature reads the overload with the most parameters. It returns a reason if none can be tested.
func (p *Package) signature(plan *Plan, d *decl) string {
	sigs := slices.Clone(d.sigs)
	if len(sigs) > 1 {
		sigs = slices.DeleteFunc(sigs, func(s signature) bool { return s.body.to > 0 }) // the implementation's signature is not visible to callers
	}
	if len(sigs) == 0 {
		return "it has no body"
	}
	reason, most := "", -1
	for _, s := range sigs[:min(len(sigs), mostOverloads)] {
		one := &Plan{}
		if why := p.overload(one, d, s); why != "" {
			reason = cmp.Or(reason, why)
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

func (p *Package) overload(plan *Plan, d *decl, s signature) string {
	left := mostNames
	names := &resolver{pkg: p, file: d.file, params: map[string]*Type{}, left: &left}
	t := d.file.tokens
	for i := s.types.from + 1; i < s.types.to; i++ { // <const T extends string = string, U>
		if t[i-1].Text != "<" && t[i-1].Text != "," && t[i-1].Text != "const" {
			continue
		}
		bound := &Type{Text: "unknown", Kind: Any}
		if at(t, i+1).Text == "extends" {
			q := typeParser{t: t, i: i + 2, names: names}
			bound = q.parse(0)
		}
		anyone := *bound
		anyone.Foreign = true
		names.params[t[i].Text] = &anyone
	}
	if reason := p.params(plan, d, s, names); reason != "" {
		return reason
	}
	plan.Late = d.async
	if s.returns == 0 {
		return ""
	}
	q := typeParser{t: t, i: s.returns, names: names}
	plan.Result = q.parse(0)
	plan.Late = plan.Late || plan.Result.Async
	switch {
	case plan.Result.Kind == Callable:
		return "returns a function, which cannot be compared"
	case plan.Result.Kind == Nothing && !strings.Contains(plan.Result.Text, "undefined"):
		return "returns nothing that could be compared"
	case plan.Result.Text == "never":
		return "returns nothing"
	}
	return ""
}

// mostNames limits the type names resolved for one function.
const mostNames = 400

func (p *Package) params(plan *Plan, d *decl, s signature, names *resolver) string {
	t := d.file.tokens
	if s.single {
		return "takes " + t[s.params].Text + ", of which no type is said"
	}
	end := t[s.params].Match
	for i := s.params + 1; i < end; {
		in := Param{}
		if t[i].Text == "..." {
			in.Rest = true
			i++
		}
		switch {
		case t[i].Text == "{" || t[i].Text == "[":
			in.Name = "options"
			i = t[i].Match
		default:
			in.Name = t[i].Text
		}
		if i++; at(t, i).Text == "?" {
			in.Optional = true
			i++
		}
		if at(t, i).Text == ":" {
			q := typeParser{t: t, i: i + 1, names: names}
			in.Type = q.parse(0)
			i = q.i
		}
		if at(t, i).Text == "=" {
			in.Optional = true
			if v, _, ok := literal(t, i+1); ok && in.Type == nil {
				in.Type = widened(v)
			}
			for r := (&reader{t: t}); i < end && t[i].Text != ","; {
				i = r.past(i)
			}
		}
		if i < end && t[i].Text != "," {
			return "takes " + spec.OneLine(in.Name, 40) + ", whose type cannot be read"
		}
		i++
		if in.Name == "this" {
			continue
		}
		if reason := in.unfit(); reason != "" {
			return reason
		}
		plan.Params = append(plan.Params, in)
	}
	return ""
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
		return "takes " + spec.OneLine(in.Name, 40) + ", of which no type is said"
	case in.Type == nil:
		in.Type = opaque("unknown")
	}
	if in.Rest && in.Type.Kind != Array {
		return "takes " + spec.OneLine(in.Name, 40) + ", of which no value can be made from outside"
	}
	if !in.Type.writable() && !in.Optional {
		what := spec.OneLine(in.Type.Text, 60)
		if in.Type.Kind == Callable {
			what = "function"
		}
		return "takes a " + what + ", of which no value can be made from outside"
	}
	return ""
}

const mostDeep = 2000

// deep follows names of other modules of the repository transitively. It returns the reason why results are
// unpredictable, or all names reached.
func (p *Package) deep(first []testgen.Name) (reason string, all []testgen.Name, err error) {
	seen := map[testgen.Name]bool{}
	for todo := slices.Clone(first); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := testgen.Name{Dir: n.Dir, Name: n.Name}
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > mostDeep {
			return "reaches too much to be followed", nil, nil
		}
		other := p
		if n.Dir != p.Dir {
			if other = p.other(n.Dir); other == nil {
				return "reaches " + n.Dir + ", which is no TypeScript", nil, nil
			}
		}
		reach, there, err := p.repo.Reach(n.Dir, n.Name)
		if err != nil {
			return "", nil, err
		}
		if !there {
			if strings.HasSuffix(n.Name, "*") {
				return "reaches everything of " + n.Dir, nil, nil
			}
			continue
		}
		all = append(all, key)
		bad, others := other.reaches(reach)
		if bad != "" {
			return bad, nil, nil
		}
		todo = append(todo, others...)
	}
	slices.SortFunc(all, func(a, b testgen.Name) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name))
	})
	return "", slices.Compact(all), nil
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
	text := spec.OneLine(strings.Join(lines, " "), 300)
	if m := sentence.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// Spec implements testgen.Target.
func (p *Plan) Spec() spec.Target {
	return spec.Target{Lang: "typescript", Pkg: p.Source, Symbol: p.Symbol}
}

// Language implements testgen.Target.
func (p *Plan) Language() string { return p.Version }

// File implements testgen.Target.
func (p *Plan) File() string { return p.Source }

// CodeFile implements testgen.Target. It is empty without vitest.
func (p *Plan) CodeFile() string { return p.codeFile }

// Reason implements testgen.Target.
func (p *Plan) Reason() string { return p.reason }

// Reaches implements testgen.Target.
func (p *Plan) Reaches() []testgen.Name { return p.outside }

// Doc implements testgen.Target.
func (p *Plan) Doc() string { return p.Said }

// Signature implements testgen.Target.
func (p *Plan) Signature() string {
	var in []string
	for _, param := range p.Params {
		in = append(in, param.Name+": "+param.Type.Text)
	}
	text := p.Name + "(" + strings.Join(in, ", ") + ")"
	if p.Result != nil {
		text += ": " + p.Result.Text
	}
	return text
}

// Digest implements testgen.Target.
func (p *Plan) Digest() string {
	data, err := json.Marshal(p)
	if err != nil {
		data = []byte(err.Error())
	}
	parts := []string{Version, string(data), p.codeFile, p.reason}
	for _, c := range p.Pool {
		parts = append(parts, c.From, spec.Joined(c.Args), c.Want.String())
	}
	for _, n := range p.outside {
		parts = append(parts, n.Dir, n.Name)
	}
	return fact.Digest(parts...)
}

// Propose implements testgen.Target. It leaves out laws, which need a run.
func (p *Plan) Propose() (rationale string, cases []spec.Case, seeds []string) {
	seen := map[string]bool{}
	for _, c := range p.Pool[:min(len(p.Pool), mostCases)] {
		one := caseOf(c, c.Want)
		if c.Want == nil {
			one.Law = spec.Golden
		}
		cases, seen[c.From] = append(cases, one), true
	}
	for _, from := range origins {
		if seen[from] {
			seeds = append(seeds, from)
		}
	}
	return p.rationale(), cases, seeds
}

func (p *Plan) rationale() string {
	if p.Said != "" {
		return "The documentation says: " + strings.TrimSuffix(p.Said, ".") + "."
	}
	return fmt.Sprintf("Callers rely on what %s gives.", p.Name)
}

// Fits implements testgen.Target.
func (p *Plan) Fits(_ *spec.Spec, c *spec.Case) error {
	if len(c.Args) == 0 && len(c.Over) > 0 {
		return nil // it fits if the cases that it covers do
	}
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

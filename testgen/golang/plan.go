package golang

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/token"
	"go/version"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Param is a parameter or the receiver.
type Param struct {
	Name string `json:"n,omitempty"`
	Type *Type  `json:"t"`
}

// Signature is the types of a call.
type Signature struct {
	Params   []Param `json:"p,omitempty"`
	Results  []*Type `json:"r,omitempty"` // without a last error
	Fails    bool    `json:"f,omitempty"` // the last result is an error
	Variadic bool    `json:"v,omitempty"`
}

// Constructor is a function that makes values of a type that has no literal form.
type Constructor struct {
	Name string `json:"n"`
	Signature
}

// Plan is the information from which tests of one function or method are generated.
type Plan struct {
	testgen.Target `json:"-"`

	Package string `json:"n"`
	Recv    *Type  `json:"v,omitempty"` // receiver type of a method
	Signature
	// HTTP is how it serves requests; empty if it does not.
	HTTP string `json:"h,omitempty"`
	// After reports that the receiver after the call is compared.
	After        bool                    `json:"a,omitempty"`
	TypeArgs     []string                `json:"y,omitempty"` // those that cannot be inferred
	Constructors map[string]*Constructor `json:"c,omitempty"` // by type
	// Within are the names of its package that it reaches, including itself.
	Within []string `json:"-"`

	stem string
	more func(texts []Said) []testgen.Candidate
}

// Inputs returns the receiver, if any, and the parameters.
func (p *Plan) Inputs() []Param {
	if p.Recv == nil {
		return p.Params
	}
	return append([]Param{{"", p.Recv}}, p.Params...)
}

// Outputs returns the types of the compared values.
func (p *Plan) Outputs() []*Type {
	if p.After {
		return []*Type{p.Recv.Elem}
	}
	if p.writer() >= 0 {
		return append(slices.Clone(p.Results), written)
	}
	return p.Results
}

// written is the type of the text that a target wrote to its writer.
var written = &Type{Text: "written", Kind: String, Name: "Written", Path: "-"}

// writer returns the index of the only input that is a writer, or -1.
func (p *Plan) writer() int {
	found := -1
	for i, in := range p.Inputs() {
		if in.Type.Kind == Writer {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// taken are the identifiers of generated tests and the names of packages that they import.
var taken = testgen.Words(`bytes context driver errors http httptest io iotest math reflect strings testing time json big url netip regexp net
	tests tt t f rec got err out v in data again there back values a b i j ab ba once twice recv closeTo response withHeader`)

func (p *Plan) qualifier() string {
	if taken[p.Package] {
		return p.Package + "pkg"
	}
	return p.Package
}

// modern reports whether the module's language version is Go 1.minor or later.
func (p *Plan) modern(minor int) bool {
	return version.Compare("go"+p.Language, fmt.Sprintf("go1.%d", minor)) >= 0
}

// Symbols implements testgen.Module. It returns the exported functions and methods with a body, except those of protobuf code.
func (p *Package) Symbols() []string {
	var out []string
	for name, f := range p.funcs {
		base, method, ok := strings.Cut(name, ".")
		if ast.IsExported(base) && (!ok || ast.IsExported(method)) && f.decl.Body != nil && !generated(f) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func generated(f *function) bool { return strings.HasSuffix(f.file, ".pb.go") }

// Target implements testgen.Module.
func (p *Package) Target(symbol string) (*testgen.Target, error) {
	f := p.funcs[symbol]
	if f == nil {
		return nil, nil
	}
	plan := &Plan{Package: p.Name, stem: p.stems[symbol], Target: testgen.Target{
		Spec: spec.Target{Lang: "go", Pkg: p.Path, Symbol: symbol}, Language: p.Go, File: f.file, CodeFile: File(p.Dir, p.stems[symbol]),
		Doc: synopsis(f.decl.Doc), Said: f.decl.Doc.Text(), Taste: taste,
	}}
	t := &plan.Target
	t.Plan = plan
	var shown strings.Builder
	err := format.Node(&shown, token.NewFileSet(), &ast.FuncDecl{Recv: f.decl.Recv, Name: f.decl.Name, Type: f.decl.Type})
	if err != nil {
		return nil, err
	}
	t.Signature = shown.String()
	if t.Reason, err = p.fit(plan, f); err != nil || t.Reason != "" {
		return t, err
	}
	p.findLaws(plan)
	p.pool(plan, f)
	if len(plan.Candidates) == 0 {
		plan.Reason = "no arguments are known for it"
	}
	if plan.HTTP != "" {
		plan.Recorded = spec.HTTP
	}
	t.Rationale = plan.rationale()
	return t, nil
}

// PlanOf returns the plan of a Go target; nil for other languages.
func PlanOf(t *testgen.Target) *Plan {
	p, _ := t.Plan.(*Plan)
	return p
}

func (p *Plan) rationale() string {
	said, _, _ := strings.Cut(p.Doc, ": * ") // the start of a list
	return testgen.Rationale(p.Spec.Symbol, strings.TrimRight(said, ".: "))
}

func synopsis(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return (&doc.Package{}).Synopsis(g.Text())
}

func (p *Package) fit(plan *Plan, f *function) (reason string, err error) {
	switch {
	case p.Main:
		return "a program cannot be imported", nil
	case p.dotted:
		return "a file of its package imports all names of another one", nil
	case f.limited != "":
		return "is built only under the constraint " + f.limited, nil
	case p.broken != "":
		return "its package does not parse: " + p.broken, nil
	}
	r := &resolver{of: p, args: map[string]*Type{}}
	if reason := p.instantiate(plan, f, r); reason != "" {
		return reason, nil
	}
	p.signature(plan, f, r)
	if r.err != nil {
		return "", r.err
	}
	plan.Within, reason, plan.Reaches, err = p.follow(plan.Spec.Symbol)
	if err == nil && reason == "" {
		reason = p.unfit(plan)
	}
	return reason, err
}

func (p *Package) signature(plan *Plan, f *function, r *resolver) {
	d := f.decl
	if d.Recv != nil {
		plan.Recv = r.resolve(p, f.imports, d.Recv.List[0].Type, 0)
	}
	plan.Signature = signatureOf(p, f, r)
	if plan.Recv != nil && plan.Recv.Kind == Pointer && len(plan.Results) == 0 && plan.writer() < 0 {
		plan.After = comparable(plan.Recv)
	}
	plan.answers()
}

func signatureOf(p *Package, f *function, r *resolver) Signature {
	var s Signature
	d := f.decl
	for _, field := range d.Type.Params.List {
		t := r.resolve(p, f.imports, field.Type, 0)
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			s.Variadic = true
		}
		for _, n := range field.Names {
			s.Params = append(s.Params, Param{n.Name, t})
		}
		if field.Names == nil {
			s.Params = append(s.Params, Param{"", t})
		}
	}
	if d.Type.Results != nil {
		for _, field := range d.Type.Results.List {
			t := r.resolve(p, f.imports, field.Type, 0)
			for range max(1, len(field.Names)) {
				s.Results = append(s.Results, t)
			}
		}
	}
	if n := len(s.Results); n > 0 && s.Results[n-1].Kind == Fault {
		s.Results, s.Fails = s.Results[:n-1], true
	}
	return s
}

func (p *Package) unfit(plan *Plan) string {
	plan.Constructors = map[string]*Constructor{}
	p.pointed(plan)
	for _, in := range plan.Inputs() {
		if !p.makeable(plan, in.Type) {
			return "takes " + describe(in.Type) + ", of which causal can make no value"
		}
	}
	outs := plan.Outputs()
	if len(outs) == 0 && !plan.Fails {
		return "returns nothing that could be compared"
	}
	for _, out := range outs {
		if !out.result() && !(plan.Fails && len(outs) == 1) {
			return "returns " + describe(out) + ", which causal cannot compare"
		}
	}
	return ""
}

// pointed calls a method through a pointer if only pointers have a constructor. A struct with unexported fields has few
// useful values otherwise.
func (p *Package) pointed(plan *Plan) {
	t := plan.Recv
	if t == nil || t.Kind != Struct || t.Name == "" || p.constructor(t) != nil || !t.Closed && p.makeable(plan, t) {
		return
	}
	to := &Type{Text: "*" + t.Text, Kind: Pointer, Elem: t, Stringer: t.Stringer || t.ByPointer}
	if p.constructor(to) != nil {
		plan.Recv = to
	}
}

func describe(t *Type) string {
	if t.Text == "" || t.Text == "*" || t.Text == "[]" {
		return "a function, an interface or a generic type"
	}
	return t.Text
}

// makeable reports whether values of a type have a literal form or a constructor, which it adds to the plan.
func (p *Package) makeable(plan *Plan, t *Type) bool {
	switch t.Kind {
	case Reader, Context, Fault, Request:
		return true
	case Writer:
		return plan.writer() >= 0
	case Handler:
		return plan.HTTP != "" && t.Name == "Handler"
	}
	if t.visible() || t.Kind == Slice && t.nameable() && p.makeable(plan, t.Elem) || t.Kind == Pointer && t == plan.Recv && plan.fills() {
		return true
	}
	if c := p.constructor(t); c != nil {
		plan.Constructors[t.Text] = c
		return true
	}
	if t.Kind == Pointer && plan.After && t == plan.Recv && t.Elem.nameable() {
		return true
	}
	// A struct with some exported fields is useful if its zero value is.
	return t.Kind == Struct && t.nameable() && t.Closed && len(t.Fields) > 0 && open(t)
}

func open(t *Type) bool {
	return !slices.ContainsFunc(t.Fields, func(f Field) bool { return !f.Type.visible() })
}

package golang

import (
	"cmp"
	"go/ast"
	"go/doc"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen/spec"
)

// Version is part of what makes a spec: raise it when the same source gives other candidates or other code.
const Version = "det/4"

// Param is a parameter, or the receiver.
type Param struct {
	Name string `json:"n,omitempty"`
	Type *Type  `json:"t"`
}

// Signature is what a call takes and gives.
type Signature struct {
	Params   []Param `json:"p,omitempty"`
	Results  []*Type `json:"r,omitempty"` // but a last error
	Fails    bool    `json:"f,omitempty"` // the last result is an error
	Variadic bool    `json:"v,omitempty"`
}

// Constructor is a function that makes values of a type which cannot be written down.
type Constructor struct {
	Name string `json:"n"`
	Signature
}

// Law is a law that a function may be held to.
type Law struct {
	Law spec.Law `json:"l"`
	// Inverse is what leads back, of a round trip: a function or method of the package.
	Inverse string `json:"i,omitempty"`
	Why     string `json:"w"`
	Fails   bool   `json:"f,omitempty"` // the inverse may return an error
}

// Candidate is a call that may become a case.
type Candidate struct {
	Args []spec.Typed `json:"-"`
	From string       `json:"f"` // doc, test, result, package, literal, model or boundary: the least telling of its arguments
	Why  string       `json:"w"` // where that comes from
	Want *spec.Want   `json:"-"` // what the documentation says of it; nil where it says nothing
}

// Plan is what tests of one function or method can be made from.
type Plan struct {
	Symbol  string `json:"s"`
	File    string `json:"-"` // that declares it
	Dir     string `json:"-"`
	Path    string `json:"p"` // what a test imports
	Package string `json:"n"`
	Go      string `json:"g"`
	Module  string `json:"-"` // the directory of its go.mod
	Doc     string `json:"d,omitempty"`

	// Reason is why nothing can be generated for it; empty when something can.
	Reason string `json:"x,omitempty"`
	// Reaches are the names of other packages of the repository that its body reaches.
	Reaches []Name `json:"-"`
	// Within are the names of its own package that it reaches, its own among them.
	Within []string `json:"-"`

	Recv *Type `json:"v,omitempty"` // of a method, a pointer where it takes one
	Signature
	// HTTP is how it answers requests; empty where it does not.
	HTTP string `json:"h,omitempty"`
	// After: what is compared is the receiver after the call.
	After        bool                    `json:"a,omitempty"`
	TypeArgs     []string                `json:"y,omitempty"` // that have to be said
	Constructors map[string]*Constructor `json:"c,omitempty"` // by the text of the type
	Laws         []Law                   `json:"l,omitempty"`
	Pool         []Candidate             `json:"-"`
	stem         string
	said         string // all of its documentation
	more         func(texts []Said) []Candidate
}

// Inputs are what a call needs: the receiver first.
func (p *Plan) Inputs() []Param {
	if p.Recv == nil {
		return p.Params
	}
	return append([]Param{{"", p.Recv}}, p.Params...)
}

// Outputs are what is compared of a call.
func (p *Plan) Outputs() []*Type {
	if p.After {
		return []*Type{p.Recv.Elem}
	}
	if p.writer() >= 0 {
		return append(slices.Clone(p.Results), written)
	}
	return p.Results
}

// written is what a target wrote to a writer that it was given.
var written = &Type{Text: "written", Kind: String, Name: "Written", Path: "-"}

// writer is which of the inputs is a writer; -1 where none is, or more than one.
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

// taken are the names that tests have for other things than the package that they are of.
var taken = map[string]bool{
	"bytes": true, "context": true, "driver": true, "errors": true, "http": true, "httptest": true, "io": true, "iotest": true, "math": true, "reflect": true, "strings": true,
	"testing": true, "time": true, "json": true, "big": true, "url": true, "netip": true, "regexp": true, "net": true,
	"tests": true, "tt": true, "t": true, "f": true, "rec": true, "got": true, "err": true, "out": true, "v": true, "in": true, "data": true, "again": true, "there": true, "back": true,
	"values": true, "a": true, "b": true, "i": true, "j": true, "ab": true, "ba": true, "once": true, "twice": true, "recv": true, "closeTo": true, "response": true, "withHeader": true,
}

// qualifier is what tests call the package.
func (p *Plan) qualifier() string {
	if taken[p.Package] {
		return p.Package + "pkg"
	}
	return p.Package
}

// modern reports whether the module's language has what came with a version of Go 1.
func (p *Plan) modern(minor int) bool { return (&Package{Go: p.Go}).atLeast(minor) }

// Planner makes the plans of a package.
type Planner struct {
	*Package
	// Others finds the package of an import path in the repository; nil where it is none of it.
	Others func(path string) (*Package, error)
	// Reach follows the body of a symbol; false when there is none.
	Reach func(symbol string) (Reach, bool, error)
	// Deep says why what a name of another package of the repository reaches cannot be relied upon, empty where it can, and lists all
	// names of other packages that are reached.
	Deep func(n Name) (reason string, all []Name, err error)

	stems        map[string]string
	constructors map[string]*Constructor
}

// Symbols lists what is exported and has a body: what somebody may want tests of.
func (p *Planner) Symbols() []string {
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

// Plan says what tests of a symbol can be made from; nil when there is no such function.
func (p *Planner) Plan(symbol string) (*Plan, error) {
	f := p.funcs[symbol]
	if f == nil {
		return nil, nil
	}
	plan := &Plan{
		Symbol: symbol, File: f.file, Dir: p.Dir, Path: p.Path, Package: p.Name, Go: p.Go, Module: p.module.dir,
		Doc: synopsis(f.decl.Doc), said: f.decl.Doc.Text(),
	}
	reason, err := p.fit(plan, f)
	if err != nil {
		return nil, err
	}
	if plan.Reason = reason; reason != "" {
		return plan, nil
	}
	p.findLaws(plan)
	p.pool(plan, f)
	if len(plan.Pool) == 0 {
		plan.Reason = "no arguments are known for it"
	}
	return plan, nil
}

// synopsis is the first sentence of what is said of a function.
func synopsis(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return (&doc.Package{}).Synopsis(g.Text())
}

// fit finds out what a function takes and gives, or why no test can be made of it.
func (p *Planner) fit(plan *Plan, f *function) (reason string, err error) {
	switch {
	case p.Main:
		return "a program cannot be imported", nil
	case p.dotted:
		return "a file of its package imports all names of another one", nil
	case f.limited != "":
		return "is built where " + f.limited + " holds only", nil
	case p.broken != "":
		return "its package does not parse: " + p.broken, nil
	}
	r := &resolver{of: p.Package, others: p.Others, args: map[string]*Type{}}
	if reason := p.instantiate(plan, f, r); reason != "" {
		return reason, nil
	}
	p.signature(plan, f, r)
	if r.err != nil {
		return "", r.err
	}
	reach, there, err := p.Reach(plan.Symbol)
	if err != nil || !there {
		return "its body was not found", err
	}
	plan.Within = reach.Within
	reason, others := p.reaches(reach)
	for _, n := range others {
		if reason != "" {
			break
		}
		var all []Name
		if reason, all, err = p.Deep(n); err != nil {
			return "", err
		}
		plan.Reaches = append(plan.Reaches, all...)
	}
	slices.SortFunc(plan.Reaches, func(a, b Name) int { return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name)) })
	plan.Reaches = slices.Compact(plan.Reaches)
	if reason == "" {
		reason = p.unfit(plan)
	}
	return reason, nil
}

// signature reads the receiver, the parameters and the results.
func (p *Planner) signature(plan *Plan, f *function, r *resolver) {
	d := f.decl
	if d.Recv != nil {
		plan.Recv = r.resolve(p.Package, f.imports, d.Recv.List[0].Type, 0)
	}
	plan.Signature = signatureOf(p.Package, f, r)
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

// unfit says what of a signature no test can provide or compare.
func (p *Planner) unfit(plan *Plan) string {
	plan.Constructors = map[string]*Constructor{}
	p.pointed(plan)
	for _, in := range plan.Inputs() {
		if !p.makeable(plan, in.Type) {
			return "takes a " + describe(in.Type) + ", of which no value can be made from outside"
		}
	}
	outs := plan.Outputs()
	if len(outs) == 0 && !plan.Fails {
		return "returns nothing that could be compared"
	}
	for _, out := range outs {
		if !out.result() && !(plan.Fails && len(outs) == 1) {
			return "returns a " + describe(out) + ", which cannot be compared from outside"
		}
	}
	return ""
}

// pointed has a method be called through a pointer, where constructors make such alone: of a struct with fields that a test cannot set
// hardly anything can be shown otherwise.
func (p *Planner) pointed(plan *Plan) {
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
		return "function, interface or generic type"
	}
	return t.Text
}

// makeable reports whether values of a type can be written down, or made by a constructor, which it notes.
func (p *Planner) makeable(plan *Plan, t *Type) bool {
	switch t.Kind {
	case Reader, Context, Fault, Request:
		return true
	case Writer:
		return plan.writer() >= 0
	case Handler:
		return plan.HTTP != "" && t.Name == "Handler"
	case Slice, Array:
		if t.visible() {
			return true
		}
		if t.Kind == Slice && t.nameable() && p.makeable(plan, t.Elem) {
			return true
		}
	case Pointer:
		if t.visible() || t == plan.Recv && plan.fills() {
			return true
		}
	default:
		if t.visible() {
			return true
		}
	}
	c := p.constructor(t)
	if c != nil {
		plan.Constructors[t.Text] = c
		return true
	}
	if t.Kind == Pointer && plan.After && t == plan.Recv && t.Elem.nameable() {
		return true
	}
	// a struct of which some fields can be set is of use where its zero value is
	return t.Kind == Struct && t.nameable() && t.Closed && len(t.Fields) > 0 && open(t)
}

// open reports whether the fields of a struct that a test can set are visible.
func open(t *Type) bool {
	return !slices.ContainsFunc(t.Fields, func(f Field) bool { return !f.Type.visible() })
}

package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"strconv"
)

// Kind classifies types by the form of their values.
type Kind string

// The kinds. Values of Opaque types have no literal form.
const (
	Bool       Kind = "bool"
	Int        Kind = "int"
	Uint       Kind = "uint"
	Float      Kind = "float"
	String     Kind = "string"
	Slice      Kind = "slice"
	Array      Kind = "array"
	Map        Kind = "map"
	Struct     Kind = "struct"
	Pointer    Kind = "pointer"
	Any        Kind = "any"
	Fault      Kind = "error"
	Reader     Kind = "reader"
	Context    Kind = "context"
	Writer     Kind = "writer"
	Handler    Kind = "handler"
	Middleware Kind = "middleware"
	Request    Kind = "request"  // parameter of a handler
	Response   Kind = "response" // response of a handler
	Time       Kind = "time"
	Opaque     Kind = "opaque"
)

// Type is a type, with the information needed to write values of it.
type Type struct {
	// Text is the type as code of the target's package writes it, by which specs name it: "Amount", "[]Amount",
	// "time.Duration".
	Text string `json:"t"`
	Kind Kind   `json:"k"`
	Bits int    `json:"b,omitempty"` // of a number
	Len  int    `json:"n,omitempty"` // of an array
	// Machine reports that the size depends on the machine. Tests rely on 32 bits.
	Machine bool `json:"h,omitempty"`
	// Path and Name identify a declared type. Path is empty for the target's package.
	Path string `json:"p,omitempty"`
	Name string `json:"m,omitempty"`

	Elem   *Type   `json:"e,omitempty"` // also the target of a pointer
	Key    *Type   `json:"y,omitempty"`
	Fields []Field `json:"f,omitempty"` // exported fields
	// Closed reports that a struct has unexported fields.
	Closed bool `json:"c,omitempty"`
	// Stringer reports that values have a String method, ByPointer that only pointers do.
	Stringer  bool `json:"s,omitempty"`
	ByPointer bool `json:"r,omitempty"`
}

// Field is one field of a struct.
type Field struct {
	Name string `json:"n"`
	Type *Type  `json:"t"`
}

var basic = map[string]Type{
	"bool": {Kind: Bool}, "string": {Kind: String}, "error": {Kind: Fault}, "any": {Kind: Any},
	"int": {Kind: Int, Bits: 64, Machine: true}, "int8": {Kind: Int, Bits: 8}, "int16": {Kind: Int, Bits: 16}, "int32": {Kind: Int, Bits: 32}, "rune": {Kind: Int, Bits: 32}, "int64": {Kind: Int, Bits: 64},
	"uint": {Kind: Uint, Bits: 64, Machine: true}, "uint8": {Kind: Uint, Bits: 8}, "byte": {Kind: Uint, Bits: 8}, "uint16": {Kind: Uint, Bits: 16}, "uint32": {Kind: Uint, Bits: 32}, "uint64": {Kind: Uint, Bits: 64},
	"uintptr": {Kind: Opaque}, "float32": {Kind: Float, Bits: 32}, "float64": {Kind: Float, Bits: 64}, "complex64": {Kind: Opaque}, "complex128": {Kind: Opaque},
}

// standard are types of the standard library with values that can be written or compared.
var standard = map[string]Type{
	"time.Duration": {Kind: Int, Bits: 64, Stringer: true}, "time.Month": {Kind: Int, Bits: 64, Stringer: true}, "time.Weekday": {Kind: Int, Bits: 64, Stringer: true},
	"io.Reader": {Kind: Reader}, "context.Context": {Kind: Context}, "net/http.Handler": {Kind: Handler}, "net/http.HandlerFunc": {Kind: Handler}, "io.Writer": {Kind: Writer}, "io.ReadCloser": {Kind: Reader}, "encoding/json.RawMessage": {Kind: Slice, Elem: &Type{Text: "byte", Kind: Uint, Bits: 8}},
	"database/sql/driver.Value": {Kind: Any}, "encoding/json.Number": {Kind: String, Stringer: true}, "unicode.SpecialCase": {Kind: Opaque},
	"time.Time": {Kind: Time, Stringer: true}, "math/big.Int": {Kind: Opaque, ByPointer: true}, "math/big.Rat": {Kind: Opaque, ByPointer: true}, "math/big.Float": {Kind: Opaque, ByPointer: true},
	"net/url.URL": {Kind: Opaque, ByPointer: true}, "regexp.Regexp": {Kind: Opaque, ByPointer: true}, "net.IPNet": {Kind: Opaque, ByPointer: true},
	"net/netip.Addr": {Kind: Opaque, Stringer: true}, "net/netip.Prefix": {Kind: Opaque, Stringer: true},
}

const deepest = 6

type resolver struct {
	of   *Package         // the target's package
	args map[string]*Type // type arguments
	err  error
}

func (r *resolver) resolve(p *Package, in imports, x ast.Expr, depth int) *Type {
	if depth > deepest {
		return opaque("")
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return r.resolve(p, in, x.X, depth)
	case *ast.Ident:
		return r.named(p, x, depth)
	case *ast.SelectorExpr:
		return r.selected(in, x, depth)
	case *ast.StarExpr:
		e := r.resolve(p, in, x.X, depth+1)
		return &Type{Text: "*" + e.Text, Kind: Pointer, Elem: e, Stringer: e.Stringer || e.ByPointer}
	case *ast.ArrayType:
		e := r.resolve(p, in, x.Elt, depth+1)
		if x.Len == nil {
			return &Type{Text: "[]" + e.Text, Kind: Slice, Elem: e}
		}
		n, ok := length(x.Len)
		if !ok {
			return opaque("[...]" + e.Text)
		}
		return &Type{Text: "[" + strconv.Itoa(n) + "]" + e.Text, Kind: Array, Len: n, Elem: e}
	case *ast.Ellipsis:
		e := r.resolve(p, in, x.Elt, depth+1)
		return &Type{Text: "[]" + e.Text, Kind: Slice, Elem: e}
	case *ast.MapType:
		k, e := r.resolve(p, in, x.Key, depth+1), r.resolve(p, in, x.Value, depth+1)
		return &Type{Text: "map[" + k.Text + "]" + e.Text, Kind: Map, Key: k, Elem: e}
	case *ast.FuncType:
		if x.Params.NumFields() == 1 && x.Results.NumFields() == 1 && r.resolve(p, in, x.Params.List[0].Type, depth).is("net/http", "Handler") && r.resolve(p, in, x.Results.List[0].Type, depth).is("net/http", "Handler") {
			return &Type{Text: "func(http.Handler) http.Handler", Kind: Middleware}
		}
	case *ast.InterfaceType:
		if len(x.Methods.List) == 0 {
			return &Type{Text: "any", Kind: Any}
		}
	}
	return opaque("")
}

func opaque(text string) *Type { return &Type{Text: text, Kind: Opaque} }

func length(x ast.Expr) (int, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return 0, false
	}
	n, err := strconv.Atoi(lit.Value)
	return n, err == nil && n <= 1024
}

func (r *resolver) named(p *Package, x *ast.Ident, depth int) *Type {
	if t := r.args[x.Name]; t != nil && p == r.of {
		return t
	}
	if d := p.types[x.Name]; d != nil {
		return r.declared(p, d, x.Name, depth)
	}
	if t, ok := basic[x.Name]; ok {
		t.Text = x.Name
		return &t
	}
	return opaque(x.Name)
}

func (r *resolver) selected(in imports, x *ast.SelectorExpr, depth int) *Type {
	pkg, ok := x.X.(*ast.Ident)
	if !ok {
		return opaque("")
	}
	at, text := in[pkg.Name], pkg.Name+"."+x.Sel.Name
	if t, ok := standard[at+"."+x.Sel.Name]; ok {
		t.Text, t.Path, t.Name = text, at, x.Sel.Name
		return &t
	}
	other, err := r.of.other(at)
	if err != nil {
		r.err = err
	}
	if other == nil || other.types[x.Sel.Name] == nil {
		return &Type{Text: text, Kind: Opaque, Path: at, Name: x.Sel.Name}
	}
	return r.declared(other, other.types[x.Sel.Name], x.Sel.Name, depth)
}

func (r *resolver) declared(p *Package, d *declared, name string, depth int) *Type {
	t := &Type{Kind: Opaque}
	if d.spec.TypeParams == nil {
		t = r.under(p, d, depth)
	}
	made := *t
	made.Text, made.Name, made.Path = name, name, ""
	if p != r.of {
		made.Text, made.Path = p.Name+"."+name, p.Path
	}
	if d.spec.Assign.IsValid() { // an alias has the methods of its target
		return &made
	}
	made.Stringer, made.ByPointer = p.stringer(name)
	if made.Kind == Pointer || made.Kind == Any || made.Kind == Fault {
		made.Kind = Opaque
	}
	return &made
}

// stringer reports whether values of a type have a String method, or only pointers.
func (p *Package) stringer(name string) (values, pointers bool) {
	f := p.funcs[name+".String"]
	if f == nil || f.decl.Type.Params.NumFields() > 0 || f.decl.Type.Results.NumFields() != 1 {
		return false, false
	}
	if id, ok := f.decl.Type.Results.List[0].Type.(*ast.Ident); !ok || id.Name != "string" {
		return false, false
	}
	_, pointer := f.decl.Recv.List[0].Type.(*ast.StarExpr)
	return !pointer, pointer
}

func (r *resolver) under(p *Package, d *declared, depth int) *Type {
	x, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		return r.resolve(p, d.imports, d.spec.Type, depth+1)
	}
	t := &Type{Kind: Struct}
	for _, f := range x.Fields.List {
		ft := r.resolve(p, d.imports, f.Type, depth+1)
		names := f.Names
		if names == nil {
			names = []*ast.Ident{{Name: cmp.Or(baseName(f.Type), "_")}}
		}
		for _, n := range names {
			switch {
			case n.Name == "_":
			case !n.IsExported():
				t.Closed = true
			default:
				t.Fields = append(t.Fields, Field{n.Name, ft})
			}
		}
	}
	return t
}

// base returns a type without pointers and type arguments.
func base(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.StarExpr:
		return base(x.X)
	case *ast.ParenExpr:
		return base(x.X)
	case *ast.IndexExpr:
		return base(x.X)
	case *ast.IndexListExpr:
		return base(x.X)
	}
	return x
}

// baseName returns the name of a type without pointers, packages and type arguments; empty for one without a name.
func baseName(x ast.Expr) string {
	if s, ok := base(x).(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return valueName(base(x))
}

// nameable reports whether a test of another package can name the type.
func (t *Type) nameable() bool {
	switch {
	case t.Name != "":
		return ast.IsExported(t.Name)
	case t.Kind == Pointer, t.Kind == Slice, t.Kind == Array:
		return t.Elem.nameable()
	case t.Kind == Map:
		return t.Key.nameable() && t.Elem.nameable()
	}
	return t.Kind != Opaque && t.Kind != Struct
}

// visible reports whether values can be fully written as literals by a test.
func (t *Type) visible() bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, String:
		return t.nameable()
	case Slice, Array:
		return t.nameable() && t.Elem.visible()
	case Map:
		return t.nameable() && t.Elem.visible() && (t.Key.Kind == String || t.Key.Kind == Int || t.Key.Kind == Uint || t.Key.Kind == Bool) && t.Key.visible()
	case Pointer:
		return t.Elem.Kind == Struct && t.Elem.visible()
	case Struct:
		for _, f := range t.Fields {
			if !f.Type.visible() {
				return false
			}
		}
		return !t.Closed && t.nameable()
	case Any, Time:
		return true
	}
	return false
}

func (t *Type) result() bool {
	return t.Stringer || t.visible() || t.Kind == Reader || t.Kind == Response
}

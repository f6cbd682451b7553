package typescript

import (
	"context"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/ecma"
)

type file struct {
	name string // relative to the root
	ecma.Code
	decls   map[string]*decl
	changed map[string]bool // variables and functions that the file's functions modify
	types   map[string]ecma.Type
}

// decl is one declaration of a file.
type decl struct {
	*source.Symbol
	file     *file
	exported string // the name in imports; empty if not exported
	callable bool   // a function, or a static method that callers reach
}

func readFile(name string, data []byte) *file {
	f := &file{name: name, decls: map[string]*decl{}, types: map[string]ecma.Type{}}
	var err error
	if f.Code, err = ecma.Read(context.Background(), name, data); err != nil {
		f.Problem = err.Error() // no hand-written source
	}
	renamed := map[string]string{}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Kind == source.Reexport && len(s.Refs) == 1 {
			renamed[s.Refs[0]] = s.Name
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Kind == source.Reexport {
			continue
		}
		d := &decl{Symbol: s, file: f, callable: s.Kind == source.Func && !strings.Contains(s.Name, ".")}
		class, method, member := strings.Cut(s.Name, ".")
		switch {
		case !s.Exported:
		case s.Renamed:
			d.exported = renamed[s.Name]
		case !member:
			d.exported = s.Name
		default:
			if c := f.decls[class]; c != nil && c.exported != "" {
				d.exported = c.exported + "." + method
				d.callable = c.Kind == source.Class && s.Kind == source.Method && identifier.MatchString(method) && d.is("static") && !d.is("protected")
			}
		}
		f.decls[s.Name] = d
	}
	f.findChanged()
	return f
}

// is reports whether a declaration has a modifier.
func (d *decl) is(modifier string) bool {
	return slices.ContainsFunc(d.Headers(), func(h source.Header) bool { return h.Is(modifier) })
}

// target reports whether a declaration is exported and callers can call it.
func (d *decl) target() bool { return d != nil && d.callable && d.exported != "" }

func (d *decl) hasBody() bool {
	return slices.ContainsFunc(d.file.Places[d.Name], func(p ecma.Place) bool { return p.Body < p.To })
}

// tokens calls each with the index of every token of a declaration.
func (d *decl) tokens(each func(i int)) {
	for _, p := range d.file.Places[d.Name] {
		for i := p.From; i < p.To; i++ {
			each(i)
		}
	}
}

// bound returns the import that binds a name, and the imported name; empty for a whole module.
func (f *file) bound(name string) (in *source.Import, member string) {
	in, member, whole, ok := f.Binds(name)
	switch {
	case !ok || f.decls[name] != nil:
		return nil, ""
	case whole:
		return in, ""
	}
	return in, member
}

// declares reports whether the file imports or declares a name.
func (f *file) declares(name string) bool {
	in, _ := f.bound(name)
	return in != nil || f.decls[name] != nil
}

func (f *file) at(i int) ecma.Token { return at(f.Tokens, i) }

func at(t []ecma.Token, i int) ecma.Token {
	if i < 0 || i >= len(t) {
		return ecma.Token{}
	}
	return t[i]
}

// isToken reports whether a token is this word or punctuator.
func isToken(t ecma.Token, text string) bool {
	return t.Text == text && (t.Kind == ecma.Word || t.Kind == ecma.Punct)
}

// tokensOf returns the tokens of a piece of code, and whether it parses.
func tokensOf(code string) ([]ecma.Token, bool) {
	c, err := ecma.Read(context.Background(), "a.ts", []byte(code))
	return c.Tokens, err == nil && c.Problem == ""
}

// typeOf parses a type and remembers it.
func (f *file) typeOf(text string) ecma.Type {
	t, known := f.types[text]
	if !known {
		t = ecma.TypeOf(text)
		f.types[text] = t
	}
	return t
}

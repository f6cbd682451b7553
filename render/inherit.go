package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

const (
	// mostBases bounds the bases of one class, mostInherited the inherited members of a class, mostGiven those of a
	// module.
	mostBases     = 64
	mostInherited = 200
	mostGiven     = 1000
)

// inheritance finds the members that callers reach through a module's classes but that only unreachable bases declare.
type inheritance struct {
	*facts
	own  *survey.Module
	all  map[string]*family
	left int
}

// family holds the classes of a module with their bases.
type family struct {
	k        *survey.Module
	bases    map[string][]source.Use
	declared map[string]*source.Declared
	members  map[string][]*source.Declared // by class
	reached  map[string]bool
	typing   survey.Typing
}

// heir is an inherited member, or an overriding one that inherits its documentation.
type heir struct {
	class, of *source.Declared // of is the member of the base
	module    string           // of the base
	doc       bool             // inherits only the documentation
}

func (h heir) name() string { return h.class.Name + "." + lastElement(h.of.Name) }

// heirsOf lists the inherited members of the reachable classes of a module.
func heirsOf(f *facts, k *survey.Module) (out []heir) {
	if f.err != nil {
		return nil
	}
	x := &inheritance{f, k, map[string]*family{}, mostGiven}
	for i := range k.Declared {
		d := &k.Declared[i]
		if !source.Extends(d.Symbol) {
			continue
		}
		f := x.family(k.Module.Path)
		if x.err != nil {
			break
		}
		if f.reached[d.Name] {
			out = append(out, x.given(f, d)...)
		}
	}
	return out
}

func (x *inheritance) family(module string) *family {
	if f := x.all[module]; f != nil || x.err != nil {
		return f
	}
	k := x.own
	if module != k.Module.Path {
		k = ask(x.facts, survey.Read, module)
	}
	f := &family{
		k: k, bases: map[string][]source.Use{}, declared: map[string]*source.Declared{}, members: map[string][]*source.Declared{},
		reached: map[string]bool{}, typing: ask(x.facts, survey.TypingOf, k),
	}
	bases := ask(x.facts, survey.BasesOf, module)
	if x.err != nil {
		return nil
	}
	for _, b := range bases {
		f.bases[b.Type] = append(f.bases[b.Type], b.Of)
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		f.declared[d.Name] = d
		if at := strings.LastIndexByte(d.Name, '.'); at >= 0 {
			f.members[d.Name[:at]] = append(f.members[d.Name[:at]], d)
		}
	}
	for _, d := range offered(k, f.typing, aliasesOf(k), nil) {
		if _, inside := f.typing.Of(d); !inside && source.IsType(d.Kind) {
			f.reached[d.Name] = true
		}
	}
	x.all[module] = f
	return f
}

// line lists the bases of a class, nearest first; a base shared by two comes after both. Callers see the members of a
// base in near with this class; those of others with a base that they reach.
func (x *inheritance) line(of source.Use) (all []source.Use, near map[source.Use]bool) {
	near = map[source.Use]bool{}
	var add func(u source.Use, reached bool)
	add = func(u source.Use, reached bool) {
		if len(all) > mostBases {
			return
		}
		all = append(all, u)
		f := x.family(u.Module)
		if f == nil {
			return
		}
		reached = reached || f.reached[u.Name] && u != of
		near[u] = near[u] || !reached
		for _, b := range f.bases[u.Name] {
			add(b, reached)
		}
	}
	add(of, false)
	var out []source.Use
	seen := map[source.Use]bool{of: true}
	for _, u := range slices.Backward(all) {
		if !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	slices.Reverse(out)
	return out, near
}

// given lists the members that a class inherits, and the documentation that its own members inherit.
func (x *inheritance) given(f *family, class *source.Declared) []heir {
	has, silent := map[string]bool{}, map[string]source.Kind{}
	for _, m := range f.members[class.Name] {
		name := lastElement(m.Name)
		has[name] = true
		if m.Doc == "" && m.Exported && !source.IsConstructor(name) {
			silent[name] = m.Kind
		}
	}
	var out []heir
	room := mostInherited
	line, near := x.line(source.Use{Module: f.k.Module.Path, Name: class.Name})
	for _, u := range line {
		base := x.family(u.Module)
		if base == nil || base.declared[u.Name] == nil {
			continue
		}
		for _, m := range base.members[u.Name] {
			name := lastElement(m.Name)
			h := heir{class, m, u.Module, false}
			switch {
			case silent[name] == m.Kind && m.Doc != "":
				delete(silent, name)
				h.doc = true
			case has[name]:
				continue
			default:
				if has[name] = true; !source.HandsOn(base.typing.LanguageOf(m), base.declared[u.Name].Symbol, m.Symbol) || name == lastElement(u.Name) || !near[u] && !isShared(base, u.Name, class, m) {
					continue
				}
			}
			if room--; room < 0 || x.left <= 0 {
				return out
			}
			x.left--
			out = append(out, h)
		}
	}
	return out
}

// isShared reports whether a member is listed with every class that inherits it: the fields of a data class are parameters
// of its subclasses.
func isShared(base *family, name string, class, member *source.Declared) bool {
	return member.Kind == source.Field && isDataClass(class) && isDataClass(base.declared[name])
}

func isDataClass(d *source.Declared) bool {
	word := source.TraitsOfFile(d.Path).DataClass
	return word != "" && strings.Contains(d.Signature, word)
}

func isConstructor(name string) bool {
	at := strings.LastIndexByte(name, '.')
	return at >= 0 && (source.IsConstructor(name[at+1:]) || lastElement(name[:at]) == name[at+1:])
}

// inherit adds inherited members and documentation to a node.
func inherit(n *node.Node, heirs []heir) {
	at := map[string]int{}
	for i := range n.PublicAPI {
		at[n.PublicAPI[i].Name] = i
	}
	for _, h := range heirs {
		i, listed := at[h.name()]
		if h.doc {
			if listed {
				s := &n.PublicAPI[i]
				s.Doc, s.DocFrom = node.Opening(h.of.Doc), h.of.Symbol.Name
			}
			continue
		}
		class, known := at[h.class.Name]
		if listed || !known {
			continue
		}
		of := &n.PublicAPI[class]
		s := node.Symbol{
			Name: h.name(), Kind: h.of.Kind, Signature: h.of.Signature, Type: h.of.Type, Doc: h.of.Doc, Overloads: h.of.Overloads, Deprecated: h.of.Deprecated,
			Inherited: h.of.Name, Import: of.Import, Inside: of.Inside, File: of.File,
		}
		if h.module != n.Path {
			s.From = h.module
		}
		if h.of.Path != path.Join(n.Path, of.File) {
			s.Source = h.of.Path
		}
		for _, as := range of.As {
			s.As = append(s.As, as+source.Separator(h.class.Path)+lastElement(h.of.Name))
		}
		n.PublicAPI = append(n.PublicAPI, s)
	}
}

// inheritedFrom says that a member, or its documentation, is inherited.
func (p *page) inheritedFrom(e *entry) string {
	switch {
	case e.Inherited != "":
		return "Inherited from " + p.baseOf(e) + "."
	case e.DocFrom != "":
		return "The description is from " + markdown.Code(e.DocFrom) + "."
	}
	return ""
}

func (p *page) baseOf(e *entry) string {
	owner, _, _ := cutLast(e.Inherited)
	base := markdown.Code(lastElement(owner))
	if e.From != "" {
		base += " of " + p.moduleLink(e.From)
	}
	return base
}

func cutLast(name string) (before, after string, ok bool) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return "", name, false
	}
	return name[:at], name[at+1:], true
}

// inheritedDocs loads the full documentation of inherited members, which a stored node lacks.
func inheritedDocs(n *node.Node, k *survey.Module, other func(module string) (*survey.Module, error)) error {
	modules := map[string]map[string]*source.Declared{"": byName(k)}
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		if s.Inherited == "" {
			continue
		}
		if modules[s.From] == nil {
			of, err := other(s.From)
			if err != nil {
				return fmt.Errorf("read what %s inherits: %w", s.Name, err)
			}
			modules[s.From] = byName(of)
		}
		if d := modules[s.From][s.Inherited]; d != nil {
			s.Doc, s.Overloads = d.Doc, d.Overloads
		}
	}
	return nil
}

func byName(k *survey.Module) map[string]*source.Declared {
	out := make(map[string]*source.Declared, len(k.Declared))
	for i := range k.Declared {
		out[k.Declared[i].Name] = &k.Declared[i]
	}
	return out
}

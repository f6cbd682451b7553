package survey

import (
	"maps"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Typing holds the symbols of a module that callers reach, with the names that they type.
type Typing struct {
	Files    map[string]Publication // by path, of languages with entry points
	Names    source.Reached
	units    map[string]*source.Unit // by path
	declared map[string]*source.Declared
	// objects holds the values that make up the whole export of a JavaScript file; callers know them by the file's
	// own name for them, as in `app.get`.
	objects map[string]bool
	// types maps Rust type names that callers reach to full names, for methods added in other files. Ambiguous names
	// map to "".
	types map[string]string
	crate string // Rust macros are imported from it, wherever they are declared
}

// TypingOf reads the publications of the module's files.
func TypingOf(r Reader, k *Module) (Typing, error) {
	out := Typing{
		map[string]Publication{}, source.Reached{}, map[string]*source.Unit{}, map[string]*source.Declared{}, map[string]bool{}, map[string]string{}, "",
	}
	for i := range k.Module.Units {
		u := &k.Module.Units[i]
		out.units[u.Path] = u
		if !source.HasEntries(u.File.Language) {
			continue
		}
		p, err := PublishedOf(r, u.Path)
		if err != nil {
			return Typing{}, err
		}
		out.Files[u.Path] = p
		maps.Copy(out.Names, p.Names)
	}
	for i := range k.Declared {
		out.declared[k.Declared[i].Name] = &k.Declared[i]
	}
	for i := range k.Declared {
		out.special(k, &k.Declared[i])
	}
	return out, nil
}

// LanguageOf returns the language of the file with a declaration.
func (r Typing) LanguageOf(d *source.Declared) string {
	if u := r.units[d.Path]; u != nil {
		return u.File.Language
	}
	return ""
}

// HandsOn reports whether callers reach a member through a class that another file re-exports and its own does not export.
func (r Typing) HandsOn(d *source.Declared) bool {
	owner := r.declared[d.Name[:max(strings.LastIndexByte(d.Name, '.'), 0)]]
	if owner == nil || owner.Exported || owner.Kind != source.Class {
		return false
	}
	_, named := r.Names[owner.Name]
	return named && source.HandsOn(r.LanguageOf(d), owner.Symbol, d.Symbol)
}

func (r *Typing) special(k *Module, d *source.Declared) {
	local := r.declared[k.Table.Local[d.Name]]
	if d.Symbol.Name == "default" && local != nil && (local.Kind == source.Var || local.Kind == source.Const) {
		r.objects[local.Name] = true
	}
	typed, ok := r.Names[d.Name]
	if !ok || source.TraitsOf(r.units[d.Path].File.Language).Rooted == "" {
		return
	}
	r.crate, _, _ = strings.Cut(typed.As[0], "::")
	if source.IsType(d.Kind) {
		if _, several := r.types[d.Symbol.Name]; several {
			r.types[d.Symbol.Name] = ""
		} else {
			r.types[d.Symbol.Name] = d.Name
		}
	}
}

// Of returns the names by which callers know a declaration, and whether it is internal. A member takes the name of
// its owner.
func (r Typing) Of(d *source.Declared) (names source.Typed, inside bool) {
	if strings.Contains(d.Doc, "@") && forAuthors.MatchString(d.Doc) || !source.TraitsOfFile(d.Path).Lists(d.Symbol) {
		return source.Typed{}, true
	}
	file := len(d.Name) - len(d.Symbol.Name)
	for owner := d.Name; len(owner) > file; owner = owner[:max(strings.LastIndexByte(owner, '.'), 0)] {
		t, ok := r.Names[owner]
		if of := r.declared[owner]; !ok || of != d && of != nil && of.Kind == source.Namespace {
			continue
		}
		names := source.Typed{Import: t.Import}
		if r.objects[owner] && strings.Contains(t.As[0], ".") {
			names.As = append(names.As, d.Symbol.Name)
		}
		for _, as := range t.As {
			names.As = append(names.As, as+strings.ReplaceAll(d.Name[len(owner):], ".", source.Separator(d.Path)))
		}
		return names, false
	}
	if p, ok := r.Files[d.Path]; ok {
		if names := r.added(d); p.Ruled && names.As != nil {
			return names, false
		}
		if p.Ruled {
			return source.Typed{}, true
		}
	}
	return byPackage(r.units[d.Path], d)
}

func (r Typing) added(d *source.Declared) source.Typed {
	if rooted := source.TraitsOfFile(d.Path).Rooted; rooted != "" && d.Kind == source.Macro && strings.Contains(d.Signature, rooted) && r.crate != "" {
		return source.Typed{As: []string{r.crate + source.Separator(d.Path) + d.Symbol.Name}, Import: r.crate}
	}
	owner, member, ok := strings.Cut(d.Symbol.Name, ".")
	t, known := r.Names[r.types[owner]]
	if !ok || !known || r.declared[d.Name[:len(d.Name)-len(member)-1]] != nil {
		return source.Typed{}
	}
	names := source.Typed{Import: t.Import}
	for _, as := range t.As {
		names.As = append(names.As, as+"::"+strings.ReplaceAll(member, ".", "::"))
	}
	return names
}

// forAuthors matches documentation tags that mark an export as internal.
var forAuthors = lazyregexp.New(`(?m)^\s*@(private|internal|api private)\b`)

// byPackage returns the name of a declaration in languages where its own file decides.
func byPackage(u *source.Unit, d *source.Declared) (names source.Typed, inside bool) {
	internal := source.TraitsOf(u.File.Language).Inside
	if u.File.Package == "" || internal == nil {
		return source.Typed{}, false
	}
	if internal(u, d.Symbol) {
		return source.Typed{}, true
	}
	return source.Typed{As: []string{u.File.Package + "." + d.Symbol.Name}}, false
}

// typedNames resolves names as callers type them, for documents that do not show imports.
type typedNames struct {
	x           *exhibition
	whole, ends map[string]int
}

func newTypedNames(x *exhibition) typedNames {
	n := typedNames{x, map[string]int{}, map[string]int{}}
	add := func(to map[string]int, name string, i int) {
		if other, there := to[name]; there && other != i {
			i = -1
		}
		to[name] = i
	}
	for i, typed := range x.wanted {
		for _, as := range typed.As {
			as = strings.ReplaceAll(as, "::", ".")
			add(n.whole, as, i)
			if parts := strings.Split(as, "."); len(parts) > 2 {
				add(n.ends, strings.Join(parts[len(parts)-2:], "."), i)
			}
		}
		if d := &x.known.Declared[i]; len(typed.As) == 0 && (d.Kind == source.Func || d.Kind == source.Macro) && source.TraitsOf(x.known.Module.Language()).Global {
			add(n.whole, d.Symbol.Name, i)
		}
	}
	return n
}

// in lists the references of a block that its imports do not resolve.
func (n typedNames) in(m mention) []source.Seen {
	var out []source.Seen
	f := &m.Unit.File
	for _, r := range f.References() {
		if r.Open {
			continue
		}
		if i, ok := n.meant(m, r.Name); ok && i >= 0 {
			out = append(out, source.Seen{Declared: i, Reference: r})
		}
	}
	return out
}

func (n typedNames) meant(m mention, name string) (int, bool) {
	imp, member, whole, bound := m.Unit.File.Binds(name)
	dotted, t := strings.Contains(name, "."), source.TraitsOf(m.Language)
	switch {
	case bound && !t.Global:
		return n.imported(imp, member, whole)
	case t.Resolution.Modules && !nearTo(n.x.known.Module.Path, m.path):
		return 0, false
	case !dotted && !t.Global:
		return 0, false
	}
	if i, ok := n.whole[name]; ok {
		return i, true
	}
	if first := name[0]; dotted && first >= 'A' && first <= 'Z' && !t.Whole {
		i, ok := n.ends[name]
		return i, ok
	}
	return 0, false
}

// imported resolves a name from an import that leads to no file, by the name of the published package.
func (n typedNames) imported(imp *source.Import, member string, whole bool) (int, bool) {
	typed := member
	if rest, ok := strings.CutPrefix(member, "default"); ok && !whole || whole {
		if whole {
			rest = "." + member
		}
		typed = strings.TrimSuffix(path.Base(imp.Path)+rest, ".")
	}
	for _, name := range []string{typed, member} {
		if i, ok := n.whole[name]; ok && i >= 0 && n.x.wanted[i].Import == imp.Path {
			return i, true
		}
	}
	return 0, false
}

// nearTo reports whether a document is in a module's directory or below, where names of the package need no import.
func nearTo(module, document string) bool {
	return module == "." || strings.HasPrefix(document, module+"/")
}

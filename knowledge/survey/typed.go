package survey

import (
	"maps"
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

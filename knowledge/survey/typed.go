package survey

import (
	"maps"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Typing is what callers reach of a module, and the names that they type.
type Typing struct {
	Files    map[string]Publication // by path, of those whose language has entries
	Names    source.Reached
	units    map[string]*source.Unit // by path
	declared map[string]*source.Declared
	// objects are the values that are all of what a JavaScript file exports: its people call them as that file does, `app.get`.
	objects map[string]bool
	// types are the types of Rust that callers reach, by their names alone, for what other files of the module add to them; empty
	// where several are called so.
	types map[string]string
	crate string // that macros of Rust are imported from, wherever they stand
}

// TypingOf reads what callers reach of each file that has a say in it.
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

// LanguageOf is the language of the file with a declaration.
func (r Typing) LanguageOf(d *source.Declared) string {
	if u := r.units[d.Path]; u != nil {
		return u.File.Language
	}
	return ""
}

// special takes up what declarations mean for the names of others.
func (r *Typing) special(k *Module, d *source.Declared) {
	local := r.declared[k.Table.Local[d.Name]]
	if d.Symbol.Name == "default" && local != nil && (local.Kind == source.Var || local.Kind == source.Const) {
		r.objects[local.Name] = true
	}
	typed, ok := r.Names[d.Name]
	if !ok || r.units[d.Path].File.Language != "rust" {
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

// Of are the names by which callers know a declaration, and whether none can reach it. A member is known by that of its owner.
func (r Typing) Of(d *source.Declared) (names source.Typed, inside bool) {
	if strings.Contains(d.Doc, "@") && forAuthors.MatchString(d.Doc) || strings.Contains(d.Signature, "#[doc(hidden)]") {
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

// added are the names of what a file of Rust adds elsewhere: a method to a type of another file, a macro to the crate.
func (r Typing) added(d *source.Declared) source.Typed {
	if d.Kind == source.Macro && strings.Contains(d.Signature, "#[macro_export]") && r.crate != "" {
		return source.Typed{As: []string{r.crate + "::" + d.Symbol.Name}, Import: r.crate}
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

// forAuthors matches documentation by which authors take back what they export.
var forAuthors = lazyregexp.New(`(?m)^\s*@(private|internal|api private)\b`)

// byPackage is the name of a declaration where what a file says of itself decides: in Go and Java.
func byPackage(u *source.Unit, d *source.Declared) (names source.Typed, inside bool) {
	if u.File.Package == "" {
		return source.Typed{}, false
	}
	switch u.File.Language {
	case "go":
		inside = u.File.Package == "main" || strings.Contains("/"+u.Path, "/internal/") || ofTools.MatchString(u.File.Guard) || ofTools.MatchString(d.Guard)
	case "java":
		inside = internalJava.MatchString(u.File.Package)
	default:
		return source.Typed{}, false
	}
	if inside {
		return source.Typed{}, true
	}
	return source.Typed{As: []string{u.File.Package + "." + d.Symbol.Name}}, false
}

var (
	internalJava = lazyregexp.New(`(^|\.)internal(\.|$)`)
	// ofTools matches constraints that no build of callers meets: only the tools that go by them set these tags.
	ofTools = lazyregexp.New(`(^|[^!\w])(ignore|mage|tools)\b`)
)

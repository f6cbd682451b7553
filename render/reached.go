package render

import (
	"maps"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// reached is what callers reach of a module, and the names that they type.
type reached struct {
	files map[string]survey.Publication // by path, of those whose language has entries
	names source.Reached
	units map[string]*source.Unit // by path
	// objects are the values that are all of what a JavaScript file exports: its people call them as that file does, `app.get`.
	objects map[string]bool
}

// readReached reads what callers reach of each file that has a say in it.
func readReached(r survey.Reader, k *survey.Module) (reached, error) {
	out := reached{map[string]survey.Publication{}, source.Reached{}, map[string]*source.Unit{}, map[string]bool{}}
	for i := range k.Module.Units {
		u := &k.Module.Units[i]
		out.units[u.Path] = u
		if !source.HasEntries(u.File.Language) {
			continue
		}
		p, err := survey.PublishedOf(r, u.Path)
		if err != nil {
			return reached{}, err
		}
		out.files[u.Path] = p
		maps.Copy(out.names, p.Names)
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		if local := k.Table.Local[d.Name]; d.Symbol.Name == "default" && local != "" {
			out.objects[local] = true
		}
	}
	for i := range k.Declared {
		if d := &k.Declared[i]; out.objects[d.Name] && d.Kind != source.Var && d.Kind != source.Const {
			delete(out.objects, d.Name)
		}
	}
	return out, nil
}

// typed are the names by which callers know a declaration, and whether none can reach it. A member is known by that of its owner.
func (r reached) typed(d *source.Declared) (names source.Typed, inside bool) {
	if forAuthors.MatchString(d.Doc) || strings.Contains(d.Signature, "#[doc(hidden)]") {
		return source.Typed{}, true
	}
	for owner := d.Name; owner != ""; {
		if t, ok := r.names[owner]; ok {
			names := source.Typed{Import: t.Import}
			if r.objects[owner] && strings.Contains(t.As[0], ".") {
				names.As = append(names.As, d.Symbol.Name)
			}
			for _, as := range t.As {
				names.As = append(names.As, as+strings.ReplaceAll(d.Name[len(owner):], ".", source.Separator(d.Path)))
			}
			return names, false
		}
		owner = owner[:max(strings.LastIndexByte(owner, '.'), 0)]
	}
	if p, ok := r.files[d.Path]; ok {
		return source.Typed{}, p.Ruled
	}
	return byPackage(r.units[d.Path], d)
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
		inside = u.File.Package == "main" || internalGo.MatchString(u.Path) || ofTools.MatchString(u.File.Guard) || ofTools.MatchString(d.Guard)
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
	internalGo   = lazyregexp.New(`(^|/)internal/`)
	internalJava = lazyregexp.New(`(^|\.)internal(\.|$)`)
	// ofTools matches constraints that no build of callers meets: only the tools that go by them set these tags.
	ofTools = lazyregexp.New(`(^|[^!\w])(ignore|mage|tools)\b`)
)

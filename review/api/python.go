package api

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

// python compares the exports of a Python package. Imports from directories without __init__.py are uncertain.
func (p *pair) python(language string) ([]breakage, error) {
	if !p.was.packaged() || !p.now.packaged() {
		return nil, nil
	}
	broken, gone, err := p.goneFiles(language)
	if err != nil {
		return nil, err
	}
	c := &pythonComparer{comparer{p, broken}}
	for _, d := range p.exported(language) {
		if !gone[d.Path] && !typeVariable(d) && !special(d.Symbol.Name) {
			if err := c.compare(d, p.now.declared[d.Name]); err != nil {
				return nil, err
			}
		}
	}
	if err := c.fieldsAdded(); err != nil || len(c.broken) == 0 {
		return nil, err
	}
	broken = c.broken
	if err := p.passOn(broken); err != nil {
		return nil, err
	}
	early, err := unsettled(p.now.reader, p.name)
	if err != nil {
		return nil, err
	}
	for i := range broken {
		shown, err := p.shown(broken[i])
		if err != nil {
			return nil, err
		}
		broken[i].early, broken[i].inner = early, broken[i].inner || !shown
	}
	return broken, nil
}

type pythonComparer struct{ comparer }

func (c *pythonComparer) compare(d, now *source.Declared) error {
	switch {
	case d.Kind == source.Field:
		return c.field(d, now)
	case now == nil:
		there, err := c.pythonStays(d)
		if err == nil && !there {
			there, err = c.ownUse(d)
		}
		if err == nil && !there {
			c.add(c.lost(d))
		}
		return err
	}
	c.bases(d, now)
	c.property(d, now)
	was, ok := pythonSignature(d)
	is, still := pythonSignature(now)
	if !ok || !still || now.Kind != d.Kind {
		return nil
	}
	kind, why := pythonCalls(was, is)
	async, err := c.pythonAsync(d, was, is)
	if async && kind == "" {
		kind, why = "made async", "is a coroutine function now: calls without await do not run it"
	}
	c.recalled(d, now, kind, why, pythonBreaks(was, is))
	return err
}

// shown reports whether the repository shows that a removed name was for users: the package itself declares it, or
// another file, test or document names it. Python has no other sign to tell an interface from unused code.
func (p *pair) shown(b breakage) (bool, error) {
	if b.now.line != 0 || source.Prefix(b.was.path, true) == "" {
		return true, nil
	}
	var names []string
	for _, name := range append(slices.Clone(b.all), b.declared) {
		if d := p.was.declared[name]; d != nil && p.was.passesOn(d) && p.now.passesOn(d) {
			return true, nil
		}
		if name = name[strings.LastIndexByte(name, '.')+1:]; name != "" && !p.declaredBeside(name, b.was.path) {
			names = append(names, name)
		}
	}
	for f, err := range change.All(p.now.reader) {
		if err != nil {
			return false, err
		}
		if f.Was != b.was.path && slices.ContainsFunc(names, func(name string) bool { return hasWord(string(f.Before), name) }) {
			return true, nil
		}
	}
	code, err := change.CodeNaming(p.now.reader, names)
	if err != nil || len(code) > 0 {
		return true, err
	}
	documents, err := change.DocumentsNaming(p.now.reader, names)
	return len(documents) > 0, err
}

// ownUse reports whether a package imports a name only for its own code: the code uses it, and nothing re-exports it.
func (p *pair) ownUse(d *source.Declared) (bool, error) {
	name := d.Symbol.Name
	u, _ := p.was.file(d.Path)
	uses := func(refs []source.Reference) bool {
		return slices.ContainsFunc(refs, func(r source.Reference) bool { return r.Name == name || strings.HasPrefix(r.Name, name+".") })
	}
	if d.Kind != source.Reexport || !uses(u.File.Body) && !slices.ContainsFunc(u.File.Symbols, func(s source.Symbol) bool { return uses(s.Body) }) {
		return false, nil
	}
	lines, err := p.was.source(d.Path)
	return err == nil && !slices.ContainsFunc(lines, func(line string) bool {
		return quotes(line, name, "") || strings.Contains(line, name+" as "+name)
	}), err
}

// typeVariable reports whether a declaration only serves annotations of its file.
func typeVariable(d *source.Declared) bool {
	return (d.Kind == source.Var || d.Kind == source.Const) && (strings.Contains(d.Value(), "TypeVar") || strings.Contains(d.Value(), "ParamSpec"))
}

// special reports whether Python itself calls a method of this name. Callers use __init__ and __call__.
func special(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && name != "__init__" && name != "__call__"
}

func (v version) packaged() bool {
	if v.module == nil {
		return false
	}
	return slices.ContainsFunc(v.module.Module.Units, func(u source.Unit) bool { return path.Base(u.Path) == "__init__.py" })
}

// exported lists the exported declarations of one language, without members of unexported types.
func (p *pair) exported(language string) []*source.Declared {
	var out []*source.Declared
	for i := range p.was.module.Declared {
		if d := &p.was.module.Declared[i]; p.offers(d, language) {
			out = append(out, d)
		}
	}
	return out
}

// offers reports whether callers could use a declaration of the old version.
func (p *pair) offers(d *source.Declared, language string) bool {
	u, ok := p.was.file(d.Path)
	if !ok || u.File.Language != language || u.File.Test || p.was.isScript(u) || u.File.Generated || !d.Exported || d.Hidden || d.Guard != "" {
		return false
	}
	owner, ok := p.was.declared[ownerOf(d)]
	return !ok || owner.Exported
}

// isScript reports whether a file can only be run. A file with a main block can still be imported.
func (v version) isScript(u source.Unit) bool {
	switch main := source.TraitsOf(u.File.Language).Main; {
	case main != "":
		return stem(u.Path) == main
	case compared[u.File.Language].scoped:
		lines, err := v.source(u.Path)
		return u.File.Main && err == nil && len(lines) > 0 && strings.HasPrefix(lines[0], "#!")
	}
	return u.File.Main
}

func ownerOf(d *source.Declared) string {
	local := d.Symbol.Name
	if i := strings.LastIndexByte(local, '.'); i >= 0 {
		return strings.TrimSuffix(d.Name, local[i:])
	}
	return ""
}

// goneFiles reports each removed file with its declarations as one breakage. A file that became a directory keeps its
// import path, and a file with the same declaration prefix replaces another.
func (p *pair) goneFiles(language string) (broken []breakage, gone map[string]bool, err error) {
	still := map[string]bool{}
	for _, u := range p.now.module.Module.Units {
		still[source.Prefix(u.Path, true)] = true
	}
	gone = map[string]bool{}
	for _, d := range p.exported(language) {
		prefix := source.Prefix(d.Path, true)
		if still[prefix] {
			continue
		}
		if !gone[d.Path] {
			gone[d.Path] = true
			there, err := survey.Exists(p.now.reader, path.Join(p.name, stem(d.Path)))
			if err != nil {
				return nil, nil, err
			}
			if there {
				continue
			}
			broken = append(broken, breakage{
				symbol: cmp.Or(strings.TrimSuffix(prefix, "."), path.Base(p.name)), kind: "file removed", text: "was removed with all its declarations: code that imports it fails",
				was: p.was.at(d), inner: p.inner(d),
			})
		}
		if n := len(broken) - 1; n >= 0 && broken[n].was.path == d.Path {
			broken[n].all = append(broken[n].all, d.Name)
		}
	}
	return broken, gone, nil
}

const (
	goneText   = "was removed: code that uses it fails"
	hiddenText = "is no longer public: code that uses it fails"
)

func (p *pair) lost(d *source.Declared) breakage {
	return breakage{symbol: d.Name, declared: d.Name, kind: string(d.Kind) + " removed", text: goneText, was: p.was.at(d), inner: p.inner(d)}
}

// inner reports whether a file or directory marks a declaration as internal to the project, in languages whose files
// are namespaces. Exports of the directory itself are public.
func (p *pair) inner(d *source.Declared) bool {
	u, _ := p.was.file(d.Path)
	prefix := source.Prefix(d.Path, true)
	inner := slices.Contains(strings.Split(p.name, "/"), "internal")
	l := compared[u.File.Language]
	return inner || l.underscored && underscored(p.name) ||
		(l.scoped && prefix != "" || l.underscored && strings.HasPrefix(prefix, "_")) && !p.was.passesOn(d)
}

// passOn clears inner for breakages of names that a public file re-exported.
func (p *pair) passOn(broken []breakage) error {
	for i := range broken {
		b := &broken[i]
		if !b.inner {
			continue
		}
		published, err := survey.PublishedOf(p.was.reader, b.was.path)
		if err != nil {
			return err
		}
		prefix := source.Prefix(b.was.path, true)
		b.inner = !slices.ContainsFunc(append(slices.Clone(b.all), b.declared), func(name string) bool {
			top, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), ".")
			_, reached := published.Names[prefix+top]
			return reached
		})
	}
	return nil
}

// passesOn reports whether the directory itself re-exports a name of one of its files.
func (v version) passesOn(d *source.Declared) bool {
	name, _, _ := strings.Cut(d.Symbol.Name, ".")
	return v.module != nil && slices.ContainsFunc(v.module.Module.Units, func(u source.Unit) bool {
		return source.Prefix(u.Path, u.File.Scoped) == "" && slices.ContainsFunc(u.File.Imports, func(i source.Import) bool {
			return leadsTo(u.Path, i.Path, importable(d.Path)) && (i.Reexport || slices.ContainsFunc(i.Names, func(n source.Name) bool {
				return n.Name == name && slices.ContainsFunc(u.File.Symbols, func(s source.Symbol) bool { return s.Kind == source.Reexport && s.Name == cmp.Or(n.As, n.Name) })
			}))
		})
	})
}

// dynamic lists functions of a Python module or class that resolve undeclared names.
var dynamic = []string{"__getattr__", "__getattribute__"}

// pythonStays reports whether a name without a declaration may still exist: an import binds it, its class inherits
// it, its file became a package, or a dynamic function resolves it.
func (p *pair) pythonStays(d *source.Declared) (bool, error) {
	if strings.HasSuffix(d.Name, ".__init__") || strings.HasSuffix(d.Name, ".__call__") {
		return true, nil // every class has __init__
	}
	prefix := strings.TrimSuffix(d.Name, d.Symbol.Name)
	if owner := ownerOf(d); owner != "" {
		now := p.now.declared[owner]
		return now == nil || !rootClass(now) || p.answers(owner+"."), nil // its removed class is reported itself
	}
	if p.answers(prefix) {
		return true, nil
	}
	for _, u := range p.now.files("python") {
		if source.Prefix(u.Path, u.File.Scoped) != prefix {
			continue
		}
		if imports(u.File, d.Symbol.Name) {
			return true, nil
		}
		lines, err := p.now.source(u.Path)
		if err != nil || slices.ContainsFunc(lines, func(line string) bool { return quotes(line, d.Symbol.Name, ":") }) {
			return true, err
		}
	}
	return false, nil
}

// quotes reports whether a line contains a quoted name and a suffix, such as the colon in tables of lazy imports.
func quotes(line, name, behind string) bool {
	return strings.Contains(line, `"`+name+`"`+behind) || strings.Contains(line, "'"+name+"'"+behind)
}

// declaredBeside reports whether another file of the directory also declares a name, so references may mean that one.
func (p *pair) declaredBeside(name, file string) bool {
	return slices.ContainsFunc(p.was.module.Declared, func(d source.Declared) bool {
		return d.Path != file && d.Name[strings.LastIndexByte(d.Name, '.')+1:] == name
	})
}

func rootClass(d *source.Declared) bool {
	h, ok := header(d)
	return ok && d.Kind == source.Class && len(h.Notes)+len(h.Bases)+len(h.Params) == 0
}

func (p *pair) answers(prefix string) bool {
	return slices.ContainsFunc(dynamic, func(name string) bool { return p.now.declared[prefix+name] != nil })
}

func imports(f source.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(i source.Import) bool {
		return i.All || i.As == name || path.Base(strings.ReplaceAll(i.Path, ".", "/")) == name ||
			slices.ContainsFunc(i.Names, func(n source.Name) bool { return n.As == name || n.As == "" && n.Name == name })
	})
}

// unsettled reports whether a Python project's version or classifiers mark it as unstable.
func unsettled(r survey.Reader, dir string) (bool, error) {
	for _, base := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		_, text, err := nearest(r, dir, base)
		if err != nil {
			return false, err
		}
		if status.Match(text) {
			return true, nil
		}
		if base == "pyproject.toml" && text != nil {
			m := manifest.Read(text)
			for _, t := range []manifest.Table{m.Table("project"), m.Table("tool", "poetry")} {
				if early.MatchString(t.Text("version")) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

var status = lazyregexp.New(`Development Status :: [1-4] - `)

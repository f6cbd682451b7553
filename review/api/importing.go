package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// importing returns the unchanged imports of a removed declaration, in languages where they fail without a use.
func (t *teller) importing(name string) ([]finding.Place, error) {
	d := t.pair.was.declared[name]
	if d == nil || ownerOf(d) != "" {
		return nil, nil
	}
	users, err := survey.ImportersOf(t.pair.was.reader, t.pair.name)
	if err != nil {
		return nil, err
	}
	var out []finding.Place
	for _, module := range append([]string{t.pair.name}, users.Code...) {
		v, err := t.before(module)
		if err != nil {
			return nil, err
		}
		for _, u := range v.files(source.TraitsOfFile(d.Path).Name) {
			c, err := v.importOf(u, d)
			if err != nil {
				return nil, err
			}
			if c.Line == 0 {
				continue
			}
			if p, ok, err := t.still(c, d.Symbol.Name); err != nil {
				return nil, err
			} else if ok {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// importOf finds the line on which a file imports a declaration of another one. An indented import may be conditional.
func (v version) importOf(u source.Unit, d *source.Declared) (source.Referred, error) {
	lines, err := v.source(u.Path)
	if err != nil || u.Path == d.Path {
		return source.Referred{}, err
	}
	for _, i := range u.File.Imports {
		if !leadsTo(u.Path, i.Path, importable(d.Path)) || !slices.ContainsFunc(i.Names, func(n source.Name) bool { return n.Name == d.Symbol.Name }) {
			continue
		}
		if i.Line > len(lines) || strings.TrimLeft(lines[i.Line-1], " \t") != lines[i.Line-1] {
			continue
		}
		for n, line := range lines[i.Line-1 : min(i.Line-1+longestCall, len(lines))] {
			if hasWord(line, d.Symbol.Name) {
				return source.Referred{Module: v.module.Module.Path, Path: u.Path, Line: i.Line + n}, nil
			}
		}
	}
	return source.Referred{}, nil
}

// meant reports whether a reference certainly meant the removed declaration, on which line. It may have gone through a
// re-export that means another declaration now, or been a member of the same name.
func (t *teller) meant(c source.Referred, d *source.Declared) (source.Referred, bool, error) {
	if d == nil || c.Module == t.pair.name {
		return c, true, nil
	}
	v, err := t.before(c.Module)
	if err != nil {
		return c, false, err
	}
	u, _ := v.file(c.Path)
	if source.TraitsOf(u.File.Language).Resolution.Modules && ownerOf(d) == "" {
		return v.qualified(c, u, d.Symbol.Name)
	}
	rewired := t.pair.was.passesOn(d) && !t.pair.now.passesOn(d)
	return c, !rewired || slices.ContainsFunc(u.File.Imports, func(i source.Import) bool { return leadsTo(c.Path, i.Path, importable(d.Path)) }), nil
}

// qualified finds the line on which a reference names a declaration by the import of its module.
func (v version) qualified(c source.Referred, u source.Unit, name string) (source.Referred, bool, error) {
	lines, err := v.source(c.Path)
	if err != nil {
		return c, false, err
	}
	inside := v.rangeOf(c)
	for n, line := range lines {
		if inside(n+1) && anyWord(line, name, func(before, _ string) bool {
			return slices.ContainsFunc(u.File.Imports, func(i source.Import) bool { return selectsFrom(i, before, name) })
		}) {
			c.Line = n + 1
			return c, true, nil
		}
	}
	return c, false, nil
}

// selectsFrom reports whether a text that ends before a name selects it from an import.
func selectsFrom(i source.Import, before, name string) bool {
	if i.As == "." || i.All {
		return true
	}
	if !slices.ContainsFunc(i.Names, func(n source.Name) bool { return n.Name == name }) {
		return false
	}
	bound := []string{i.As}
	if i.As == "" {
		bound = likelyNames(i.Path)
	}
	return slices.ContainsFunc(bound, func(b string) bool { return endsInWord(before, b+".") })
}

func endsInWord(text, end string) bool {
	rest, ok := strings.CutSuffix(text, end)
	return ok && (rest == "" || rest[len(rest)-1] != '.' && !change.IsWord(rest[len(rest)-1]))
}

// importable returns the path by which other files import a file.
func importable(file string) string {
	if source.IsHead(stem(file)) {
		return path.Dir(file)
	}
	return path.Join(path.Dir(file), stem(file))
}

// leadsTo reports whether an import path, as written in a file, means an importable path. A dotted path may begin at any directory above.
func leadsTo(from, imported, target string) bool {
	dir, rest := path.Dir(from), strings.TrimLeft(imported, ".")
	switch up := len(imported) - len(rest); {
	case up > 0 && (rest == "" || rest[0] == '/'):
		to := path.Join(dir, imported)
		return to == target || path.Join(path.Dir(to), stem(to)) == target || path.Dir(to) == target && source.IsHead(stem(to))
	case up > 0:
		return path.Join(dir, strings.Repeat("../", up-1), strings.ReplaceAll(rest, ".", "/")) == target
	}
	dotted := strings.ReplaceAll(imported, ".", "/")
	return strings.Contains(dotted, "/") && strings.HasSuffix("/"+target, "/"+dotted)
}

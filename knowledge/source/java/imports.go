package java

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (p *parser) importDeclaration(i int32) {
	imp := source.Import{Line: int(p.line(i))}
	i++
	module := p.isWord(i, "module") && p.kind(i+1) == word
	static := p.isWord(i, "static")
	if module || static {
		i++
	}
	name, end := p.dotted(i)
	if name == "" {
		return
	}
	dot := strings.LastIndexByte(name, '.')
	switch {
	case module || p.kind(end) == '.' && p.kind(end+1) == '*':
		imp.Path, imp.All = name, true
	case dot < 0:
		return // types of the unnamed package cannot be imported
	default:
		imp.Path, imp.Names = name[:dot], []source.Name{{Name: name[dot+1:]}}
		if static {
			p.statics = append(p.statics, name[dot+1:])
		}
	}
	p.imports = append(p.imports, imp)
}

// qualifiedUses lists types used by qualified name: at least two lower-case names, then a capitalized one.
func (u *unit) qualifiedUses(imports []source.Import) []source.Import {
	known := map[string]bool{}
	for _, imp := range imports {
		for _, n := range imp.Names {
			known[imp.Path+"."+n.Name] = true
		}
	}
	var out []source.Import
	statement := false // in a package or import declaration
	for i := int32(0); int(i) < len(u.toks); i++ {
		if u.kind(i) == ';' {
			statement = false
		}
		if u.kind(i) != word || u.kind(i+1) != '.' || u.kind(i-1) == '.' {
			statement = statement || u.kind(i) == word && (u.isWord(i, "import") || u.isWord(i, "package"))
			continue
		}
		from := i
		for u.lower(i) && u.kind(i+1) == '.' && u.kind(i+2) == word {
			i += 2
		}
		if statement || i-from < 4 || !u.upper(i) || reserved[u.text(from)] {
			continue
		}
		pkg := make([]string, 0, (i-from)/2)
		for k := from; k < i; k += 2 {
			pkg = append(pkg, u.name(k))
		}
		imp := source.Import{
			Path: strings.Join(pkg, "."), Names: []source.Name{{Name: u.name(i)}}, Line: int(u.line(i)),
		}
		if full := imp.Path + "." + imp.Names[0].Name; !known[full] {
			known[full] = true
			out = append(out, imp)
		}
	}
	return out
}

// packageUses lists the simple type names of a test that may be types of its package, whose sources are in another
// directory in the Maven layout.
func (p *parser) packageUses() []source.Import {
	known := map[string]bool{}
	for _, imp := range p.imports {
		for _, n := range imp.Names {
			known[n.Name] = true
		}
	}
	for _, d := range p.decls {
		known[d.name[strings.LastIndexByte(d.name, '.')+1:]] = true
	}
	imp := source.Import{Path: p.pkg}
	for i := range int32(len(p.toks)) {
		if p.kind(i) != word || !p.upper(i) || p.kind(i-1) == '.' || known[p.name(i)] {
			continue
		}
		known[p.name(i)] = true
		imp.Line = cmp.Or(imp.Line, int(p.line(i)))
		imp.Names = append(imp.Names, source.Name{Name: p.name(i)})
	}
	if len(imp.Names) == 0 {
		return nil
	}
	slices.SortFunc(imp.Names, func(a, b source.Name) int { return strings.Compare(a.Name, b.Name) })
	return []source.Import{imp}
}

func (u *unit) lower(i int32) bool {
	c := u.src[u.toks[i].start]
	return c >= 'a' && c <= 'z'
}

func (u *unit) upper(i int32) bool {
	c := u.src[u.toks[i].start]
	return c >= 'A' && c <= 'Z'
}

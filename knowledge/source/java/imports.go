package java

import (
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

func (u *unit) lower(i int32) bool {
	c := u.src[u.toks[i].start]
	return c >= 'a' && c <= 'z'
}

func (u *unit) upper(i int32) bool {
	c := u.src[u.toks[i].start]
	return c >= 'A' && c <= 'Z'
}

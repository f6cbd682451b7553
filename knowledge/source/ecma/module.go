package ecma

import (
	"cmp"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

func (x *extractor) addImport(pathToken int, line int32, imp source.Import) int {
	imp.Path = unquote([]byte(x.text(pathToken)))
	imp.Line = int(line)
	x.imports = append(x.imports, imp)
	return len(x.imports) - 1
}

// bindModule records that a local name is a whole module; its uses determine the imported names.
func (x *extractor) bindModule(token, imp int) {
	x.bindings[x.text(token)] = imp
	x.imports[imp].As = localName(x.text(token), x.imports[imp].Path)
}

// localName is the local name of a whole module, if its path does not end in it.
func localName(name, imported string) string {
	if name == path.Base(imported) {
		return ""
	}
	return name
}

func (x *extractor) importStatement(i int, m modifiers) int {
	line, j := x.at(i).line, i+1
	if x.at(j).kind == tString {
		x.addImport(j, line, source.Import{})
		return x.importEnd(j + 1)
	}
	if next := x.at(j + 1); x.at(j).isKeyword(kType) && (next.isPunct('{') || next.isPunct('*') || next.kind == tIdent && (next.id != kFrom || x.at(j+2).isKeyword(kFrom) || x.at(j+2).isPunct('='))) {
		j++
	}
	if x.at(j).kind == tIdent && x.at(j+1).isPunct('=') {
		return x.importEquals(j, line, m)
	}
	var names []source.Name
	module := -1
	if x.at(j).kind == tIdent && (x.at(j).id != kFrom || x.at(j+1).kind != tString) {
		names = append(names, source.Name{Name: "default", As: x.text(j)})
		if j++; x.at(j).isPunct(',') {
			j++
		}
	}
	switch {
	case x.at(j).isPunct('*') && x.at(j+1).isKeyword(kAs):
		module = j + 2
		j += 3
	case x.at(j).isPunct('{'):
		more, _ := x.specifiers(j)
		names = append(names, more...)
		j = x.skip(j)
	}
	if !x.at(j).isKeyword(kFrom) || x.at(j+1).kind != tString {
		return x.skipStatement(i)
	}
	imp := x.addImport(j+1, line, source.Import{Names: sortedNames(names)})
	if module >= 0 {
		x.bindModule(module, imp)
	}
	return x.importEnd(j + 2)
}

func (x *extractor) importEnd(i int) int {
	if t := x.at(i); (t.isKeyword(kWith) || x.textIs(i, "assert")) && !t.has(fNewline) && x.at(i+1).isPunct('{') {
		i = x.skip(i + 1)
	}
	return x.semicolon(i)
}

// importEquals reads `import name = require("path")` and `import name = a.b`; j is at the name.
func (x *extractor) importEquals(j int, line int32, m modifiers) int {
	if x.at(j+2).isKeyword(kRequire) && x.at(j+3).isPunct('(') && x.at(j+4).kind == tString {
		imp := x.addImport(j+4, line, source.Import{})
		x.bindModule(j, imp)
		x.taken[j+2] = true
		if m.export {
			x.imports[imp].All = true
			x.reexport(x.text(j), x.text(j), "import "+x.text(j), j)
		}
		return x.semicolon(j + 6)
	}
	end := x.skipType(j + 2)
	d := declaration{name: x.text(j), kind: source.Reexport, line: m.start, content: []span{{From: m.start, To: end}}}
	d.visible = []span{{From: j, To: end}}
	d.signature = "import " + x.render(j, end)
	x.complete(d, m)
	return x.semicolon(end)
}

// specifiers reads the names between the brace at open and its partner, and their tokens: `a, b as c, type d`.
func (x *extractor) specifiers(open int) (names []source.Name, at []int) {
	end := int(x.t[open].match)
	x.list(open, end, func(i int) int {
		var words []int
		for ; i < end && !x.t[i].isPunct(','); i++ {
			words = append(words, i)
		}
		if n := x.specifier(words); n.Name != "" {
			names, at = append(names, n), append(at, words[(len(words)-1)%2])
		}
		return i
	})
	return names, at
}

func (x *extractor) specifier(words []int) source.Name {
	word := func(i int) string {
		if x.at(words[i]).kind == tString {
			return unquote([]byte(x.text(words[i])))
		}
		return x.text(words[i])
	}
	switch len(words) {
	case 1, 2:
		return source.Name{Name: word(len(words) - 1)}
	case 3, 4:
		return importedName(word(len(words)-3), word(len(words)-1))
	}
	return source.Name{}
}

// importedName is a name that a file imports, with its local name if that is another one.
func importedName(name, as string) source.Name {
	if as == name {
		as = ""
	}
	return source.Name{Name: name, As: as}
}

func sortedNames(names []source.Name) []source.Name {
	slices.SortFunc(names, func(a, b source.Name) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.As, b.As))
	})
	return slices.Compact(names)
}

// reexport adds a Reexport symbol that exports a local name under another name.
func (x *extractor) reexport(name, local, signature string, token int) {
	s := x.scopes[x.current]
	d := declared(s.prefix+name, source.Reexport, span{From: token, To: token + 1})
	d.exported, d.parent, d.scope, d.refs, d.signature = true, s.parent, x.current, []string{local}, signature
	x.add(d)
}

func exportSignature(local, outer string) string {
	if local == outer {
		return "export { " + local + " }"
	}
	return "export { " + local + " as " + outer + " }"
}

func (x *extractor) exportStatement(i int, m modifiers) int {
	m.export = true
	of := x.exportedAt(i)
	t := x.at(of)
	lists := t.isKeyword(kDefault) || t.isPunct('=') || t.isPunct('*') || t.isPunct('{')
	x.scopes[x.current].listed = x.scopes[x.current].listed || lists
	switch {
	case t.isPunct('*'):
		return x.exportAll(of, m)
	case t.isPunct('{'):
		return x.exportList(of, m)
	case lists:
		return x.exportDefault(of+1, m)
	case t.isKeyword(kAs) && x.at(of+1).isKeyword(kNamespace):
		return x.skipStatement(i)
	case t.isKeyword(kImport):
		j := i + 2 + b2i(x.at(i+2).isKeyword(kType) && x.at(i+3).kind == tIdent)
		if x.at(j).kind == tIdent && x.at(j+1).isPunct('=') {
			return x.importEquals(j, t.line, m)
		}
	case t.isPunct('@'):
		i = x.decorators(of) - 1
		m.decor = span{From: of, To: i + 1}
	}
	if end, ok := x.declare(i+1, m); ok {
		return end
	}
	return x.skipStatement(i)
}

// exportedAt returns the token after `export`, or `export type` of names; i is at the keyword.
func (x *extractor) exportedAt(i int) int {
	names := x.at(i+2).isPunct('*') || x.at(i+2).isPunct('{')
	return i + 1 + b2i(x.at(i+1).isKeyword(kType) && names)
}

func (x *extractor) exportAll(star int, m modifiers) int {
	j := star + 1
	if x.at(j).isKeyword(kAs) {
		j += 2
	}
	if !x.at(j).isKeyword(kFrom) || x.at(j+1).kind != tString {
		return x.skipStatement(star)
	}
	imp := source.Import{All: true, Reexport: j == star+1}
	if !imp.Reexport {
		name := x.specifier([]int{j - 1}).Name
		imp.As = localName(name, unquote([]byte(x.text(j+1))))
		x.reexport(name, name, "export * as "+name, m.start)
	}
	x.addImport(j+1, x.at(m.start).line, imp)
	return x.importEnd(j + 2)
}

// exportList reads `{ a, b as c }` with or without `from "x"`.
func (x *extractor) exportList(open int, m modifiers) int {
	names, _ := x.specifiers(open)
	j := x.skip(open)
	from := x.at(j).isKeyword(kFrom) && x.at(j+1).kind == tString
	for _, n := range names {
		outer := cmp.Or(n.As, n.Name)
		if from {
			x.reexport(outer, outer, exportSignature(n.Name, outer), m.start)
		} else {
			x.exportLocal(n.Name, outer, m.start)
		}
	}
	if !from {
		return x.semicolon(j)
	}
	x.addImport(j+1, x.at(m.start).line, source.Import{Names: sortedNames(names)})
	return x.importEnd(j + 2)
}

func (x *extractor) exportLocal(local, outer string, token int) {
	x.exports = append(x.exports, localExport{local: local, outer: outer, scope: x.current, token: token})
}

// exportDefault reads what follows `export default` or `export =`.
func (x *extractor) exportDefault(i int, m modifiers) int {
	m.byName = true
	if x.at(i).isPunct('@') {
		from := i
		i = x.decorators(i)
		m.decor = span{From: from, To: i}
	}
	if x.declaresDefault(i) {
		if end, ok := x.declare(i, m); ok {
			return end
		}
	}
	x.defaultValue(span{From: i, To: x.skipExpression(i)}, m)
	return x.semicolon(x.skipExpression(i))
}

// declaresDefault reports whether a declaration, which may have no name, follows `export default`.
func (x *extractor) declaresDefault(i int) bool {
	switch keyword, _ := x.declares(i); keyword {
	case kFunction, kClass, kInterface, kEnum:
		return !x.at(i).isKeyword(kConst) && !x.at(i).isKeyword(kDeclare)
	}
	return false
}

func (x *extractor) defaultValue(value span, m modifiers) {
	if value.Empty() {
		return
	}
	if value.To == value.From+1 && x.at(value.From).kind == tIdent {
		x.exportLocal(x.text(value.From), "default", m.start)
		return
	}
	d := declaration{kind: source.Const, line: m.start, content: []span{{From: m.start, To: value.To}}}
	x.bind(&d, []span{{From: value.From, To: value.From}}, value)
	d.signature = "default" + d.signature
	x.noteObject(x.complete(d, m), value)
}

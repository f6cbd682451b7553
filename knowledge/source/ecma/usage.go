package ecma

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// uses reads all tokens once for constructs that may occur anywhere: require and import calls, uses of module
// bindings, facts and test names.
func (x *extractor) uses() {
	words := words.Get()
	for i := range x.t {
		t := &x.t[i]
		if t.kind != tIdent {
			continue
		}
		switch t.id {
		case kRequire:
			if end := x.requireEnd(i); end > i && !x.taken[i] {
				x.addImport(i+2, t.line, source.Import{All: true})
			}
		case kImport:
			x.importCall(i)
		}
		if t.end-t.off == 4 {
			x.main = x.main || x.runsItself(i)
		}
		if testFunction(x.src[t.off:t.end]) == oneTest {
			x.testName(i)
		}
		x.matters = x.isRuled(i, words) || x.matters
	}
}

// bodies sets the references of each symbol, and from them the names used of module bindings. It also builds the
// surface tree of a file whose code shows that a rule may apply.
func (x *extractor) bodies() {
	b := newBinder(x)
	if x.matters || x.commandLine {
		b.grow()
	}
	b.statements(0, len(x.t))
	x.tree = b.grown()
	b.resolve()
	x.body, x.binder = b.bodies(), b
	for i := range x.imports {
		imp := &x.imports[i]
		if imp.All {
			imp.Names = nil
		}
		imp.Names = sortedNames(imp.Names)
	}
	slices.SortStableFunc(x.imports, func(a, b source.Import) int { return a.Line - b.Line })
}

// importCall reads import("path"), as a call or as a type: import("path").Name.
func (x *extractor) importCall(i int) {
	if !x.at(i+1).isPunct('(') || x.at(i+2).kind != tString || !(x.at(i+3).isPunct(')') || x.at(i+3).isPunct(',')) {
		return
	}
	imp := source.Import{All: true}
	after := x.skip(i + 1)
	if prev := x.at(i - 1); x.at(after).isPunct('.') && x.at(after+1).kind == tIdent && !prev.isKeyword(kAwait) {
		switch name := x.text(after + 1); name {
		case "then", "catch", "finally":
		default:
			imp = source.Import{Names: []source.Name{{Name: name}}}
		}
	}
	x.addImport(i+2, x.t[i].line, imp)
}

// use records the module member that the name at i selects, or all members if the module is passed as a value.
func (x *extractor) use(i, number int) {
	next := x.at(i + 1)
	imp := &x.imports[number]
	member := ""
	switch {
	case (next.isPunct('.') || next.isPunct(pOptional)) && x.at(i+2).kind == tIdent:
		member = x.text(i + 2)
	case next.isPunct('[') && x.at(i+2).kind == tString && x.at(i+3).isPunct(']'):
		member = unquote([]byte(x.text(i + 2)))
	}
	if member == "" {
		imp.All = true
		return
	}
	imp.Names = append(imp.Names, source.Name{Name: strings.ToValidUTF8(member, "\uFFFD")})
}

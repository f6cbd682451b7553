package java

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// decl is one declaration, as token ranges.
type decl struct {
	name     string // qualified within the file
	scope    string // qualified name of the enclosing type, or ""
	kind     source.Kind
	mods     modifiers
	all      span // all tokens
	rest     span // the separate part of a further variable in one declaration; all is then the shared part
	head     span // main part of the signature
	declared span // for variables: name and dimensions; head is then the type
	value    span // initial value, including '='
	members  []span
	exported bool
	// components is the index of the parenthesis of parameters or record components, or 0.
	components int32
}

type scope struct {
	decl   int // index in parser.decls
	simple string
	end    int32 // index after its body
	kind   source.Kind
}

// maxNesting limits the depth of nested types with separate symbols, because names grow with it.
const maxNesting = 32

const (
	packageInfo = "package-info.java"
	moduleInfo  = "module-info.java"
)

type parser struct {
	*unit
	base  string
	at    int32
	decls []decl
	types []scope
	// notes holds the annotations of all declarations; modifiers refers to ranges of it.
	notes []annotation

	pkg       string
	docOf     int32 // start of the documented package or module declaration, or -1
	imports   []source.Import
	statics   []string // statically imported members
	tests     []string
	main      bool
	generated bool
	asked     int              // constants that were looked up
	testClass bool             // a type is marked as a test
	lombok    bool             // the file may use Lombok
	literals  map[string]*decl // static fields with a literal, by name
	values    map[string]span  // of constants, by name; filled when one is looked up
	provided  []source.Fact
	depth     int // of constants in constants
}

func (p *parser) run() {
	p.docOf = -1
	for int(p.at) < len(p.toks) {
		p.step()
	}
}

func (p *parser) step() {
	if n := len(p.types); n > 0 && p.at >= p.types[n-1].end {
		p.types = p.types[:n-1]
		return
	}
	switch p.kind(p.at) {
	case '}', ';':
		p.at++
	default:
		p.declaration()
	}
}

func (p *parser) limit() int32 {
	if n := len(p.types); n > 0 {
		end := p.types[n-1].end
		if p.kind(end-1) == '}' {
			end--
		}
		return end
	}
	return int32(len(p.toks))
}

func (p *parser) declaration() {
	start := p.at
	mods := p.modifiers()
	i := p.at
	switch p.kind(i) {
	case '{':
		p.at = p.ends[i]
		return
	case '@':
		p.typeDeclaration(start, i+1, mods, source.Interface)
		return
	}
	if len(p.types) == 0 && p.fileDeclaration(start) {
		return
	}
	if kind, ok := p.typeKeyword(i); ok {
		p.typeDeclaration(start, i, mods, kind)
		return
	}
	p.member(start, mods)
}

var typeKeywords = map[string]source.Kind{
	"class": source.Class, "interface": source.Interface, "enum": source.Enum, "record": source.Record,
}

// typeKeyword reports whether token i starts a type declaration. "record" is a keyword only before a name with
// components.
func (p *parser) typeKeyword(i int32) (source.Kind, bool) {
	if p.kind(i) != word {
		return "", false
	}
	kind, ok := typeKeywords[p.text(i)]
	if kind == source.Record {
		next := p.kind(i + 2)
		ok = p.kind(i+1) == word && (next == '(' || next == '<')
	}
	return kind, ok
}

func (p *parser) fileDeclaration(start int32) bool {
	i := p.at
	switch {
	case p.isWord(i, "package"):
		name, _ := p.dotted(i + 1)
		p.pkg = name
		if p.base == packageInfo {
			p.docOf = start
		}
		p.at = p.statementEnd(i + 1)
	case p.isWord(i, "import"):
		p.importDeclaration(i)
		p.at = p.statementEnd(i + 1)
	case p.base == moduleInfo && (p.isWord(i, "module") || p.isWord(i, "open") && p.isWord(i+1, "module")):
		p.docOf = start
		p.at = p.skip(i)
		p.provides(i, p.at)
	default:
		return false
	}
	return true
}

func (p *parser) dotted(i int32) (string, int32) {
	if p.kind(i) != word {
		return "", i
	}
	var b strings.Builder
	b.WriteString(p.name(i))
	for i++; p.kind(i) == '.' && p.kind(i+1) == word; i += 2 {
		b.WriteString("." + p.name(i+1))
	}
	return b.String(), i
}

// statementEnd returns the end of a package or import declaration: the ';', or the first token that cannot be part of
// it.
func (p *parser) statementEnd(i int32) int32 {
	for {
		switch p.kind(i) {
		case ';':
			return i + 1
		case word:
			if s := p.text(i); s != "static" && reserved[s] {
				p.problem.Report(p.line(i), "expected ';'")
				return i
			}
			i++
		case '.', '*':
			i++
		default:
			p.problem.Report(p.line(i), "expected ';'")
			return i
		}
	}
}

func (p *parser) typeDeclaration(start, i int32, mods modifiers, kind source.Kind) {
	if p.kind(i) != word || p.kind(i+1) != word {
		p.fail(i, "expected the name of a type")
		return
	}
	open, components := p.bodyOf(i + 2)
	if p.kind(open) != '{' {
		p.fail(open, "expected '{'")
		return
	}
	scoped, depth := p.enclosing(), len(p.types)
	simple := p.name(i + 1)
	end := p.ends[open]
	d := decl{
		name: qualify(scoped.name, simple), scope: scoped.name, kind: kind, mods: mods,
		all: span{From: start, To: end}, head: span{From: i, To: open}, exported: p.visible(mods), components: components,
	}
	p.noteType(d)
	p.at = open + 1
	if kind == source.Enum {
		d.members = p.constants(end)
	}
	if depth == maxNesting {
		p.at = end
		return
	}
	p.decls = append(p.decls, d)
	p.types = append(p.types, scope{decl: len(p.decls) - 1, simple: simple, end: end, kind: kind})
}

func (p *parser) bodyOf(i int32) (open, components int32) {
	limit := p.limit()
	for i < limit {
		switch p.kind(i) {
		case '{', ';', '}':
			return i, components
		case '(':
			if components == 0 {
				components = i
			}
			i = p.ends[i]
		case '@':
			i = p.annotationEnd(i)
		case '<':
			i = max(i+1, p.ends[i])
		default:
			i++
		}
	}
	return limit, components
}

func (p *parser) constants(end int32) []span {
	var names []span
	for p.at < end {
		start := p.at
		for p.kind(p.at) == '@' {
			p.at = p.annotationEnd(p.at)
		}
		if p.kind(p.at) != word || modifierBits[p.text(p.at)] != 0 {
			p.at = start
			break
		}
		p.at++
		names = append(names, span{From: start, To: p.at})
		if p.kind(p.at) == '(' {
			p.at = p.ends[p.at]
		}
		if p.kind(p.at) == '{' {
			p.at = p.ends[p.at]
		}
		if p.kind(p.at) != ',' {
			break
		}
		p.at++
	}
	if p.kind(p.at) == ',' {
		p.at++
	}
	if k := p.kind(p.at); k != ';' && k != '}' {
		p.problem.Report(p.line(p.at), "expected ',', ';' or '}' after an enum constant")
	}
	return names
}

func (p *parser) enclosing() decl {
	if n := len(p.types); n > 0 {
		return p.decls[p.types[n-1].decl]
	}
	return decl{exported: true}
}

func (p *parser) inInterface() bool {
	n := len(p.types)
	return n > 0 && p.types[n-1].kind == source.Interface
}

func (p *parser) visible(mods modifiers) bool {
	if !p.enclosing().exported || mods.bits&private != 0 {
		return false
	}
	return mods.bits&(public|protected) != 0 || p.inInterface()
}

// fail reports an error at token i and skips to the next possible declaration.
func (p *parser) fail(i int32, what string) {
	p.problem.Report(p.line(i), "%s", what)
	p.at = p.skip(max(p.at, i))
}

func (p *parser) skip(i int32) int32 {
	limit := p.limit()
	for first := true; i < limit; first = false {
		switch p.kind(i) {
		case ';':
			return i + 1
		case '{':
			return p.ends[i]
		case '(', '[':
			i = p.ends[i]
		case word:
			if !first && modifierBits[p.text(i)]&access != 0 {
				return i
			}
			i++
		default:
			i++
		}
	}
	return max(i, p.at+1)
}

func qualify(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "." + name
}

func (p *parser) describe(i int32) string {
	if int(i) >= len(p.toks) {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", p.shown(p.text(i)))
}

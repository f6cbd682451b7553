package ecma

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// list is a set of names from which a file creates members: literal names, Node's HTTP methods, or a list exported by
// another file.
type list struct {
	names []string
	// For a list exported by another file.
	from, name string
}

// httpMethods are those of all supported Node versions, except M-SEARCH, which is not an identifier.
var httpMethods = strings.Fields("ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS " +
	"PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE")

const longestList = 100

// each reads `list.forEach(function (name) { object[name] = function … })` at i, which adds a member for each name.
func (x *extractor) each(i int) {
	callee := x.target(i)
	list, ok := strings.CutSuffix(strings.Join(callee.path, "."), ".forEach")
	if !ok || !x.at(callee.To).isPunct('(') {
		return
	}
	head, name := x.functionOf(callee.To + 1)
	if name == "" || !x.at(head).isPunct('{') {
		return
	}
	end := int(x.t[head].match)
	for j := head + 1; j < end; j = max(x.skipStatement(j), j+1) {
		if bracket := j + 1; x.at(j).kind == tIdent && x.at(bracket).isPunct('[') && x.textIs(bracket+1, name) &&
			x.at(bracket+2).isPunct(']') && x.at(bracket+3).isPunct('=') {
			value := span{From: bracket + 4, To: min(x.skipExpression(bracket+4), end)}
			x.eachMember(list, x.text(j), span{From: j, To: bracket + 3}, value)
		}
	}
}

// functionOf returns the end of the head of the function value at i, and its first parameter.
func (x *extractor) functionOf(i int) (head int, parameter string) {
	head, call, ok := x.functionValue(span{From: i, To: x.skipExpression(i)})
	if !ok {
		return head, ""
	}
	return head, x.word(call + b2i(x.at(call).isPunct('(')))
}

// eachMember adds a member for each name of a list. A comment above the function applies to all of them, and documents
// none individually.
func (x *extractor) eachMember(of, holder string, left, value span) {
	parent, ok := x.index[holder]
	head, call, function := x.functionValue(value)
	if !ok || !function {
		return
	}
	l := x.listOf(of)
	d := x.memberOf(holder, source.EachName, parent, source.Method, span{From: left.From, To: value.To})
	d.visible, d.call = []span{{From: value.From, To: head}}, call
	d.signature = d.name + " = " + x.functionSignature(value.From, head)
	s := x.newSymbol(d)
	s.Doc, s.Deprecated = "", ""
	if l.from != "" {
		s.Each = &source.Each{From: l.from, List: l.name}
		x.addEach(s, d)
		return
	}
	for _, name := range l.names {
		x.addEach(symbol{Symbol: s.Symbol.Of(name), parent: s.parent, scope: s.scope, own: s.own, member: s.member}, d)
	}
}

func (x *extractor) addEach(s symbol, d declaration) {
	if _, there := x.index[s.Name]; there {
		return
	}
	x.index[s.Name] = len(x.symbols)
	x.shows(d, len(x.symbols))
	x.symbols = append(x.symbols, s)
}

// listOf returns the list with a dotted name: one of the file, of another file, or of Node.
func (x *extractor) listOf(path string) list {
	if l, ok := x.lists[path]; ok {
		return l
	}
	first, member, several := strings.Cut(path, ".")
	l, _ := x.boundTo(first)
	switch {
	case l.name == "" && several:
		l.name = member
	case several:
		return list{}
	}
	switch {
	case (l.from == "http" || l.from == "node:http") && l.name == "METHODS":
		return list{names: httpMethods}
	case strings.HasPrefix(l.from, "./") && !strings.Contains(l.name, "."):
		return l
	}
	return list{}
}

// boundTo returns what the imports bind a name to; the name of a whole module is empty.
func (x *extractor) boundTo(name string) (l list, ok bool) {
	x.meter.Steps(len(x.imports))
	if imp, bound := x.bindings[name]; bound {
		l, ok = list{from: x.imports[imp].Path}, true
	}
	for _, imp := range x.imports {
		for _, n := range imp.Names {
			if cmp.Or(n.As, n.Name) == name {
				l, ok = list{from: imp.Path, name: n.Name}, true
			}
		}
	}
	return l, ok
}

// noteList records a list by the name that it is bound to or exported under.
func (x *extractor) noteList(name string, value span, exported bool) {
	if !x.javascript || x.current != 0 {
		return
	}
	l := x.listValue(value)
	if len(l.names) == 0 && l.from == "" {
		return
	}
	x.lists[name] = l
	if exported && len(l.names) > 0 {
		if x.exportedLists == nil {
			x.exportedLists = map[string][]string{}
		}
		x.exportedLists[name] = l.names
	}
}

// listValue reads a list of names: `['get', 'post']`, `http.METHODS`, and `METHODS.map((m) => m.toLowerCase())`.
func (x *extractor) listValue(value span) list {
	if x.at(value.From).isPunct('[') && x.skip(value.From) == value.To {
		return list{names: x.writtenNames(value.From)}
	}
	t := x.target(value.From)
	name := strings.Join(t.path, ".")
	if t.To == value.To {
		return x.listOf(name)
	}
	name, mapped := strings.CutSuffix(name, ".map")
	if !mapped || !x.at(t.To).isPunct('(') || x.skip(t.To) != value.To {
		return list{}
	}
	l := x.listOf(name)
	if l.from != "" || !x.lowers(t.To+1) {
		return list{}
	}
	return list{names: strings.Fields(strings.ToLower(strings.Join(l.names, " ")))}
}

func (x *extractor) lowers(i int) bool {
	_, name := x.functionOf(i)
	for j := i; name != "" && j < i+maxLowering; j++ {
		if x.at(j).isPunct(pArrow) || x.textIs(j, "return") {
			return x.textIs(j+1, name) && x.at(j+2).isPunct('.') && x.textIs(j+3, "toLowerCase") && x.at(j+4).isPunct('(')
		}
	}
	return false
}

// maxLowering bounds the tokens of such a function before its result.
const maxLowering = 8

// writtenNames returns the elements of a list if all of them are literal and valid member names.
func (x *extractor) writtenNames(open int) []string {
	var out []string
	for i := open + 1; i < int(x.t[open].match); i++ {
		if x.at(i).isPunct(',') {
			continue
		}
		name := unquote([]byte(x.text(i)))
		if x.at(i).kind != tString || !identifier.MatchString(name) || len(out) == longestList {
			return nil
		}
		out = append(out, name)
	}
	return out
}

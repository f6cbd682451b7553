package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// definition reads a call that adds a member to an object: `Object.defineProperty(exports, "name", …)`,
// `defineGetter(req, "name", function () {…})`, `req.__defineGetter__("name", …)`. Computed names are skipped.
func (x *extractor) definition(i int) {
	callee := x.target(i)
	open, last := callee.To, len(callee.path)-1
	if last < 0 || !x.at(open).isPunct('(') || !strings.Contains(strings.ToLower(callee.path[last]), "define") {
		return
	}
	holder, at := callee.path[:last], open+1
	if first := x.target(at); len(first.path) > 0 && x.at(first.To).isPunct(',') {
		holder, at = first.path, first.To+1
	}
	if len(holder) == 0 || x.at(at).kind != tString || !x.at(at+1).isPunct(',') {
		return
	}
	name := unquote([]byte(x.text(at)))
	value := span{From: at + 2, To: x.skipExpression(at + 2)}
	if !identifier.MatchString(name) || strings.HasPrefix(name, "__") {
		return
	}
	d := declared(name, source.Var, span{From: i, To: value.To})
	holder = addedTo(holder)
	d.visible, d.signature = []span{{From: at, To: at + 1}}, holder[0]+"."+name
	if x.addTo(holder, d) && holder[0] != "exports" {
		x.receivers[value.From] = holder[0]
	}
}

// addedTo returns the name to whose members those of a path belong: it may be `exports`, or begin with it.
func addedTo(path []string) []string {
	if path = exported(path); len(path) == 2 && path[1] == "prototype" {
		return path[:1]
	}
	return path
}

// addTo adds a member to the exports or to a declaration of the file.
func (x *extractor) addTo(holder []string, d declaration) bool {
	if len(holder) != 1 {
		return false
	}
	if holder[0] == "exports" {
		x.complete(d, modifiers{start: d.doc, export: true})
		return true
	}
	parent, ok := x.index[holder[0]]
	if !ok {
		return false
	}
	d.name, d.exported, d.member, d.parent, d.scope = holder[0]+"."+d.name, true, true, parent, x.current
	if d.kind == source.Var {
		d.kind = source.Field
	} else {
		d.kind = source.Method
	}
	x.add(d)
	return true
}

// exported strips "module" from a path that begins with module.exports.
func exported(p []string) []string {
	if len(p) > 1 && p[0] == "module" && p[1] == "exports" {
		return p[1:]
	}
	return p
}

func isExports(path []string) bool {
	p := exported(path)
	return len(p) == 1 && p[0] == "exports"
}

// delegating maps the methods of the "delegates" package to whether callers call the delegated members.
var delegating = map[string]bool{"method": true, "fluent": true, "access": false, "getter": false, "setter": false}

// delegation reads `delegate(object, "other").method("name").access("name")`.
func (x *extractor) delegation(i int) {
	callee := x.target(i)
	open := callee.To
	if len(callee.path) != 1 || !x.at(open).isPunct('(') {
		return
	}
	if from, _ := x.boundTo(callee.path[0]); from.from != "delegates" {
		return
	}
	object := x.target(open + 1)
	if len(object.path) == 0 || !x.at(object.To).isPunct(',') || x.at(object.To+1).kind != tString {
		return
	}
	holder := addedTo(object.path)
	if x.whole[holder[0]] {
		holder = []string{"exports"}
	}
	j := x.skip(open)
	for head := x.render(i, j); x.at(j).isPunct('.') && x.at(j+2).isPunct('(') && x.at(j+3).kind == tString; j = x.skip(j + 2) {
		called, ok := delegating[x.text(j+1)]
		name := unquote([]byte(x.text(j + 3)))
		if !ok || !identifier.MatchString(name) {
			continue
		}
		d := declared(name, source.Var, span{From: j, To: x.skip(j + 2)})
		if called {
			d.kind = source.Func
		}
		d.line, d.refs = j+1, []string{}
		d.visible, d.signature = d.content, head+x.render(j, x.skip(j+2))
		x.addTo(holder, d)
	}
}

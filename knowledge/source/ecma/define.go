package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// definition reads a call that adds a member to an object: `Object.defineProperty(exports, "name", …)`,
// `defineGetter(req, "name", function () {…})`, `req.__defineGetter__("name", …)`. Computed names are skipped.
func (x *extractor) definition(i int) {
	callee := x.target(i)
	open := callee.To
	if len(callee.path) == 0 || !x.at(open).isPunct('(') || !strings.Contains(strings.ToLower(callee.path[len(callee.path)-1]), "define") {
		return
	}
	holder, at := target{path: callee.path[:len(callee.path)-1]}, open+1
	if x.at(at).kind != tString {
		holder = x.target(at)
		if len(holder.path) == 0 || !x.at(holder.To).isPunct(',') {
			return
		}
		at = holder.To + 1
	}
	if len(holder.path) == 0 || x.at(at).kind != tString || !x.at(at+1).isPunct(',') {
		return
	}
	name := unquote([]byte(x.text(at)))
	value := span{From: at + 2, To: x.skipExpression(at + 2)}
	if !identifier.MatchString(name) || strings.HasPrefix(name, "__") {
		return
	}
	m := modifiers{start: i, headFrom: i, export: true}
	if p := exported(holder.path); len(p) == 1 && p[0] == "exports" {
		d := declaration{name: name, kind: source.Var, line: i, content: []span{{From: i, To: value.To}}}
		d.visible, d.signature = []span{{From: at, To: at + 1}}, "exports."+name
		x.complete(d, m)
		return
	}
	x.definedMember(holder.path, name, at, value, m)
}

func (x *extractor) definedMember(holder []string, name string, at int, value span, m modifiers) {
	if len(holder) == 2 && holder[1] == "prototype" {
		holder = holder[:1]
	}
	parent, ok := x.index[holder[0]]
	if len(holder) != 1 || !ok {
		return
	}
	x.receivers[value.From] = holder[0]
	d := declaration{
		name: holder[0] + "." + name, kind: source.Field, doc: m.start, line: m.start, content: []span{{From: m.start, To: value.To}},
		exported: true, member: true, parent: parent, scope: x.current,
	}
	d.visible, d.signature = []span{{From: at, To: at + 1}}, holder[0]+"."+name
	x.add(d)
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
	holder := x.target(open + 1)
	if len(holder.path) == 0 || !x.at(holder.To).isPunct(',') || x.at(holder.To+1).kind != tString {
		return
	}
	head := x.render(i, x.skip(open))
	for j := x.skip(open); x.at(j).isPunct('.') && x.at(j+2).isPunct('(') && x.at(j+3).kind == tString; j = x.skip(j + 2) {
		name := unquote([]byte(x.text(j + 3)))
		called, ok := delegating[x.text(j+1)]
		if !ok || !identifier.MatchString(name) {
			continue
		}
		d := declaration{name: name, kind: source.Var, doc: j, line: j + 1, content: []span{{From: j, To: x.skip(j + 2)}}, refs: []string{}}
		if called {
			d.kind = source.Func
		}
		d.visible, d.signature = []span{{From: j, To: x.skip(j + 2)}}, head+x.render(j, x.skip(j+2))
		x.delegated(holder.path, d)
	}
}

func (x *extractor) delegated(holder []string, d declaration) {
	if len(holder) == 2 && holder[1] == "prototype" {
		holder = holder[:1]
	}
	if p := exported(holder); len(p) == 1 && (p[0] == "exports" || x.whole[p[0]]) {
		x.complete(d, modifiers{start: d.doc, headFrom: d.doc, export: true})
		return
	}
	parent, ok := x.index[holder[0]]
	if !ok || len(holder) != 1 {
		return
	}
	d.name, d.exported, d.member, d.parent, d.scope = holder[0]+"."+d.name, true, true, parent, x.current
	if d.kind == source.Var {
		d.kind = source.Field
	} else {
		d.kind = source.Method
	}
	x.add(d)
}

package ecma

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// routerMakers are the functions and classes that make a router, by their last names.
var routerMakers = map[string]bool{
	"Router": true, "express": true, "Hono": true, "OpenAPIHono": true, "fastify": true, "Fastify": true, "KoaRouter": true, "Koa": true, "PromiseRouter": true,
}

// defaultName is what other files call what a file exports as its default, or in CommonJS as a whole.
const defaultName = "default"

// routers are the variables of a file that hold routers.
type routers struct {
	prefix map[string]string // what comes before all paths of those that were made here
	scopes []routerScope     // parameters that are routers
}

// routerScope says what a name is called between two tokens.
type routerScope struct {
	span
	name, id string
}

// routerID is what the router is called that the name at i stands for.
func (x *extractor) routerID(i int) string {
	name := x.text(i)
	for n := len(x.routers.scopes) - 1; n >= 0 && n >= len(x.routers.scopes)-mostHeader; n-- {
		if s := x.routers.scopes[n]; s.name == name && s.From <= i && i < s.To {
			return s.id
		}
	}
	return name
}

// makesRouter notes `name = new Router({ prefix: "/x" })` and the like; i is what is called.
func (x *extractor) makesRouter(i int) {
	if !x.at(i + 1).isPunct('(') {
		return
	}
	at := i - 1
	for x.at(at).isPunct('.') && x.at(at-1).kind == tIdent {
		at -= 2
	}
	for x.at(at).isKeyword(kNew) || x.at(at).isKeyword(kAwait) {
		at--
	}
	prefix, _ := x.textOf(x.property(i+2, "prefix"))
	end := int(x.at(i+1).match) + 1
	if x.at(end).isPunct('.') && x.textIs(end+1, "basePath") && x.at(end+2).isPunct('(') {
		prefix, _ = x.textOf(end + 3)
		end = x.skip(end + 2)
	}
	var id string
	switch {
	case x.at(at).isKeyword(kDefault):
		id = defaultName
	case x.at(at).isPunct('=') && x.textIs(at-1, "exports") && x.textIs(at-3, "module"):
		id = defaultName
	case x.at(at).isPunct('=') && x.at(at-1).kind == tIdent:
		if at--; x.at(at - 1).isPunct(':') { // the type stands between
			at -= 2
		}
		id = x.text(at)
		if x.routers.prefix == nil {
			x.routers.prefix = map[string]string{}
		}
		x.routers.prefix[id] = prefix
	default:
		return
	}
	x.routerChain(end, id, prefix)
}

// routerChain reads the methods that are called on a router where it is made: new Router().use("/x", other).get("/y", h).
func (x *extractor) routerChain(i int, id, prefix string) {
	for x.at(i).isPunct('.') && x.at(i+1).kind == tIdent && x.at(i+2).isPunct('(') && x.at(i+2).match > 0 {
		switch name := x.text(i + 1); name {
		case "use", "route":
			x.mountBelow(i+1, id, prefix)
		case "get", "post", "put", "delete", "patch", "head", "options", "all":
			if x.handled(i+2, false) {
				method := strings.TrimPrefix(strings.ToUpper(name), "ALL")
				f := source.Fact{Kind: source.Route, Of: id, Value: x.handlerBefore(int(x.at(i + 2).match)), Line: int(x.t[i].line)}
				f.Name = strings.TrimSpace(method + " " + below(prefix, unquote([]byte(x.text(i+3)))))
				x.facts = append(x.facts, f)
			}
		}
		i = x.skip(i + 2)
	}
}

// property is the value of a property of the object literal at open; -1 where there is none.
func (x *extractor) property(open int, key string) int {
	found := -1
	if x.at(open).isPunct('{') && x.at(open).match > int32(open) {
		x.properties(open, func(name string, _, value int) {
			if name == key {
				found = value
			}
		})
	}
	return found
}

// textOf is the text of the literal at i.
func (x *extractor) textOf(i int) (string, bool) {
	if t := x.at(i); i < 0 || t.kind != tString && t.kind != tTemplate {
		return "", false
	}
	return unquote([]byte(x.text(i))), true
}

// addRoute notes a route of the router that has a name at i.
func (x *extractor) addRoute(router int, method, route, handler string, line int32) {
	prefix := x.routers.prefix[x.text(router)]
	f := source.Fact{Kind: source.Route, Name: strings.TrimSpace(method + " " + below(prefix, route)), Of: x.routerID(router), Value: handler, Line: int(line)}
	key := "route " + f.Name + " " + f.Of
	if !x.known[key] {
		x.known[key] = true
		x.facts = append(x.facts, f)
	}
}

// below puts a path behind another one.
func below(prefix, rest string) string {
	switch {
	case prefix == "" || rest == "":
		return prefix + rest
	case rest == "/":
		return prefix
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}

// longestHandler is how many bytes the name of a handler has.
const longestHandler = 256

// handlerBefore is how code calls the last argument of the call that the bracket at i closes.
func (x *extractor) handlerBefore(i int) string {
	if x.at(i - 1).isPunct(',') {
		i--
	}
	if x.at(i-1).kind != tIdent {
		return ""
	}
	name := x.text(i - 1)
	for i -= 2; x.at(i).isPunct('.') && x.at(i-1).kind == tIdent && len(name) < longestHandler; i -= 2 {
		name = x.text(i-1) + "." + name
	}
	if !x.at(i).isPunct(',') {
		return ""
	}
	return name
}

// mount reads app.use("/x", router), app.route("/x", router) and app.register(routes, { prefix: "/x" }); i is the method.
func (x *extractor) mount(i int) {
	receiver := x.at(i - 2)
	if !x.at(i-1).isPunct('.') || !x.at(i+1).isPunct('(') || receiver.kind != tIdent || !x.isRouterAt(i-2) {
		return
	}
	x.mountBelow(i, x.routerID(i-2), x.routers.prefix[x.text(i-2)])
}

// mountBelow reads the arguments of the method at i of a router that has an ID and what comes before its paths.
func (x *extractor) mountBelow(i int, of, prefix string) {
	limit := int(x.at(i + 1).match)
	first, last := i+2, i+2
	for at := x.skipExpression(first); at < limit && x.at(at).isPunct(','); at = x.skipExpression(last) {
		if at+1 >= limit || last > first && x.at(last+1).isPunct('.') && x.textIs(last+2, "routes") {
			break
		}
		last = at + 1
	}
	f := source.Fact{Kind: source.Mount, Of: of, Name: prefix, Line: int(x.t[i].line)}
	switch register := x.textIs(i, "register"); {
	case register:
		what := last
		if last != first {
			if text, ok := x.textOf(x.property(last, "prefix")); ok {
				f.Name = below(f.Name, text)
			} else if x.property(last, "prefix") >= 0 {
				f.Usage = source.Hidden
			}
			what = first
		}
		if id := x.inlineRouter(what, i); id != "" {
			f.ID = id
		} else {
			f.ID = x.routerAt(what)
		}
	case last == first:
		f.ID = x.routerAt(first)
	default:
		text, ok := x.textOf(first)
		if !ok && x.at(first).kind != tIdent && x.at(first).kind != tTemplateHead {
			return
		}
		if f.Name = below(f.Name, text); !ok {
			f.Usage = source.Hidden
		}
		f.ID = x.routerAt(last)
	}
	if f.ID != "" && f.ID != f.Of {
		x.facts = append(x.facts, f)
	}
}

// madeHere reports whether the name at i is that of a router that the file makes.
func (x *extractor) madeHere(i int) bool {
	_, made := x.routers.prefix[x.text(i)]
	return made
}

func (x *extractor) isRouterAt(i int) bool {
	return x.madeHere(i) || isRouter(x.text(i)) || x.routerID(i) != x.text(i)
}

// routerAt is what the router is called that an argument at i is: a name, `name.routes()`, `require("./x")`, `import("./x")`.
func (x *extractor) routerAt(i int) string {
	t := x.at(i)
	switch end := x.requireEnd(i); {
	case end > i:
		return placeOf(unquote([]byte(x.text(i+2))), defaultName)
	case t.isKeyword(kImport) && x.at(i+1).isPunct('(') && x.at(i+2).kind == tString:
		return placeOf(unquote([]byte(x.text(i+2))), defaultName)
	case t.kind != tIdent:
		return ""
	case x.at(i + 1).isPunct(','), x.at(i + 1).isPunct(')'):
		return x.routerID(i)
	case x.at(i+1).isPunct('.') && (x.textIs(i+2, "routes") || x.textIs(i+2, "default") || x.textIs(i+2, "router")):
		return x.routerID(i)
	}
	return ""
}

// inlineRouter takes up a function at i that is given the router; empty where there is none.
func (x *extractor) inlineRouter(i, method int) string {
	if x.at(i).isKeyword(kAsync) {
		i++
	}
	if x.at(i).isKeyword(kFunction) {
		if i++; x.at(i).kind == tIdent {
			i++
		}
	}
	if !x.at(i).isPunct('(') || x.at(i+1).kind != tIdent || x.at(i).match < 0 {
		return ""
	}
	name := x.text(i + 1)
	id := name + "@" + x.text(method) + strconv.Itoa(int(x.t[method].line))
	x.routers.scopes = append(x.routers.scopes, routerScope{span{From: i, To: int(x.at(method + 1).match)}, name, id})
	return id
}

// exportsRouter reads `module.exports = router` and `export default router`, or a function that is given a router; i is exports or default.
func (x *extractor) exportsRouter(i int) {
	switch {
	case x.textIs(i, "exports") && x.at(i-1).isPunct('.') && x.textIs(i-2, "module") && x.at(i+1).isPunct('='):
		i += 2
	case x.at(i - 1).isKeyword(kExport):
		i++
	default:
		return
	}
	if x.at(i).kind == tIdent && !x.at(i).isKeyword(kFunction) && !x.at(i).isKeyword(kAsync) {
		if next := x.at(i + 1); next.isPunct(';') || next.has(fNewline) || i+1 >= len(x.t) {
			x.facts = append(x.facts, source.Fact{Kind: source.Mount, ID: x.text(i), Of: defaultName, Line: int(x.t[i].line)})
		}
		return
	}
	if x.at(i).isKeyword(kAsync) {
		i++
	}
	if x.at(i).isKeyword(kFunction) {
		if i++; x.at(i).kind == tIdent && !x.at(i).isPunct('(') {
			i++
		}
	}
	if x.at(i).isPunct('(') && isRouter(x.text(i+1)) && x.at(i).match > 0 {
		x.routers.scopes = append(x.routers.scopes, routerScope{span{From: i, To: len(x.t)}, x.text(i + 1), defaultName})
	}
}

// placeOf is the ID of what a file exports under a name.
func placeOf(file, name string) string {
	if !strings.HasPrefix(file, ".") {
		return ""
	}
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"} {
		file = strings.TrimSuffix(file, ext)
	}
	return source.PlaceID(file, name)
}

// placeRouters gives the routers that are mounted, and that other files declare, the IDs that they have there.
func (x *extractor) placeRouters() {
	places := map[string]string{}
	for _, imp := range x.imports {
		if len(imp.Names) == 0 || imp.All {
			places[cmp.Or(imp.As, path.Base(imp.Path))] = placeOf(imp.Path, defaultName)
		}
		for _, n := range imp.Names {
			places[cmp.Or(n.As, n.Name)] = placeOf(imp.Path, n.Name)
		}
	}
	own := map[string]bool{}
	for _, f := range x.facts {
		if f.Kind == source.Route {
			own[f.Of] = true
		}
	}
	for i := range x.facts {
		if f := &x.facts[i]; f.Kind == source.Mount && !own[f.ID] {
			f.ID = cmp.Or(places[f.ID], f.ID)
		}
	}
}

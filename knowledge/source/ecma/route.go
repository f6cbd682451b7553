package ecma

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// routerMakers are the functions and classes that make a router, by their last names.
var routerMakers = map[string]bool{
	"Router": true, "express": true, "Hono": true, "OpenAPIHono": true, "fastify": true, "Fastify": true, "KoaRouter": true, "Koa": true, "PromiseRouter": true,
}

// routeMethods are the methods of routers that register a handler, with those of HTTP.
var routeMethods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "del": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "",
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
	prefix := x.pathAt(x.property(i+2, "prefix"))
	end := int(x.at(i+1).match) + 1
	if x.at(end).isPunct('.') && x.textIs(end+1, "basePath") && x.at(end+2).isPunct('(') {
		prefix = x.pathAt(end + 3)
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
		name := x.text(i + 1)
		if name == "use" || name == "route" {
			x.mountBelow(i+1, id, prefix)
		} else if method, is := routeMethods[name]; is {
			if args := x.arguments(i + 2); x.handled(args, true, false) {
				x.noteRoute(source.Fact{Of: id, Name: method + " " + below(prefix, x.pathOf(args[0])), Line: int(x.t[i].line)}, args[1:])
			}
		}
		i = x.skip(i + 2)
	}
}

// route reads app.get("/path", handler) and router.route("/path").get(handler); i is the method.
func (x *extractor) route(i int) {
	if !x.at(i-1).isPunct('.') || !x.at(i+1).isPunct('(') {
		return
	}
	method := routeMethods[x.text(i)]
	if x.at(i - 2).isPunct(')') {
		if path, router := x.routeChain(i - 2); path != "" {
			x.addRoute(router, method, path, x.arguments(i+1), x.t[i].line)
		}
		return
	}
	if x.at(i-2).kind != tIdent || !x.isRouterAt(i-2) {
		return
	}
	made := x.madeHere(i - 2)
	if args := x.arguments(i + 1); x.handled(args, made, !made && x.textIs(i-2, "api")) {
		x.addRoute(i-2, method, x.pathOf(args[0]), args[1:], x.t[i].line)
	}
}

// routeObject reads fastify.route({ method: "GET", url: "/path", handler }).
func (x *extractor) routeObject(i int) {
	if !x.at(i-1).isPunct('.') || !x.at(i+1).isPunct('(') || x.at(i-2).kind != tIdent || !x.isRouterAt(i-2) {
		return
	}
	method, ok := x.textOf(x.property(i+2, "method"))
	url := x.pathAt(x.property(i+2, "url"))
	if !ok || !isPath(url, true) {
		return
	}
	var args []span
	for _, key := range []string{"preHandler", "handler"} {
		if at := x.property(i+2, key); at > 0 {
			args = append(args, span{From: at, To: x.skipExpression(at)})
		}
	}
	x.addRoute(i-2, strings.ToUpper(method), url, args, x.t[i].line)
}

func isRouter(name string) bool {
	switch name {
	case "app", "router", "server", "route", "routes", "api", "fastify":
		return true
	}
	return strings.HasSuffix(name, "Router") || strings.HasSuffix(name, "App")
}

// handled reports whether arguments are those of a route: a path, and behind it a handler. A client that sends requests has the same
// methods but gets data.
func (x *extractor) handled(args []span, router, strict bool) bool {
	if len(args) < 2 || !isPath(x.pathOf(args[0]), router) {
		return false
	}
	return !strict && x.at(args[len(args)-1].From).kind == tIdent || slices.ContainsFunc(args[1:], x.isFunction)
}

// longestChain bounds the calls between route("/path") and a method.
const longestChain = 12

// routeChain is the path, and the router, of route("/path").get(h).post(h) when the parenthesis at i ends a part of such a chain.
func (x *extractor) routeChain(i int) (path string, router int) {
	for n := 0; n < longestChain && x.at(i).isPunct(')') && x.at(i).match >= 2; n++ {
		open := int(x.at(i).match)
		if !x.at(open - 2).isPunct('.') {
			return "", 0
		}
		if x.textIs(open-1, "route") && x.isRouterAt(open-3) {
			return x.pathOf(span{From: open + 1, To: i}), open - 3
		}
		i = open - 3
	}
	return "", 0
}

// addRoute notes a route of the router that has a name at i.
func (x *extractor) addRoute(router int, method, route string, handlers []span, line int32) {
	x.noteRoute(source.Fact{Of: x.routerID(router), Name: method + " " + below(x.routers.prefix[x.text(router)], route), Line: int(line)}, handlers)
}

// noteRoute notes a route with what handles it, behind the functions that wrap that.
func (x *extractor) noteRoute(f source.Fact, handlers []span) {
	f.Kind, f.Name = source.Route, strings.TrimSpace(f.Name)
	for n, s := range handlers {
		text := x.handlerText(s, 0)
		name, _, _ := strings.Cut(text, "(")
		switch {
		case name == source.Anonymous || name == "":
		case n+1 == len(handlers):
			f.Value = text
		default:
			f.Also = strings.TrimPrefix(f.Also+", "+name, ", ")
		}
	}
	if key := "route " + f.Name + " " + f.Of; !x.known[key] {
		x.known[key] = true
		x.facts = append(x.facts, f)
	}
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
	args := x.arguments(i + 1)
	if len(args) == 0 {
		return
	}
	f := source.Fact{Kind: source.Mount, Of: of, Name: prefix, Line: int(x.t[i].line)}
	if x.textIs(i, "register") {
		f.Name = below(prefix, x.pathAt(x.property(args[len(args)-1].From, "prefix")))
		if f.ID = x.inlineRouter(args[0].From, i); f.ID == "" {
			f.ID = x.routerAt(args[0].From)
		}
	} else {
		if path := x.pathOf(args[0]); len(args) > 1 && isPath(path, true) {
			f.Name, args = below(prefix, path), args[1:]
		}
		for n := len(args) - 1; n >= 0 && f.ID == ""; n-- {
			f.ID = x.routerAt(args[n].From)
		}
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

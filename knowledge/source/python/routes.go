package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// routeRule says how a decorator or a call registers a route.
type routeRule struct {
	method  string // anyOf: those of the argument "methods"
	path    int    // the position of the path among the arguments
	handler string // the keyword of the handler, which otherwise follows the path; decorated: it is the function below
	first   bool   // the handler is the first argument
}

const (
	anyOf     = "*"
	decorated = "@"
)

// routeDecorators are the rules of decorators, by the last element of their names.
var routeDecorators = map[string]routeRule{
	"get": {method: "GET", handler: decorated}, "post": {method: "POST", handler: decorated}, "put": {method: "PUT", handler: decorated},
	"delete": {method: "DELETE", handler: decorated}, "patch": {method: "PATCH", handler: decorated}, "head": {method: "HEAD", handler: decorated},
	"options": {method: "OPTIONS", handler: decorated}, "trace": {method: "TRACE", handler: decorated}, "websocket": {handler: decorated},
	"route": {method: anyOf, handler: decorated}, "api_route": {method: anyOf, handler: decorated},
}

// routeCalls are the rules of functions, and of methods of any value, which begin with a dot.
var routeCalls = map[string]routeRule{
	".add_get": {method: "GET"}, ".add_post": {method: "POST"}, ".add_put": {method: "PUT"}, ".add_delete": {method: "DELETE"},
	".add_patch": {method: "PATCH"}, ".add_head": {method: "HEAD"}, ".add_view": {},
	"web.get": {method: "GET"}, "web.post": {method: "POST"}, "web.put": {method: "PUT"}, "web.delete": {method: "DELETE"},
	"web.patch": {method: "PATCH"}, "web.head": {method: "HEAD"}, "web.view": {},
	".add_url_rule": {method: anyOf, handler: "view_func"}, ".add_api_route": {method: anyOf, handler: "endpoint"},
	".add_api_websocket_route": {handler: "endpoint"}, ".add_resource": {path: 1, first: true},
	"Route": {method: anyOf, handler: "endpoint"}, "WebSocketRoute": {handler: "endpoint"},
}

// routerMakers are the constructors of routers, with the argument that holds the prefix.
var routerMakers = map[string]string{"APIRouter": "prefix", "Blueprint": blueprint, "APIBlueprint": blueprint, "FastAPI": "", "Flask": "", "Starlette": ""}

// blueprint is the argument with a prefix that counts only where a router is mounted without one.
const blueprint = "url_prefix"

// mounting are the methods that put a router behind a path, with the argument that says which.
var mounting = map[string]string{"include_router": "prefix", "register_blueprint": blueprint}

// routeReader finds the routes of a file.
type routeReader struct {
	*reader
	routers map[string]string // what comes before the paths of the routers that the file makes
	waiting []source.Fact     // those of decorators, whose function follows
	django  bool              // the file lists the paths of Django
	nested  []included        // the lists of paths that are open
}

// routes finds the routes that decorators declare, and calls register.
func (x *reader) routes() {
	r := &routeReader{reader: x, routers: map[string]string{}, django: strings.Contains(x.src, urlpatterns)}
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		switch {
		case x.is(first, end, "@"):
			r.decorator(first+1, end)
			continue
		case x.is(first, end, "async") && x.is(first+1, end, "def"):
			r.defined(first + 2)
		case x.is(first, end, "def"), x.is(first, end, "class"):
			r.defined(first + 1)
		case x.isName(first, end) && x.is(first+1, end, "=") && x.isName(first+2, end):
			r.routerAt(first, end)
		}
		r.line(first, end)
	}
	r.defined(len(x.toks))
}

// defined gives the routes that wait the function at token i.
func (r *routeReader) defined(i int) {
	for _, f := range r.waiting {
		if r.isName(i, len(r.toks)) {
			f.Value = r.text(i)
		}
		r.facts = append(r.facts, f)
	}
	r.waiting = r.waiting[:0]
}

// routerAt notes `name = APIRouter(prefix="/x")`.
func (r *routeReader) routerAt(first, end int) {
	_, i := r.dotted(first+2, end)
	key, makes := routerMakers[r.text(i)]
	if !makes || !r.is(i+1, end, "(") {
		return
	}
	a, _ := pick(r.arguments(i+1), key, -1)
	prefix := r.path(a)
	if key == blueprint && prefix != "" {
		r.note(source.Fact{Kind: source.Mount, ID: r.text(first), Of: source.Program, Name: prefix, Usage: source.Fallback}, first)
		prefix = ""
	}
	r.routers[r.text(first)] = prefix
}

func (r *routeReader) note(f source.Fact, i int) {
	f.Name, f.Line = valid(f.Name), int(r.toks[i].line)
	r.facts = append(r.facts, f)
}

// decorator reads a decorator like app.get("/x").
func (r *routeReader) decorator(start, end int) {
	if !r.isName(start, end) {
		return
	}
	name, i := r.dotted(start, end)
	rule, ok := routeDecorators[r.text(i)]
	if !ok || i == start || !r.is(i+1, end, "(") || strings.HasPrefix(name, "mock.") {
		return
	}
	owner := r.text(start)
	if i != start+2 {
		owner = ""
	}
	r.waiting = append(r.waiting, r.registered(rule, owner, i)...)
}

// line reads the calls of a line that register routes or mount routers.
func (r *routeReader) line(first, end int) {
	list := urlpatterns
	if r.isName(first, end) && (r.is(first+1, end, "=") || r.is(first+1, end, "+=")) {
		list = r.text(first)
	}
	for i := first; i+2 < end; i++ {
		if !r.isName(i, end) || !r.is(i+1, end, "(") {
			continue
		}
		name, owner := r.text(i), ""
		if r.is(i-1, end, ".") {
			if r.isName(i-2, end) && !r.is(i-3, end, ".") {
				owner = r.text(i - 2)
			}
			name = "." + name
		}
		rule, registers := routeCalls[name]
		if !registers {
			rule, registers = routeCalls[owner+name]
		}
		key, mounts := mounting[strings.TrimPrefix(name, ".")]
		switch {
		case registers:
			for _, f := range r.registered(rule, owner, i) {
				r.note(f, i)
			}
		case mounts && name[0] == '.':
			r.mount(owner, i, key)
		case name == "Mount":
			args := r.arguments(i + 1)
			if routes, _ := pick(args, "routes", 1); r.is(routes.from, end, "[") {
				r.nested = append(r.nested, included{routes.to, r.inside(i) + r.path(args[0])})
			}
		case r.django && (name == "path" || name == "re_path" || name == "url"):
			r.djangoPath(i, list, name != "path")
		}
	}
}

// registered are the routes that a rule makes of the call of token i, of a router or none.
func (r *routeReader) registered(rule routeRule, owner string, i int) []source.Fact {
	args := r.arguments(i + 1)
	at, ok := pick(args, "", rule.path)
	prefix, known := r.routers[owner]
	path := r.path(at)
	computed := strings.HasPrefix(path, "$(")
	if !ok || !known && (computed && !strings.Contains(path, ")/") || path == "" && (owner == "" || rule.handler != decorated)) ||
		path != "" && path[0] != '/' && !computed {
		return nil
	}
	f := source.Fact{Kind: source.Route, Line: int(r.toks[i].line)}
	if _, function := routeCalls[owner+"."+r.text(i)]; !function || owner == "" {
		f.Of = owner
	}
	if rule.handler != decorated {
		handler, ok := pick(args, rule.handler, rule.path+1)
		if rule.first {
			handler = args[0]
		} else if !ok || r.toks[handler.from].kind == str {
			return nil
		}
		f.Value = r.named(handler, 0)
	}
	methods := []string{rule.method}
	if rule.method == anyOf {
		methods = r.methods(args)
	}
	var out []source.Fact
	for _, m := range methods {
		f.Name = strings.TrimSpace(m + " " + valid(r.inside(i)+prefix+path))
		out = append(out, f)
	}
	return out
}

// mount reads app.include_router(router, prefix="/x") and app.register_blueprint(bp, url_prefix="/x").
func (r *routeReader) mount(owner string, i int, key string) {
	args := r.arguments(i + 1)
	router, _ := pick(args, "router", 0)
	prefix, _ := pick(args, key, -1)
	f := source.Fact{Kind: source.Mount, ID: r.named(router, 0), Of: owner, Name: r.routers[owner] + r.path(prefix)}
	if owner == "" {
		f.Of = source.Program
	}
	if f.ID != "" {
		r.note(f, i)
	}
}

// methods reads methods=["GET", "POST"]; without it a route answers GET.
func (r *routeReader) methods(args []argument) []string {
	a, ok := pick(args, "methods", -1)
	if !ok {
		return []string{"GET"}
	}
	var out []string
	for i := a.from + 1; i < a.to-1; i++ {
		if method := r.literalAt(i); method != "" {
			out = append(out, strings.ToUpper(method))
		} else if !r.is(i, a.to, ",") {
			return []string{""}
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

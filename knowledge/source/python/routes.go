package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// router is a variable whose routes share the beginning of their paths.
type router struct {
	prefix  string
	unknown bool // the prefix is computed
}

// prefixArguments are the constructors of routers, with the argument that holds the prefix.
var prefixArguments = map[string]string{"APIRouter": "prefix", "Blueprint": "url_prefix"}

// routeMethods are the decorators that name the method of a route; "" where it is in an argument or has none.
var routeMethods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD",
	"options": "OPTIONS", "trace": "TRACE", "route": "", "api_route": "",
}

// routes finds the routes that decorators declare.
func (x *reader) routes() {
	routers := map[string]router{}
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		switch {
		case x.is(first, end, "@"):
			x.route(first+1, end, routers)
		case x.isName(first, end) && x.is(first+1, end, "=") && x.isName(first+2, end):
			x.routerAt(first, end, routers)
		}
	}
}

// routerAt notes `name = APIRouter(prefix="/x")`.
func (x *reader) routerAt(first, end int, routers map[string]router) {
	i := first + 2
	for x.is(i+1, end, ".") && x.isName(i+2, end) {
		i += 2
	}
	argument := prefixArguments[x.text(i)]
	if argument == "" || !x.is(i+1, end, "(") {
		return
	}
	r := router{}
	if at := x.argument(i+2, end, argument); at < end {
		r.prefix = x.literalAt(at)
		r.unknown = r.prefix == ""
	}
	routers[x.text(first)] = r
}

// argument finds the value of a keyword argument in a call whose arguments begin at from; end when it is not there.
func (x *reader) argument(from, end int, key string) int {
	depth := 0
	for i := from; i < end && depth >= 0; i++ {
		depth += x.depth(i)
		if depth == 0 && x.isName(i, end) && x.is(i+1, end, "=") && x.text(i) == key {
			return min(i+2, end)
		}
	}
	return end
}

// route reads a decorator like app.get("/x").
func (x *reader) route(i, end int, routers map[string]router) {
	start := i
	for x.isName(i, end) && x.is(i+1, end, ".") {
		i += 2
	}
	if i == start || !x.isName(i, end) || !x.is(i+1, end, "(") || i+2 >= end || x.toks[i+2].kind != str {
		return
	}
	method, ok := routeMethods[x.text(i)]
	if !ok || !x.is(i+3, end, ",") && !x.is(i+3, end, ")") {
		return
	}
	var r router
	if i == start+2 {
		r = routers[x.text(start)]
	}
	path := r.prefix + x.literalAt(i+2)
	if r.unknown || !strings.HasPrefix(path, "/") {
		return
	}
	if method != "" {
		x.fact(source.Route, method+" "+path, i)
		return
	}
	x.routeWithMethods(i, end, path)
}

// routeWithMethods reads methods=["GET", "POST"]; without it a route answers GET.
func (x *reader) routeWithMethods(i, end int, path string) {
	at := x.argument(i+2, end, "methods")
	if at >= end {
		x.fact(source.Route, "GET "+path, i)
		return
	}
	if x.depth(at) != 1 {
		x.fact(source.Route, path, i)
		return
	}
	for at++; at < end && x.depth(at) == 0; at++ {
		if method := x.literalAt(at); method != "" {
			x.fact(source.Route, strings.ToUpper(method)+" "+path, i)
		} else if !x.is(at, end, ",") {
			x.fact(source.Route, path, i)
		}
	}
}

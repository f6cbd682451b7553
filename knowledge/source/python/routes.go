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
var prefixArguments = map[string]string{"APIRouter": "prefix", "Blueprint": "url_prefix", "APIBlueprint": "url_prefix"}

// mounting are the methods that put a router behind a path, with the argument that says which.
var mounting = map[string]string{"include_router": "prefix", "register_blueprint": "url_prefix", "mount": ""}

// routeMethods are the decorators that name the method of a route; "" where it is in an argument or has none.
var routeMethods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD",
	"options": "OPTIONS", "trace": "TRACE", "route": "", "api_route": "",
}

// routeReader finds the routes of a file.
type routeReader struct {
	*reader
	routers map[string]router
	waiting []source.Fact // those of decorators, whose function follows
	django  bool          // the file lists the paths of Django
	nested  []included    // the lists of paths that are open
}

// routes finds the routes that decorators declare, and calls register.
func (x *reader) routes() {
	r := &routeReader{reader: x, routers: map[string]router{}, django: strings.Contains(x.src, "urlpatterns")}
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		switch {
		case x.is(first, end, "@"):
			r.decorated(first+1, end)
			continue
		case x.is(first, end, "async") && x.is(first+1, end, "def"):
			r.defined(first + 2)
		case x.is(first, end, "def"):
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

// routerAt notes `name = APIRouter(prefix="/x")`. A blueprint's prefix only holds where nobody who registers it says another.
func (r *routeReader) routerAt(first, end int) {
	i := first + 2
	for r.is(i+1, end, ".") && r.isName(i+2, end) {
		i += 2
	}
	argument := prefixArguments[r.text(i)]
	if argument == "" || !r.is(i+1, end, "(") {
		return
	}
	known := router{}
	if at := r.argument(i+2, end, argument); at < end {
		known.prefix = r.literalAt(at)
		known.unknown = known.prefix == "" && r.toks[at].kind != str
	}
	if argument == "url_prefix" && known.prefix != "" {
		r.note(source.Fact{Kind: source.Mount, ID: r.text(first), Of: source.Program, Name: known.prefix, Usage: source.Fallback}, first)
		known.prefix = ""
	}
	r.routers[r.text(first)] = known
}

func (r *routeReader) note(f source.Fact, i int) {
	f.Name, f.Line = valid(f.Name), int(r.toks[i].line)
	r.facts = append(r.facts, f)
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

// decorated reads a decorator like app.get("/x").
func (r *routeReader) decorated(i, end int) {
	start := i
	for r.isName(i, end) && r.is(i+1, end, ".") {
		i += 2
	}
	if i == start || !r.isName(i, end) || !r.is(i+1, end, "(") || i+2 >= end || r.toks[i+2].kind != str {
		return
	}
	method, ok := routeMethods[r.text(i)]
	if !ok || !r.is(i+3, end, ",") && !r.is(i+3, end, ")") {
		return
	}
	owner := r.text(start)
	if i != start+2 {
		owner = ""
	}
	known := r.routers[owner]
	path := known.prefix + r.literalAt(i+2)
	if known.unknown || !strings.HasPrefix(path, "/") && (path != "" || owner == "") {
		return
	}
	methods := []string{method}
	if method == "" {
		methods = r.methods(i, end)
	}
	for _, m := range methods {
		r.waiting = append(r.waiting, source.Fact{Kind: source.Route, Name: strings.TrimSpace(m + " " + valid(path)), Of: owner, Line: int(r.toks[i].line)})
	}
}

// methods reads methods=["GET", "POST"]; without it a route answers GET.
func (r *routeReader) methods(i, end int) []string {
	at := r.argument(i+2, end, "methods")
	if at >= end {
		return []string{"GET"}
	}
	if r.depth(at) != 1 {
		return []string{""}
	}
	var out []string
	for at++; at < end && r.depth(at) == 0; at++ {
		if method := r.literalAt(at); method != "" {
			out = append(out, strings.ToUpper(method))
		} else if !r.is(at, end, ",") {
			return []string{""}
		}
	}
	return out
}

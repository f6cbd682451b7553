package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// callMethods are functions and methods that register a handler, which is their second argument, with the method of HTTP.
var callMethods = map[string]string{
	"add_get": "GET", "add_post": "POST", "add_put": "PUT", "add_delete": "DELETE", "add_patch": "PATCH", "add_head": "HEAD", "add_view": "",
	"web.get": "GET", "web.post": "POST", "web.put": "PUT", "web.delete": "DELETE", "web.patch": "PATCH", "web.head": "HEAD", "web.view": "",
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
		text := r.text(i)
		method := r.is(i-1, end, ".") && r.isName(i-2, end)
		dotted := text
		if method {
			dotted = r.text(i-2) + "." + text
		}
		verb, registers := callMethods[dotted]
		if !registers && method {
			verb, registers = callMethods[text]
		}
		argument, mounts := mounting[text]
		switch {
		case registers:
			r.called(verb, r.literalAt(i+2), i+2, end)
		case method && text == "add_url_rule":
			r.rule(i, end)
		case method && mounts && argument != "":
			r.mount(i, end, argument)
		case r.django && !method && (text == "path" || text == "re_path" || text == "url"):
			r.djangoPath(i, end, list, text != "path")
		}
	}
}

// called notes a route whose path is the literal at token i and whose handler follows.
func (r *routeReader) called(verb, path string, i, end int) {
	if strings.HasPrefix(path, "/") && r.is(i+1, end, ",") {
		r.note(source.Fact{Kind: source.Route, Name: strings.TrimSpace(verb + " " + path), Value: r.named(i+2, end)}, i)
	}
}

// named is the dotted name that an argument at token i is; empty for anything else.
func (r *routeReader) named(i, end int) string {
	if !r.isName(i, end) {
		return ""
	}
	name := r.text(i)
	for r.is(i+1, end, ".") && r.isName(i+2, end) && len(name) < longestDotted {
		i += 2
		name += "." + r.text(i)
	}
	if r.is(i+1, end, "(") && strings.HasSuffix(name, ".as_view") {
		return strings.TrimSuffix(name, ".as_view")
	}
	if !r.is(i+1, end, ",") && !r.is(i+1, end, ")") {
		return ""
	}
	return name
}

// rule reads app.add_url_rule("/x", view_func=view, methods=[…]).
func (r *routeReader) rule(i, end int) {
	owner := r.text(i - 2)
	path := r.literalAt(i + 2)
	if !strings.HasPrefix(path, "/") || r.is(i-3, end, ".") {
		return
	}
	for _, m := range r.methods(i, end) {
		r.note(source.Fact{Kind: source.Route, Name: strings.TrimSpace(m + " " + path), Of: owner, Value: r.named(r.argument(i+2, end, "view_func"), end)}, i)
	}
}

// mount reads app.include_router(router, prefix="/x") and app.register_blueprint(bp, url_prefix="/x").
func (r *routeReader) mount(i, end int, argument string) {
	what := r.named(i+2, end)
	if what == "" || r.is(i-3, end, ".") {
		return
	}
	owner := r.text(i - 2)
	f := source.Fact{Kind: source.Mount, ID: what, Of: owner, Name: r.routers[owner].prefix}
	if at := r.argument(i+2, end, argument); at < end {
		if r.toks[at].kind != str || !r.is(at+1, end, ",") && !r.is(at+1, end, ")") {
			f.Name, f.Usage, f.Value = "", source.Hidden, r.setting(at, end)
		} else {
			f.Name += r.literalAt(at)
		}
	}
	if r.routers[owner].unknown {
		f.Name, f.Usage = "", source.Hidden
	}
	r.note(f, i)
}

// setting is the name of what is selected from settings at token i: settings.api_prefix.
func (r *routeReader) setting(i, end int) string {
	name := r.named(i, end)
	if owner, key, ok := strings.Cut(name, "."); ok && strings.HasSuffix(strings.ToLower(owner), "settings") || ok && strings.HasSuffix(strings.ToLower(owner), "config") {
		return key
	}
	return ""
}

// urlpatterns is the name under which a file of Django lists its paths.
const urlpatterns = "urlpatterns"

// mostIncluded is how many lists of paths stand in each other that are told.
const mostIncluded = 32

// included is a list of paths that stands in the call of include, up to a token.
type included struct {
	end    int
	prefix string
}

// djangoPath reads path("x/", view) and path("x/", include("app.urls")) of the list that has a name.
func (r *routeReader) djangoPath(i, end int, list string, expression bool) {
	for len(r.nested) > 0 && r.nested[len(r.nested)-1].end <= i {
		r.nested = r.nested[:len(r.nested)-1]
	}
	if i+3 >= end || r.toks[i+2].kind != str || !r.is(i+3, end, ",") || len(r.nested) > mostIncluded {
		return
	}
	path := r.literalAt(i + 2)
	if expression {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$")
	}
	path = "/" + strings.TrimPrefix(path, "/")
	if len(r.nested) > 0 {
		path = strings.TrimSuffix(r.nested[len(r.nested)-1].prefix, "/") + path
	}
	if r.isName(i+4, end) && r.text(i+4) == "include" && r.is(i+5, end, "(") {
		r.include(i+5, end, list, path)
		return
	}
	if handler := r.named(i+4, end); !strings.HasSuffix(handler, ".urls") {
		r.note(source.Fact{Kind: source.Route, Name: path, Of: list, Value: handler}, i)
	}
}

// include reads what stands behind a path: a module, a list of the file, or a list in place.
func (r *routeReader) include(open, end int, list, path string) {
	at := open + 1
	if r.is(at, end, "(") { // with a name for all of them
		at++
	}
	switch module := r.literalAt(at); {
	case module != "":
		r.note(source.Fact{Kind: source.Mount, ID: source.PlaceID(strings.ReplaceAll(module, ".", "/"), urlpatterns), Of: list, Name: path}, open)
	case r.is(at, end, "["):
		depth, i := 1, at+1
		for ; i < min(end, at+mostTokens) && depth > 0; i++ {
			depth += r.depth(i)
		}
		r.nested = append(r.nested, included{i, path})
	default:
		if name := r.named(at, end); name != "" {
			r.note(source.Fact{Kind: source.Mount, ID: name, Of: list, Name: path}, open)
		}
	}
}

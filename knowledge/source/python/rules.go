package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// set is a set of names, with blanks between them.
func set(names string) map[string]bool {
	out := map[string]bool{}
	for n := range strings.FieldsSeq(names) {
		out[n] = true
	}
	return out
}

// rules say what calls mean in Python and its frameworks.
var rules = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := &surface.Rules{
		Self:    set("self cls"),
		Nothing: set("None ..."),
		Exits:   set("exit quit SystemExit os._exit sys.exit click.Exit typer.Exit"),
		Config:  surface.ConfigRules{Package: "pydantic", Env: "BaseSettings", Base: "BaseModel", Prefix: "env_prefix", Field: "Field"},
		Env: surface.EnvRules{
			Objects:  set("os.environ"),
			Methods:  set("get pop setdefault"),
			Calls:    set("os.getenv"),
			All:      map[string][]string{"urllib.request.getproxies": {"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}},
			Fails:    true,
			Pairs:    set("items keys"),
			Packages: []string{"import environ", "from environ import", "from environs import", "from decouple import", "from starlette.config import"},
			Callers:  set("env config"),
		},
		Routes: surface.RouteRules{
			Decorators: map[string]surface.RouteRule{"websocket": {}, "route": {Method: surface.AnyOf}, "api_route": {Method: surface.AnyOf}},
			Calls: map[string]surface.RouteRule{
				".add_view": {}, "web.view": {}, ".add_url_rule": {Method: surface.AnyOf, Handler: "view_func"},
				".add_api_route": {Method: surface.AnyOf, Handler: "endpoint"}, ".add_api_websocket_route": {Handler: "endpoint"},
				".add_resource": {Path: 1, First: true}, "Route": {Method: surface.AnyOf, Handler: "endpoint"}, "WebSocketRoute": {Handler: "endpoint"},
				"path": {Listed: "include"}, "re_path": {Listed: "include", Pattern: true}, "url": {Listed: "include", Pattern: true},
			},
			Makers: map[string]surface.Maker{
				"APIRouter": {Prefix: "prefix"}, "FastAPI": {}, "Flask": {}, "Starlette": {},
				"Blueprint": {Prefix: "url_prefix", Fallback: true}, "APIBlueprint": {Prefix: "url_prefix", Fallback: true},
			},
			Mounts: map[string]surface.Mount{".include_router": {Prefix: "prefix"}, ".register_blueprint": {Prefix: "url_prefix"}, "Mount": {Routes: "routes"}},
			Itself: []string{".as_view"},
			Plain:  true,
			List:   "urlpatterns",
		},
	}
	for _, method := range []string{"get", "post", "put", "delete", "patch", "head", "options", "trace"} {
		rule := surface.RouteRule{Method: strings.ToUpper(method)}
		r.Routes.Decorators[method] = rule
		if method != "options" && method != "trace" {
			r.Routes.Calls[".add_"+method], r.Routes.Calls["web."+method] = rule, rule
		}
	}
	return r
}}

// words are the names of what the rules are about.
var words = lazy.Value[map[string]bool]{Make: func() map[string]bool { return rules.Get().Words() }}

// isRuled reports whether a rule may be about the name at token i, or about what it is called with.
func (x *reader) isRuled(i int, words map[string]bool) bool {
	text, n := x.text(i), len(x.toks)
	switch {
	case text == "environ", text == "BaseModel", strings.HasSuffix(text, "Settings"), strings.HasPrefix(text, "register"):
		return true
	case !x.is(i+1, n, "("):
		return false
	case words[text], strings.Contains(strings.ToLower(text), "env"):
		return true
	}
	return i+2 < n && x.toks[i+2].kind == str && surface.IsVariable(strings.Trim(x.text(i+2), `"'`))
}

// surface adds what the user of the program meets.
func (x *reader) surface() {
	if !x.matters {
		return
	}
	bound := x.bindings()
	in := surface.Input{Tree: x.tree.translate(x), Rules: rules.Get(), Step: x.meter.Step}
	in.Library = func(name string) string {
		first, rest, dotted := strings.Cut(name, ".")
		b := bound[first]
		switch {
		case b == nil:
			return name
		case b.member != "":
			first = b.module + "." + b.member
		default:
			first = b.module
		}
		if dotted {
			return first + "." + rest
		}
		return first
	}
	for _, f := range surface.Facts(in) {
		f.Name, f.Default = valid(f.Name), valid(f.Default)
		x.facts = append(x.facts, f)
	}
}

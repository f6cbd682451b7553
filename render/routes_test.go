package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

func TestRoutesBehindMounts(t *testing.T) {
	t.Parallel()
	route := func(name, of string) node.Behavior {
		return node.Behavior{Kind: source.Route, Name: name, Of: of, File: "a.go"}
	}
	mount := func(id, of, at, usage string) node.Behavior {
		return node.Behavior{Kind: source.Mount, ID: id, Of: of, Name: at, Usage: usage, File: "a.go"}
	}
	var got []string
	for _, e := range routesOf([]surface{
		{module: "main", Elements: []node.Behavior{
			route("/health", ""), route("GET /own", "f.r"), mount("api#New", "f.r", "/api", ""), mount("api#New", "f.r", "/v2/", ""),
			mount("api#hidden()", "f.r", "/$(path)", ""), mount("api#loop", "api#loop", "/x", ""), mount(source.Methods+"Register()", "f.r", "/in", ""), mount(source.Methods+"Twice()", "f.r", "/in", ""),
		}},
		{module: "api", Elements: []node.Behavior{
			route("GET /", "New"), route("POST /items", "New"), mount("users()", "New", "/users", ""), route("PUT /{id}", "users()"),
			route("GET /seldom", "hidden()"), route("GET /never", "loop"), {Kind: source.Holds, ID: "API", Default: "/const"},
		}},
		{module: "v2", Elements: []node.Behavior{
			mount("All()", source.Program, "/v2", ""), mount(source.Handlers, "All()", "", ""), route("GET /labels", "labels()"),
		}},
		{module: "security", Elements: []node.Behavior{
			route("GET /login", "Config.Register()"), route("GET /a", "A.Twice()"), route("GET /b", "B.Twice()"),
		}},
		{module: "py", Elements: []node.Behavior{
			{Kind: source.Config, Name: "prefix", Default: "/conf", Of: "Settings", File: "s.py"},
			{Kind: source.Mount, ID: "set", Of: source.Program, Name: "$(core/conf#settings.prefix)", File: "a.py"},
			{Kind: source.Mount, ID: "const", Of: source.Program, Name: "$(api#API)/", File: "a.py"}, {Kind: source.Route, Name: "GET $(x)/c", Of: "const", File: "a.py"},
			{Kind: source.Route, Name: "GET /s", Of: "set", File: "a.py"},
			{Kind: source.Mount, ID: "r", Of: source.Program, Name: "/p", File: "a.py"}, {Kind: source.Route, Name: "GET /", Of: "r", File: "a.py"},
			{Kind: source.Route, Name: "PUT", Of: "r", File: "a.py"}, {Kind: source.Route, Name: "PUT", Of: "nowhere", File: "a.py"},
		}},
		{module: "js", Elements: []node.Behavior{
			mount("r", source.Program, "", source.Handed), mount("r", "class", "", source.Handed), mount("class", "default", "", source.Handed),
			route("GET /lost", "r"), mount("kept", source.Program, "", source.Handed), mount("kept", "app", "/k", ""), route("GET /found", "kept"),
		}},
		{module: "go", Elements: []node.Behavior{ // New() and outer() are functions that no known code calls
			mount("add()", "New.add()", "", ""), mount("add()", "app", "/w", ""), route("GET /added", "add()"),
			mount("sub()", "New.sub()", "", ""), mount("sub()", "outer()", "/m", source.Handed), route("GET /below", "sub()"),
		}},
		{module: "web/src/main/java/com/x/app", Elements: []node.Behavior{mount(source.Served, source.Program, "/jax", "")}},
		{module: "web/src/main/java/com/x/rest", Elements: []node.Behavior{route("GET /r", source.Served)}},
		{module: "rest", Elements: []node.Behavior{
			mount("!com.x.api#OwnersApi", source.Program, "/api", ""), route("GET /generated", "!com.x.api#OwnersApi"), route("GET /unserved", "!com.x.api#VetsApi"),
		}},
		{module: "sets", Elements: []node.Behavior{
			mount("b.Base", "v.Some", "", source.Inherited), mount("b.Base", "v.Unused", "", source.Inherited), mount("v.Some", "r", "/some", ""), mount("far.Base", "v.Far", "", source.Inherited), mount("v.Far", "r", "/far", ""),
			{Kind: source.Route, Name: "GET /", Of: "b.Base", Value: "Base", Usage: source.Handed, File: "b.py"}, {Kind: source.Route, Name: "GET /last", Of: "b.Base", Value: "Base.last", Usage: source.Handed, File: "b.py"},
			{Kind: source.Route, Name: "/", Of: "v.Some", Value: "Some", Usage: source.Handed, File: "v.py"}, {Kind: source.Route, Name: "/", Of: "v.Far", Value: "Far", Usage: source.Handed, File: "v.py"},
		}},
		{module: "other/src/main/java/com/x", Elements: []node.Behavior{route("GET /o", source.Served)}},
	}) {
		got = append(got, strings.TrimSpace(e.Name+strings.TrimPrefix(e.Help, "a part of the path is computed ")+" "+e.Value))
	}
	want := "/health|GET /own|GET /api|GET /v2/|POST /api/items|POST /v2/items|PUT /api/users/{id}|PUT /v2/users/{id}|GET /?/seldomin main/a.go|GET /v2/labels|GET /in/login|GET /athe prefix of its router is not known|GET /bthe prefix of its router is not known|GET /const/?/cin py/a.py|GET /conf/s|GET /p/|PUT /p|GET /lostthe prefix of its router is not known|GET /k/found|GET /w/added|GET /m/belowthe prefix of its router is not known|GET /jax/r|GET /api/generated|GET /some/ Some|GET /some/last Some.last|/far/ Far|GET /o"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

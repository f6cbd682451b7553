package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// TestHandlers: the handler of a route is the function that answers, in any file, and not its wrapper.
func TestHandlers(t *testing.T) {
	t.Parallel()
	symbol := func(name string, kind source.Kind) source.Symbol {
		return source.Symbol{Name: name, Kind: kind, Signature: name}
	}
	maker := source.Symbol{Name: "newServer", Kind: source.Func, Signature: "func newServer() *Server"}
	l := source.NewLayout(maker.Signature)
	l.Result("*Server")
	maker.Type = l.Parts()
	handler := source.Symbol{Name: "Server.make", Kind: source.Method, Signature: "func (s *Server) make(w Writer, r *Request)"}
	l = source.NewLayout(handler.Signature)
	for _, p := range [][2]string{{"w", "Writer"}, {"r", "*Request"}} {
		l.Param(source.Plain)
		l.Name(p[0])
		l.Type(p[1])
	}
	handler.Type = l.Parts()
	function := func(name, result string, params ...string) source.Symbol {
		s := source.Symbol{Name: name, Kind: source.Func, Signature: "func " + name + "(" + strings.Join(params, ", ") + ") " + result}
		l := source.NewLayout(s.Signature)
		for _, p := range params {
			arg, typ, _ := strings.Cut(p, " ")
			l.Param(source.Plain)
			l.Name(arg)
			l.Type(typ)
		}
		l.Result(result)
		s.Type = l.Parts()
		return s
	}
	routes := source.Unit{Path: "api/routes.go", File: source.File{Language: "go", Imports: []source.Import{
		{Path: "net/http", Names: []source.Name{{Name: "Dir"}, {Name: "FileServer"}, {Name: "MaxBytesHandler"}, {Name: "StripPrefix"}}}, {Path: "example.com/shop/store", Names: []source.Name{{Name: "Show"}, {Name: "Files"}}},
		{Path: "crate::routes", Names: []source.Name{{Name: "drop"}, {Name: "twin"}}},
	}}}
	other := source.Unit{Path: "api/other.go", File: source.File{Symbols: []source.Symbol{
		symbol("auth", source.Func), symbol("list", source.Func), symbol("db", source.Var), symbol("limit", source.Const), symbol("Server.show", source.Method),
		symbol("A.twice", source.Method), symbol("B.twice", source.Method), symbol("serve", source.Func),
		maker, handler, symbol("Server.ServeHTTP", source.Method),
		function("wrap", "Handler", "f Handler", "limit int"), function("checked", "Handler", "name string", "f func(Request)"),
		function("adapted", "Handler", "f Action"), function("secret", "Handler", "key string"), function("untyped", "", "options"),
		function("named", "web.HandlerFunc", "next web.Handler"), function("optional", "Action", "tx bool", "done func(data any) error"), function("file", "Handler", "name string", "change func(string) string"), function("static", "Handler", "files fs.FS"),
		{Name: "Action", Kind: source.Type, Signature: "type Action func(Request) error"},
	}}}
	module := source.Module{Path: "api", Units: []source.Unit{other, routes}}
	k := &survey.Module{Module: module, Declared: module.Declarations(), External: []string{"net/http"}, Uses: []source.Use{
		{Module: "store", Name: "Show"}, {Module: "store", Name: "Files"}, {Module: "users", Name: "drop"}, {Module: "users", Name: "admin.drop"}, {Module: "a", Name: "twin"}, {Module: "b", Name: "twin"},
	}}
	names := namesIn(k, nil)
	for value, want := range map[string]string{
		"list":                            "list|list|",
		"auth(list)":                      "list|list|auth",
		"auth(limit(s.show))":             "s.show|Server.show|auth, limit",
		"s.twice":                         "s.twice||",
		"with(s.make,store.Show,auth())":  "s.make|Server.make|with, store.Show, auth",
		"auth(_)":                         "||auth",
		"serve(db)":                       "serve()|serve|",
		"newServer()":                     "newServer()|Server.ServeHTTP|",
		"store.Show":                      "store.Show|store#Show|",
		"http.StripPrefix(serve())":       "serve()|serve|http.StripPrefix",
		"http.MaxBytesHandler(mux,limit)": "mux||http.MaxBytesHandler",
		"http.FileServer(http.Dir())":     "http.FileServer()||",
		"closure(serve())":                "serve()|serve|closure",
		"closure(db)":                     "db|db|closure",
		"wrap(l.GetTags)":                 "l.GetTags||wrap",
		"auth(wrap(l.GetTags,c.Limit))":   "l.GetTags||auth, wrap",
		"checked(l.GetTags)":              "l.GetTags||checked",
		"adapted(l.GetTags)":              "l.GetTags||adapted",
		"wrap(l.Tags())":                  "l.Tags()||wrap",
		"wrap(next)":                      "||wrap",
		"named(serve())":                  "serve()|serve|named",
		"optional(true)":                  "optional()|optional|",
		"optional(true,next)":             "||optional",
		"file(list)":                      "file()|file|",
		"static(store.Files)":             "static()|static|",
		"store.Show(serve())":             "||",
		"store.Show(nextHandler)":         "||",
		"store.Show(db,key)":              "store.Show()|store#Show|",
		"secret(c.Key)":                   "secret()|secret|",
		"untyped(c.Key)":                  "untyped()|untyped|",
		"closure(limit,x)":                "closure()||",
		"drop":                            "drop|users#admin.drop|",
		"twin":                            "twin||",
		"unknown":                         "unknown||",
		"":                                "||",
		"a((":                             "a()||",
	} {
		b := node.Behavior{Kind: source.Route, Name: "/x", Value: value, File: "routes.go"}
		names.handler(&k.Module.Units[1], &b, b.Name)
		if got := strings.Join([]string{b.Value, b.ID, b.Also}, "|"); got != want {
			t.Errorf("%q: got %s, want %s", value, got, want)
		}
		if b.ID != "" && !strings.Contains(b.ID, "#") && b.In != "other.go" {
			t.Errorf("%q: declared in %q", value, b.In)
		}
	}
}

func constant(name, value string, exported bool) source.Symbol {
	s := source.Symbol{Name: name, Kind: source.Const, Signature: "const " + name + " = " + value, Exported: exported}
	l := source.NewLayout(s.Signature)
	l.Assigned()
	s.Type = l.Parts()
	return s
}

// TestConstantsInPaths: constants of the module are part of the path, those of other modules are named.
func TestConstantsInPaths(t *testing.T) {
	t.Parallel()
	unit := source.Unit{Path: "api/a.go", File: source.File{
		Imports: []source.Import{{Path: "example.com/shop/paths", Names: []source.Name{{Name: "Users"}}}},
		Symbols: []source.Symbol{
			constant("own", `"/own"`, false), constant("Quoted", "'/q'", true),
		},
	}}
	module := source.Module{Path: "api", Units: []source.Unit{unit}}
	names := namesIn(&survey.Module{Module: module, Declared: module.Declarations(), Uses: []source.Use{{Module: "paths", Name: "Users"}}}, nil)
	got := names.filled(&names.k.Module.Units[0], "GET $(own)$(Quoted)/$(paths.Users)/$(unknown)/$()$(")
	if want := "GET /own/q/$(paths#Users)/$(unknown)/$()$("; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if held := names.texts(); len(held) != 1 || held[0].ID != "Quoted" || held[0].Default != "/q" {
		t.Errorf("paths for other modules: %+v", held)
	}
}

// TestMethodsOfNamesThatAreImportedToo: a package's own type has the name of a member of an import, which a file qualifies.
func TestMethodsOfNamesThatAreImportedToo(t *testing.T) {
	t.Parallel()
	units := []source.Unit{
		{Path: "api/a.go", File: source.File{Symbols: []source.Symbol{{Name: "Router", Kind: source.Class, Signature: "type Router struct"}}}},
		{Path: "api/b.go", File: source.File{
			Imports: []source.Import{{Path: "github.com/go-chi/chi/v5", Names: []source.Name{{Name: "Router"}}}},
			Facts:   []source.Fact{{Kind: source.Route, Name: "/x", Of: "Router.add()"}},
		}},
	}
	module := source.Module{Path: "api", Units: units}
	names := namesIn(&survey.Module{Module: module, Declared: module.Declarations(), External: []string{"github.com/go-chi/chi/v5"}}, nil)
	for of, want := range map[string]string{"Router.add()": "Router.add()", "Create.MountRouter()": source.Program} {
		b := node.Behavior{Kind: source.Mount, ID: "@/x", Of: of, Usage: source.Handed}
		if !names.resolve(&units[1], &b) || b.Of != want {
			t.Errorf("%s: got %q, want %q", of, b.Of, want)
		}
	}
}

// TestMountsOfOtherInterfaces: a mount of an interface that no file has keeps its name, since a build may make it.
func TestMountsOfOtherInterfaces(t *testing.T) {
	t.Parallel()
	unit := source.Unit{Path: "rest/Owners.java", File: source.File{Imports: []source.Import{{Path: "com.x.api", Names: []source.Name{{Name: "OwnersApi"}}}}}}
	names := namesIn(&survey.Module{Module: source.Module{Path: "rest", Units: []source.Unit{unit}}, External: []string{"com.x.api"}}, nil)
	for id, want := range map[string]string{"OwnersApi": "!com.x.api#OwnersApi", "Unknown": ""} {
		b := node.Behavior{Kind: source.Mount, ID: id, Of: source.Program, Name: "/api"}
		if known := names.resolve(&unit, &b); known != (want != "") || known && b.ID != want {
			t.Errorf("%s: got %v, %s", id, known, b.ID)
		}
	}
}

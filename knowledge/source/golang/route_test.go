package golang_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func routesOf(f source.File) string {
	var b strings.Builder
	for _, x := range f.Facts {
		if x.Kind == source.Route || x.Kind == source.Mount {
			also := ""
			if x.Also != "" {
				also = "|" + x.Also
			}
			fmt.Fprintf(&b, "%s %s %s <%s :%s %s%s\n", x.Kind, x.Name, x.ID, x.Of, x.Value, x.Usage, also)
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), " \n", "\n"))
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"net/http": {`http.HandleFunc("GET /a", s.list); mux.Handle("/b/", http.HandlerFunc(b)); http.Post("/c", "x", body); c.Post("/d", "text"); c.Get("/e", &answer)`,
			"route /b/  < :b\nroute GET /a  < :s.list"},
		"chi": {`r := chi.NewRouter()
	r.Route("/api", func(r chi.Router) {
		r.Use(x)
		r.Group(func(r chi.Router) { r.With(auth).Get("/items/{id}", h.item) })
		r.Route("/users", users)
		r.Get("/", root)
	})
	r.Mount("/admin", admin.Routes())
	r.Route(cfg.Path, func(r chi.Router) { r.Get("/hidden", h) })
	r.Method("PUT", "/m", h)`,
			"mount /admin admin.Routes <f.r :\nmount /api/users users() <f.r :\nroute GET $(cfg.Path)/hidden  <f.r :h\nroute GET /api  <f.r :root\nroute GET /api/items/{id}  <f.r :h.item |auth\nroute PUT /m  <f.r :h"},
		"gorilla": {`r := mux.NewRouter()
	s := r.PathPrefix("/v1").Subrouter()
	s.HandleFunc("/x", x).Methods("GET", http.MethodPost).Name("x")
	s.Path("/y").Methods("PUT").HandlerFunc(y)
	r.Methods("DELETE").Path("/z").Handler(z())
	s.PathPrefix("/all").Handler(all).Methods("GET", "HEAD")
	register(s)`,
			"mount /v1 register() <f.r :\nroute DELETE /z  <f.r :z()\nroute GET /v1/all  <f.r :all\nroute GET /v1/x  <f.r :x\nroute HEAD /v1/all  <f.r :all\nroute POST /v1/x  <f.r :x\nroute PUT /v1/y  <f.r :y"},
		"a router with type arguments": {`register(nil) }
func api(rg *router.RouterGroup[*Event]) {
	sub := rg.Group("/logs").Bind(RequireAdmin()).Unbind(limit)
	sub.GET("/{id}", view).Unbind(limit)`,
			"route GET /logs/{id}  <api() :view |RequireAdmin"},
		"gin": {`r := gin.Default(); v := r.Group("/v1", auth); v.GET("/x", limit, x); w := v.Group("/w"); w.Any("/y", y); r.GET(base+"/z", z)`,
			"route /v1/w/y  <f.r :y |auth\nroute GET /base/z  <f.r :z\nroute GET /v1/x  <f.r :x |auth, limit"},
		"gin, other forms": {`g := gin.New(); g.Match([]string{"GET", "HEAD"}, "/h", h); g.GET("version", v); g.Group("/u").Use(auth).POST("", u)`,
			"route GET /h  <f.g :h\nroute GET /version  <f.g :v\nroute HEAD /h  <f.g :h\nroute POST /u  <f.g :u"},
		"echo": {`e := echo.New(); e.GET("/x", x, limit); e.Add("POST", "/y", y); u := e.Group("/user"); u.GET("s", list)`, "route GET /users  <f.e :list\nroute GET /x  <f.e :x |limit\nroute POST /y  <f.e :y"},
		"huma": {`register(nil) }
func api(api huma.API) {
	huma.Register(api, huma.Operation{OperationID: "list", Method: http.MethodGet, Path: "/labels/{id}"}, s.list)
	Register(api, op, other)`, "mount  Register() <api() :\nroute GET /labels/{id}  <api() :s.list"},
		"a whole application": {`register(nil) }
func api(e *echo.Echo) { e.GET("/x", x)`, "mount  api() <* : fallback\nroute GET /x  <api() :x"},
		"an application with its part": {`register(nil) }
func start(e *echo.Echo) { part(e, e.Group("/v2")) }
func part(e *echo.Echo, g *echo.Group) { e.GET("/top", top); g.GET("/x", x); api := v2.NewAPI(e, g); v2.All(api)`,
			"mount  start() <* : fallback\nmount  v2.NewAPI() <* :\nmount  v2.All() <part() :\nmount /v2 part() <start() :\nroute GET /top  <* :top\nroute GET /x  <part() :x"},
		"functions that the code is given": {`register(nil) }
func all(e *echo.Group) { for _, r := range registrars { r(e) }`, "mount  *() <all() :"},
		"a method of an unknown value": {`app := fiber.New(); cfg.Security.Register(app.Group("/in"))`, "mount /in *.Register() <f.app :"},
		"routegroup": {`r := routegroup.New(http.NewServeMux()); g := r.Mount("/api"); g.Use(x); g.With(auth).HandleFunc("GET /a", s.list); g.Group().HandleFunc("POST /b", b)
	all := map[string]*routegroup.Bundle{}; all[v] = g.Mount("/v1"); all[v].HandleFunc("GET /doc", doc); r.HandleFunc("/", root)`,
			"route /  <f.r :root\nroute GET /api/a  <f.r :s.list |auth\nroute GET /api/v1/doc  <f.r :doc\nroute POST /api/b  <f.r :b"},
		"no router": {`m := http.NewServeMux(); m.Handle("/graphql", graphql.Handler("/graphql", schema.New(), schema.Directive()))`, "route /graphql  <f.m :graphql.Handler(schema.New(),schema.Directive())"},
		"strip":     {`m := http.NewServeMux(); m.Handle("/api/", http.StripPrefix("/api", api.New()))`, "mount /api api.New <f.m :\nroute /api/  <f.m :http.StripPrefix(api.New())"},
		"strip below a prefix": {`r := s.Handler.(*mux.Router); r.PathPrefix("/i").Handler(http.StripPrefix("/i", files.New()))
	{ r := r.PathPrefix("/a").Subrouter(); r.HandleFunc("/x", x) }
	if on { r := r.PathPrefix("/b").Subrouter(); r.HandleFunc("/y", y) }
	r.HandleFunc("/z", z)`,
			"mount /i files.New <s.Handler :\nroute /a/x  <s.Handler :x\nroute /b/y  <s.Handler :y\nroute /i  <s.Handler :http.StripPrefix(files.New())\nroute /z  <s.Handler :z"},
		"a variable": {`api := "/api"; if prefix != "/" { api = prefix + api }; m := http.NewServeMux(); v1 := route.New().WithInstrumentation(f); v1.Get("/q", q)
	m.Handle(api+"/v1/", http.StripPrefix(api+"/v1", v1)); other := computed(); m.Handle(other+"/x", x)`,
			"mount /api/v1 f.v1 <f.m :\nroute $(other)/x  <f.m :x\nroute /api/v1/  <f.m :http.StripPrefix(v1)\nroute GET /q  <f.v1 :q"},
		"computed paths": {`r := chi.NewRouter(); r.Get(paths.Users, u); r.Get(path, never); r.Post(fmt.Sprintf("%s/a/%d", api, 3), a); http.HandleFunc("GET "+s.base+"/b", b); r.Put(path.Join(s.base, "/c"), c); c.Get(url+"/d", &d); s.Handle(a.Action, b); r.Get(fmt.Sprintf("/e/%d", i+1), e)`,
			"route GET $(paths.Users)  <f.r :u\nroute GET $(s.base)/b  < :b\nroute GET /e/$(i)  <f.r :e\nroute POST $(api)/a/$()  <f.r :a\nroute PUT $(s.base)/c  <f.r :c"},
		"wrappers": {`http.HandleFunc("/a", auth(limit(a, 3))); http.Handle("/b", http.HandlerFunc(auth(s.b))); http.Handle("/c", with(x)(c)); http.Handle("/d", auth(func(w W, r *R) {})); http.Handle("/e", &E{})`,
			"route /a  < :auth(limit(a))\nroute /b  < :auth(s.b)\nroute /c  < :with(c)\nroute /d  < :auth(_)\nroute /e  < :E"},
		"wrapped before": {`h := http.HandlerFunc(api.Check); http.HandleFunc("/a", log.Time(h)); h = auth(h); http.Handle("/b", h); s := api.New(db); http.Handle("/c", s); http.Handle("/d", http.HandlerFunc(s.d)); http.Handle("/e", push(s))`,
			"route /a  < :log.Time(api.Check)\nroute /b  < :auth(api.Check)\nroute /c  < :api.New(db)\nroute /d  < :s.d\nroute /e  < :push(s)"},
		"chains of middleware": {`http.Handle("/a", alice.New(limit, auth(x)).Then(a)); http.Handle("/b", s.chain.ThenFunc(s.b)); http.Handle("/c", chain().Then(nil))`,
			"route /a  < :limit(auth(a))\nroute /b  < :s.chain(s.b)\nroute /c  < :"},
		"handlers of libraries": {`http.Handle("/a", http.StripPrefix(cfg.Root, http.FileServer(http.FS(files)))); http.Handle("/b", http.StripPrefix(cfg.Root, b)); http.Handle("/c", promhttp.HandlerFor(metrics.All(), promhttp.HandlerOpts{}))
	http.Handle("/d", auth(d, Options{})); http.Handle("/e", http.TimeoutHandler(func(w W, r *R) {}, second, "late"))`,
			"route /a  < :http.FileServer()\nroute /b  < :http.StripPrefix(b)\nroute /c  < :promhttp.HandlerFor()\nroute /d  < :auth(d)\nroute /e  < :http.TimeoutHandler(_)"},
		"closure": {`add := func(path string, h http.Handler) { mux.Handle(path, h) }; add("/a", a); other("/b", b); also := func(path string, h H) { add(path, wrap(h)) }; also("/c", c)`, "route /a  < :a\nroute /c  < :c"},
		"tables":  {`_ = []Route{{Pattern: "/a", Handler: HandlerFunc(s.a)}, {Method: "GET", Path: "/b", Handler: b}, {Path: "/c"}}`, "route /a  < :s.a\nroute GET /b  < :b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "package p\nimport (\"example.com/graphql\"; \"github.com/gin-gonic/gin\")\nconst base = \"/base\"\nfunc f() {\n\t" + c.body + "\n}\n"
			if got := routesOf(extract(t, "p.go", src)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// TestOrderOfHandlers: the handler that answers is the last one, or the first one by the names of the others.
func TestOrderOfHandlers(t *testing.T) {
	t.Parallel()
	src := `package p
func (i *I) routes(r *server.Router) {
	r.GET("/a", i.landing.Execute, r.WithSecret, r.WithCORS)
	r.GET("/b", b, auth(x))
	r.GET("/c", auth(x), c)
	r.GET("/d", one, other)
	r.GET("/e", e)
}
`
	want := `route GET /a  <I.routes() :i.landing.Execute|r.WithSecret, r.WithCORS
route GET /b  <I.routes() :b|auth
route GET /c  <I.routes() :c|auth
route GET /d  <I.routes() :
route GET /e  <I.routes() :e`
	if got := routesOf(extract(t, "p.go", src)); strings.ReplaceAll(got, " |", "|") != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestRoutesByHelpers: functions of the file that register a path from a parameter, before or after their calls.
// TestComputedRoutes: a path that is computed as a whole is a route, except a parameter of a helper.
func TestComputedRoutes(t *testing.T) {
	t.Parallel()
	src := `package main
import "net/http"
var prefix = flag.String("prefix", "hooks", "")
func main() {
	whole, part := computed(prefix), pattern(*prefix)
	http.HandleFunc(whole, a); http.HandleFunc(part, b); http.HandleFunc(*prefix, c); http.HandleFunc(row.path, never)
}
func pattern(p string) string { return base(p) + "/{id}" }
func add(path string) { http.HandleFunc(path, never) }
`
	var got []string
	for _, f := range extract(t, "main.go", src).Facts {
		if f.Kind == source.Route {
			got = append(got, f.Name+" :"+f.Value)
		}
	}
	slices.Sort(got)
	if want := []string{"$()/{id} :b", "$(prefix) :c", "$(whole) :a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDispatchedRoutes: conditions about the method and the path of a request are routes if their branches call a handler.
func TestDispatchedRoutes(t *testing.T) {
	t.Parallel()
	src := `package server
import ("net/http"; "regexp")
var users = "/users"
var one = regexp.MustCompile("^/users/[0-9]+$")
func (s *Server) handle(w http.ResponseWriter, r *http.Request, v *visitor) error {
	if r.Method == http.MethodGet && r.URL.Path == users {
		return s.admin(s.list)(w, r, v)
	} else if (r.Method == "PUT" || r.Method == http.MethodPost) && users == r.URL.Path && s.open {
		return s.add(w, r)
	} else if r.Method == http.MethodGet && (one.MatchString(r.URL.Path) || r.URL.Path == "/me") {
		return s.show(w)
	} else if r.Method == "GET" && r.URL.Path == "/logged" {
		log(r.URL.Path)
	} else if r.URL.Path == "/any" {
		return s.add(w, r)
	} else if r.Method == "GET" && r.URL.Path == "/next" {
		s.next.ServeHTTP(w, r)
	} else if r.Method == "GET" && r.URL.Path != "/not" {
		return s.add(w, r)
	}
	return nil
}
`
	var got []string
	for _, f := range extract(t, "server.go", src).Facts {
		if f.Kind == source.Route {
			got = append(got, f.Name+" :"+f.Value)
		}
	}
	slices.Sort(got)
	if want := []string{"GET /me :Server.show", "GET /users :Server.admin(Server.list)", "GET /users/[0-9]+ :Server.show", "POST /users :Server.add", "PUT /users :Server.add"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRoutesByHelpers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a router and a path": {`
func routes(r chi.Router) { r.Group(func(r chi.Router) { r.Get("/x", x); h(r.With(auth), "ping", api.Ping); h(r, "scan", api.Scan) }) }
func h(r chi.Router, path string, f handler) { hr(r, path, func(w W, q Q) error { return f(q) }) }
func hr(r chi.Router, path string, f raw) { handle := func(w W, q Q) { f(w, q) }; add(r, path, handle) }
func add(r chi.Router, path string, handle func(W, Q)) { r.HandleFunc("/"+path, handle); r.HandleFunc("/"+path+".view", handle) }`,
			"mount  hr() <h() :\nmount  add() <hr() :\nmount  h() <routes() :\nroute /ping  <routes() :api.Ping |auth\nroute /ping.view  <routes() :api.Ping |auth\nroute /scan  <routes() :api.Scan\nroute /scan.view  <routes() :api.Scan\nroute GET /x  <routes() :x"},
		"methods": {`
type S struct { router *http.ServeMux }
func (s *S) get(path string, h http.HandlerFunc) { s.handle("GET", "/v1"+path, h) }
func (s *S) handle(method, path string, h http.HandlerFunc) { s.router.HandleFunc(method+" "+path, s.log(h)) }
func (s *S) routes() { s.get("/a", s.a); s.handle("POST", "/b", s.b) }`,
			"route GET /v1/a  <S.router :S.a\nroute POST /b  <S.router :S.b"},
		"below a prefix": {`
func routes() { r := chi.NewRouter(); r.Route("/api", func(r chi.Router) { add(r, "a", a) }) }
func add(r chi.Router, path string, h http.Handler) {
	r.Route("/v1", func(r chi.Router) { r.Handle("/"+path, h) })
}`, "mount /api add() <routes.r :\nroute /api/v1/a  <routes.r :a"},
		"never called here": {`
func Add(r *http.ServeMux, name string, h http.Handler) { r.Handle("/x/"+name, h) }`, "route /x/$(name)  <Add() :h"},
		"a router and its path": {`
func New() *S { return &S{} }
func (s *S) MountRouter(name, at string, h http.Handler) { at = path.Join(conf.Base, at); s.router.Group(func(r chi.Router) { r.Mount(at, h) }) }
func (s *S) run() { s.MountRouter("the UI", "/ui", s.ui()); MountAll("/no", opts) }`,
			"mount  New.MountRouter() <S.MountRouter() :\nmount $(conf.Base)/ S.MountRouter() <S.router :\nmount /ui S.ui <S.MountRouter() : handed"},
		"a router, in another file": {`
func run() { a := server.New(); a.MountRouter("API", consts.API, api.New(ctx)); h := admin.New(); a.MountRouter("admin", "/admin", h); a.sub.MountAt("/x", X()); at := path.Join("/", info.Name); client.Put(at, body) }`,
			"mount $(consts.API) api.New <server.New.MountRouter() : handed\nmount /admin admin.New <server.New.MountRouter() : handed\nmount /x X <* : handed"},
		"a router inside a value": {`
func New(db *DB) *Router { r := &Router{db: db}; r.Handler = r.routes(); return r }
func (r *Router) routes() http.Handler { m := chi.NewRouter(); m.Get("/x", x); return m }
func Create() *api.Router { made := api.New(db()); return made }
func Serve() http.Handler { return http.HandlerFunc(x) }`,
			"mount  api.New <Create :\nmount  Router.routes <New :\nroute GET /x  <Router.routes :x"},
		"others": {`
func (s *S) get(path string, h H) { s.mux.Handle("/"+path, h) }
func (s *S) list(dir string) { at := path.Join(dir, info.Name); s.cache.Put(at, info.ID); s.list("") }
func (o *O) run(c Client) { c.get("/no", o.h) }`, "route /$(path)  <S.mux :h"},
		"rows of a table": {`
type route struct { Method, Pattern string; HandlerFunc http.HandlerFunc }
func f(site X) {
	api := mux.NewRouter().PathPrefix("/api").Subrouter()
	for _, r := range map[string]route{"x": {"GET", "/x", x(site)}, "y": {"POST", "/y", s.y}} { api.Methods(r.Method).Path(r.Pattern).Handler(r.HandlerFunc) }
	routes := []route{{Method: "PUT", Pattern: "/z", HandlerFunc: z}}
	for _, r := range routes { api.Methods(r.Methods()...).Path("/v1" + r.Pattern).Handler(r.HandlerFunc) }
}`, "route /api/v1/z  <f.api :z\nroute GET /api/x  <f.api :x(site)\nroute POST /api/y  <f.api :s.y"},
		"rows of a named table": {`
type Route struct { Name, Method, Pattern string; HandlerFunc http.HandlerFunc }
type Routes []Route
var routes = Routes{Route{"Index", "GET", "/", Index}, Route{"Show", "GET", "/todos/{id}", Show}, Route{"None", "GET", computed(), None}}
func NewRouter() *mux.Router {
	router := mux.NewRouter().StrictSlash(true)
	for _, route := range routes {
		var handler http.Handler = route.HandlerFunc
		handler = Logger(handler, route.Name)
		router.Methods(route.Method).Path(route.Pattern).Name(route.Name).Handler(handler)
	}
	return router
}`, "route GET $()  <NewRouter :None\nroute GET /  <NewRouter :Index\nroute GET /todos/{id}  <NewRouter :Show"},
		"rows in several loops": {`
type route struct { Pattern string; Handler, HandlerFunc http.HandlerFunc }
var routes = []route{{Pattern: "/a", Handler: a, HandlerFunc: b}}
func f() {
	for _, r := range routes { log.Println(r.Pattern) }
	for _, r := range []route{{"/c", c, d}} { h := auth(r.Handler); http.Handle(r.Pattern, h) }
	for _, r := range []route{{Pattern: r.Handler, Handler: r.Pattern}} { http.Handle(r.Pattern, r.Handler) }
}`, "route $(r.Handler)  < :r.Pattern\nroute /a  < :b\nroute /c  < :c"},
		"pairs of a table": {`
func f() {
	m := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{"/a": a, "GET /b": b} { m.HandleFunc(path, h) }
	for _, p := range []string{"/c", "/d"} { m.Handle(p, auth(c)) }
	for _, p := range paths { m.Handle(p, e) }
}`, "route /a  <f.m :a\nroute /c  <f.m :auth(c)\nroute /d  <f.m :auth(c)\nroute GET /b  <f.m :b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := routesOf(extract(t, "p.go", "package p\n"+c.src)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestRoutersThatFunctionsAreGivenAndReturn(t *testing.T) {
	t.Parallel()
	src := `package p
func (s *Server) routes(r chi.Router) { r.Get("/a", s.a) }
func New() http.Handler { r := chi.NewRouter(); r.Get("/b", b); return r }
func (s *Server) run() { r := chi.NewRouter(); r.Route("/api", s.routes); r.Mount("/new", New()) }
`
	src += `func (s *Server) prefixed(p string) string { if s.prefix == "" { return p }; return s.prefix + p }
func (s *Server) register() {
	root := s.prefixed("/")
	s.router.HandleFunc(root, s.index).HeadersRegexp("A", "b").Methods("GET")
	s.router.PathPrefix(s.prefixed("/debug/")).Handler(http.DefaultServeMux)
	s.router.HandleFunc(s.other("/never"), s.index)
}
`
	want := `mount /api Server.routes() <Server.run.r :
mount /new New <Server.run.r :
route $()/never  <Server.router :Server.index
route /debug/  <Server.router :http.DefaultServeMux
route GET /  <Server.router :Server.index
route GET /a  <Server.routes() :Server.a
route GET /b  <New :b`
	if got := routesOf(extract(t, "p.go", src)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestRoutersHandedToMethods: the caller names the function that makes the receiver, and its file says whose type it is.
func TestRoutersHandedToMethods(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"package p\nfunc main() { r := chi.NewRouter(); a := chi.NewRouter(); users := api.NewUsers(db); own := NewOwn(); r.Mount(\"/api\", a); users.Routes(a); own.Routes(r) }\n":                    "mount  api.NewUsers.Routes() <main.a :\nmount  NewOwn.Routes() <main.r :\nmount /api main.a <main.r :",
		"package p\ntype server struct { root *routegroup.Bundle }\nfunc (s *server) all(list ...Handler) { s.root.HandleFunc(\"GET /x\", x); for _, h := range list { h.Routes(s.root) } }\n":         "mount  Handler.Routes() <server.root :\nroute GET /x  <server.root :x",
		"package api\nfunc NewUsers(db *DB) (*Users, error) { return &Users{db}, nil }\nfunc (u *Users) Routes(r chi.Router) { r.Get(\"/users\", u.list); made := New(); r.Get(\"/x\", made.list) }\n": "mount  Users.Routes() <NewUsers.Routes() :\nroute GET /users  <Users.Routes() :Users.list\nroute GET /x  <Users.Routes() :made.list",
	} {
		if got := routesOf(extract(t, "p.go", src)); got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

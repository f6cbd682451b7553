package golang

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

var rules = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := &surface.Rules{
		Nothing: surface.Set("nil"),
		Exits:   surface.Set("os.Exit"), ExitWords: []string{"exit", "fatal", "die", "quit", "abort"},
		Scoped:      true,
		Predeclared: predeclared.Get(),
		Routes: surface.RouteRules{
			Calls:  map[string]surface.RouteRule{},
			Makers: map[string]surface.Maker{},
			Chains: map[string]surface.Chain{
				"Group": {Below: true}, "PathPrefix": {Below: true, Whole: true}, "Route": {Below: true}, "Party": {Below: true},
				"Path": {Path: true}, "Methods": {Verbs: true}, "With": {Wraps: true}, "Bind": {Wraps: true}, "BindFunc": {}, "Unbind": {},
			},
			Mounts:     map[string]surface.Mount{".Mount": {Path: true}},
			Types:      surface.Set("Router Mux ServeMux Engine RouterGroup IRouter IRoutes Echo Group App Route Bundle huma.API"),
			Operations: surface.Set("huma.Operation"), Above: "API",
			Roots:   surface.Set("echo.Echo gin.Engine fiber.App iris.Application"),
			Fields:  surface.Set("router mux"),
			Verbs:   surface.Set("GET POST PUT PATCH DELETE HEAD OPTIONS CONNECT TRACE"),
			Verb:    "http.Method",
			Passing: surface.Set("string http.HandlerFunc HandlerFunc time.Duration"),
			Strip:   "http.StripPrefix", Ends: surface.Set("Then ThenFunc"),
			Order: map[string]bool{"echo": true, "gin": false, "fiber": false, "iris": false},
			Adapts: map[string]int{
				"http.StripPrefix": 1, "promhttp.InstrumentMetricHandler": 1, "handlers.LoggingHandler": 1, "handlers.CombinedLoggingHandler": 1,
				"http.MaxBytesHandler": 0, "http.TimeoutHandler": 0, "gin.WrapH": 0, "gin.WrapF": 0, "echo.WrapHandler": 0, "adaptor.HTTPHandler": 0, "adaptor.HTTPHandlerFunc": 0,
				"http.FileServer": -1, "http.FileServerFS": -1, "http.RedirectHandler": -1, "http.NotFoundHandler": -1, "promhttp.Handler": -1, "promhttp.HandlerFor": -1,
				"httputil.NewSingleHostReverseProxy": -1,
			},
			Request: "http.Request", Response: "http.ResponseWriter", Serve: "ServeHTTP",
			Table: [3]map[string]bool{surface.Set("Pattern Path"), surface.Set("Handler HandlerFunc"), surface.Set("Method")},
		},
	}
	for name := range surface.Set("chi.NewRouter chi.NewMux mux.NewRouter gin.Default gin.New fiber.New http.NewServeMux httprouter.New pat.New bone.New routegroup.New router.New route.New") {
		r.Routes.Makers[name] = surface.Maker{}
	}
	r.Routes.Makers["echo.New"] = surface.Maker{Early: true}
	r.Routes.Chains["Subrouter"] = surface.Chain{Sub: true}
	for name := range surface.Set("Name Queries Headers HeadersRegexp Schemes Host MatcherFunc Use NewRoute StrictSlash") {
		r.Routes.Chains[name] = surface.Chain{}
	}
	for _, method := range []string{"Get", "Post", "Put", "Patch", "Delete", "Head", "Options"} {
		rule := surface.RouteRule{Method: strings.ToUpper(method), All: true}
		r.Routes.Calls["."+method], r.Routes.Calls["."+rule.Method] = rule, rule
	}
	for name := range surface.Set("HandleFunc Handle HandlerFunc Handler") {
		r.Routes.Calls["."+name] = surface.RouteRule{All: true, Verb: true}
	}
	for name := range surface.Set("Any All") {
		r.Routes.Calls["."+name] = surface.RouteRule{All: true, Known: true}
	}
	for name := range surface.Set("Method MethodFunc Add") {
		r.Routes.Calls["."+name] = surface.RouteRule{All: true, Verb: true, Known: true}
	}
	type job = surface.JobRule
	spec := job{"0": surface.Cron, "1": surface.Handles}
	r.Jobs.Calls = map[string]job{
		".AddFunc": spec, ".AddJob": spec, ".Schedule": spec, ".NewJob": {"0": surface.When, "1": surface.Handles}, "river.NewPeriodicJob": spec, "river.AddWorker": {"1": surface.Handles},
		".DispatchCron": {"0": surface.Handles, "1": surface.When}, ".DispatchEvery": {"0": surface.Handles, "1": surface.When},
	}
	r.Jobs.Chains = surface.Set("Every EveryRandom Cron CronWithSeconds")
	r.Jobs.Wraps = surface.Set("gocron.NewTask")
	r.Routes.Calls[".Match"] = surface.RouteRule{All: true, Known: true}
	flow(r)
	return r
}}

// unserved are the rules without those for routes, jobs and exits.
var unserved = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := *rules.Get()
	r.Alone, r.Routes, r.Jobs, r.Exits, r.ExitWords = true, surface.RouteRules{Passing: r.Routes.Passing}, surface.JobRules{}, nil, nil
	return &r
}}

// ruled are words of which at least one occurs in every file that a rule for routes or exits may apply to.
var ruled = [][]byte{
	[]byte("xit("), []byte("die("), []byte("Handle"), []byte("outer"), []byte("Mux"), []byte("gin."), []byte("echo."), []byte("fiber."), []byte("chi."),
	[]byte("(\"/"), []byte("(`/"), []byte("route."), []byte("cron"), []byte("river."), []byte(".Dispatch"), []byte("huma."), []byte(".URL.Path"),
}

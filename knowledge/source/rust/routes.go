package rust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

var frameworks = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := &surface.Rules{
		Scoped: true,
		Env:    surface.EnvRules{Calls: surface.Set("env.var env.var_os env! option_env!"), Built: surface.Set("env! option_env!"), Setters: surface.Set("set_var"), Plain: true, Prefixes: map[string]string{"Environment.with_prefix": "", "Env.prefixed": ""}},
		Jobs:   surface.JobRules{Calls: map[string]surface.JobRule{}},
		Exits:  surface.Set("process.exit ExitCode.from"),
		Routes: surface.RouteRules{
			Functions:  true,
			Decorators: map[string]surface.RouteRule{},
			Calls:      map[string]surface.RouteRule{".route": {Chain: true}, ".to": {Known: true}},
			Makers:     map[string]surface.Maker{"routes!": {Lists: true}},
			Mounts:     map[string]surface.Mount{},
			Types:      surface.Set("Router OpenApiRouter ServiceConfig Scope Rocket"),
			Verbs:      map[string]bool{},
		},
	}
	for name := range surface.Set("new new_async new_tz new_async_tz new_cron_job new_cron_job_async new_repeated new_repeated_async new_one_shot new_one_shot_async") {
		r.Jobs.Calls["Job."+name] = surface.JobRule{"0": surface.When, "*": surface.Handles}
	}
	for verb := range surface.Set("get post put delete patch head options trace connect") {
		r.Routes.Verbs[strings.ToUpper(verb)] = true
		r.Routes.Decorators[verb] = surface.RouteRule{Method: strings.ToUpper(verb)}
	}
	r.Routes.Decorators["path"] = surface.RouteRule{Named: true}
	for name := range surface.Set("Router.new Router.default OpenApiRouter.new OpenApiRouter.default OpenApiRouter.with_openapi App.new rocket.build rocket.custom Rocket.build Rocket.custom Vec.new") {
		r.Routes.Makers[name] = surface.Maker{}
	}
	for name := range surface.Set("scope web.scope resource web.resource") {
		r.Routes.Makers[name] = surface.Maker{Below: true}
	}
	for name := range surface.Set(".nest .nest_service .mount") {
		r.Routes.Mounts[name] = surface.Mount{Path: true}
	}
	for name := range surface.Set(".merge .routes .service .configure .append .extend") {
		r.Routes.Mounts[name] = surface.Mount{}
	}
	return r
}}

// served are words of which at least one occurs in every file that a rule may apply to.
var served = [][]byte{
	[]byte("env::"), []byte("::with_prefix("), []byte("::prefixed("), []byte("env!("), []byte("process::"), []byte("ExitCode"), []byte("Scheduler"), []byte("Router"), []byte("web::"), []byte("routes!"), []byte(".mount("), []byte("ServiceConfig"), []byte("Vec<Route>"), []byte("(\"/"), []byte("utoipa::path("),
}

func (f *facts) translated() *surface.Tree {
	if f.tree == nil {
		f.tree = f.o.translated()
	}
	return f.tree
}

func (f *facts) surface() {
	ruled := slices.ContainsFunc(served, func(word []byte) bool { return bytes.Contains(f.o.src, word) })
	if !ruled && !f.clap {
		return
	}
	tree := f.translated()
	if f.clap {
		b := builders{f, map[string]bool{}}
		b.visit("", tree.Body...)
	}
	rules := *frameworks.Get()
	rules.Routes.ID = func(path string) string { return placeOf(f.whole(path)) }
	for _, x := range surface.Facts(surface.Input{Rules: &rules, Tree: tree, Steps: f.o.meter.Steps, Library: f.o.library}) {
		if x.Kind != source.Job || bytes.Contains(f.o.src, []byte("Scheduler")) {
			f.list = append(f.list, x)
		}
	}
	if bytes.Contains(f.o.src, []byte("macro_rules!")) {
		f.variables()
	}
}

// whole returns the path of a name that the file imports from its own crate.
func (f *facts) whole(path string) string {
	first, rest, _ := strings.Cut(path, ".")
	used := f.o.uses[first]
	if from, _, _ := strings.Cut(used, "."); relative[from] {
		return strings.TrimSuffix(used+"."+rest, ".")
	}
	return path
}

// placeOf returns the ID of a function from its path, without the type that it belongs to.
func placeOf(path string) string {
	names := slices.DeleteFunc(strings.Split(path, "."), func(name string) bool {
		return name == "" || relative[name] || capital(name[:1]) || strings.HasSuffix(name, "!")
	})
	switch last := len(names) - 1; {
	case last < 0:
		return ""
	case last > 0:
		return source.PlaceID(strings.Join(names[:last], "/"), names[last])
	}
	return names[0]
}

// reexports records the routers that other files name by this file.
func (f *facts) reexports(i int) {
	leaves, _ := f.o.useTree(i)
	for _, l := range leaves {
		if id := placeOf(strings.ReplaceAll(l.full(), "::", ".")); strings.Contains(l.name, "rout") && !capital(l.name) && id != "" {
			f.note(source.Fact{Kind: source.Mount, ID: id, Of: toValid(l.local())}, l.at)
		}
	}
}

// imported matches the import of a function that reads a variable.
var imported = lazyregexp.New(`\benv::(?:var(?:_os)?\s*;|\{[^}]*\bvar)`)

// library shortens a path to a name and its owner, which an imported name lacks.
func (o *outline) library(path string) string {
	if (path == "var" || path == "var_os") && imported.Match(o.src) {
		return "env." + path
	}
	return lastTwo(path)
}

// lastTwo shortens a path to a name and its owner.
func lastTwo(path string) string {
	owner := strings.LastIndexByte(path, '.')
	return path[strings.LastIndexByte(path[:max(owner, 0)], '.')+1:]
}

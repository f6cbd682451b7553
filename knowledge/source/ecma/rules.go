package ecma

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

const defaultName = "default"

var routeMethods = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "del": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "",
}

var rules = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := &surface.Rules{
		Self:      surface.Set("this"),
		Nothing:   surface.Set("process import ! undefined null false"),
		Exits:     surface.Set("process.exit Deno.exit process.exitCode"),
		Constants: true,
		Env: surface.EnvRules{
			Objects:  surface.Set("process.env Bun.env import.meta.env"),
			Members:  true,
			Calls:    surface.Set("Deno.env.get"),
			Converts: surface.Set("parseInt parseFloat Number String Boolean .trim .split .toLowerCase .toUpperCase .replace .replaceAll"),
			Pairs:    surface.Set("Object.keys Object.entries"),
			Each:     surface.Set("forEach map filter some every find flatMap reduce"),
			Own:      surface.Set("import.meta.env.MODE import.meta.env.DEV import.meta.env.PROD import.meta.env.SSR import.meta.env.BASE_URL"),
			Plain:    true,
			Types:    surface.Set("ConfigService"),
			Service:  "@nestjs/config",
			Getters:  surface.Set("get getOrThrow"),
			Proxies:  surface.Set("Proxy"),
			Tables:   surface.Set("createEnv envsafe validationSchema"),
		},
		Routes: surface.RouteRules{
			Calls:   map[string]surface.RouteRule{".route": {Object: true}},
			Makers:  map[string]surface.Maker{},
			Chains:  map[string]surface.Chain{"route": {Path: true}, "basePath": {Below: true}},
			Mounts:  map[string]surface.Mount{".use": {Path: true}, ".route": {Path: true}, ".mount": {Path: true}, ".register": {Prefix: "prefix"}},
			Itself:  []string{".bind", ".routes", ".default", ".router"},
			Routers: []string{"app", "router", "server", "route", "routes", "api", "fastify", "Router", "App"},
			Default: defaultName,
			Bases:   "Controller",
			Parts:   surface.Set("express.Router koa-router @koa/router express-promise-router"),
			Wraps:   surface.Set("koa-mount"),
			Named:   true,
			Client:  "api",
			Map:     "routes", // Sails
		},
	}
	r.Controllers = surface.ControllerRules{
		Classes: surface.Set("Controller"), Version: "Version", Wraps: surface.Set("UseGuards"), Prefix: "setGlobalPrefix", Versions: "enableVersioning",
		Methods: map[string]string{
			"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "Head": "HEAD", "Options": "OPTIONS", "All": "", "Sse": "GET",
		},
	}
	r.Entities, r.Jobs = entities(), jobs()
	for name := range surface.Set("Router express Hono OpenAPIHono fastify Fastify KoaRouter Koa PromiseRouter") {
		r.Routes.Makers[name] = surface.Maker{Prefix: "prefix"}
	}
	for name, method := range routeMethods {
		r.Routes.Calls["."+name] = surface.RouteRule{Method: method, All: true}
	}
	return r
}}

func jobs() surface.JobRules {
	type rule = surface.JobRule
	timed := rule{"0": surface.When, "1": surface.Handles, "name": surface.Called, "cronTime": surface.When, "onTick": surface.Handles}
	named := rule{"0": surface.Called, "1": surface.Handles, "2": surface.Handles, "name": surface.Called}
	every := rule{"0": surface.Called, "1": surface.When}
	return surface.JobRules{
		Calls: map[string]rule{
			"@Cron": {"0": surface.When, "name": surface.Called}, "@Interval": every, "@Timeout": every, "@Processor": {"0": surface.Called, "name": surface.Called},
			"@Process": {"0": surface.Called, "name": surface.Called}, "bullmq.Worker": named, "node-cron.schedule": timed, "cron.CronJob": timed,
			"cron.CronJob.from": timed, "croner.Cron": timed, "croner": timed, "node-schedule.scheduleJob": timed,
		},
		Bases: []string{"CronTask", "CronJob"}, Timing: []string{"cron", "cronTime", "schedule", "interval"},
		Owner: "schedul", Owned: map[string]rule{"schedule": {"0": surface.Handles, "1": surface.When, "2": surface.Called}},
		Timers: map[string]rule{"setInterval": {"0": surface.Handles, "1": surface.Millis}},
		Server: []string{"fastify", "express", "'fs'", "\"fs\"", "node:", "'http'", "\"http\"", "'koa'"},
		Page:   []string{"window.", "document."},
		Queues: surface.Set("bull bee-queue agenda agenda.Agenda pg-boss"),
		Queued: map[string]rule{"process": {"0": surface.Called, "1": surface.Handles, "2": surface.Handles}},
	}
}

func entities() surface.EntityRules {
	sequelize, drizzle := surface.EntityCall{Kind: "Sequelize", Typed: "DataTypes."}, surface.EntityCall{Kind: "Drizzle"}
	m := surface.EntityRules{
		Classes: map[string]string{"Entity": "TypeORM", "Schema": "Mongoose", "Table": "Sequelize"},
		Fields: map[string]surface.Aspect{
			"Column": surface.Plainly, "PrimaryColumn": surface.IsKey, "PrimaryGeneratedColumn": surface.IsKey, "ObjectIdColumn": surface.IsKey,
			"CreateDateColumn": surface.Plainly, "UpdateDateColumn": surface.Plainly, "DeleteDateColumn": surface.IsOptional, "VersionColumn": surface.Plainly,
			"Property": surface.Plainly, "PrimaryKey": surface.IsKey, "Prop": surface.IsOptional, "ManyToOne": surface.RefersTo, "OneToOne": surface.RefersOnce, "JoinColumn": surface.Plainly,
			"ForeignKey": surface.RefersTo,
		},
		Calls: map[string]surface.EntityCall{
			"pgTable": drizzle, "mysqlTable": drizzle, "sqliteTable": drizzle, "define": sequelize, "init": sequelize, "model": {Kind: "Mongoose"},
		},
		Aspects: map[string]surface.Aspect{
			"type": surface.HasType, "field": surface.StoredAs, "name": surface.StoredAs, "inTable": surface.RefersTo, "ref": surface.RefersTo,
			"references": surface.RefersTo, "allowNull": surface.IsOptional, "nullable": surface.IsOptional, "unique": surface.IsUnique,
			"comment": surface.IsAbout,
		},
		Tables: surface.Set("createTable createTableIfNotExists alterTable table dropTable dropTableIfExists renameTable addColumn removeColumn renameColumn"),
		Steps: map[string]string{
			"dropColumn": "DROP COLUMN $0", "removeColumn": "DROP COLUMN $0", "renameColumn": "RENAME COLUMN $0 TO $1", "renameTo": "RENAME TO $0",
			"primary": "ADD PRIMARY KEY ($0)", "addPrimaryKeyConstraint": "ADD PRIMARY KEY ($1)", "unique": "ADD UNIQUE ($0)",
			"addUniqueConstraint": "ADD UNIQUE ($1)", "foreign": "ADD FOREIGN KEY ($0) REFERENCES $1",
			"addForeignKeyConstraint": "ADD FOREIGN KEY ($1) REFERENCES $2",
		},
		Types: map[string]surface.Aspect{"increments": surface.IsKey, "bigIncrements": surface.IsKey, "specificType": surface.HasType},
	}
	for aspect, words := range map[surface.Aspect]string{
		surface.IsKey: "primaryKey primary isPrimary generatedAlwaysAsIdentity", surface.IsNeeded: "notNull notNullable required",
		surface.HasDefault: "default defaultTo defaultValue defaultNow defaultRandom",
	} {
		for word := range surface.Set(words) {
			m.Aspects[word] = aspect
		}
	}
	for word := range surface.Set("integer int tinyint smallint mediumint bigint bigInteger string text float double decimal boolean date datetime dateTime time timestamp " +
		"binary enu enum json jsonb uuid point geometry geography") {
		m.Types[word] = surface.Plainly
	}
	return m
}

// commandRules cover commander and parseArgs; yargs has separate rules.
var commandRules = lazy.Value[[2]surface.CommandRules]{Make: func() [2]surface.CommandRules {
	type roles = map[string]surface.Role
	sets := func(role surface.Role) surface.CommandRule {
		return surface.CommandRule{Part: surface.Sets, Roles: roles{"0": role}}
	}
	spec := roles{
		"0": surface.Spec, "1": surface.Help, "2": surface.Last, "3": surface.Default, "default": surface.Default, "env": surface.Variable, "hideHelp": surface.Hidden,
	}
	option := surface.CommandRule{Part: surface.Option, Roles: spec}
	parse := surface.CommandRule{Part: surface.Parses, Dash: "--", Roles: roles{
		"0": surface.Names, "short": surface.Names, "type": surface.Type, "default": surface.Default,
	}}
	command := surface.CommandRule{Part: surface.Makes, Roles: roles{"0": surface.Called}}
	commander := surface.CommandRules{
		Paths: true, Root: surface.Set("program"), Row: "long", Args: "process.argv",
		Table: roles{
			"long": surface.Names, "short": surface.Names, "arg": surface.Value, "description": surface.Help, "desc": surface.Help, "default": surface.Default,
		},
		Calls: map[string]surface.CommandRule{
			"Command": command, "commander.Command": command, ".name": sets(surface.Called), ".description": sets(surface.Help), ".summary": sets(surface.Help),
			".usage": sets(surface.Rest), ".alias": sets(surface.Also), ".command": {Part: surface.Below, Named: true, Roles: roles{"0": surface.Usage, "1": surface.Help}},
			".addCommand": {Part: surface.Adds}, ".action": {Part: surface.Same, Roles: roles{"0": surface.Runs}}, ".option": option, ".requiredOption": option, ".addOption": {Part: surface.Given, Roles: spec}, "parseArgs": parse,
			"util.parseArgs": parse, "Option": {Part: surface.Plain, Roles: spec},
		},
	}
	flag := surface.CommandRule{Part: surface.Option, Dash: "--", Roles: roles{
		"0": surface.Names, "alias": surface.Names, "aliases": surface.Names, "describe": surface.Help, "description": surface.Help, "desc": surface.Help,
		"default": surface.Default, "type": surface.Type, "hidden": surface.Hidden,
	}}
	yargs := surface.CommandRules{
		Paths: true, Places: true, Args: "process.argv",
		Calls: map[string]surface.CommandRule{
			".scriptName": sets(surface.Called), ".option": flag, ".options": flag, "parseArgs": parse,
			".command": {Part: surface.Below, Roles: roles{
				"0": surface.Usage, "1": surface.Help, "2": surface.Builder, "3": surface.Runs, "handler": surface.Runs, "command": surface.Usage, "describe": surface.Help, "description": surface.Help,
				"desc": surface.Help, "builder": surface.Builder,
			}},
		},
	}
	return [2]surface.CommandRules{commander, yargs}
}}

// settings maps tool configuration files to the keys under which they define environment variables.
var settings = map[string]string{"next.config": "env", "nuxt.config": "env", "vite.config": "define", "vitest.config": "env"}

var words = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return rules.Get().Words()
}}

// lineWords are names of calls that build a command line.
var lineWords = surface.Set("Command Option option options requiredOption parseArgs")

// isRuled reports whether a rule may apply to the name at i, or to its arguments.
func (x *extractor) isRuled(i int, words map[string]bool) bool {
	t, next := x.t[i], x.at(i+1)
	text := x.src[t.off:t.end]
	switch {
	case x.afterDot(i) && x.at(i-2).kind == tIdent && surface.IsVariable(string(text)) && surface.IsEnvironment(x.text(i-2)):
		return true
	case next.isPunct(':') && string(text) == "long" && x.at(i+2).kind == tString:
		x.commandLine = true
	case string(text) == rules.Get().Routes.Map && next.isPunct('=') && x.at(i+2).isPunct('{'):
		return x.afterDot(i)
	case string(text) == "DataTypes": // Sequelize, which such a file need not import
		return next.isPunct('.')
	case x.at(i-1).isKeyword(kExtends) && baseWithRules(string(text)):
		return true
	case string(text) == "env", string(text) == "exitCode":
		return x.afterDot(i) || next.isPunct('(')
	case next.isPunct('(') && lineWords[string(text)]:
		x.commandLine = true
		return true
	case next.isPunct('(') && (words[string(text)] || bytes.HasPrefix(text, []byte("register"))):
		return true
	case t.id == kDefault && x.at(i-1).isKeyword(kExport):
		x.exported = i + 1
		return next.isKeyword(kFunction) && rules.Get().Routes.IsRouter(x.text(i+3))
	case t.id == kExports && next.isPunct('='):
		x.exported = i + 2
	case t.id == kDefault && x.at(i-1).isPunct('{') && next.isPunct('}') && x.at(i+2).isKeyword(kFrom):
		x.exported = i + 3 // export { default } from "./x"
	case !next.isPunct('('):
		return false
	case x.afterDot(i) && x.at(i-2).kind == tIdent:
		routes := &rules.Get().Routes
		_, registers := routes.Calls["."+string(text)]
		_, mounts := routes.Mounts["."+string(text)]
		return (registers || mounts) && routes.IsRouter(x.text(i-2))
	}
	return x.at(i+2).kind == tString && !t.is(kwHead) && surface.IsVariable(strings.Trim(x.text(i+2), "'\""))
}

// baseWithRules reports whether a rule may apply to the subclasses of a class.
func baseWithRules(name string) bool {
	r := rules.Get()
	return slices.ContainsFunc(append(r.Jobs.Bases[:len(r.Jobs.Bases):len(r.Jobs.Bases)], r.Routes.Bases), func(end string) bool { return strings.HasSuffix(name, end) })
}

func (x *extractor) surface() {
	if x.testFile {
		return
	}
	r := *rules.Get()
	r.Commands = commandRules.Get()[0]
	holds, library := map[string]bool{}, map[string]string{}
	for _, imp := range x.imports {
		switch first, rest, _ := strings.Cut(imp.Path, "/"); first {
		case "$env":
			x.environment(imp, strings.HasPrefix(rest, "static"), holds)
		case "bullmq", "node-cron", "cron", "croner", "node-schedule", "bull", "bee-queue":
			x.matters = true
			inLibrary(imp, library)
		case ".", "..":
			if strings.Contains(strings.ToLower(path.Base(rest)), "cron") {
				x.matters, imp.Path = true, "node-cron" // a copy
				inLibrary(imp, library)
			}
		case "express", "koa-router", "express-promise-router", "@koa", "koa-mount":
			inLibrary(imp, library)
		case "mongoose", "sequelize", "typeorm", "convict":
			x.matters = true
		case "@nestjs":
			x.matters = x.matters || rest == "config"
		case "yargs":
			r.Commands, x.commandLine = commandRules.Get()[1], true
		case "commander", "@commander-js":
			x.commandLine = true
			names, root := map[string]string{}, map[string]bool{}
			inLibrary(imp, names)
			for name, is := range names {
				if is == imp.Path || is == imp.Path+".program" {
					root[name] = true
				}
			}
			if len(root) > 0 {
				r.Commands.Root = root
			}
		}
	}
	in := surface.Input{Line: x.commandLine, Rules: &r, Holds: holds, Steps: x.meter.Steps, Unnamed: x.literal, Library: func(name string) string {
		first, rest, _ := strings.Cut(name, ".")
		if as := library[first]; as != "" {
			return strings.TrimSuffix(as+"."+rest, ".")
		}
		return name
	}}
	base := strings.Split(path.Base(x.path), ".")
	in.Sets = settings[strings.Join(base[:min(2, len(base))], ".")]
	in.Defaults, in.Configures = source.HoldsDefaults(x.path), source.HoldsDefaults(x.path) && source.HoldsDefaults(path.Dir(x.path))
	if !x.matters && !x.commandLine && in.Sets == "" && !in.Defaults {
		x.exportsOther()
		return
	}
	in.Place = func(file string) string { return placeOf(file, defaultName) }
	if in.Tree = x.tree; in.Tree == nil { // only the imports show that a rule applies
		in.Tree = translated(x)
	}
	for _, f := range surface.Facts(in) {
		if f.Kind == source.Data && f.Name == "" {
			x.sql = append(x.sql, f)
			continue
		}
		x.facts = append(x.facts, f)
	}
	x.placeRouters()
}

// bindings yields the names that an import binds and what they are in the imported file. A whole module is its default.
func bindings(imp source.Import) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, n := range imp.Names {
			if !yield(cmp.Or(n.As, n.Name), n.Name) {
				return
			}
		}
		if len(imp.Names) == 0 || imp.All || imp.As != "" {
			yield(cmp.Or(imp.As, path.Base(imp.Path)), defaultName)
		}
	}
}

// inLibrary adds the library names of what an import binds.
func inLibrary(imp source.Import, library map[string]string) {
	for name, of := range bindings(imp) {
		library[name] = strings.TrimSuffix(imp.Path+"."+of, "."+defaultName)
	}
}

// environment handles SvelteKit imports of environment variables, or of an object that holds them.
func (x *extractor) environment(imp source.Import, static bool, holds map[string]bool) {
	for _, n := range imp.Names {
		if static {
			x.facts = append(x.facts, source.Fact{Kind: source.Env, Name: n.Name, Line: imp.Line})
		} else {
			x.matters, holds[cmp.Or(n.As, n.Name)] = true, true
		}
	}
}

// exportsOther records that a file only re-exports another file, which may be a router.
func (x *extractor) exportsOther() {
	i := x.exported
	f := source.Fact{Kind: source.Mount, Of: defaultName, Line: int(x.at(i).line)}
	switch end := x.skipExpression(i); {
	case x.at(i).kind == tString:
		f.ID = placeOf(unquote(x.src[x.at(i).off:x.at(i).end]), defaultName)
	case x.at(i).kind != tIdent:
	case end == i+1:
		f.ID = x.places()[x.text(i)]
	case x.at(i).isKeyword(kRequire) && x.requireEnd(i) == end:
		f.ID = placeOf(unquote(x.src[x.at(i+2).off:x.at(i+2).end]), defaultName)
	}
	if f.ID != "" {
		x.facts = append(x.facts, f)
	}
}

// aliases are common aliases of a project's source directory.
var aliases = surface.Set("@ ~ # src $lib")

func placeOf(file, name string) string {
	if !strings.HasPrefix(file, ".") {
		first, rest, _ := strings.Cut(file, "/")
		if file = rest; !aliases[first] || rest == "" {
			return ""
		}
	}
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"} {
		file = strings.TrimSuffix(file, ext)
	}
	return source.PlaceID(file, name)
}

// placeRouters gives mounted routers from other files the IDs that they have there.
func (x *extractor) placeRouters() {
	places := x.places()
	own := map[string]bool{}
	for _, f := range x.facts {
		if f.Kind == source.Route {
			own[f.Of] = true
		}
	}
	for i := range x.facts {
		f := &x.facts[i]
		if f.Kind != source.Mount || own[f.ID] {
			continue
		}
		name := strings.TrimSuffix(f.ID, "()")
		if of, member, ok := strings.Cut(name, "."); ok && strings.HasSuffix(places[of], "#"+defaultName) {
			f.ID = strings.TrimSuffix(places[of], defaultName) + member
		}
		f.ID = cmp.Or(places[name], f.ID)
	}
}

func (x *extractor) places() map[string]string {
	places := map[string]string{}
	for _, imp := range x.imports {
		for name, of := range bindings(imp) {
			places[name] = placeOf(imp.Path, of)
		}
	}
	return places
}

package python

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

var rules = lazy.Value[*surface.Rules]{Make: func() *surface.Rules {
	r := &surface.Rules{
		Self:    surface.Set("self cls"),
		Nothing: surface.Set("None ..."),
		Exits:   surface.Set("exit quit SystemExit os._exit sys.exit click.Exit typer.Exit"),
		Config:  surface.ConfigRules{Package: "pydantic", Env: "BaseSettings", Base: "BaseModel", Prefix: "env_prefix", Field: "Field"},
		Local:   true,
		Models: []surface.ModelRule{
			{Library: "django", Name: "Django", Base: "models.Model", Table: "db_table", Typed: true, Fields: surface.Set("ForeignKey")},
			{Library: "sqlmodel", Name: "SQLModel", Base: "SQLModel", Table: "__tablename__", Keyword: true, Fields: surface.Set("Field")},
			{Library: "sqlalchemy", Name: "SQLAlchemy", Base: "db.Model", Table: "__tablename__", Joined: "__mapper_args__", Call: "Table", Fields: surface.Set("Column mapped_column")},
		},
		Env: surface.EnvRules{
			Objects:  surface.Set("os.environ"),
			Methods:  surface.Set("get pop setdefault"),
			Calls:    surface.Set("os.getenv"),
			All:      map[string][]string{"urllib.request.getproxies": {"ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}},
			Converts: surface.Set("int float str bool .strip .split .lower .upper .replace"), Fails: true,
			Pairs:    surface.Set("items keys"),
			Packages: []string{"import environ", "from environ import", "from environs import", "from decouple import", "from starlette.config import"},
			Callers:  surface.Set("env config"),
			Prefixes: map[string]string{"Dynaconf": "envvar_prefix", "dynaconf.Dynaconf": "envvar_prefix"},
		},
		Routes: surface.RouteRules{
			Decorators: map[string]surface.RouteRule{"websocket": {}, "route": {Method: surface.AnyOf}, "api_route": {Method: surface.AnyOf}},
			Calls: map[string]surface.RouteRule{
				".add_view": {}, "web.view": {}, ".add_url_rule": {Method: surface.AnyOf, Handler: "view_func"},
				".add_api_route": {Method: surface.AnyOf, Handler: "endpoint"}, ".add_api_websocket_route": {Handler: "endpoint"},
				".add_resource": {Path: 1, First: true}, ".register": {Views: true}, "Route": {Method: surface.AnyOf, Handler: "endpoint"}, "WebSocketRoute": {Handler: "endpoint"},
				"path": {Listed: "include"}, "re_path": {Listed: "include", Pattern: true}, "url": {Listed: "include", Pattern: true},
			},
			Makers: map[string]surface.Maker{
				"APIRouter": {Prefix: "prefix", Base: true}, "FastAPI": {Base: true}, "Flask": {Base: true}, "Starlette": {},
				"Blueprint": {Prefix: "url_prefix", Fallback: true, Base: true}, "Namespace": {Prefix: "path", Fallback: true, Named: true}, "namespace": {Prefix: "path", Named: true, Under: true},
				"Api": {Prefix: "prefix", On: true}, "SimpleRouter": {Base: true}, "DefaultRouter": {Base: true, Root: true},
			},
			Mounts: map[string]surface.Mount{".include_router": {Prefix: "prefix"}, ".register_blueprint": {Prefix: "url_prefix"}, ".add_namespace": {Prefix: "path", At: 1}, ".init_app": {Into: "api"}, "Mount": {Routes: "routes"}},
			Within: map[string]string{"i18n_patterns": "/<language> prefix_default_language"},
			Itself: []string{".as_view", ".s", ".si"},
			Plain:  true, Handed: true, Factory: "blueprint",
			List:  "urlpatterns",
			Pairs: surface.Set("url URLSpec"), Paired: []string{"import tornado", "from tornado"},
		},
	}
	flag := surface.CommandRule{Part: surface.Option, Roles: map[string]surface.Role{
		"*": surface.Names, "param_decls": surface.Names, "help": surface.Help, "default": surface.Default, "is_flag": surface.Bare, "count": surface.Bare,
		"flag_value": surface.Bare, "metavar": surface.Value, "type": surface.Type, "envvar": surface.Variable, "hidden": surface.Hidden,
	}}
	r.Commands = commandRules(flag)
	r.Jobs = jobRules()
	for _, method := range []string{"get", "post", "put", "delete", "patch", "head", "options", "trace"} {
		rule := surface.RouteRule{Method: strings.ToUpper(method)}
		r.Routes.Decorators[method] = rule
		if method != "options" && method != "trace" {
			r.Routes.Calls[".add_"+method], r.Routes.Calls["web."+method] = rule, rule
		}
	}
	return r
}}

// commandRules cover argparse, click, typer, absl and tornado.options.
func commandRules(flag surface.CommandRule) surface.CommandRules {
	type roles = map[string]surface.Role
	plain := surface.CommandRule{Part: surface.Plain, Roles: roles{"*": surface.Names}}
	same, adds := surface.CommandRule{Part: surface.Same}, surface.CommandRule{Part: surface.Adds}
	argument := surface.CommandRule{Part: surface.Takes, Roles: roles{
		"0": surface.Names, "metavar": surface.Value, "nargs": surface.Count, "required": surface.Needed, "default": surface.Default,
	}}
	parser := surface.CommandRule{Part: surface.Makes, Roles: roles{"prog": surface.Called, "description": surface.Help, "parents": surface.Parents}}
	decorator := roles{"0": surface.Called, "name": surface.Called, "help": surface.Long, "short_help": surface.Help, "hidden": surface.Hidden}
	click := flag
	click.Value = "TEXT"
	c := surface.CommandRules{
		Prefix: "auto_envvar_prefix", Groups: "add_command", Class: "Command", Adder: "add_arguments",
		Bases: map[string]string{"ArgumentParser": "argparse.ArgumentParser"}, Typed: []string{"import typer", "from typer"}, Choices: surface.Set("click typer argparse configargparse"),
		Types: map[string]string{
			"int": "INTEGER", "float": "FLOAT", "str": "TEXT", "Path": "PATH", "File": "FILENAME", "INT": "INTEGER", "STRING": "TEXT", "UUID": "UUID", "FLOAT": "FLOAT",
			"DateTime": "DATE", "bool": "BOOLEAN",
		},
		Calls: map[string]surface.CommandRule{
			"argparse.ArgumentParser": parser, "configargparse.ArgumentParser": parser, "configargparse.ArgParser": parser,
			".add_parser": {Part: surface.Below, Roles: roles{"0": surface.Called, "name": surface.Called, "help": surface.Help, "parents": surface.Parents}},
			".add_argument": {Part: surface.Option, Named: true, Roles: roles{
				"*": surface.Names, "action": surface.Action, "metavar": surface.Value, "default": surface.Default, "help": surface.Help, "nargs": surface.Count,
				"env_var": surface.Variable,
			}},
			".add_subparsers": same, ".add_argument_group": same, ".add_mutually_exclusive_group": same, ".add_command": adds, ".add_typer": adds,
			".add_option": plain, ".option": plain, ".Option": plain, "click.option": click, "click.Option": click, "@click.option": click, "@click.argument": argument,
			"typer.Typer": {Part: surface.Makes, Roles: roles{"name": surface.Called, "help": surface.Help}}, "=typer.Option": flag, "=typer.Argument": {Part: surface.Takes},
			"flask.cli.AppGroup": {Part: surface.Makes, Roles: decorator}, "click.Group": {Part: surface.Makes, Roles: decorator}, "@click.command": {Part: surface.Makes, Roles: decorator}, "@click.group": {Part: surface.Makes, Roles: decorator},
			"@.command": {Part: surface.Below, Roles: decorator}, "@.group": {Part: surface.Below, Roles: decorator}, "@.callback": {Part: surface.Whole, Roles: decorator},
		},
	}
	c.Calls["tornado.options.define"] = surface.CommandRule{Part: surface.Global, Dash: "--", Value: "TEXT", Roles: roles{
		"0": surface.Names, "name": surface.Names, "1": surface.Default, "default": surface.Default, "2": surface.Type, "type": surface.Type,
		"3": surface.Help, "help": surface.Help, "4": surface.Value, "metavar": surface.Value,
	}}
	for typ := range surface.Set("string integer bool boolean float enum list spaceseplist alias multi_string multi_integer multi_float multi_enum") {
		c.Calls["absl.flags.DEFINE_"+typ] = surface.CommandRule{Part: surface.Plain, Dash: "--", Roles: roles{"0": surface.Names}}
	}
	return c
}

// jobRules cover Celery, APScheduler, RQ, Dramatiq, Huey, Django-Q, arq and framework loops.
func jobRules() surface.JobRules {
	type rule = surface.JobRule
	task := rule{"name": surface.Called}
	timed := func(with rule) rule {
		for unit := range surface.Set("weeks days hours minutes seconds year month day week day_of_week weekday hour minute second run_date timezone") {
			with[unit] = surface.Unit
		}
		return with
	}
	periodic := rule{"0": surface.When, "name": surface.Called, "run_every": surface.When}
	loop, beat := timed(rule{}), rule{"task": surface.Handles, "schedule": surface.When}
	return surface.JobRules{
		Calls: map[string]rule{
			"@celery.shared_task": task, "@.task": task, "@celery.task": task, "@celery.task.task": task, "@celery.decorators.task": task,
			"@celery.task.periodic_task": periodic, "@.periodic_task": periodic, "@.db_task": task, "@.db_periodic_task": periodic,
			"@huey.contrib.djhuey.task": task, "@huey.contrib.djhuey.db_task": task, "@huey.contrib.djhuey.periodic_task": periodic,
			"@huey.contrib.djhuey.db_periodic_task": periodic, "@dramatiq.actor": {"actor_name": surface.Called},
			"@rq.decorators.job": {}, "@django_rq.job": {}, "@rq.job": {}, "@flask_rq2.job": {}, "@.scheduled_job": timed(rule{
				"0": surface.When, "trigger": surface.When, "id": surface.Called, "name": surface.Called,
			}),
			"@repeat_every": loop, "@discord.ext.tasks.loop": loop, "@invoke.task": nil, "@locust.task": nil, "@prefect.task": nil,
			".add_job": timed(rule{
				"0": surface.Handles, "func": surface.Handles, "1": surface.When, "trigger": surface.When, "id": surface.Called, "name": surface.Called,
			}),
			".add_periodic_task":      {"0": surface.When, "1": surface.Handles, "name": surface.Called},
			"django_q.tasks.schedule": {"0": surface.Handles, "name": surface.Called, "schedule_type": surface.When, "cron": surface.When, "minutes": surface.Unit},
			"arq.cron":                timed(rule{"0": surface.Handles, "name": surface.Called}),
			"arq.cron.cron":           timed(rule{"0": surface.Handles, "name": surface.Called}),
		},
		Tables: map[string]rule{"beat_schedule": beat, "CELERY_BEAT_SCHEDULE": beat, "CELERYBEAT_SCHEDULE": beat},
		Lists:  surface.Set("WorkerSettings.functions"),
		Rows: map[string]rule{"jobs": timed(rule{
			"func": surface.Handles, "id": surface.Called, "name": surface.Called, "trigger": surface.When, "interval": surface.Unit, "cron_string": surface.When,
		})},
		Adds:   "append",
		Chains: surface.Set("every"),
	}
}

var clicks = surface.Set("rich_click asyncclick")

// lineWords are the names of calls that build a command line.
var lineWords = lazy.Value[map[string]bool]{Make: func() map[string]bool { return rules.Get().Commands.Words() }}

func (x *reader) surface(name string) {
	for i := range x.imports {
		first, _, _ := strings.Cut(x.imports[i].Path, ".")
		x.commandLine = x.commandLine || rules.Get().Commands.Choices[first] || clicks[first]
	}
	managed := ""
	if dir, base := path.Split(name); strings.HasSuffix(dir, "management/commands/") && base[0] != '_' {
		managed, x.commandLine = "manage.py "+moduleName(base), true
	}
	bound := x.bindings()
	in := surface.Input{Command: managed, Line: x.commandLine, Tree: translated(x), Rules: rules.Get(), Steps: x.meter.Steps}
	in.Library = func(name string) string {
		first, rest, dotted := strings.Cut(name, ".")
		b := bound[first]
		switch {
		case b == nil:
			return name
		case clicks[b.module]:
			first = strings.TrimSuffix("click."+b.member, ".")
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
	var docs map[string]string
	in.Doc = func(name string) string {
		if docs == nil {
			docs = map[string]string{}
			for i := range x.symbols {
				docs[x.symbols[i].Name] = x.symbols[i].Doc
			}
		}
		return docs[name]
	}
	x.facts = append(x.facts, surface.Facts(in)...)
}

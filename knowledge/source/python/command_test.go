package python_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/python"
)

// said formats the facts about the command line, one per line: kind, name, receiver and parts.
func said(f source.File) string {
	f.Facts = source.SortFacts(f.Facts)
	var b strings.Builder
	for _, x := range f.Facts {
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"$", x.Usage}, {"?", x.Help}, {"??", x.Doc}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " %s%s", part[0], part[1])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"options of tornado": {`from tornado.options import define
import tornado.options
FILE = "shop.py"
define("port", default=80, help="where to listen", type=int)
define("debug", type=bool, default=False)
def more():
    tornado.options.define("conf", FILE, help="the configuration")
`, `command  =*
flag --conf <* :TEXT ~shop.py ?the configuration
flag --debug <* :BOOLEAN
flag --port <* :INTEGER ~80 ?where to listen
`},
		"another define": {`from tasks import define
define("port", default=80)
`, ""},
		"groups of Flask": {`import click
from flask.cli import AppGroup
from app import more
users = AppGroup("users", help="Manage users.")
@users.command("add")
def add(): pass
@click.group(cls=FlaskGroup)
def manager(): pass
manager.add_command(users, "people")
manager.add_command(more.manager, "more")
`, `command add =add
command manager =manager
command users =users ??Manage users.
join  =add <users
join more =more.manager <manager
join people =users <manager
`},
		"parser of a function": {`import configargparse
class Parser(configargparse.ArgumentParser):
    pass
def empty():
    parser = Parser(prog="tool")
    return parser
def setup(parser):
    web = parser.add_argument_group("Web")
    web.add_argument("--host", "-H", default="*", help="Where to listen", env_var="TOOL_HOST")
def get():
    parser = empty()
    setup(parser)
    return parser
`, `command tool =empty.parser
env TOOL_HOST ~* ?Where to listen
flag --host <setup() |-H :HOST ~* ?Where to listen
join  =setup() <empty.parser
`},
		"click, a group that a function is given": {`import click
from .publish import register
@click.group()
def cli(): pass
@cli.group()
def publish(): pass
def more(to):
    @to.command()
    def local(): pass
register(publish)
more(to=publish)
hooks.call(publish=publish)
`, `command cli =cli
command local =more.local
command publish =publish
join  =publish <cli
join  =more.local <more()
join  =hooks.call() <publish
join  =more() <publish
join  =register() <publish
register  =publish <register
`},
		"click": {`import click
from .share import verbose

def common(f):
    f = click.option("--fast", is_flag=True)(f)
    return f

@click.group()
@click.option("-c", "--config", type=click.Path(), default="tool.yml", help="the file "
              "to read", envvar="TOOL_CONFIG")
def cli(config):
    """Does things.

    At length.
    """

@cli.command("ls")
@common
@verbose()
@click.option("--shout/--no-shout", default=True)
@click.option("--dead", hidden=True)
@click.option("--count", default=3)
@click.argument("path", type=click.Path())
@click.argument("rest", nargs=-1)
@click.argument("to", required=False, metavar="TARGET")
@click.option(computed)
def list_all():
    """Lists."""

@click.command()
def remove_it(): pass

cli.add_command(remove_it, "rm")
`, `command cli =cli ?Does things. ??At length.
command ls =list_all $PATH [REST...] [TARGET] ?Lists.
command remove-it =remove_it
env TOOL_CONFIG ~tool.yml ?the file to read
flag --config <cli |-c :PATH ~tool.yml ?the file to read
flag --count <list_all :INTEGER ~3
flag --fast <common()
flag --shout <list_all |--no-shout ~True
join  =list_all <cli
join  =common <list_all
join  =common() <list_all
join  =verbose <list_all
join  =verbose() <list_all
join rm =remove_it <cli
`},
		"click, options that are values": {`import click
_app = click.Option(["-A", "--app"], metavar="IMPORT", help="what")
_debug = click.Option(["--debug/--no-debug"])
class Group(click.Group):
    def __init__(self):
        params = []
        params.extend((_app, _debug))
        self.add_command(run)
@click.command()
def run(): pass
run.params.insert(0, _debug)
cli = Group(name="tool")
cli(auto_envvar_prefix="TOOL")
`, `command run =run
command tool =cli
env TOOL_* ?sets options
flag --app =_app |-A :IMPORT ?what
flag --debug =_debug |--no-debug
join  =_app <Group
join  =_debug <Group
join  =run <Group
join  =Group <cli
join  =_debug <run
`},
		"typer": {`import typer
from typing import Annotated
app = typer.Typer(name="tool", help="Does things.")
sub = typer.Typer()
app.add_typer(sub, name="sub")
@app.command("ls")
def list_all(
    ctx: typer.Context,
    name: str,
    path: Annotated[Path, typer.Option("--path", "-p", help="where", envvar="TOOL_PATH")] = "here",
    depth: int = 3,
    loud: bool = False,
    level: Annotated[str, typer.Argument()] = "x",
    width: int = typer.Option(80, "--width/-w", help="how wide"),
    secret: bool = typer.Option(False, hidden=True),
):
    """Lists."""
@sub.command()
def add(force: bool = typer.Option(False, "--force")): pass
@app.callback()
def main(verbose: bool = True): pass
`, `command  =sub
command add =add
command ls =list_all $NAME [LEVEL] ?Lists.
command tool =app ?Does things.
env TOOL_PATH ~here ?where
flag --depth <list_all :INTEGER ~3
flag --force <add
flag --loud <list_all |--no-loud
flag --path <list_all |-p :PATH ~here ?where
flag --verbose <app |--no-verbose ~True
flag --width <list_all |-w :INTEGER ~80 ?how wide
join  =list_all <app
join  =add <sub
join sub =sub <app
`},
		"argparse": {`import argparse

def add_common(p):
    p.add_argument("-n", "--dry-run", action="store_true", help="do nothing, 100%% sure")

def main():
    parser = argparse.ArgumentParser(prog="tool", description="Does things.")
    group = parser.add_argument_group("more")
    group.add_argument("--level", type=int, default=-3, metavar="N")
    parser.add_argument("path")
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    sub = parser.add_subparsers()
    serve = sub.add_parser("serve", help="serves")
    serve.add_argument("--addr", default=":80", help="where [default: %(default)s]")
    serve.add_argument("--by", help="who (default: %(default)s) calls, default: %(default)s. Required.", default=user())
    add_common(serve)
    for name in names:
        sub.add_parser(name)

class App:
    def __init__(self):
        self.parser = argparse.ArgumentParser(description=text)
        self.flags()

    def flags(self):
        self.parser.add_argument("--deep", action=argparse.BooleanOptionalAction)
`, `command  =App.parser
command  =main.
command serve =main.serve ?serves
command tool =main.parser $path ?Does things.
flag --addr <main.serve :ADDR ~:80 ?where [default: :80]
flag --by <main.serve :BY ?who calls. Required.
flag --deep <App.parser |--no-deep
flag --dry-run <add_common() |-n ?do nothing, 100% sure
flag --level <main.parser :N ~-3
join  =main. <main.parser
join  =main.serve <main.parser
join  =add_common() <main.serve
`},
		"argparse, parents and switches": {`import argparse
from typing import Final
def install(sub, shared):
    p: Final[argparse.ArgumentParser] = sub.add_parser("install", parents=[shared])
    p.add_argument("--force", action="store_true")
def output(parser, *, json=False):
    parser.add_argument("--output")
    if json:
        parser.add_argument("--json", action="store_true")
def cli():
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--quiet", action="store_true")
    parser = argparse.ArgumentParser(prog="tool")
    sub = parser.add_subparsers()
    install(sub, shared)
    output(parser, json=True)
`, `command  =cli.shared
command install =install.p
command tool =cli.parser
flag --force <install.p
flag --json <output.json()
flag --output <output() :OUTPUT
flag --quiet <cli.shared
join  =install() <cli.parser
join  =output() <cli.parser
join  =output.json() <cli.parser
join  =install.p <install()
join  =cli.shared <install.1() $hidden
join  =install.1() <install.p $hidden
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(python.Language{}.Extract(context.Background(), "tool/cli.py", []byte(c.src))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestManagementCommands: a file of Django's management commands has one that is called after it.
func TestManagementCommands(t *testing.T) {
	t.Parallel()
	src := "class Command(BaseCommand):\n    help = 'Sends it.'\n    def add_arguments(self, parser):\n        parser.add_argument('--loop', action='store_true')\n"
	for file, want := range map[string]string{
		"shop/management/commands/send.py":  "command manage.py send =Command ?Sends it.\nflag --loop <Command.add_arguments()\njoin  =Command.add_arguments() <Command\n",
		"shop/management/commands/_base.py": "flag --loop <Command.add_arguments()\n",
		"shop/send.py":                      "flag --loop <Command.add_arguments()\n",
	} {
		if got := said(python.Language{}.Extract(context.Background(), file, []byte(src))); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

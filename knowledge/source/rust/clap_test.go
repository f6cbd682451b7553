package rust

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"an old builder": {`use clap::{App, Arg, SubCommand};
fn main() { App::new("The Tool").bin_name("tool").about("Does things").subcommand(users::command()).subcommand(SubCommand::with_name("run").arg(Arg::with_name("force").long("force")).arg(Arg::with_name("to").long("to").takes_value(true))).get_matches(); }
`, `command run =main.run
command tool =main ?Does things
flag --force <main.run
flag --to <main.run :TO
join  =main.run <main
join  =users.command <main`},
		"constants and functions": {`use clap::Parser;
const ADDR: &str = "localhost:7700";
const KEY: &str = "SHOP_KEY";
const N: u64 = 86400;
#[derive(Parser)]
struct Opt {
	#[clap(long, env = "SHOP_ADDR", default_value_t = addr())] addr: String,
	#[clap(long, env = KEY)] key: Option<String>,
	#[clap(long, default_value_t = N)] n: u64,
	#[clap(long, default_value_os_t = dir())] dir: PathBuf,
	#[clap(long, env = "SHOP_OTHER", default_value_t = elsewhere())] other: u64,
	#[clap(long, default_value_t = size())] size: Byte,
}
fn addr() -> String { ADDR.to_string() }
fn dir() -> PathBuf { PathBuf::from(ADDR) }
fn size() -> Byte { Byte::from_str("100 MB").unwrap() }
fn export(key: &str, value: &str) { if let Err(_) = std::env::var(key) { std::env::set_var(key, value); } }
fn all(o: Opt) { export(KEY, o.key); }
`, `env SHOP_ADDR ~localhost:7700
env SHOP_KEY
env SHOP_KEY <export $computed
env SHOP_OTHER $computed
flag --addr <Opt :ADDR ~localhost:7700
flag --dir <Opt :DIR ~localhost:7700
flag --key <Opt :KEY
flag --n <Opt :N ~86400
flag --other <Opt :OTHER
flag --size <Opt :SIZE ~100 MB
reads  =export`},
		"switches with a value": {`use clap::Parser;
#[derive(Parser)]
struct Opt {
	#[clap(long, env = "SHOP_OPEN", action = clap::ArgAction::Set, default_value_t = true)] open: bool,
	#[clap(long, default_value_t)] shut: bool,
	#[clap(long)] dark: Option<bool>,
	#[clap(long, action = ArgAction::Count)] verbose: u8,
	#[clap(long, action = ArgAction::SetTrue)] quiet: bool,
	#[clap(long, default_value_t = IpAddr::from([0, 0, 0, 0]))] bind: IpAddr,
	#[clap(long, default_value_t = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)))] peer: IpAddr,
	#[clap(long, default_value_t = Ipv4Addr::LOCALHOST)] local: Ipv4Addr,
	#[clap(long, default_value_t = IpAddr::from([first(), 0, 0, 0]))] unknown: IpAddr,
}
`, `env SHOP_OPEN ~true
flag --bind <Opt :BIND ~0.0.0.0
flag --dark <Opt :DARK
flag --local <Opt :LOCAL ~127.0.0.1
flag --open <Opt :OPEN ~true
flag --peer <Opt :PEER ~10.0.0.1
flag --quiet <Opt
flag --shut <Opt
flag --unknown <Opt :UNKNOWN
flag --verbose <Opt`},
		"derive": {`use clap::{Parser, Subcommand, Args};
/// Does things.
///
/// At length.
#[derive(Debug, Parser)]
#[command(name = "tool", version, about)]
struct Cli {
	/// Where to listen.
	///
	/// A name or an address.
	#[arg(short, long, default_value = "0.0.0.0", env = "TOOL_ADDR")]
	listen_addr: String,
	/// Do nothing: {n}print it
	#[arg(long = "dry-run", short = 'n', help = "Print it", long_help)] dry: bool,
	#[arg(long, default_value_t = 3, value_name = "N")] depth: usize,
	#[arg(long, default_value_t)] width: HashMap<String, u8>,
	#[arg(long, hide = true)] secret: bool,
	#[cfg_attr(feature = "tls", arg(long, env = "TOOL_CERT"), doc(hidden))]
	/// A certificate.
	cert: PathBuf,
	file: PathBuf,
	#[command(flatten)] common: Common,
	#[command(subcommand)] command: Option<Commands>,
}
#[derive(Args)] struct Common { #[clap(long, visible_alias = "colour")] color: Option<String> }
#[derive(Subcommand)]
enum Commands {
	/// Serves it.
	ServeAll { #[arg(long)] port: u16 },
	Add(AddArgs),
	#[command(name = "ls", visible_alias = "list")] List,
	#[command(hide = true)] Dead,
	#[command(flatten)] More(MoreCommands),
}
fn main() { let cli = Cli::parse(); let n = "3".parse(); }
`, `command add =Commands.Add
command ls =Commands.List |list
command serve-all =Commands.ServeAll ?Serves it
command tool =* ?Does things ??At length.
env TOOL_ADDR ~0.0.0.0 ?Where to listen
env TOOL_CERT ?A certificate
flag --cert <Cli :CERT ?A certificate
flag --color <Common |--colour :COLOR
flag --depth <Cli :N ~3
flag --dry-run <Cli |-n ?Print it ??Do nothing: print it
flag --listen-addr <Cli |-l :LISTEN_ADDR ~0.0.0.0 ?Where to listen ??Where to listen.

A name or an address.
flag --port <Commands.ServeAll :PORT
flag --width <Cli :WIDTH
join  =Cli <*
join  =Commands <Cli
join  =Common <Cli
join  =Commands.Add <Commands
join  =Commands.List <Commands
join  =Commands.ServeAll <Commands
join  =MoreCommands <Commands
join  =AddArgs <Commands.Add`},
		"parsed elsewhere": {`use super::*;
fn complete() { let m = Arguments::command().styles(x); let a = Other::try_parse_from(args)?; git.command(); Command::command(x); }`, `join  =Arguments <*
join  =Other <*`},
		"builder": {`use clap::{Arg, Command};
fn app() -> Command {
	Command::new("tool").about("Does things")
		.arg(Arg::new("level").long("level").short('l').default_value("1").help("How deep").long_help("How deep \
			to go").env("TOOL_LEVEL"))
		.args([Arg::new("v").short('v').action(ArgAction::Count), Arg::new("x").long("x").hide(true)])
		.arg(Arg::new("all").long("all").num_args(0).visible_short_alias('a'))
		.subcommand(Command::new("add").about("Adds").visible_alias("a").arg(Arg::new("file")))
		.subcommand(other())
}
fn run() { std::process::Command::new("ls").arg("-l").arg(path.display()).args([a(), b()]); }
`, `command add =app.add |a ?Adds
command tool =app ?Does things
env TOOL_LEVEL ~1 ?How deep
flag --all <app |-a
flag --level <app |-l :LEVEL ~1 ?How deep ??How deep to go
flag -v <app
join  =app.add <app
join  =other <app`},
		"getopts": {`use getopts::Options;
fn main() {
	let mut opts = Options::new();
	opts.optflag("h", "help", "print the help").optopt("", "port", "where it \
		listens", "PORT");
	opts.optflagmulti("v", "", "say more");
}`, `flag --help <* |-h ?print the help
flag --port <* :PORT ?where it listens
flag -v <* ?say more`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(c.src); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestProgramsOfOneFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"src/main.rs":                "command = < *",
		"crates/a/src/bin/tool.rs":   "command tool =main() < main()",
		"examples/demo.rs":           "command demo =main() < main()",
		"src/bin/several/main.rs":    "command = < *",
		"crates/a/src/bin/x/part.rs": "command = < *",
	} {
		f := Language{}.Extract(context.Background(), file, []byte("use clap::Parser; #[derive(Parser)] struct Cli { #[arg(long, env, default_value_t = 3)] max_size: u8 }\nfn main() { Cli::parse(); }"))
		got, env := "", source.Fact{}
		for _, x := range f.Facts {
			switch x.Kind {
			case source.Command:
				got = strings.TrimSuffix("command "+x.Name, " ") + " =" + strings.TrimSuffix(x.ID, "*")
			case source.Join:
				got += " < " + x.Of
			case source.Env:
				env = x
			}
		}
		if got != want || env.Name != "MAX_SIZE" || env.Default != "3" {
			t.Errorf("%s: got %q and %+v, want %q", file, got, env, want)
		}
	}
}

package golang_test

import (
	"testing"
)

func TestChainedCommandLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"kingpin, flags of the program": {`package main
import ("os/exec"; "github.com/alecthomas/kingpin/v2")
var (
	file = kingpin.Flag("config.file", "The file, see ` + "\" + \"`docs` of it" + `.").Short('c').Default("tool.yml").String()
	check = kingpin.Flag("check", "Only check.").Default().Bool()
	url = kingpin.Flag("url", "Where.").PlaceHolder("<url>").Envar("TOOL_URL").String()
	dead = kingpin.Flag("dead", "").Hidden().Bool()
	target = kingpin.Arg("target", "What.").Required().String()
	flags = webflag.AddFlags(kingpin.CommandLine, ":9115")
)
func main() {
	kingpin.Flag("wait", "How long.").Default("5m").DurationVar(&wait)
	kingpin.HelpFlag.Short('h')
	exec.Command("ls", "-l").Run()
	computed(kingpin.Flag(name, "").String())
	kingpin.Parse()
}
`, `command  =* $target
env TOOL_URL ?Where.
flag --check <* ?Only check.
flag --config.file <* |-c :string ~tool.yml ?The file, see ` + "`docs` of it" + `.
flag --url <* :<url> ?Where.
flag --wait <* :duration ~5m ?How long.
join  =webflag.AddFlags() <*
`},
		"kingpin, commands": {`package main
import ("os"; "gopkg.in/alecthomas/kingpin.v2")
func main() {
	app := kingpin.New("tool", "Does it.").Version("1")
	app.Flag("log", "How much.").Default("info").Enum("info", "debug")
	add := app.Command("add", "Add one.").Alias("a")
	name := add.Arg("name", "Its name.").String()
	rest := add.Arg("rest", "More.").Strings()
	serve(app)
	app.Command("gone", "Not shown.").Hidden()
}
func serve(app *kingpin.Application) {
	cmd := app.Command("serve", "Serve all.")
	cmd.Flag("port", "").Required().Uint16()
}
`, `command add =main.add |a $[name] [rest] ?Add one.
command gone =main. $hidden ?Not shown.
command serve =serve.cmd ?Serve all.
command tool =main.app ?Does it.
flag --log <main.app :string ~info ?How much.
flag --port <serve.cmd :uint
join  =main. <main.app
join  =main.add <main.app
join  =serve() <main.app
join  =serve.cmd <serve()
`},
		"kingpin, a computed name": {`package main
import "github.com/alecthomas/kingpin/v2"
func main() { a := kingpin.New(filepath.Base(os.Args[0]), "Does it."); a.Flag("all", "All.").Bool() }
`, "command  =* ?Does it.\nflag --all <* ?All.\n"},
		"another library": {`package main
import "github.com/spf13/cobra"
func f(c *cobra.Command) { c.Flag("name", "no help").String() }
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(extract(t, "tool/main.go", c.src)); got != c.want {
				t.Errorf("got\n%s, want\n%s", got, c.want)
			}
		})
	}
}

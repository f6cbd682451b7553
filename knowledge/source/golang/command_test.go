package golang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// said formats the facts about the command line, one per line: kind, name, receiver and parts.
func said(f source.File) string {
	var b strings.Builder
	for _, x := range f.Facts {
		if x.Kind == source.Route || x.Kind == source.Exit {
			continue
		}
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"$", x.Usage}, {"!", x.Guard}, {"?", x.Help}, {"??", x.Doc}} {
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
		"options that are no flags": {"package s3\ntype Config struct { Connections uint `option:\"connections\" help:\"set a limit\"` }", ""},
		"cobra, variables of the package": {`package cmd
import "github.com/spf13/cobra"
const limit = 5
var rootCmd = &cobra.Command{Use: "tool", Short: "does " + "things", Long: "At length."}
var secret = &cobra.Command{Use: "secret", Hidden: true}
func init() {
	rootCmd.AddCommand(listCmd, other.NewCmd(), secret)
	rootCmd.PersistentFlags().StringVarP(&config, "config", "c", "tool.yml", "the ` + "\" + \"`file`" + ` to read")
	listCmd.Flags().IntP("limit", "n", limit, "")
	listCmd.Flags().Bool("dead", false, "")
	listCmd.Flags().MarkHidden("dead")
	listCmd.Flags().Duration("wait", 2*time.Minute, "how long")
	listCmd.Flags().Duration("until", time.Duration(168)*time.Hour, "")
	rootCmd.Flags().String(computed, "", "")
}
`, `command secret =secret $hidden
command tool =rootCmd ?does things ??At length.
flag --config <rootCmd |-c :file ~tool.yml ?the file to read
flag --limit <listCmd |-n :int ~5
flag --until <listCmd :duration ~168h0m0s
flag --wait <listCmd :duration ~2m0s ?how long
join  =listCmd <rootCmd
join  =other.NewCmd <rootCmd
join  =secret <rootCmd
`},
		"cobra, constructors": {`package cmd
import ("github.com/spf13/cobra"; "github.com/spf13/pflag"; "example.com/x/share")
type options struct{ all bool }
func (o *options) add(fs *pflag.FlagSet) { fs.BoolVar(&o.all, "all", true, "everything") }
func newServe(f *Factory) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "serve [addr]", Aliases: []string{"s", "up"},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Flags().Set("x", "y") },
	}
	flags := cmd.Flags()
	flags.StringSliceP("name", "", []string{"a", "b"}, "names")
	o.add(flags)
	share.Output(cmd)
	cmd.AddCommand(&cobra.Command{Use: "check"})
	for _, c := range []*cobra.Command{newOne(), two} { cmd.AddCommand(c) }
	for _, c := range elsewhere { cmd.AddCommand(c) }
	return cmd
}
func newOne() *cobra.Command { return &cobra.Command{Use: "one"} }
func register(parent *cobra.Command) { parent.AddCommand(newOne()) }
`, `command check =newServe.
command one =newOne
command serve =newServe |s, up $[addr]
flag --all <options.add() ~true ?everything
flag --name <newServe :strings ~[a,b] ?names
join  =newOne <newServe
join  =newServe. <newServe
join  =options.add() <newServe
join  =share.Output() <newServe
join  =two <newServe
join  =newOne <register()
`},
		"cobra, named results and constants of other files": {`package cmd
import "github.com/spf13/cobra"
func newRoot() (cmd *cobra.Command) {
	cmd = &cobra.Command{Use: useRoot, Short: aboutRoot}
	cmd.AddCommand(newList(nil))
	return cmd
}
func newList(f *Factory) (c *cobra.Command, err error) {
	c = &cobra.Command{Use: "list"}
	return c, nil
}
`, `command $useRoot =newRoot ?$aboutRoot
command list =newList
join  =newList <newRoot
`},
		"what conditions, fields and other packages add": {`package cmd
import ("github.com/spf13/cobra"; "flag"; "example.com/x/filter")
type options struct { filter.Options; more extra }
func newList() *cobra.Command {
	var o options
	cmd := &cobra.Command{Use: "list [flags] " + words()}
	o.Options.Add(cmd.Flags())
	o.more.add(cmd.Flags())
	if runtime.GOOS == "windows" {
		cmd.Flags().Bool("shadow", false, "")
	} else if enabled() {
		cmd.Flags().Bool("fast", false, "")
	}
	cmd.AddCommand(&cobra.Command{Use: "old", Deprecated: "use new"})
	return cmd
}
func (a *app) parse() {
	fs := flag.NewFlagSet("inner", flag.ContinueOnError)
	fs.Bool("deep", false, "")
}
`, `command list =newList
command old =newList. $hidden
flag --fast <newList !enabled()
flag --shadow <newList !windows
flag -deep
join  =extra.add() <newList
join  =filter.Options.Add() <newList
join  =newList. <newList
`},
		"flag": {`package main
import "flag"
var verbose = flag.Bool("v", false, "tell more")
func main() {
	fs := flag.NewFlagSet("serve", flag.ExitOnError)
	fs.StringVar(&addr, "addr", ":80", "where")
	flag.Var(&list, "list", "")
	top := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	top.Int64("n", 0, "how many")
}
func all() { fs := flag.NewFlagSet("all", 0); fs.Bool("a", false, ""); fs.Parse(os.Args[1:]) }
func some() { fs := flag.NewFlagSet("cmd-some", 0); fs.Bool("b", false, ""); fs.Parse(os.Args[2:]) }
`, `command serve =main.fs
command some =some.fs
flag -a <*
flag -addr <main.fs :string ~:80 ?where
flag -b <some.fs
flag -list <* :value
flag -n <* :int ?how many
flag -v <* ?tell more
join  =main.fs <*
join  =some.fs <*
`},
		"urfave": {`package main
import ("github.com/urfave/cli/v2"; "example.com/x/action")
var shared = []cli.Flag{&cli.BoolFlag{Name: "debug", Hidden: true}, &cli.IntFlag{Name: "port", Aliases: []string{"p"}, Value: 80, EnvVars: []string{"PORT"}}}
var one = &cli.StringFlag{Name: "one, o", Usage: "first"}
func main() {
	app := &cli.App{
		Name: "tool", Usage: "does things", Flags: append(shared, one),
		Commands: []*cli.Command{
			{Name: "add", Aliases: []string{"a"}, Subcommands: []*cli.Command{{Name: "all"}, listCommand()}},
			removeCommand,
		},
	}
	app.Commands = append(app.Commands, all(nil)...)
	app.Run(os.Args)
}
func all(a *action.Action) []*cli.Command {
	list := []*cli.Command{{Name: "show"}}
	list = append(list, a.More()...)
	return list
}
`, `command add =main.app. |a
command all =main.app..
command show =all.
command tool =main.app ?does things
env PORT ~80
flag --one =one |-o :string ?first
flag --port <shared |-p :int ~80
join  =action.Action.More <all
join  =all. <all
join  =all <main.app
join  =main.app. <main.app
join  =one <main.app
join  =removeCommand <main.app
join  =shared <main.app
join  =listCommand <main.app.
join  =main.app.. <main.app.
`},
		"urfave, lists of the package": {`package cmd
import ("github.com/urfave/cli/v2"; "github.com/urfave/cli/v2/altsrc")
func init() { commands = append(commands, cmdServe) }
var commands = make([]*cli.Command, 0)
var flags = append(append([]cli.Flag{}, shared...),
	&cli.StringFlag{Name: "config", EnvVars: []string{"CONFIG"}, Usage: "the file"},
	altsrc.NewStringFlag(&cli.StringFlag{Name: "url", Value: "x", EnvVars: []string{"URL"}}))
var cmdServe = &cli.Command{Name: "serve", Flags: flags}
func New() *cli.App { return &cli.App{Name: "shop", Commands: commands} }
`, `command serve =cmdServe
command shop =New
env CONFIG ?the file
env URL ~x
flag --config <flags :string ?the file
flag --url <flags :string ~x
join  =commands <New
join  =flags <cmdServe
join  =cmdServe <commands
join  =shared <flags
`},
		"kong": {`package main
import "github.com/alecthomas/kong"
type ServeCmd struct {
	Addr string ` + "`help:\"where\" default:\":80\" short:\"a\" env:\"ADDR\"`" + `
	HTTPPort int
	Path string ` + "`arg:\"\"`" + `
}
var cli struct {
	Serve ServeCmd ` + "`cmd:\"\" help:\"serves\" aliases:\"up\"`" + `
	Remove struct { Force bool } ` + "`cmd:\"\"`" + `
}
func main() { kong.Parse(&cli, kong.Name("tool")) }
`, `command remove =cli.Remove
command serve =cli.Serve |up ?serves
command tool =*
env ADDR ~:80 ?where
flag --addr <ServeCmd |-a :string ~:80 ?where
flag --force <cli.Remove
flag --http-port <ServeCmd :int
join  =cli <*
join  =cli.Remove <cli
join  =cli.Serve <cli
join  =ServeCmd <cli.Serve
`},
		"go-flags": {`package main
import "github.com/jessevdk/go-flags"
type options struct {
	Addr string ` + "`long:\"addr\" short:\"a\" env:\"ADDR\" default:\":80\" description:\"where\"`" + `
	Kept bool
}
func main() { var o options; flags.Parse(&o) }
`, `command  =*
env ADDR ~:80 ?where
flag --addr <options |-a :string ~:80 ?where
join  =options <*
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(extract(t, "cmd/main.go", c.src)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

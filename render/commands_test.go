package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// tool is a program whose commands are made in another module, with flags that a third one adds to whatever program runs.
var tool = []surface{
	{module: "cmd/tool", Command: true, Elements: []node.Behavior{
		{Kind: source.Flag, Name: "-v", Of: source.Program, File: "main.go", Help: "tell | more"},
		{Kind: source.Join, ID: "list#New", Of: source.Program, File: "main.go"},
		{Kind: source.Join, ID: "circle", Of: source.Program, File: "main.go"},
		{Kind: source.Command, Name: "circle", ID: "circle", File: "main.go"},
		{Kind: source.Join, ID: "circle", Of: "circle", File: "main.go"},
		{Kind: source.Command, Name: "secret", ID: "secret", Usage: source.Hidden, File: "main.go"},
		{Kind: source.Join, ID: "secret", Of: source.Program, File: "main.go"},
		{Kind: source.Env, Name: "TOOL_HOME", File: "main.go"},
	}},
	{module: "list", Elements: []node.Behavior{
		{Kind: source.Command, Name: "list", ID: "New", Usage: "[name]", Help: "Lists.", Doc: "At length.", File: "list.go", Also: "ls"},
		{Kind: source.Flag, Name: "--all", Also: "-a", Of: "New", Default: "true", File: "list.go", Doc: "All of them:\n  also `those`"},
		{Kind: source.Join, ID: "share#Add()", Of: "New", File: "list.go"},
		{Kind: source.Join, ID: "common", Of: "New", Usage: source.Hidden, File: "list.go"},
		{Kind: source.Command, ID: "common", File: "list.go"},
		{Kind: source.Flag, Name: "--quiet", Of: "common", File: "list.go"},
		{Kind: source.Flag, Name: "--lost", File: "list.go"},
	}},
	{module: "share", programs: []string{"cmd/tool"}, Elements: []node.Behavior{
		{Kind: source.Flag, Name: "--output", Value: "FILE", Of: "Add()", Guard: "windows", File: "share.go", At: "abc", Line: 7},
		{Kind: source.Flag, Name: "-log", Of: source.Program, File: "share.go"},
		{Kind: source.Env, Name: "TOOL_HOME", Default: "~", Help: "where", File: "share.go"},
		{Kind: source.Route, Name: "GET /x", File: "share.go"},
		{Kind: source.Exit, Name: "0", File: "share.go"}, {Kind: source.Exit, Name: "1", File: "share.go", Help: "exitBroken"},
		{Kind: source.Exit, Name: "2", File: "share.go"}, {Kind: source.Exit, Name: source.Unknown, File: "share.go"},
	}},
}

func TestCommands(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs/causal"}, Repository: "https://example.com/acme/tool", FrontMatter: true}
	got := renderCommands(c, tool, func(string, string, bool) string { return "tool" })
	for _, want := range []string{
		"## tool\n\n```\ntool [flags]\n```\n", "| `circle` |  |\n| `list` | Lists. |\n", "| [`-v`](../../cmd/tool/main.go) |  | tell \\| more |\n",
		"| [`-log`](../../share/share.go) |  |  |\n", "## tool list\n\n```\ntool list [name] [flags]\n```\n\nLists.\n\nAt length.\n\nAlso as `ls`.\n",
		"| [`-a, --all`](../../list/list.go) | `true` |  |\n", "\n`-a, --all`:\n\n```text\nAll of them:\n  also `those`\n```\n",
		"| [`--output FILE`](https://example.com/acme/tool/blob/abc/share/share.go#L7) |  | (only with `windows`) |\n",
		"| [`--quiet`](../../list/list.go) |  |  |\n", "## tool circle\n", "## Other flags\n", "| [`--lost`](../../list/list.go) |  |  |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Count(got, "\n## tool circle\n") != 1 {
		t.Errorf("a hidden command, or one that is its own parent, is told:\n%s", got)
	}
}

// TestCommandBelowAnUnknownOne: a function that is given a command adds to it, and no known code calls it.
func TestCommandBelowAnUnknownOne(t *testing.T) {
	t.Parallel()
	got := renderCommands(Config{Layout: store.Layout{Docs: "docs/causal"}}, []surface{{module: "app", Elements: []node.Behavior{
		{Kind: source.Command, Name: "cloud", ID: "register.cloud", File: "publish.py"},
		{Kind: source.Join, ID: "register.cloud", Of: "register()", File: "publish.py"},
	}}}, func(string, string, bool) string { return "tool" })
	if want := "## cloud\n\n```\n… cloud\n```\n\nIts parent command is unknown.\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not on the page:\n%s", want, got)
	}
}

// TestExportedCommands: an exported command has the parent to which another file adds the export.
func TestExportedCommands(t *testing.T) {
	t.Parallel()
	add := []node.Behavior{
		{Kind: source.Command, Name: "add", ID: "add.program", File: "add.js"},
		{Kind: source.Join, ID: "add.program", Of: "add.default", Usage: source.Handed, File: "add.js"},
	}
	program := node.Behavior{Kind: source.Command, Name: "tool", ID: source.Program, File: "index.js"}
	flag := node.Behavior{Kind: source.Flag, Name: "--all", Of: source.Program, File: "index.js"}
	for name, c := range map[string]struct {
		more []node.Behavior
		want string
	}{
		"added":     {[]node.Behavior{program, flag, {Kind: source.Join, ID: "add.default", Of: source.Program, File: "index.js"}}, "\ntool add\n"},
		"not added": {[]node.Behavior{program, flag}, "\n… add\n```\n\nIts parent command is unknown.\n"},
		"alone":     {nil, "\nadd\n"},
	} {
		got := renderCommands(Config{Layout: store.Layout{Docs: "docs/causal"}}, []surface{{module: "app", Elements: slices.Concat(add, c.more)}}, func(string, string, bool) string { return "app" })
		if !strings.Contains(got, c.want) || strings.Count(got, "add\n```") != 1 || strings.Contains(got, "Other flags") {
			t.Errorf("%s: %q is not on the page:\n%s", name, c.want, got)
		}
	}
}

// TestFlagsOfAScript: flags that a module declares for any program belong to its only command.
func TestFlagsOfAScript(t *testing.T) {
	t.Parallel()
	got := renderCommands(Config{Layout: store.Layout{Docs: "docs/causal"}}, []surface{{module: "app", Command: true, Elements: []node.Behavior{
		{Kind: source.Command, Name: "serve", ID: "serve", File: "command.py"},
		{Kind: source.Flag, Name: "--port", Of: source.Program, File: "options.py"},
	}}}, func(string, string, bool) string { return "App" })
	if want := "## serve\n\n```\nserve [flags]\n```\n\n| Flag | Default | |\n|---|---|---|\n| [`--port`]"; !strings.Contains(got, want) || strings.Contains(got, "## App") {
		t.Errorf("%q is not on the page:\n%s", want, got)
	}
}

// TestEveryCommandHasRoom: where there are many, less is said of each before one is left out.
func TestEveryCommandHasRoom(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs/causal"}}
	for _, x := range []struct {
		commands      int
		lines, length bool
	}{{20, true, true}, {150, false, true}, {200, false, false}} {
		s := surface{module: "cmd/tool", Command: true}
		for i := range x.commands {
			id := fmt.Sprintf("c%03d", i)
			s.Elements = append(s.Elements,
				node.Behavior{Kind: source.Command, Name: id, ID: id, File: "main.go", Doc: strings.Repeat("long\n\n", max(0, 1-i%10)*300)},
				node.Behavior{Kind: source.Join, ID: id, Of: source.Program, File: "main.go"},
				node.Behavior{Kind: source.Flag, Name: "--a", Of: id, File: "main.go"},
			)
		}
		got := renderCommands(c, []surface{s}, func(string, string, bool) string { return "tool" })
		if n := strings.Count(got, "\n## tool c"); n != x.commands || len(got) > commandBytes+1000 {
			t.Errorf("%d of %d commands are told, in %d bytes", n, x.commands, len(got))
		}
		if lines := strings.Contains(got, "[`--a`]("); lines != x.lines {
			t.Errorf("of %d commands the flags lead to lines: %v", x.commands, lines)
		}
		if length := strings.Contains(got, strings.Repeat("long\n\n", 300)); length != x.length {
			t.Errorf("of %d commands all is said: %v", x.commands, length)
		}
	}
}

func TestWhatIsSaidAtLengthTakesNoRoomOfOthers(t *testing.T) {
	t.Parallel()
	flags := [][]element{{{Behavior: node.Behavior{Name: "--a", Doc: strings.Repeat("long ", 20)}}}, {{Behavior: node.Behavior{Name: "--b", Doc: "short"}}}}
	sections := []string{"first\n", "second\n"}
	tellAtLength(sections, flags, 60-lengths(sections))
	if want := []string{"first\n", "second\n`--b`:\n\n```text\nshort\n```\n\n"}; !slices.Equal(sections, want) {
		t.Errorf("got %q, want %q", sections, want)
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs/causal"}}
	got := renderOperations(c, &fakeGraph{}, tool, settings{}, nil, nil, 0)
	for _, want := range []string{
		"## Environment variables\n", "| `TOOL_HOME` | `~` | [`cmd/tool/main.go`](../../cmd/tool/main.go), [`share/share.go`](../../share/share.go) | where |\n",
		"## Routes\n", "| Route | Registered in |\n|---|---|\n| `GET /x` |", "## Exit codes\n",
		"|---|---|---|\n| `1` | [`share/share.go`](../../share/share.go) | exitBroken |\n| `2` | [`share/share.go`](../../share/share.go) |  |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	if strings.Contains(got, "| `0` |") || strings.Contains(got, "*computed*") {
		t.Errorf("a code that says nothing is on the page:\n%s", got)
	}
}

// TestNothingForOperators: a page that would say nothing is not made.
func TestNothingForOperators(t *testing.T) {
	t.Parallel()
	none := []surface{{module: "a", Command: true}}
	if got := renderCommands(Config{}, none, nil) + renderOperations(Config{}, &fakeGraph{}, none, settings{}, nil, nil, 0); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestSurfaceOfTheProduct checks that files for tools, and files outside of the product, have no commands, flags, routes and exit codes.
func TestSurfaceOfTheProduct(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ module, file, want string }{
		{"cmd/tool", "main.go", "env exit flag route command"},
		{".", "setup.py", "env route"}, // no setup script has routes
		{"web", "vite.config.ts", "env"},
		{"scripts", "release.py", "env"},
		{"tutorials/basics", "main.go", ""},
		{"tests", "run.py", ""},
	} {
		n := &node.Node{Module: c.module, Path: c.module, Kind: kindCommand}
		if c.module == "." || c.module == "web" {
			n.Kind = ""
		}
		for _, kind := range []source.FactKind{source.Env, source.Exit, source.Flag, source.Route} {
			n.Behaviour = append(n.Behaviour, node.Behavior{Kind: kind, Name: "x", File: c.file})
		}
		var got []string
		if text := encodeSurface(n); text != "" {
			s, err := readSurface(c.module, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range s.Elements {
				got = append(got, string(e.Kind))
			}
			if s.Command {
				got = append(got, "command")
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s/%s: %s, want %s", c.module, c.file, text, c.want)
		}
	}
}

// TestDefaultOfNegation: the default of a flag that turns something off is that of the thing.
func TestDefaultOfNegation(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"--no-verify": "", "--verify": "`True`", "--notify": "`True`"} {
		got := (&operatorPage{}).fallback(element{Behavior: node.Behavior{Kind: source.Flag, Name: flag, Default: "True"}})
		if got != want {
			t.Errorf("%s: %q, want %q", flag, got, want)
		}
	}
}

func TestSurfaceIsRead(t *testing.T) {
	t.Parallel()
	n := &node.Node{Path: "a", Kind: kindCommand, Behaviour: []node.Behavior{{Kind: source.Env, Name: "X", File: "\xff.go", Line: 3, At: "abc"}}}
	s, err := readSurface("a", encodeSurface(n))
	if err != nil || !s.Command || len(s.Elements) != 1 || s.Elements[0] != n.Behaviour[0] {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, left := range []*node.Node{{Path: "examples/a", Behaviour: n.Behaviour}, {Path: "a", Kind: kindTests, Behaviour: n.Behaviour}, {Path: "a"}} {
		if text := encodeSurface(left); text != "" {
			t.Errorf("%s of kind %q has %s", left.Path, left.Kind, text)
		}
	}
}

func TestProgramsThatShareFlags(t *testing.T) {
	t.Parallel()
	left := mostSteps
	users := map[string][]string{"flags": {"lib", "cmd/b"}, "lib": {"cmd/a", "flags"}}
	if got := above("flags", users, map[string]bool{"cmd/a": true, "cmd/b": true, "lib": false}, &left); len(got) != 2 || got[0] != "cmd/a" || got[1] != "cmd/b" {
		t.Errorf("got %v", got)
	}
}

func TestTablesOfTheOperationsPage(t *testing.T) {
	t.Parallel()
	page := renderOperations(Config{}, &fakeGraph{}, []surface{{module: "a", Elements: []node.Behavior{{Kind: source.Env, Name: "HOME", File: "a.go"}, {Kind: source.Route, Name: "GET /x"}}}}, settings{}, nil, nil, 0)
	if got := pageExcerpts(page)[headsPart]; got != "environment variables and routes" {
		t.Errorf("got %q", got)
	}
	page = "\n# " + operationsTitle + "\n\n## Variables of builds, tests and tools\n\n## Tasks\n"
	if got := pageExcerpts(page)[headsPart]; got != "variables of builds, tests and tools; tasks" {
		t.Errorf("got %q", got)
	}
	if got := pageExcerpts("# Other\n\n## Routes\n")[headsPart]; got != "" {
		t.Errorf("got %q of another page", got)
	}
}

func TestExamplesInHelp(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Adds a tier.\nMore of it.":                         "Adds a tier.\nMore of it.",
		"Examples:\n  shop add   # one\n    --all\n\nMore.": "Examples:\n\n      shop add   # one\n        --all\n    \nMore.",
		"As:\n```yaml\nshop:\n  name: x\n```":               "As:\n```yaml\nshop:\n  name: x\n```",
		"1. one:\n   detail\n\n   more":                     "1. one:\n   detail\n\n   more",
		"\tAll of it is\n\tindented.":                       "\tAll of it is\n\tindented.",
		"Text that goes\n  on here.":                        "Text that goes\n  on here.",
		"Kinds:\n  - one\n  - two":                          "Kinds:\n  - one\n  - two",
		"Run\n\n\tshop add\n\tshop del":                     "Run\n\n\n    \tshop add\n    \tshop del",
	} {
		if got := withExamples(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestNamesOfPrograms: a program without a manifest has the name of its directory or file, and a function of another file that
// is given a group adds to it.
func TestNamesOfPrograms(t *testing.T) {
	t.Parallel()
	const manifest = "[package]\nname = \"tool\"\nedition = \"2021\"\n"
	const flags = "use clap::Parser;\n\n#[derive(Parser)]\npub struct Cli {\n    #[arg(long)]\n    pub all: bool,\n}\n"
	const program = "\nfn main() { let cli = Cli::parse(); }\n"
	const parser = "import argparse\n\np = argparse.ArgumentParser()\np.add_argument(\"--x\")\np.parse_args()\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a file":      {map[string]string{"tool.py": parser}, []string{"tool"}},
		"a directory": {map[string]string{"app/__main__.py": parser}, []string{"app"}},
		"a group in another file": {map[string]string{
			"app/cli.py":     "import click\nfrom .publish import register\n\n@click.group()\ndef cli(): pass\n\n@cli.group()\ndef publish(): pass\n\nregister(publish)\n",
			"app/publish.py": "import click\n\ndef register(publish):\n    @publish.command()\n    def cloud(): pass\n",
		}, []string{"app", "app publish", "app publish cloud"}},
		"flags of another directory": {map[string]string{
			"Cargo.toml": manifest, "src/config/mod.rs": flags, "src/main.rs": "use clap::Parser;\n\nuse crate::config::Cli;\n\nmod config;\n" + program,
		}, []string{"src", "--all"}},
		"flags of a directory below the file": {map[string]string{
			"Cargo.toml": manifest, "src/config/mod.rs": flags, "src/main.rs": "use clap::Parser;\n\nmod config;\nuse self::config::Cli;\n" + program,
		}, []string{"src", "--all"}},
		"flags by the name of the package": {map[string]string{
			"Cargo.toml": manifest, "src/cli.rs": flags, "src/lib.rs": "mod cli;\npub use cli::Cli;\n", "src/main.rs": "use clap::Parser;\nuse tool::Cli;\n" + program,
		}, []string{"src", "--all"}},
		"flags of another package": {map[string]string{
			"Cargo.toml": "[workspace]\nmembers = [\"tool\", \"base\"]\n", "base/Cargo.toml": strings.ReplaceAll(manifest, "tool", "base"),
			"tool/Cargo.toml": manifest + "[dependencies]\nbase = { path = \"../base\" }\n",
			"base/src/lib.rs": "mod cli;\npub use cli::Cli;\n", "base/src/cli.rs": flags, "tool/src/main.rs": "use clap::Parser;\nuse base::Cli;\n" + program,
		}, []string{"tool", "--all"}},
		"flags that no program has": {map[string]string{
			"Cargo.toml": manifest, "src/lib.rs": flags,
		}, []string{"Other flags", "--all"}},
		"names in constants of another file": {map[string]string{
			"go.mod": "module example.com/tool\n", "names.go": "package main\n\nconst (\n\tuseTool = \"tool\"\n\tuseList = \"list [name]\"\n)\n",
			"main.go": "package main\n\nimport \"github.com/spf13/cobra\"\n\nfunc main() { newTool().Execute() }\n\nfunc newTool() (cmd *cobra.Command) {\n\tcmd = &cobra.Command{Use: useTool}\n\tcmd.AddCommand(&cobra.Command{Use: useList})\n\treturn cmd\n}\n",
		}, []string{"tool", "tool list"}},
		"a command that another file exports": {map[string]string{
			"index.js":      "const { Command } = require('commander');\nconst program = new Command('tool');\nprogram.addCommand(require('./add').default);\nprogram.addCommand(require('./more'));\nprogram.parse();\n",
			"add.js":        "const { Command } = require('commander');\nconst program = new Command('add');\nprogram.option('--all');\nexports.default = program;\nexport default program;\n",
			"more/index.js": "import { Command } from 'commander';\nconst more = new Command('more');\nexport default more;\n",
		}, []string{"tool", "tool add", "--all", "tool more"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, c.files)
			r.config.Repository = ""
			r.nodes()
			var got []string
			for line := range strings.SplitSeq(r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: CommandPage}, nil).Body.(*Page).generated, "\n") {
				if title, ok := strings.CutPrefix(line, "## "); ok {
					got = append(got, title)
				} else if strings.Contains(line, "`--all`") {
					got = append(got, "--all")
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

package workspace_test

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/workspace"
)

// mall is a repository in several languages, with names that are taken twice.
var mall = map[string]string{
	"README.md": "# Mall\n\nSells more things.\n",
	"LICENSE":   "Take it.\n",
	"go.mod":    "module example.com/mall/v2\n\ngo 1.24\n",
	"mall.go":   "// Package mall sells.\npackage mall\n\n// Open opens.\nfunc Open() {}\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// Parse reads an amount.\nfunc Parse(s string) Amount { return Amount(len(s)) }\n\n// Double doubles.\nfunc (a Amount) Double() Amount { return 2 * a }\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport (\n\t\"flag\"\n\t\"net/http\"\n\t\"os\"\n\n\t\"example.com/mall/v2/money\"\n)\n\n" +
		"var addr = flag.String(\"addr\", \"\", \"where\")\n\n// Total is what is to be paid.\nfunc Total() money.Amount {\n" +
		"\thttp.HandleFunc(\"GET /total\", nil)\n\treturn money.Parse(os.Getenv(\"SHOP_CURRENCY\"))\n}\n",
	"plugins/standard/all.go":      "package standard\n\n// Only is here.\nfunc Only() {}\n",
	"plugins/http/standard/all.go": "package standard\n\n// Twice is here.\nfunc Twice() {}\n",
	"plugins/http/twice.go":        "package http\n\n// Twice is here, too.\nfunc Twice() {}\n",
	"src/click/__init__.py":        "\"\"\"Makes commands.\"\"\"\nfrom .core import Context as Context\nfrom .utils import echo as echo\n",
	"src/click/utils.py":           "def echo(message):\n    \"\"\"Print a message.\"\"\"\n",
	"src/click/core.py":            "class Context:\n    \"\"\"Holds state.\"\"\"\n\n    def close(self):\n        \"\"\"End it.\"\"\"\n",
	"web/response.ts":              "/** Answers. */\nexport class Res {\n  /** Sends. */\n  send(): void {}\n}\n",
	"web/cart/index.ts":            "/** Shows the cart. */\nexport function show(): void {}\n",
	"jvm/main/java/org/junit/Assert.java": "package org.junit;\n\n/** Asserts. */\npublic class Assert {\n    public Assert() {}\n\n" +
		"    /** Equal. */\n    public static void assertEquals(Object a, Object b) {}\n}\n",
	"mio/Cargo.toml":  "[package]\nname = \"mio\"\n",
	"mio/src/lib.rs":  "//! Waits.\npub mod poll;\npub use poll::Poll;\n",
	"mio/src/poll.rs": "/// Waits for events.\npub struct Poll;\n\nimpl Poll {\n    /// Waits.\n    pub fn wait(&self) {}\n}\n",
	"redis/redis.h":   "/* Sends a command. */\nvoid *redisCommand(const char *format, ...);\n",
}

// tell formats the resolution of a target in one line.
func tell(m workspace.Meant, err error) string {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	typed := func(list []workspace.Choice) string {
		var out []string
		for _, c := range list {
			out = append(out, c.Typed)
		}
		return strings.Join(out, " | ")
	}
	switch {
	case errors.As(err, &several):
		return "several: " + typed(several.Choices)
	case errors.As(err, &unknown):
		return strings.TrimSpace("unknown: " + typed(unknown.Nearest))
	case err != nil:
		return err.Error()
	}
	switch m.Meaning {
	case workspace.MeansSymbol:
		return "symbol " + m.Name + " of " + m.Module
	case workspace.MeansElement:
		return string(m.Element) + " " + m.Name + " of " + m.Module
	case workspace.MeansFile:
		return strings.TrimSpace("file " + m.File + " " + m.Module)
	}
	return strings.TrimSpace(string(m.Meaning) + " " + m.Module)
}

// opened is the mall with its nodes, and an engine that looked at it.
func opened(t *testing.T) (*workspace.Workspace, *workspace.Knowledge) {
	w := newWorld(t, mall)
	at := w.open(w.workTree())
	w.update(at)
	e, err := at.Look()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	return at, e
}

func TestResolve(t *testing.T) {
	t.Parallel()
	at, e := opened(t)
	for _, c := range []struct{ in, target, want string }{
		// paths, from the root and from the working directory
		{".", "money", "module money"},
		{".", "./money/", "module money"},
		{".", ".", "module ."},
		{"cart", ".", "module cart"},
		{"cart", "..", "module ."},
		{"cart", "money", "module money"},
		{"cart", "../money", "module money"},
		{"cart", "cart.go", "file cart/cart.go cart"},
		{"cart", "../money/money.go", "file money/money.go money"},
		{"cart", "docs/causal/modules/money.md", "module money"},
		{"cart", "../docs/causal/modules/money.md", "module money"},
		{"money", "../../elsewhere", "unknown:"},
		{"web", "cart", "several: ./cart | ../cart"},
		{"web", "./cart", "module web/cart"},
		{"web", "../cart", "module cart"},
		{".", filepath.Join(at.Repo.Root(), "cart", "cart.go"), "file cart/cart.go cart"},
		{".", ".causal/nodes/_root.yml", "module ."},
		{".", "docs/causal/index.md", "overview"},
		{".", "README.md", "file README.md ."},
		{".", "LICENSE", "file LICENSE ."},
		{".", "money.go", "file money/money.go money"},
		{".", "all.go", "several: plugins/http/standard/all.go | plugins/standard/all.go"},
		{".", "http/standard/all.go", "file plugins/http/standard/all.go plugins/http/standard"},
		{".", "plugins", "unknown: plugins/http | plugins/http/standard | plugins/standard"},
		// anchors
		{".", "docs/causal/modules/money.md#parse", "symbol Parse of money"},
		{".", "docs/causal/modules/money.md#public-api", "module money"},
		{".", "docs/causal/modules/money.md#nowhere", "unknown:"},
		{".", "docs/causal/index.md#modules", "overview"},
		{".", "src/click#corecontext", "symbol core.Context of src/click"},
		{".", "src/click/core.py#Context.close", "symbol core.Context.close of src/click"},
		{".", "src/click/core.py#echo", "unknown: src/click.utils.echo | src/click/core.py"},
		{".", "cart#--addr", "flag -addr of cart"},
		// modules by name
		{".", "click", "module src/click"},
		{".", "http/standard", "module plugins/http/standard"},
		{".", "standard", "several: plugins/http/standard | plugins/standard"},
		{".", "org.junit", "module jvm/main/java/org/junit"},
		{".", "example.com/mall/v2/money", "module money"},
		// symbols, as languages write them
		{".", "money.Parse", "symbol Parse of money"},
		{".", "Parse", "symbol Parse of money"},
		{".", "Parse()", "symbol Parse of money"},
		{".", "`Amount.Double`", "symbol Amount.Double of money"},
		{".", "Double", "symbol Amount.Double of money"},
		{".", "mall.Open", "symbol Open of ."},
		{".", "example.com/mall/v2/money.Parse", "symbol Parse of money"},
		{".", "click.echo", "symbol utils.echo of src/click"},
		{".", "click.utils.echo", "symbol utils.echo of src/click"},
		{".", "core.Context", "symbol core.Context of src/click"},
		{".", "Context.close", "symbol core.Context.close of src/click"},
		{".", "response.Res.send", "symbol response.Res.send of web"},
		{".", "org.junit.Assert", "symbol Assert of jvm/main/java/org/junit"},
		{".", "org.junit.Assert.assertEquals", "symbol Assert.assertEquals of jvm/main/java/org/junit"},
		{".", "org.junit.Assert#assertEquals", "symbol Assert.assertEquals of jvm/main/java/org/junit"},
		{".", "Assert", "symbol Assert of jvm/main/java/org/junit"},
		{".", "mio::Poll", "symbol poll.Poll of mio/src"},
		{".", "Poll", "symbol poll.Poll of mio/src"},
		{".", "redisCommand", "symbol redisCommand of redis"},
		{".", "Twice", "several: plugins/http.Twice | plugins/http/standard.Twice"},
		{".", "http.Twice", "symbol Twice of plugins/http"},
		{".", "standard.Twice", "symbol Twice of plugins/http/standard"},
		// what users meet
		{".", "SHOP_CURRENCY", "env SHOP_CURRENCY of cart"},
		{".", "--addr", "flag -addr of cart"},
		{".", "GET /total", "route GET /total of cart"},
		{".", "/total", "route GET /total of cart"},
		// what causal prints
		{"cart", "module/money", "module money"},
		{".", "module/.", "module ."},
		{".", "`page/money`", "module money"},
		{".", "page/index", "overview"},
		{".", `page/"money"`, "module money"},
		{".", `"money/money.go"`, "file money/money.go money"},
		{".", `"money".Parse`, "symbol Parse of money"},
		{".", "module/nothing", "unknown:"},
		{".", "page/nothing", "unknown:"},
		{".", "part/money", "unknown:"},
		// unknown targets
		{".", "", "unknown:"},
		{".", "#", "unknown:"},
		{".", "quite something else", "unknown:"},
		{".", "click.ecko", "unknown: src/click.utils.echo"},
		{".", "redisComand", "unknown: redis.redisCommand"},
		{".", "SHOP_CURENCY", "unknown: cart#SHOP_CURRENCY"},
		{".", "src/clik", "unknown: src/click"},
	} {
		got := tell(at.Resolve(e, filepath.Join(at.Repo.Root(), c.in), c.target))
		if got != c.want {
			t.Errorf("in %s, %q is %s, want %s", c.in, c.target, got, c.want)
		}
	}
}

// TestFramesAreTargets checks that a frame resolves to its conclusion, and a session to all its frames.
func TestFramesAreTargets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"go.mod": "module example.com/two\n", "a/a.go": "// Package a is one.\npackage a\n", "module/a/b.go": "// Package b is the other.\npackage b\n",
		"c/c.go": "package c\n",
	})
	at := w.open(w.workTree())
	w.update(at)
	e, err := at.Look()
	if err == nil {
		err = e.Look(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	ids, err := at.Sessions()
	if err != nil || len(ids) != 1 {
		t.Fatalf("sessions %q, %v", ids, err)
	}
	r, err := e.Session(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	all := "several: a | c | module/a"
	means := map[string]string{
		"module/a": "module module/a", "module/module/a": "module module/a", "module/c": "module c", "page/a": "module a", r.SessionID: all,
		r.RootFrameID: all, "s-000000000000": "unknown:", "0000000000000000": "unknown:", r.SessionID + "/0000000000000000": "unknown:",
	}
	for _, c := range r.Concluded {
		want := map[string]string{
			"module/a": "module a", "page/a": "module a", "module/c": "module c", "page/c": "module c", "module/module/a": "module module/a",
			"page/module/a": "module module/a", "page/index": "overview", "page/llms.txt": "overview", "page/modules": "overview", "page/commands": "overview", "page/extensions": "overview", "page/operations": "overview",
		}[c.Unit]
		means[c.Frame], means[r.SessionID+"/"+c.Frame], means[r.SessionID+" / "+c.Unit+" / "+c.Frame] = want, want, want
	}
	for target, want := range means {
		if got := tell(at.Resolve(e, at.Repo.Root(), target)); got != want {
			t.Errorf("%q is %s, want %s", target, got, want)
		}
	}
}

// TestWhatElseIsCalledSo checks that a module precedes symbols of the same name, and that these are listed.
func TestWhatElseIsCalledSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"src/format/index.ts": "/** Formats. */\nexport function format(): void {}\n"})
	at := w.open(w.workTree())
	w.update(at)
	e, err := at.Look()
	if err == nil {
		err = e.Look(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := at.Resolve(e, at.Repo.Root(), "format")
	if got, want := fmt.Sprint(tell(m, err), m.Also), "module src/format[src/format.format]"; got != want {
		t.Errorf("format is %s, want %s", got, want)
	}
}

// TestChoicesCanBeTyped checks that each printed choice resolves to itself from any directory.
func TestChoicesCanBeTyped(t *testing.T) {
	t.Parallel()
	at, e := opened(t)
	asked := 0
	for _, module := range e.Modules() {
		n := at.Node(module.Path)
		things := []workspace.Meant{{Meaning: workspace.MeansModule, Module: n.Path}}
		for _, s := range n.Sources {
			things = append(things, workspace.Meant{Meaning: workspace.MeansFile, Module: n.Path, File: s.Path})
		}
		for _, s := range n.PublicAPI {
			things = append(things, workspace.Meant{Meaning: workspace.MeansSymbol, Module: n.Path, Name: s.Name, File: path.Join(n.Path, s.File)})
		}
		for _, b := range n.Behaviour {
			things = append(things, workspace.Meant{Meaning: workspace.MeansElement, Module: n.Path, Name: b.Name, Element: b.Kind})
		}
		for _, want := range things {
			for _, in := range []string{".", "src/click"} {
				asked++
				typed := at.Typed(e, want)
				if got := tell(at.Resolve(e, filepath.Join(at.Repo.Root(), in), typed)); got != tell(want, nil) {
					t.Errorf("in %s, %q is %s, want %s", in, typed, got, tell(want, nil))
				}
			}
		}
	}
	if asked < 60 {
		t.Errorf("only %d things were asked for", asked)
	}
}

package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// registered is a repository with a registry that other modules fill, and modules that only bring these in.
var registered = map[string]string{
	"go.mod": "module example.com/x\n",
	"core/core.go": "// Package core runs plugins.\npackage core\n\n// Plugin runs.\ntype Plugin interface {\n\tRun() error\n\tInfo() Info\n}\n\n// Info is what there is to know.\ntype Info struct{ ID string }\n\n" +
		"// Register takes a plugin.\nfunc Register(p Plugin) {}\n\n// RegisterFunc takes a function. It is simple.\nfunc RegisterFunc(name string, f func()) {}\n",
	"disk/disk.go":             "// Package disk is slow.\npackage disk\n\nimport \"example.com/x/core\"\n\nfunc init() { core.Register(Disk{}) }\n\n// Disk turns.\ntype Disk struct{}\n\nfunc (Disk) Run() error { return nil }\n",
	"disk/info.go":             "package disk\n\nimport \"example.com/x/core\"\n\nfunc (Disk) Info() core.Info { return core.Info{ID: \"store.disk\"} }\n",
	"mem/mem.go":               "package mem\n\nimport (\n\t\"encoding/gob\"\n\t\"example.com/x/core\"\n)\n\nfunc init() {\n\tcore.Register(&mem{})\n\tcore.RegisterFunc(\"flush\", Flush)\n\tgob.Register(mem{})\n}\n\ntype mem struct{}\n\nfunc (mem) Run() error { return nil }\n\nfunc (mem) Info() core.Info { return core.Info{ID: \"store.mem\"} }\n\nfunc Flush() {}\n",
	"mocks/m.go":               "package mocks\n\nimport \"example.com/x/core\"\n\ntype A struct{}\n\nfunc (A) Run() error { return nil }\n\nfunc (A) Info() core.Info { return core.Info{} }\n",
	"all/all.go":               "// Package all brings in everything.\npackage all\n\nimport (\n\t_ \"example.com/x/disk\"\n\t_ \"example.com/x/mem\"\n)\n",
	"examples/demo/demo.go":    "package demo\n\nimport \"example.com/x/core\"\n\nfunc init() { core.RegisterFunc(\"shown\", func() {}) }\n",
	"deep/store/core/other.go": "package core\n\nfunc Register(x any) {}\n",
}

func TestRegistries(t *testing.T) {
	t.Parallel()
	r := newRepo(t, registered)
	nodes := r.nodes()
	got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: extensionPage}, nil).Body.(*Page).generated
	for _, want := range []string{
		"| [`core.Plugin`](modules/core.md#coreplugin) | [`disk.Disk`](modules/disk.md#diskdisk) and [`mem.mem`](modules/mem.md) | `store.disk` and `store.mem` |\n",
		"- [`disk.Disk`](modules/disk.md#diskdisk), registered as `store.disk`\n- [`mem.mem`](modules/mem.md), registered as `store.mem`\n",
		"### [`core.Register`](modules/core.md#coreregister)\n\nRegister takes a plugin.\n\n| Name | What | In |\n|---|---|---|\n" +
			"| `store.disk` | [`disk.Disk`](modules/disk.md#diskdisk) | [`disk/disk.go`](https://example.com/acme/shop/blob/" + headID + "/disk/disk.go#L6) |\n",
		"| `flush` | [`mem.Flush`](modules/mem.md) |",
		"### `gob.Register`\n\nOf `encoding/gob`, which is not of this repository.\n\n| What | In |\n",
		"- [`all`](modules/all.md) brings in [`disk`](modules/disk.md) and [`mem`](modules/mem.md)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	if strings.Contains(got, "shown") || strings.Contains(got, "mocks") {
		t.Errorf("a mock, or what an example registers, is on the page:\n%s", got)
	}
	core := pageOf(r.config, nodes["core"], r.graph(), nil)
	for _, want := range []string{
		"Implemented by [`disk.Disk`](disk.md#diskdisk) (as `store.disk`) and [`mem.mem`](mem.md) (as `store.mem`).\n",
		"Registered with it: `store.disk` and `store.mem`. All of them: [extension points](../extensions.md).\n",
	} {
		if !strings.Contains(core, want) {
			t.Errorf("%q is not on the page:\n%s", want, core)
		}
	}
	disk := pageOf(r.config, nodes["disk"], r.graph(), nil)
	if want := "Implements [`core.Plugin`](core.md).\n\nRegistered as `store.disk`.\n"; !strings.Contains(disk, want) {
		t.Errorf("%q is not on the page:\n%s", want, disk)
	}
	if want := "## Registers\n\n| Name | What | With |  |\n|---|---|---|---|\n| `store.disk` | [`disk.Disk`](#diskdisk) | [`core.Register`](core.md) | [source]("; !strings.Contains(disk, want) {
		t.Errorf("%q is not on the page:\n%s", want, disk)
	}
}

// TestEntryPageShowsExtensionPoints: the entry page has the first lines of the table, and no more.
func TestEntryPageShowsExtensionPoints(t *testing.T) {
	t.Parallel()
	var lines string
	for range pointsTold + 3 {
		lines += "| a | b | c |\n"
	}
	page := "# Extension points\n\nText.\n\n" + pointHead + " B | C |\n|---|---|---|\n" + lines + "\n## Section\n"
	got := pageExcerpts(page)[pointsPart]
	if strings.Count(got, "\n") != 2+pointsTold || !strings.HasPrefix(got, pointHead) {
		t.Errorf("got %q", got)
	}
	if got, told := pageExcerpts("# Other\n")[pointsPart]; told {
		t.Errorf("got %q", got)
	}
}

// TestPluggedPartsSayNoPlaces: what moves in a module redoes no page of another.
func TestPluggedPartsSayNoPlaces(t *testing.T) {
	t.Parallel()
	n := &node.Node{Path: "disk", Behaviour: []node.Behavior{
		{Kind: source.Register, Name: "disk", ID: "Disk", Of: "core#Register", File: "a.go", At: "c1", Line: 3},
		{Kind: source.Register, ID: "Disk", Of: "!encoding/gob#Register", File: "a.go"},
		{Kind: source.Env, Name: "X", File: "a.go"},
	}}
	before := pluggedParts(extensionsIn(n))
	n.Behaviour[0].File, n.Behaviour[0].At, n.Behaviour[0].Line = "b.go", "c2", 9
	after := pluggedParts(extensionsIn(n))
	if len(before) != 1 || before[pluggedPart("core")] == "" || before[pluggedPart("core")] != after[pluggedPart("core")] {
		t.Errorf("got %v, then %v", before, after)
	}
}

func TestRegisteredAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"b", "a", "b"}, "`a` and `b`"},
		{[]string{"x.a", "x.b", "x.c", "y.a", "y.b"}, "`x.*` and `y.*`"},
		{[]string{"a", "b", "c", "d", "e"}, "`a`, `b`, `c`, `d` and others"},
		{[]string{"x.a", "a", "b", "c", "d"}, "`a`, `b`, `c`, `d` and others"},
	} {
		if got := registeredAs(c.names); got != c.want {
			t.Errorf("%q: got %s, want %s", c.names, got, c.want)
		}
	}
}

// TestRegistriesOfOtherLanguages: registries are found through imports, also behind what passes them on and in the module itself.
func TestRegistriesOfOtherLanguages(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"core/__init__.py": "from .base import Base, register\n",
		"core/base.py":     "def register(name):\n    \"\"\"Take a class.\"\"\"\n    return lambda c: c\n\nclass Base:\n    @classmethod\n    def register(cls, name): pass\n",
		"core/own.py":      "from .base import register\n\n@register(\"own\")\nclass Own: pass\n",
		"plug/a.py":        "from core import Base, register\nimport atexit\n\n@register(\"a\")\nclass A: pass\n\n@Base.register(\"b\")\nclass B(Base): pass\n\ndef close(): pass\n\natexit.register(close)\n",
		"web/core.js":      "export function registerFormat(name, f) {}\n",
		"web/csv.js":       "import { registerFormat } from './core.js';\nimport './late.js';\n\nexport class Csv {}\n\nregisterFormat('csv', Csv);\n",
		"web/late.js":      "import * as core from './core.js';\n\ncore.registerFormat('late', () => 1);\nunknown.register('x');\n",
	})
	nodes := r.nodes()
	for module, want := range map[string][]string{
		"core": {"own base.register own.Own"},
		"plug": {"a core#base.register a.A", "b core#base.Base.register a.B", " !atexit#register a.close"},
		"web":  {"csv core.registerFormat csv.Csv", "late core.registerFormat "},
	} {
		var got []string
		for _, b := range nodes[module].Behaviour {
			if b.Kind == source.Register {
				got = append(got, b.Name+" "+b.Of+" "+b.ID)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", module, got, want)
		}
	}
}

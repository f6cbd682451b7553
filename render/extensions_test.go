package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/render/node"
)

// extended has an interface that other modules implement, and some that no reader needs.
var extended = map[string]string{
	"go.mod": "module example.com/x\n",
	"store/store.go": "// Package store keeps things.\npackage store\n\n// Store keeps things. It is safe.\ntype Store interface {\n\t// Put puts.\n\tPut(key string) error\n}\n\n" +
		"// Lone has one.\ntype Lone interface{ Alone() }\n\n// Any is everything.\ntype Any interface{}\n\ntype Number interface{ ~int | ~string; Put(key string) error }\n",
	"disk/disk.go":         "package disk\n\nimport \"example.com/x/store\"\n\n// Disk is slow.\ntype Disk struct{}\n\nfunc (*Disk) Put(key string) error { return nil }\n\nfunc (*Disk) Alone() {}\n\nvar _ store.Store = &Disk{}\n",
	"mem/mem.go":           "package mem\n\nimport \"example.com/x/store\"\n\ntype mem struct{}\n\nfunc (mem) Put(string) error { return nil }\n\nfunc New() store.Store { return mem{} }\n",
	"other/other.go":       "package other\n\nimport \"example.com/x/store\"\n\ntype Not struct{}\n\nfunc (Not) Put(int) error { return nil }\n\nfunc F(store.Store) {}\n",
	"examples/x/x.go":      "package x\n\nimport \"example.com/x/store\"\n\ntype Shown struct{ store.Store }\n\nfunc (Shown) Put(string) error { return nil }\n",
	"mem/fake.go":          "package mem\n\ntype FakeStore struct{}\n\nfunc (FakeStore) Put(string) error { return nil }\n",
	"mocks/m.go":           "package mocks\n\nimport \"example.com/x/store\"\n\ntype Played struct{}\n\nfunc (Played) Put(string) error { return nil }\n\nvar _ store.Store = Played{}\n",
	"store/within_test.go": "package store\n\ntype fake struct{}\n\nfunc (fake) Put(string) error { return nil }\n",
}

func TestExtensionPoints(t *testing.T) {
	t.Parallel()
	r := newRepo(t, extended)
	nodes := r.nodes()
	got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: extensionPage}, nil).Body.(*Page).generated
	for _, want := range []string{
		"# Extension points\n", "## [`store.Store`](modules/store.md#storestore)\n\nStore keeps things.\n\n```go\ntype Store interface {\n\t// Put puts.\n\tPut(key string) error\n}\n```\n",
		"Implemented by:\n\n- [`disk.Disk`](modules/disk.md#diskdisk)\n- [`mem.mem`](modules/mem.md)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	for _, none := range []string{"Lone", "Any", "Number", "Not", "Shown", "fake", "FakeStore", "Played"} {
		if strings.Contains(got, none) {
			t.Errorf("%s is on the page:\n%s", none, got)
		}
	}
	want := []node.Implementation{{Type: "Disk", Module: "store", Interface: "Lone"}, {Type: "Disk", Module: "store", Interface: "Store"}}
	if list := nodes["disk"].Implements; len(list) != 2 || list[0] != want[0] || list[1] != want[1] {
		t.Errorf("disk implements %v", list)
	}
	page := pageOf(r.config, nodes["disk"], r.graph(), nil)
	if line := "Implements [`store.Lone`](store.md) and [`store.Store`](store.md).\n"; !strings.Contains(page, line) || !strings.Contains(page, "\n### `disk.Disk`\n") {
		t.Errorf("%q is not on the page:\n%s", line, page)
	}
}

// TestExtensionsStandInTheNode: a node that was read from its file has the same extensions as the derived one.
func TestExtensionsStandInTheNode(t *testing.T) {
	t.Parallel()
	r := newRepo(t, extended)
	for m, n := range r.nodes() {
		read, err := node.Decode(n.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := encodeExtensions(extensionsIn(read)), encodeExtensions(extensionsIn(n)); got != want {
			t.Errorf("%s has %s, read it has %s", m, want, got)
		}
	}
}

// TestExtensionsAreRanked: what most other modules implement comes first, what only its own module does last.
func TestExtensionsAreRanked(t *testing.T) {
	t.Parallel()
	all := []extensions{
		{module: "a", Points: []point{{sign: sign{Name: "Own", Shown: "Own"}}, {sign: sign{Name: "Wide", Shown: "Wide"}}}, Types: []implementer{{Interface: "Own"}, {Interface: "Own"}, {Interface: "Own"}}},
		{module: "b", Types: []implementer{{Module: "a", Interface: "Wide"}, {Module: "gone", Interface: "Wide"}}},
		{module: "c", Types: []implementer{{Module: "a", Interface: "Wide"}, {Module: "a", Interface: "Wide"}}},
	}
	got := implementedPoints(all)
	if len(got) != 2 || got[0].Name != "Wide" || got[0].others != 2 || len(got[0].by) != 3 || got[1].Name != "Own" || got[1].others != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestExtensionsOfStrangePaths(t *testing.T) {
	t.Parallel()
	n := &node.Node{Path: "a", Implements: []node.Implementation{{Type: "T", Module: "\xff", Interface: "I"}}}
	x, err := readExtensions("a", encodeExtensions(extensionsIn(n)))
	if err != nil || len(x.Types) != 1 || x.Types[0].Module != "\xff" {
		t.Errorf("got %+v, %v", x, err)
	}
	for _, left := range []*node.Node{{Path: "examples/a", Implements: n.Implements}, {Path: "a", Kind: kindTests, Implements: n.Implements}, {Path: "a"}} {
		if text := encodeExtensions(extensionsIn(left)); text != "" {
			t.Errorf("%s of kind %q has %s", left.Path, left.Kind, text)
		}
	}
}

// TestAbstractClasses: in C++ a class is there to be extended when it has a function without a body, and names are looked for from
// the innermost namespace outwards.
func TestAbstractClasses(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"api/log.h": "#pragma once\n\nnamespace shop {\n\n/** Takes lines. */\nclass Log {\npublic:\n  virtual ~Log() {}\n  virtual void line(int n) = 0;\n};\n\nclass Plain {\npublic:\n  virtual void line(int n) {}\n};\n\n" +
			"namespace inner {\nclass Log {};\nclass Not : public Log {};\n}\n\n}\n",
		"disk/disk.cc": "#include \"../api/log.h\"\n\nnamespace shop {\nnamespace {\nclass DiskLog : public Log {\npublic:\n  void line(int n) override {}\n};\nclass Other : public Plain {};\n}\n\nclass NullLog final : public shop::Log {\n  void line(int n) override {}\n};\n}\n",
		"far/far.cc":   "namespace shop {\nclass Stranger : public Log {};\n}\n",
	})
	nodes := r.nodes()
	got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: extensionPage}, nil).Body.(*Page).generated
	for _, want := range []string{"## [`api.shop.Log`](modules/api.md#shoplog)\n", "`disk.shop.DiskLog`", "`disk.shop.NullLog`"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	for _, none := range []string{"Plain", "Other", "Not", "Stranger"} {
		if strings.Contains(got, none) {
			t.Errorf("%s is on the page:\n%s", none, got)
		}
	}
	if page := pageOf(r.config, nodes["api"], r.graph(), nil); !strings.Contains(page, "Implemented by [`disk.shop.DiskLog`](disk.md) and [`disk.shop.NullLog`](disk.md).\n") {
		t.Errorf("the page of the class does not name what extends it:\n%s", page)
	}
}

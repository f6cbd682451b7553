package render

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
)

func TestReadingOrder(t *testing.T) {
	t.Parallel()
	library := func(path, title string, deps ...string) Summary {
		return Summary{Path: path, Title: title, API: true, Deps: deps}
	}
	var none manifest.Begin
	for _, c := range []struct {
		name    string
		modules []Summary
		want    []string
		begins  manifest.Begin
	}{
		{"JUnit 4", []Summary{library("src/model", "model"), library("src/org/junit", "junit", "src/model"), library("src/runner", "runner", "src/model")}, []string{"src/org/junit", "src/runner", "src/model"}, none},
		{"Express.js", []Summary{library("lib", "express"), library("lib/a", "a")}, []string{"lib", "lib/a"}, none},
		{"Shop", []Summary{library("docs", "docs"), library("website/src", "src"), library("jvm/jmh/src", "src"), library("fuzzing", "fuzzing"), library("shop", "shop"), library("internal/x", "x"), library("y", "y")}, []string{"shop", "y", "internal/x"}, none},
		{"Shop", []Summary{library("money", "money"), {Path: "cmd/shop", Title: "shop", Kind: kindCommand, Deps: []string{"money"}}}, []string{"cmd/shop", "money"}, none},
		{"Shop", []Summary{{Path: "js/internal/types", Kind: kindCommand}, {Path: "examples-of/base", Kind: kindCommand, Deps: []string{"money"}}, library("money", "money")}, []string{"examples-of/base", "money", "js/internal/types"}, none},
		{"Shop", []Summary{{Path: "till/tools/fetch", Kind: kindCommand}, {Path: "internal/cmd/till", Kind: kindCommand, Deps: []string{"money"}}, library("money", "money")}, []string{"internal/cmd/till", "money", "till/tools/fetch"}, none},
		// from the outside to the inside, helpers last, and with some modules that the command does not lead to
		{"Shop", []Summary{
			{Path: "cmd/shop", Title: "shop", Kind: kindCommand, Deps: []string{"api", "job", "log"}}, library("job", "job", "store", "log"),
			library("api", "api", "auth", "store", "log"), library("auth", "auth", "store", "log"), library("store", "store", "model", "log"), library("model", "model", "log"),
			library("log", "log"), library("text", "text"), library("mail", "mail", "model", "text"), library("web/a", "a", "web/b", "web/c"), library("web/b", "b", "web/c"),
			library("web/c", "c", "web/b", "web/d"), library("web/d", "d"), {Path: "cmd/tool", Kind: kindCommand, Deps: []string{"api", "auth", "text"}},
		}, []string{"cmd/shop", "api", "auth", "store", "web/c", "web/b", "log"}, none},
		// files that the project starts, not another command
		{"Shop", []Summary{library("server", "server", "model"), library("model", "model"), {Path: "repair", Kind: kindCommand, Deps: []string{"server"}}}, []string{"server", "repair", "model"}, manifest.Begin{Path: "server/main.js"}},
		{"Shop", []Summary{{Path: "a", Kind: kindCommand}, {Path: "shopd/src", Kind: kindCommand}}, []string{"shopd/src", "a"}, manifest.Begin{Name: "shopd"}},
	} {
		var got []string
		for _, r := range (system{begins: []manifest.Begin{c.begins}}).order(c.modules, c.name) {
			got = append(got, r.module.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestReasons: each module of a small repository has a reason to read it.
func TestReasons(t *testing.T) {
	t.Parallel()
	modules := []Summary{{Path: "cart", API: true, Deps: []string{"money"}}, {Path: "money", API: true}}
	var got []string
	for _, r := range (system{}).order(modules, "Shop") {
		got = append(got, r.module.Path+": "+r.why)
	}
	if want := []string{"cart: uses `money`", "money: used by `cart`"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

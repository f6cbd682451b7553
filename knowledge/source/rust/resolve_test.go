package rust

import (
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

var workspace = map[string]string{
	"Cargo.toml": `
[workspace]
members = ["crates/*"]
[workspace.dependencies]
shop-money = { path = "crates/money" }
[patch.crates-io]
patched = { path = "vendor/patched" }
`,
	"crates/money/Cargo.toml":    "[package]\nname = \"shop-money\"\nedition.workspace = true\n[lib]\nname = \"money\"\npath = \"src/root.rs\"\n",
	"crates/money/src/root.rs":   "",
	"crates/money/src/amount.rs": "",
	"crates/cart/Cargo.toml": `
[package]
name = "cart"
edition = "2021"
[dependencies]
shop-money.workspace = true
serde = "1"
patched = "1.0"
short = { package = "long-name", path = "../long" } # renamed
[target.'cfg(unix)'.dependencies.unixy]
path = "../unixy"
[[bin]]
name = "tool"
path = "tools/tool.rs"
`,
	"crates/cart/src/lib.rs":          "",
	"crates/cart/src/main.rs":         "",
	"crates/cart/src/item.rs":         "",
	"crates/cart/src/item/price.rs":   "",
	"crates/cart/src/item/tax/mod.rs": "",
	"crates/cart/src/bin/admin.rs":    "",
	"crates/cart/src/bin/big/main.rs": "",
	"crates/cart/src/bin/big/part.rs": "",
	"crates/cart/src/deep/er/file.rs": "",
	"crates/cart/tests/all.rs":        "",
	"crates/cart/tests/more.rs":       "",
	"crates/cart/tests/common/mod.rs": "",
	"crates/cart/tools/tool.rs":       "",
	"crates/cart/tools/hammer.rs":     "",
	"crates/long/Cargo.toml":          "[package]\nname = \"long-name\"\n",
	"crates/long/src/lib.rs":          "",
	"crates/long/src/old.rs":          "",
	"crates/unixy/Cargo.toml":         "[package]\nname = 'unixy'\n",
	"crates/unixy/src/lib.rs":         "",
	"crates/serde/Cargo.toml":         "[package]\nname = \"serde\"\n",
	"crates/serde/src/lib.rs":         "",
	"vendor/patched/Cargo.toml":       "[package]\nname = \"patched\"\n",
	"vendor/patched/src/lib.rs":       "",
	"loose/src/main.rs":               "",
	"loose/src/near.rs":               "",
}

func TestResolve(t *testing.T) {
	t.Parallel()
	resolver := Language{}.Resolver(sourcetest.Project{Files: workspace, Languages: []source.Language{Language{}}})
	tests := []struct{ from, imp, want string }{
		{"crates/cart/src/lib.rs", "crate::item Price", "crates/cart/src/item.rs Price"},
		{"crates/cart/src/lib.rs", "self::item Price", "crates/cart/src/item.rs Price"},
		{"crates/cart/src/lib.rs", "crate::item price", "crates/cart/src/item/price.rs * price"},
		{"crates/cart/src/lib.rs", "crate::item price Other", "crates/cart/src/item.rs Other; crates/cart/src/item/price.rs * price"},
		{"crates/cart/src/lib.rs", "crate::item::Price new", "crates/cart/src/item.rs Price"},
		{"crates/cart/src/lib.rs", "crate::item::inner X", "crates/cart/src/item.rs inner inner.X=X"},
		{"crates/cart/src/lib.rs", "crate::item *", "crates/cart/src/item.rs *"},
		{"crates/cart/src/lib.rs", "crate Cart", "crates/cart/src/lib.rs Cart"},
		{"crates/cart/src/lib.rs", "super x", ""},
		{"crates/cart/src/lib.rs", "crate::deep::er::file X", "crates/cart/src/deep/er/file.rs X"},
		{"crates/cart/src/main.rs", "crate Cart", "crates/cart/src/main.rs Cart"},
		{"crates/cart/src/main.rs", "cart Cart", "crates/cart/src/lib.rs Cart"},
		{"crates/cart/src/item.rs", "self::price Net", "crates/cart/src/item/price.rs Net"},
		{"crates/cart/src/item.rs", "super Cart", "crates/cart/src/lib.rs Cart"},
		{"crates/cart/src/item/price.rs", "super Item", "crates/cart/src/item.rs Item"},
		{"crates/cart/src/item/price.rs", "super::tax Rate", "crates/cart/src/item/tax/mod.rs Rate"},
		{"crates/cart/src/item/tax/mod.rs", "super::super *", "crates/cart/src/lib.rs *"},
		{"crates/cart/src/item/tax/mod.rs", "self X", "crates/cart/src/item/tax/mod.rs X"},
		{"crates/cart/src/item.rs", "money::amount Amount", "crates/money/src/amount.rs Amount"},
		{"crates/cart/src/item.rs", "money Amount", "crates/money/src/root.rs Amount"},
		{"crates/cart/src/item.rs", "shop_money Amount", ""},
		{"crates/cart/src/item.rs", "short X", "crates/long/src/lib.rs X"},
		{"crates/cart/src/item.rs", "long_name X", ""},
		{"crates/cart/src/item.rs", "unixy X", "crates/unixy/src/lib.rs X"},
		{"crates/cart/src/item.rs", "patched X", "vendor/patched/src/lib.rs X"},
		{"crates/cart/src/item.rs", "serde Serialize", ""},
		{"crates/cart/src/item.rs", "std::fmt Debug", ""},
		{"crates/cart/src/item.rs", "item X", ""},
		{"crates/cart/src/bin/admin.rs", "cart Cart", "crates/cart/src/lib.rs Cart"},
		{"crates/cart/src/bin/admin.rs", "crate Own", "crates/cart/src/bin/admin.rs Own"},
		{"crates/cart/src/bin/big/part.rs", "crate Own", "crates/cart/src/bin/big/main.rs Own"},
		{"crates/cart/src/bin/big/main.rs", "self::part X", "crates/cart/src/bin/big/part.rs X"},
		{"crates/cart/tests/all.rs", "self::common *", "crates/cart/tests/common/mod.rs *"},
		{"crates/cart/tests/common/mod.rs", "crate X", ""},
		{"crates/cart/tests/common/mod.rs", "self X", "crates/cart/tests/common/mod.rs X"},
		{"crates/cart/tools/hammer.rs", "super X", "crates/cart/tools/tool.rs X"},
		{"crates/long/src/lib.rs", "old X", "crates/long/src/old.rs X"},
		{"loose/src/main.rs", "self::near X", "loose/src/near.rs X"},
		{"nowhere.rs", "crate X", ""},
	}
	for _, test := range tests {
		fields := strings.Fields(test.imp)
		imp := source.Import{Path: fields[0]}
		for _, name := range fields[1:] {
			if name == "*" {
				imp.All = true
			} else {
				imp.Names = append(imp.Names, source.Name{Name: name})
			}
		}
		if got := spell(resolver.Resolve(test.from, imp)); got != test.want {
			t.Errorf("%s: %s leads to %q, want %q", test.from, test.imp, got, test.want)
		}
	}
}

func spell(targets []source.Target) string {
	var out []string
	for _, t := range targets {
		s := t.Dir + "/" + t.File
		if t.All {
			s += " *"
		}
		for _, n := range t.Names {
			s += " " + n.Name
			if n.As != "" {
				s += "=" + n.As
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestManifestOfATypo(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"Cargo.toml":     "[package]\nname = \"shop\"\nversion =\nedition = \"2021\"\n[dependencies]\nmoney = { path = \"money\" }\n",
		"src/lib.rs":     "",
		"money/src/a.rs": "", "money/src/lib.rs": "", "money/Cargo.toml": "[package]\nname = \"money\"\n[dependencies\n",
	}
	resolver := Language{}.Resolver(sourcetest.Project{Files: files, Languages: []source.Language{Language{}}})
	if got := resolver.Resolve("src/lib.rs", source.Import{Path: "money::a", All: true}); len(got) != 1 || got[0].Dir != "money/src" {
		t.Errorf("an import through a broken manifest leads to %v", got)
	}
}

func FuzzReadCargo(f *testing.F) {
	for _, text := range workspace {
		f.Add(text)
	}
	f.Add("a = {b = {c = [[[\"")
	f.Add("package = 1\nlib = []\nbin = [1, {path = 2}]\n[dependencies]\na = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := readCargo("a/Cargo.toml", []byte(text))
		if again := readCargo("a/Cargo.toml", []byte(text)); !reflect.DeepEqual(c, again) {
			t.Errorf("%+v, then %+v", c, again)
		}
	})
}

package java_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/java"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func project(paths ...string) sourcetest.Project {
	p := sourcetest.Project{Files: map[string]string{}, Languages: []source.Language{java.Language{}}}
	for _, name := range paths {
		p.Files[name] = ""
	}
	return p
}

func one(path, name string) source.Import {
	return source.Import{Path: path, Names: []source.Name{{Name: name}}}
}

func TestResolver(t *testing.T) {
	t.Parallel()
	p := project(
		"core/src/main/java/com/x/money/Money.java",
		"core/src/main/java/com/x/money/Rates.java",
		"core/src/test/java/com/x/money/MoneyTest.java",
		"core/src/test/java/com/x/money/Fixtures.java",
		"shop/src/main/java/com/x/shop/Cart.java",
		"shop/src/main/java/com/x/money/Shipping.java",
		"flavour/a/src/com/x/dup/Dup.java",
		"flavour/b/src/com/x/dup/Dup.java",
		"flavour/b/src/com/x/app/Main.java",
		"app/code/store/till/Till.java",
		"app/code/store/goods/Goods.java",
		"core/src/main/java/com/x/util/math/Sum.java",
		"emul/java/util/List.java",
		"plain/Plain.java",
		"Root.java",
	)
	r := java.Language{}.Resolver(p)
	const cart, money = "shop/src/main/java/com/x/shop/Cart.java", "core/src/main/java/com/x/money"
	target := func(dir, file, name string) []source.Target {
		return []source.Target{{Dir: dir, File: file, Names: []source.Name{{Name: name}}}}
	}
	for name, tc := range map[string]struct {
		from string
		imp  source.Import
		want []source.Target
	}{
		"type":              {cart, one("com.x.money", "Money"), target(money, "Money.java", "Money")},
		"second directory":  {cart, one("com.x.money", "Shipping"), target("shop/src/main/java/com/x/money", "Shipping.java", "Shipping")},
		"static or nested":  {cart, one("com.x.money.Money", "Unit"), target(money, "Money.java", "Money.Unit")},
		"deeply nested":     {cart, one("com.x.money.Money.Unit", "EURO"), target(money, "Money.java", "Money.Unit.EURO")},
		"no such type":      {cart, one("com.x.money", "Missing"), nil},
		"test type":         {"core/src/test/java/com/x/ATest.java", one("com.x.money", "Fixtures"), target("core/src/test/java/com/x/money", "Fixtures.java", "Fixtures")},
		"test type in main": {cart, one("com.x.money", "Fixtures"), nil},
		"package": {cart, source.Import{Path: "com.x.money", All: true}, []source.Target{
			{Dir: money, All: true}, {Dir: "shop/src/main/java/com/x/money", All: true},
		}},
		"members of a type":  {cart, source.Import{Path: "com.x.money.Rates", All: true}, []source.Target{{Dir: money, All: true}}},
		"closest":            {"flavour/b/src/com/x/app/Main.java", one("com.x.dup", "Dup"), target("flavour/b/src/com/x/dup", "Dup.java", "Dup")},
		"closest, first":     {cart, one("com.x.dup", "Dup"), target("flavour/a/src/com/x/dup", "Dup.java", "Dup")},
		"unusual root":       {"app/code/store/till/Till.java", one("store.goods", "Goods"), target("app/code/store/goods", "Goods.java", "Goods")},
		"end of another":     {cart, one("util.math", "Sum"), nil},
		"standard library":   {cart, one("java.util", "List"), nil},
		"library":            {cart, source.Import{Path: "org.junit", All: true}, nil},
		"root package":       {"Root.java", one("plain", "Plain"), target("plain", "Plain.java", "Plain")},
		"one name, no names": {cart, source.Import{Path: "com"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := r.Resolve(tc.from, tc.imp); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	p := project()
	for i := range 20_000 {
		p.Files[fmt.Sprintf("m%d/src/main/java/com/x/p%d/util/T%d.java", i%40, i%2000, i)] = ""
	}
	r := java.Language{}.Resolver(p)
	for b.Loop() {
		r.Resolve("m1/src/main/java/com/x/p1/util/T1.java", one("com.x.p7.util.T7", "Inner"))
	}
}

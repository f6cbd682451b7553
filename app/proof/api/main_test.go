package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	symbols := []symbol{
		{Symbol: node.Symbol{Name: "core.Command", As: []string{"click.Command", "click.core.Command"}, Kind: source.Class}},
		{Symbol: node.Symbol{Name: "core.extra", As: []string{"click.core.extra"}, Kind: source.Func}},
		{Symbol: node.Symbol{Name: "core.LIMIT", As: []string{"click.core.LIMIT"}, Kind: source.Const}},
	}
	told := account{public: map[string]bool{"click.core.Command": true, "click.echo": true}, tells: func(s *symbol) bool { return s.Kind != source.Const }}
	want := "python click: recall 0.500 (1 of 2), precision 0.500 (1 of 2)\n  missed: click.echo\n  not public: click.core.extra\n"
	if got := compare("python click", told, symbols); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGoDoc(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop.go":       "package shop\n\nconst Limit, own = 1, 2\n\ntype Cart struct{}\n\nfunc (Cart) Add() {}\n\nfunc (Cart) drop() {}\n\nfunc Open() *Cart { return nil }\n",
		"tasks.go":      "//go:build mage\n\npackage shop\n\nfunc Release() {}\n",
		"there.go":      "//go:build !tinygo\n\npackage shop\n\nfunc There() {}\n",
		"internal/i.go": "package internal\n\nfunc Hidden() {}\n",
		"cmd/main.go":   "package main\n\nfunc Run() {}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told, err := goDoc(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"shop.Cart", "shop.Cart.Add", "shop.Limit", "shop.Open", "shop.There"}
	if got := slices.Sorted(maps.Keys(told.public)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestClassMembers parses javap's output for a class, a nested enumeration, and a class that is not public.
func TestClassMembers(t *testing.T) {
	t.Parallel()
	const printed = `Compiled from "Cart.java"
public class com.x.Cart extends java.lang.Object {
  protected int limit;
  public com.x.Cart();
  public static <T> java.util.List<T> all(T, int) throws java.io.IOException;
}
public final class com.x.Cart$Kind extends java.lang.Enum<com.x.Cart$Kind> {
  public static final com.x.Cart$Kind LARGE;
  public static com.x.Cart$Kind[] values();
  public int size();
}
class com.x.Own {
  public void hidden();
}
`
	want := []string{"com.x.Cart", "com.x.Cart.Kind", "com.x.Cart.Kind.size", "com.x.Cart.all", "com.x.Cart.limit"}
	if got := slices.Sorted(maps.Keys(classMembers(printed))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

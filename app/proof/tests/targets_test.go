package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// shop is a package of which one text after the other is replaced.
const shop = `package shop

import "fmt"

// Price says what something costs.
func Price(n int) string { return format(limit(n)) }

func limit(n int) int { return min(n, most) }

const (
	least = iota
	most
)

func format(n int) string {
	return fmt.Sprint(
		n,
	)
}

type Cart struct{ n int }

func (c *Cart) Add(n int) { c.n += n }

func Other(c Cart) int { return c.n }
`

// TestTargets checks which functions get another signature or body by an edit.
func TestTargets(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	before := targetsOf(t, shop)
	for _, c := range []struct {
		name, old, by      string
		signatures, bodies []string
	}{
		{"a comment", "// Price says", "// Price tells", nil, nil},
		{"form", "fmt.Sprint(\n\t\tn,\n\t)", "fmt.Sprint(n)", nil, nil},
		{"a body that is reached", "min(n, most)", "max(n, most)", nil, []string{"_root Price", "_root limit"}},
		{"a value that is reached", "\tmost\n", "\tmost = 7\n", nil, []string{"_root Price", "_root limit"}},
		{"an unused value", "\tleast = iota", "\tleast = iota + 0", nil, nil},
		{"the name of a parameter", "limit(n int) int { return min(n,", "limit(m int) int { return min(m,", nil, []string{"_root Price", "_root limit"}},
		{"a result", "Other(c Cart) int { return c.n }", "Other(c Cart) int64 { return int64(c.n) }", []string{"_root Other"}, []string{"_root Other"}},
		{"a receiver", "(c *Cart) Add", "(c Cart) Add", []string{"_root Cart.Add"}, []string{"_root Cart.Add"}},
		{"a type", "Cart struct{ n int }", "Cart struct{ n int; m string }", nil, []string{"_root Cart.Add", "_root Other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			after := targetsOf(t, replaceOnce(t, shop, c.old, c.by))
			var signatures, bodies []string
			for name, now := range after {
				if now.signature != before[name].signature {
					signatures = append(signatures, name)
				}
				if now.body != before[name].body {
					bodies = append(bodies, name)
				}
			}
			slices.Sort(signatures)
			slices.Sort(bodies)
			if len(after) != 5 || !slices.Equal(signatures, c.signatures) || !slices.Equal(bodies, c.bodies) {
				t.Errorf("of %d, other signatures %q, other bodies %q; want %q and %q", len(after), signatures, bodies, c.signatures, c.bodies)
			}
		})
	}
}

func targetsOf(t *testing.T, text string) map[string]seen {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "shop.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := targets(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

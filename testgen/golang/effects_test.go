package golang

import (
	"fmt"
	"strings"
	"testing"
)

// TestState: what a function gives has to be the same whatever was called before.
func TestState(t *testing.T) {
	t.Parallel()
	changes := func(name string) string {
		return "changes the variable " + name + " of the package, which later calls see"
	}
	for name, tt := range map[string]struct{ source, reason string }{
		"nothing":         {"func F(n int) int { return n }", ""},
		"a counter":       {"var n int\n\nfunc F(m int) int { n++; return n + m }", changes("n")},
		"read alone":      {"var limit = 3\n\nfunc F(n int) int { return min(n, limit) }", ""},
		"nothing by name": {"var _ = 1\n\nfunc F(n int) int { _ = n; return n }", ""},
		"a local one":     {"var n int\n\nfunc F(m int) int { n := m; n++; return n }", ""},
		"set once":        {"var (\n\tlimit int\n\tonce sync.Once\n)\n\nfunc F(n int) int { once.Do(func() { limit = 3 }); return min(n, limit) }", ""},
		"set at each call": {
			"var limit int\n\nfunc F(n int) int { do := func() { limit = n }; do(); return limit }", changes("limit"),
		},
		"an entry":                   {"var seen = map[int]bool{}\n\nfunc F(n int) bool { old := seen[n]; seen[n] = true; return old }", changes("seen")},
		"an entry's field":           {"type s struct{ n int }\n\nvar all [9]s\n\nfunc F(n int) int { all[1].n++; return all[1].n }", changes("all")},
		"what it points to":          {"var at = new(int)\n\nfunc F(n int) int { *at += n; return *at }", changes("at")},
		"an entry that goes":         {"var seen = map[int]bool{}\n\nfunc F(n int) int { delete(seen, n); return len(seen) }", changes("seen")},
		"by address":                 {"var n uint64\n\nfunc F(m uint64) uint64 { return atomic.AddUint64(&n, m) }", changes("n")},
		"an atomic counter":          {"var n atomic.Uint64\n\nfunc F(m uint64) uint64 { return n.Add(m) }", changes("n")},
		"an atomic read":             {"var n atomic.Uint64\n\nfunc F(m uint64) uint64 { return n.Load() + m }", ""},
		"a map for all":              {"var seen sync.Map\n\nfunc F(n int) bool { _, old := seen.LoadOrStore(n, 1); return old }", changes("seen")},
		"a field that counts":        {"var at struct{ n atomic.Int64 }\n\nfunc F(m int64) int64 { return at.n.Add(m) }", changes("at")},
		"a method that counts":       {"type c struct{ n int }\n\nfunc (c *c) next() int { c.n++; return c.n }\n\nvar at = &c{}\n\nfunc F(n int) int { return n + at.next() }", changes("at")},
		"a method of a field":        {"type c struct{ n atomic.Int64 }\n\nfunc (c *c) next() int64 { return c.n.Add(1) }\n\nvar at c\n\nfunc F(n int64) int64 { return n + at.next() }", changes("at")},
		"a method of a method":       {"type c struct{ n int }\n\nfunc (c *c) add() { c.n++ }\n\nfunc (c *c) next() int { c.add(); return c.n }\n\nfunc make1() *c { return &c{} }\n\nvar at = make1()\n\nfunc F(n int) int { return n + at.next() }", changes("at")},
		"a method that reads":        {"type c struct{ n int }\n\nfunc (c *c) get() int { return c.n }\n\nvar at = &c{3}\n\nfunc F(n int) int { return n + at.get() }", ""},
		"methods in a circle":        {"type c struct{ n int }\n\nfunc (c *c) a(n int) int { if n > 0 { return c.b(n - 1) }; return 0 }\n\nfunc (c *c) b(n int) int { c.n++; return c.a(n) }\n\nvar at = &c{}\n\nfunc F(n int) int { return at.a(n) }", changes("at")},
		"a receiver like a variable": {"type c struct{ n atomic.Int64 }\n\nfunc (at *c) next() int64 { return at.n.Add(1) }\n\nvar at = other{}\n\ntype other struct{ n int }\n\nvar real c\n\nfunc F(n int64) int64 { return n + real.next() }", changes("real")},
		"a receiver bound anew":      {"type c struct{ next *c }\n\nfunc (c *c) last() int { for c.next != nil { c = c.next }; return 1 }\n\nvar at = &c{}\n\nfunc F(n int) int { return n + at.last() }", ""},
		"a buffer":                   {"var b strings.Builder\n\nfunc F(s string) string { b.WriteString(s); return b.String() }", changes("b")},
		"a local address":            {"func F(s string) int { var n int; fmt.Sscan(s, &n); return n }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plan(t, files{"p/p.go": "package p\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n" + tt.source + "\n"}, "F")
			if p.Reason != tt.reason {
				t.Errorf("the reason against tests is %q, want %q", p.Reason, tt.reason)
			}
		})
	}
}

// TestManyMethods: of methods that call each other without end it is not found out what they change, and it is taken for granted that they do.
func TestManyMethods(t *testing.T) {
	t.Parallel()
	for n, reason := range map[int]string{50: "", mostMethods + 1: "changes the variable at of the package, which later calls see"} {
		var text strings.Builder
		text.WriteString("package p\n\ntype c struct{ n int }\n\nvar at = &c{}\n\nfunc F(n int) int { return at.m0() + n }\n\n")
		for i := range n {
			fmt.Fprintf(&text, "func (c *c) m%d() int { return c.m%d() }\n", i, i+1)
		}
		fmt.Fprintf(&text, "func (c *c) m%d() int { return c.n }\n", n)
		if p := plan(t, files{"p/p.go": text.String()}, "F"); p.Reason != reason {
			t.Errorf("%d methods: the reason against tests is %q, want %q", n, p.Reason, reason)
		}
	}
}

package golang

import "testing"

// TestState: what a function gives has to be the same whatever was called before.
func TestState(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ source, reason string }{
		"nothing":         {"func F(n int) int { return n }", ""},
		"a counter":       {"var n int\n\nfunc F(m int) int { n++; return n + m }", "changes the variable n of the package, which later calls see"},
		"read alone":      {"var limit = 3\n\nfunc F(n int) int { return min(n, limit) }", ""},
		"nothing by name": {"var _ = 1\n\nfunc F(n int) int { _ = n; return n }", ""},
		"a local one":     {"var n int\n\nfunc F(m int) int { n := m; n++; return n }", ""},
		"set once":        {"var (\n\tlimit int\n\tonce sync.Once\n)\n\nfunc F(n int) int { once.Do(func() { limit = 3 }); return min(n, limit) }", ""},
		"set at each call": {
			"var limit int\n\nfunc F(n int) int { do := func() { limit = n }; do(); return limit }", "changes the variable limit of the package, which later calls see",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plan(t, files{"p/p.go": "package p\n\nimport \"sync\"\n\nvar _ sync.Once\n\n" + tt.source + "\n"}, "F")
			if p.Reason != tt.reason {
				t.Errorf("the reason against tests is %q, want %q", p.Reason, tt.reason)
			}
		})
	}
}

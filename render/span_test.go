package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestPartsSayBetweenWhichNamesTheyGo checks that names that do not fit in a line can be found by the range of their part.
func TestPartsSayBetweenWhichNamesTheyGo(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	code.WriteString("// Package m counts.\npackage m\n\n")
	for i := range 24 {
		fmt.Fprintf(&code, "// F%02d is one.\nfunc F%02d() {}\n\n", i, i)
	}
	r := newRepo(t, map[string]string{"go.mod": "module x\n", "m/m.go": code.String(), "m/n.go": "package m\n\n// N is one.\nfunc N() {}\n"})
	parts := []source.Part{{Name: "m", Files: []string{"m.go"}}, {Name: "m-2", Files: []string{"m.go"}, From: "F12"}, {Name: "n", Files: []string{"n.go"}}}
	text := pageOf(r.config, r.nodes()["m"], r.graph(), parts)
	for _, want := range []string{"(m~m.md)\n  — from `m.F00` to `m.F11`: `m.F00`, ", "(m~m-2.md)\n  — from `m.F12` to `m.F23`: `m.F12`, ", "(m~n.md)\n  — `m.N`\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
}

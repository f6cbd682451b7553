package cli_test

import (
	"strings"
	"testing"
)

// TestOnlyTheFileThatChangesThePageIsBlamed: files whose bodies changed since the last update are no reason, also where no cache knows
// when that was.
func TestOnlyTheFileThatChangesThePageIsBlamed(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("go.mod", "module example.com/m\n\ngo 1.24\n")
	for _, f := range []string{"a", "b", "c"} {
		r.write("m/"+f+".go", "package m\n\n// F"+f+" is there.\nfunc F"+f+"() int { return 1 }\n")
	}
	r.update()
	r.commit("Begin")
	for _, f := range []string{"a", "b"} {
		r.write("m/"+f+".go", strings.Replace(r.read("m/"+f+".go"), "return 1", "return 2", 1))
		r.commit("Change a body")
	}
	r.write("m/c.go", strings.Replace(r.read("m/c.go"), "Fc()", "Fc(n int)", 1))
	r.commit("Change a signature")
	for _, warm := range []bool{true, false} {
		if !warm {
			r.remove(".git/causal")
		}
		got := r.causal(1, "check")
		if !strings.Contains(got.out, "m/c.go changed (Fc)") || strings.Contains(got.out, "m/a.go") || strings.Contains(got.out, "m/b.go") {
			t.Errorf("with a cache: %t\n%s", warm, got)
		}
	}
}

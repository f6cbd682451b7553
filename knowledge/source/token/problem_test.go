package token_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/token"
)

func TestProblem(t *testing.T) {
	t.Parallel()
	var p token.Problem
	if p.Found() || p.String() != "" {
		t.Errorf("nothing was reported, and it says %q", p.String())
	}
	for _, step := range []struct {
		line int32
		what string
		want string
	}{
		{7, "a", "line 7: expected a"},
		{9, "b", "line 7: expected a"}, // further down
		{7, "c", "line 7: expected a"}, // told later
		{3, "d", "line 3: expected d"},
		{0, "e", "line 0: expected e"},
	} {
		p.Report(step.line, "expected %s", step.what)
		if !p.Found() || p.String() != step.want {
			t.Errorf("after %q in line %d it says %q, want %q", step.what, step.line, p.String(), step.want)
		}
	}
}

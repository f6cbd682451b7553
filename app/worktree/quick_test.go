package worktree_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/survey"
)

// TestAQuickEditOfTheSameSize: a file that is changed right after it was looked at, to content of the same size, never
// passes for what it was.
func TestAQuickEditOfTheSameSize(t *testing.T) {
	t.Parallel()
	f := setup(t, time.Now)
	s := survey.State{}
	for i := range 60 {
		f.write("new.go", fmt.Sprintf("package a // %03d\n", i))
		next := f.state(s)
		if changed := f.between(s, next); len(changed) != 1 && i > 0 {
			t.Fatalf("edit %d was not seen: %v", i, changed)
		}
		s = next
	}
}

package githubsim

import (
	"slices"
	"testing"
)

func TestLinesAreFollowedThroughAPatch(t *testing.T) {
	t.Parallel()
	const patch = "@@ -2,4 +2,5 @@ func\n two\n-three\n+THREE\n+more\n four\n five\n@@ -20,2 +21 @@\n twenty\n-last\n\\ No newline at end of file\n"
	for _, trial := range []struct {
		patch string
		after []int // of the lines from 1
	}{
		{patch, []int{1, 2, 0, 5, 6, 7, 8}},
		{"", []int{1, 2, 3}},
		{"@@ -0,0 +1,2 @@\n+a\n+b", []int{3, 4}},
		{"@@ -1,2 +0,0 @@\n-a\n-b", []int{0, 0, 1}},
	} {
		var got []int
		for line := range len(trial.after) {
			got = append(got, carried(trial.patch, line+1))
		}
		if !slices.Equal(got, trial.after) {
			t.Errorf("%q: %v, want %v", trial.patch, got, trial.after)
		}
	}
	if got := carried(patch, 21); got != 0 {
		t.Errorf("the last line is now %d", got)
	}
	if got := carried(patch, 30); got != 30 {
		t.Errorf("what follows is now %d", got)
	}
}

func TestLinesAreLocatedInAPatch(t *testing.T) {
	t.Parallel()
	const patch = "@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n@@ -20 +20,2 @@\n twenty\n+end"
	for _, trial := range []struct {
		side     string
		line     int
		position int // 0: it is not there
		text     string
	}{
		{right, 2, 1, "@@ -2,3 +2,3 @@\n two"}, {left, 3, 2, "@@ -2,3 +2,3 @@\n two\n-three"}, {right, 3, 3, "@@ -2,3 +2,3 @@\n two\n-three\n+THREE"},
		{right, 5, 0, ""}, {left, 21, 0, ""}, {right, 21, 7, "@@ -20 +20,2 @@\n twenty\n+end"}, {right, 0, 0, ""},
	} {
		if got, there := locate(patch, trial.side, trial.line); there != (trial.position > 0) || got.position != trial.position || got.text != trial.text {
			t.Errorf("%s %d: %+v, %t", trial.side, trial.line, got, there)
		}
	}
}

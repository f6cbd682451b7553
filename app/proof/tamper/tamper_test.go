package main

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

// TestTamper: at a small scale, each change is found and named, and no honest one is.
func TestTamper(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	var out, talk bytes.Buffer
	code := proof.Run(t.Context(), []string{"-events", "30", "-mutations", "100", "-git", strconv.Itoa(len(ofClones))}, &out, &talk)
	if code != trial.ExitHolds {
		t.Errorf("exit code %d: %s\n%s", code, talk.String(), out.String())
	}
	for _, c := range append(cloneChanges(), changes...) {
		if !strings.Contains(out.String(), c.name+" | ") {
			t.Errorf("%s was not tried", c.name)
		}
	}
	if strings.Contains(out.String(), "Not found | 0 |") {
		t.Error("nothing was counted")
	}
}

// TestTallyFails checks that an undetected, unnamed or false report fails.
func TestTallyFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		honest bool
		by     foundBy
		named  bool
		want   bool
	}{
		{false, byFiles, true, true}, {false, byCopy, true, true}, {false, byNobody, false, false}, {false, byFiles, false, false}, {true, byNobody, false, true}, {true, byHistory, true, false},
	} {
		var sum tally
		sum.add(change{name: "x", honest: c.honest}, c.by, c.named)
		if sum.holds() != c.want {
			t.Errorf("%+v holds: %v", c, sum.holds())
		}
	}
}

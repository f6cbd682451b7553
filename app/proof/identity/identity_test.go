package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

// repository has a history of one file: lines above, an edited line, a rename, and one of two equal lines that goes.
func repository(t *testing.T, versions ...map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	for _, files := range versions {
		git("rm", "-rq", "--ignore-unmatch", ".")
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", "edit")
	}
	return dir
}

const program = `package a

func f() error {
	x, _ := g(100)
	if !x {
		return nil
	}
	x, _ = g(100)
	return err
}
`

func TestHistory(t *testing.T) {
	t.Parallel()
	moved := strings.Replace(program, "package a\n", "package a\n\n// Two lines more.\nvar y int\n", 1)
	edited := strings.Replace(moved, "x, _ := g(100)", "x, _ := g(100, y)", 1)
	renamed := "// Package a is one.\n" + edited
	fewer := strings.Replace(renamed, "\tx, _ = g(100)\n", "", 1)
	dir := repository(t, map[string]string{"a.go": program}, map[string]string{"a.go": moved}, map[string]string{"a.go": edited}, map[string]string{"b.go": renamed}, map[string]string{"b.go": fewer})
	all, err := measure(t.Context(), dir, 10)
	if err != nil {
		t.Fatal(err)
	}
	// Of 7 findings, all are carried but 2 that are edited once, and 2 that go.
	if all.commits != 4 || all.files != 4 || all.findings != 28 || all.unchanged[0] != (loss{24, 0}) || all.unchanged[1] != (loss{24, 0}) || all.edited[0] != (loss{2, 0}) {
		t.Errorf("%+v", all)
	}
	if all.unchanged[3].lost == 0 || all.edited[2].lost == 0 {
		t.Errorf("the other schemes lose nothing: %+v", all)
	}
	var out, errs bytes.Buffer
	if code := proof.Run(t.Context(), []string{"-n", "3", dir}, &out, &errs); code != trial.ExitHolds || !strings.Contains(out.String(), "causal ") || errs.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}

// TestLossIsTold: what loses too much does not pass, and neither does what carried nothing.
func TestLossIsTold(t *testing.T) {
	t.Parallel()
	good := tally{}
	good.unchanged[0], good.unchanged[1], good.edited[0] = loss{1000, 5}, loss{1000, 5}, loss{100, 5}
	if !good.holds() {
		t.Error("what is at the limit does not pass")
	}
	for _, spoil := range []func(t *tally){
		func(t *tally) { t.unchanged[0].lost++ }, func(t *tally) { t.unchanged[1].lost++ }, func(t *tally) { t.edited[0].lost++ }, func(t *tally) { *t = tally{} },
	} {
		bad := good
		if spoil(&bad); bad.holds() {
			t.Errorf("%+v passes", bad)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for want, args := range map[int][]string{trial.ExitUsage: {}, trial.ExitHolds: {"-h"}, trial.ExitFailure: {t.TempDir()}} {
		var out, errs bytes.Buffer
		if code := proof.Run(t.Context(), args, &out, &errs); code != want || errs.Len() == 0 {
			t.Errorf("%v: exit %d: %s", args, code, errs.String())
		}
	}
}

func TestLinesOfHunks(t *testing.T) {
	t.Parallel()
	var files []pair
	for _, line := range []string{"diff --git a/a.go b/b.go", "rename from a.go", "index 1..2 100644", "--- a/a.go", "+++ b/b.go", "@@ -2,0 +3,2 @@ f", "@@ -5 +8 @@", "@@ -7,2 +9,0 @@"} {
		if _, err := note(&files, line); err != nil {
			t.Fatal(err)
		}
	}
	p := files[0]
	if p.was != "a.go" || p.now != "b.go" || p.before != "1" || p.after != "2" {
		t.Errorf("%+v", p)
	}
	for line, want := range map[int][2]int{2: {2, 0}, 3: {5, 0}, 5: {0, 2}, 6: {8, 0}, 7: {0, 3}, 9: {9, 0}} {
		if now, in := p.to(line); now != want[0] || in != want[1] {
			t.Errorf("line %d is %d, in hunk %d; want %v", line, now, in, want)
		}
	}
	if p.edited(3) != 1 || p.edited(5) != 0 || p.edited(8) != 2 || p.edited(9) != 0 {
		t.Error("what was edited is not told")
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

// repository is a history of the files that each commit has.
func repository(t *testing.T, versions ...map[string]string) (dir string, ids []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "owner", "shop.git")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		c := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for i, files := range versions {
		git("rm", "-rq", "--ignore-unmatch", ".")
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", fmt.Sprintf("edit %d", i))
		ids = append(ids, git("rev-parse", "HEAD"))
	}
	return dir, ids
}

// shop removes a function that the README names, and has too many files at last.
func shop(t *testing.T) (dir string, ids []string) {
	t.Helper()
	const mod, readme = "module example.com/shop\n", "# Shop\n\nCall `shop.ParseAmount`.\n"
	large := map[string]string{"go.mod": mod}
	for i := range mostFiles + 1 {
		large[fmt.Sprintf("f%d.txt", i)] = "x\n"
	}
	return repository(t,
		map[string]string{"go.mod": mod, "README.md": readme, "shop.go": "package shop\n\n// ParseAmount reads.\nfunc ParseAmount() {}\n"},
		map[string]string{"go.mod": mod, "README.md": readme, "shop.go": "package shop\n"}, large)
}

func TestReplay(t *testing.T) {
	t.Parallel()
	dir, ids := shop(t)
	var out, errs bytes.Buffer
	if code := proof.Run(t.Context(), []string{"-n", "9", dir}, &out, &errs); code != trial.ExitHolds {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		var f told
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join([]string{f.Repo, f.Commit, f.Rule, f.Place, f.Symbol, f.Subject}, " "))
	}
	at := short(ids[1])
	want := []string{
		"owner/shop " + at + " stale-reference README.md:3 ParseAmount edit 1", "owner/shop " + at + " api-break shop.go:4 ParseAmount edit 1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(errs.String(), "1 changes; left out: 1 with more than 100 files") {
		t.Error(errs.String())
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	dir, ids := shop(t)
	of := func(rule, place, verdict string) string {
		return fmt.Sprintf(`{"repo":"owner/shop","commit":%q,"rule":%q,"place":%q,"symbol":"ParseAmount","verdict":%q,"why":"so"}`+"\n", short(ids[1]), rule, place, verdict)
	}
	verdictOf := func(verdict string) string { return of("stale-reference", "README.md:3", verdict) }
	listed := of("api-break", "shop.go:4", wrong)
	for text, want := range map[string]int{
		verdictOf(real): trial.ExitHolds, verdictOf(wrong): trial.ExitDiffers, verdictOf(real) + listed: trial.ExitHolds, listed: trial.ExitDiffers,
		"": trial.ExitDiffers, verdictOf("perhaps"): trial.ExitFailure, `{"a":1}`: trial.ExitFailure, "x": trial.ExitFailure,
	} {
		file := filepath.Join(t.TempDir(), "verdicts.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := proof.Run(t.Context(), []string{"-verdicts", file, dir}, &out, &errs); code != want {
			t.Errorf("%q: exit %d, want %d: %s%s", text, code, want, out.String(), errs.String())
		}
	}
}

// TestPromotions: what a linter found in three commits is a principle, and told with them.
func TestPromotions(t *testing.T) {
	t.Parallel()
	var versions []map[string]string
	text := "package shop\n"
	for range 5 {
		versions = append(versions, map[string]string{"go.mod": "module example.com/shop\n", "shop.go": text})
		text += fmt.Sprintf("\nfunc f%d(net int64) float64 { return float64(net) * 1.2 }\n", len(versions))
	}
	dir, ids := repository(t, versions...)
	logs := filepath.Join(t.TempDir(), "owner", "shop")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		log := fmt.Sprintf(`{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [{"ruleId": "no-float", "message": {"text": "No floats."},
			"locations": [{"physicalLocation": {"artifactLocation": {"uri": "shop.go"}, "region": {"startLine": %d}}}]}]}]}`, 1+2*i)
		if err := os.WriteFile(filepath.Join(logs, id+".sarif"), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := proof.Run(t.Context(), []string{"-logs", filepath.Dir(filepath.Dir(logs)), dir}, &out, &errs); code != trial.ExitHolds {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if !strings.Contains(out.String(), `"commit":"`+short(ids[3])+`","principle":"lint-no-float"`) || !strings.Contains(errs.String(), "1 principles, 25.0 of 100 changes") {
		t.Errorf("%s%s", out.String(), errs.String())
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

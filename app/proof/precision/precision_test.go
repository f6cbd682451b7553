package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
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
		out, err := trial.Git(t.Context(), dir, nil, args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
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
	if !strings.Contains(errs.String(), "1 changes; skipped: 1 with more than 100 files") {
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

func TestUsage(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]int{"-x": trial.ExitUsage, "-h": trial.ExitHolds, t.TempDir(): trial.ExitUsage} {
		var out, errs bytes.Buffer
		if code := proof.Run(t.Context(), []string{arg}, &out, &errs); code != want || errs.Len() == 0 {
			t.Errorf("%s: exit %d: %s", arg, code, errs.String())
		}
	}
}

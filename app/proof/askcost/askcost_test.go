package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

// TestMeasure: in a small repository, the planted fact is found, and its share is measured.
func TestMeasure(t *testing.T) {
	clone := filepath.Join(t.TempDir(), "shop")
	for name, text := range map[string]string{
		"money/money.go": "// Package money holds amounts.\npackage money\n", "binary": "\x00", "notes.md": strings.Repeat("The van waits at the gate.\n", 4000), "go.mod": "module example.com/shop\n",
	} {
		at := filepath.Join(clone, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--message=Begin"}} {
		if _, err := trial.Git(t.Context(), clone, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	for most, code := range map[string]int{"100": trial.ExitHolds, "0.001": trial.ExitDiffers} {
		var out, talk bytes.Buffer
		if got := proof.Run(t.Context(), []string{"-tokens", "20000", "-most", most, clone}, &out, &talk); got != code || !strings.Contains(out.String(), "in 3 requests") {
			t.Errorf("at most %s %%: exit code %d\n%s%s", most, got, &out, &talk)
		}
	}
	var out, talk bytes.Buffer
	if got := proof.Run(t.Context(), []string{"-tokens", "2000000", clone}, &out, &talk); got != trial.ExitUsage {
		t.Errorf("too few sources: exit code %d\n%s", got, &talk)
	}
}

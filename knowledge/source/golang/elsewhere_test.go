package golang

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestElsewhere(t *testing.T) {
	t.Parallel()
	for guard, want := range map[string]bool{
		"windows": true, "!windows": false, "darwin || linux": false, "unix && !linux": true, "arm64": true, "go1.18": false, "integration": true, "(": false,
	} {
		if got := elsewhere(guard); got != want {
			t.Errorf("%s: %v", guard, got)
		}
	}
}

// TestVariantOfTheUsualPlatform: of several declarations of one function, the one that Linux builds counts.
func TestVariantOfTheUsualPlatform(t *testing.T) {
	t.Parallel()
	m := source.Module{Path: "a"}
	for _, f := range [][2]string{
		{"a/run_darwin.go", "package a\n\n// Run runs on Darwin.\nfunc Run() {}\n"},
		{"a/run_other.go", "//go:build !darwin\n\npackage a\n\nfunc Run() {}\n"},
		{"a/b_windows.go", "package a\n\nfunc Only() {}\n"},
	} {
		m.Units = append(m.Units, source.Unit{Path: f[0], File: Language{}.Extract(context.Background(), f[0], []byte(f[1]))})
	}
	got := map[string]string{}
	for _, d := range m.Declarations() {
		got[d.Name] = d.Path
	}
	if got["Run"] != "a/run_other.go" || got["Only"] != "a/b_windows.go" {
		t.Errorf("got %v", got)
	}
}

package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/render/node"
)

// kept lists the modules that show their last good text because a file does not parse now. Nothing is left of that
// text for a clean run to find, so these are not compared.
func kept(walked, clean map[string]*node.Node) map[string]bool {
	out := map[string]bool{}
	for m, n := range walked {
		if c := clean[m]; c != nil && n.Stale != "" && len(c.Problems()) > 0 {
			out[m] = true
		}
	}
	return out
}

// differing lists the files that differ between the two sides, ignoring provenance.
func differing(walked, clean files, kept map[string]bool) []string {
	all := maps.Clone(walked)
	maps.Copy(all, clean)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(p string) bool {
		m, about := layout().ModuleOf(p)
		if about && kept[m] || len(kept) > 0 && p == layout().Index() {
			return true
		}
		a, there := walked[p]
		b, wanted := clean[p]
		return there && wanted && bytes.Equal(settled(p, a), settled(p, b))
	})
}

// difference shows how a file differs from that of a clean run.
type difference struct {
	Commit commit `json:"commit"`
	File   string `json:"file"`
	Diff   string `json:"diff"`
}

// longestDiff is how many lines of a diff are shown.
const longestDiff = 40

// diff compares a file of the walk with the same file of the clean run.
func diff(ctx context.Context, scratch, name string, walked, clean files) (string, error) {
	dir, err := os.MkdirTemp(scratch, "diff-")
	if err != nil {
		return "", err
	}
	for side, f := range map[string]files{"walked": walked, "clean": clean} {
		data, ok := f[name]
		if ok {
			data = settled(name, data)
		}
		if err := os.WriteFile(filepath.Join(dir, side), data, 0o600); err != nil {
			return "", err
		}
	}
	out, err := git(ctx, dir, "diff", "--no-index", "--no-color", "--no-ext-diff", "walked", "clean")
	if err != nil && out == "" {
		return "", err // exit code 1 means only that the files differ
	}
	if out == "" {
		return "one of the sides has no such file\n", nil
	}
	lines := slices.Collect(strings.Lines(out))
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "@@") }); i > 0 {
		lines = lines[i:]
	}
	if len(lines) > longestDiff {
		lines = append(lines[:longestDiff], "…\n")
	}
	return strings.Join(lines, ""), nil
}

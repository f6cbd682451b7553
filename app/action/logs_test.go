package action

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/review/finding"
)

// TestFindLogs: patterns are of the workspace, every file counts once, and sizes are looked at before anything is read.
func TestFindLogs(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	sizes := map[string]int64{"a.sarif": 10, "b.sarif": 10, "logs/x/c.sarif": 10, "large/hundred.sarif": 100_000_000, "two/1": 40 << 20, "two/2": 40 << 20, "fit/1": largestLogs}
	for n := range mostLogs + 1 {
		sizes[fmt.Sprintf("many/%d", n)] = 1
	}
	for name, size := range sizes {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644), os.Truncate(file, size)); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(elsewhere, "d.sarif")
	if err := os.WriteFile(outside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for input, c := range map[string]struct {
		names, fault, note string
	}{
		"":                             {},
		"\n  \n":                       {},
		"a.sarif":                      {names: "a.sarif"},
		"*.sarif\na.sarif\r\nlogs/*/*": {names: "a.sarif b.sarif logs/x/c.sarif"},
		filepath.Join(dir, "b.sarif"):  {names: "b.sarif"},
		outside:                        {names: outside},
		"none.sarif\na.sarif":          {names: "a.sarif", note: "No file matches none.sarif of the input sarif"},
		"logs":                         {fault: "the input sarif matches logs, which is not a file"},
		"logs/**/*.sarif":              {fault: "the input sarif has logs/**/*.sarif: `*` matches within one name"},
		"[a":                           {fault: "syntax error in pattern"},
		"large/*":                      {fault: "larger than 64 MiB; large/hundred.sarif has 95 MiB"},
		"two/*":                        {fault: "larger than 64 MiB; two/2 has 40 MiB"},
		"fit/*":                        {names: "fit/1"},
		"many/*":                       {fault: "more than 100 files"},
	} {
		files, notes, err := (&job{workspace: dir, sarif: input}).findLogs()
		if c.fault != "" {
			if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%q is refused with %v, want %q", input, err, c.fault)
			}
			continue
		}
		var names []string
		for _, f := range files {
			names = append(names, f.name)
		}
		if said := strings.Join(notes, "\n"); err != nil || strings.Join(names, " ") != c.names || !strings.HasPrefix(said, c.note) || (said == "") != (c.note == "") {
			t.Errorf("%q names %q, %q, %v; want %q, %q", input, names, notes, err, c.names, c.note)
		}
	}
}

func TestReadFailOn(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]failOn{
		"stale": {stale: true}, "none": {}, "error": {limit: finding.Error}, "stale, warning": {true, finding.Warning}, "note stale": {true, finding.Note},
	} {
		if got, err := readFailOn(input); err != nil || got != want {
			t.Errorf("%q is %+v (%v), want %+v", input, got, err, want)
		}
	}
	for _, input := range []string{"never", "none, stale", "error, warning", "Stale", "stale;error"} {
		if got, err := readFailOn(input); err == nil {
			t.Errorf("%q is %+v", input, got)
		}
	}
}

package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
)

// files are those of one version.
type files map[string]string

func (f files) All() map[string]string { return f }

// edit is a text that is replaced in a file; without the old one the file is new, without a new one it goes.
type edit struct{ path, was, now string }

// edited returns the files after edits.
func (f files) edited(t *testing.T, edits ...edit) files {
	t.Helper()
	out := maps.Clone(f)
	for _, e := range edits {
		switch {
		case e.now == "" && e.was == "":
			delete(out, e.path)
		case e.was == "":
			out[e.path] = e.now
		case !strings.Contains(out[e.path], e.was):
			t.Fatalf("%s does not hold %q", e.path, e.was)
		default:
			out[e.path] = strings.Replace(out[e.path], e.was, e.now, 1)
		}
	}
	return out
}

// breaks are the breaks of all modules.
func breaks(t *testing.T, was, now files) ([]finding.Finding, []finding.Skipped) {
	t.Helper()
	r := changetest.Between(t, was, now)
	modules := map[string]bool{}
	for _, side := range []survey.Reader{r, change.Before(r)} {
		list, err := survey.Modules(side)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			modules[m] = true
		}
	}
	var out []finding.Finding
	var skipped []finding.Skipped
	parsed := &Parsed{}
	for _, m := range slices.Sorted(maps.Keys(modules)) {
		found, left, err := Breaks(r, m, parsed)
		if err != nil {
			t.Fatal(err)
		}
		out, skipped = append(out, found...), append(skipped, left...)
	}
	return out, skipped
}

// brief is a finding in a line: what, how bad, where, and whom it hits.
func brief(f finding.Finding) string {
	out := fmt.Sprintf("%s %s %s %s:%d", f.Symbol, f.Change, f.Severity, f.Path, f.Line)
	if f.Side == finding.Left {
		out += " left"
	}
	for _, d := range f.Dependants {
		out += fmt.Sprintf(" -> %s:%d", d.Path, d.Line)
		if d.Adapted {
			out += " adapted"
		}
	}
	return out
}

// expect holds the breaks of a change to what they are in brief.
func expect(t *testing.T, was, now files, want ...string) {
	t.Helper()
	found, skipped := breaks(t, was, now)
	if len(skipped) > 0 {
		t.Errorf("skipped: %v", skipped)
	}
	var got []string
	for _, f := range found {
		got = append(got, brief(f))
		if f.Rule != Rule || f.Message == "" || !strings.Contains(f.Condition, "_changed(") || f.EndLine != f.Line {
			t.Errorf("%+v", f)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

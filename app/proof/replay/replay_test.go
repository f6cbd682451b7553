package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/render/node"
)

// TestEveryEdit walks the whole history in the long run, otherwise its beginning.
func TestEveryEdit(t *testing.T) {
	t.Parallel()
	tried, modules := edits[:6], 3
	if testmode.Long() {
		tried, modules = edits, 7
	}
	o, err := replay(t.Context(), makeHistory(t, tried).dir, 100, 1, false, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !o.Holds || o.Missed+o.Pages != 0 || o.Red == 0 || o.Red == o.Commits {
		t.Errorf("the walk fails:\n%s", o.text())
	}
	if o.Compared != len(tried) || o.Commits != len(tried) || o.Modules != modules || o.Docs == 0 || o.Code == 0 || o.Own == 0 || o.Median <= 0 || o.P90 < o.Median {
		t.Errorf("odd figures:\n%s", o.text())
	}
}

func TestRepositoryIsNotTouched(t *testing.T) {
	t.Parallel()
	r := makeHistory(t, edits[:3])
	r.write("uncommitted.go", "package shop\n")
	before := snapshot(t, r.dir)
	var out, errs bytes.Buffer
	if code := proof.Run(t.Context(), []string{"-n", "3", "-every", "2", "-json", filepath.Join(r.dir, "mail")}, &out, &errs); code != trial.ExitHolds {
		t.Fatalf("exit code %d\n%s%s", code, &out, &errs)
	}
	var o outcome
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	if o.Commits != 3 || o.Compared != 2 || !o.Holds {
		t.Errorf("odd outcome: %s", &out)
	}
	if after := snapshot(t, r.dir); after != before {
		t.Errorf("the repository changed from\n%s\nto\n%s", before, after)
	}
}

// snapshot lists every file below a directory with its size and time.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err == nil {
			b.WriteString(p + " " + info.Mode().String() + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDamageIsFound checks that a difference from a clean run is counted and shown.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		missed int
		pages  int
		file   string
	}{
		{"a node that says something else", func(t *testing.T, dir string) {
			file := filepath.Join(dir, ".causal", "nodes", "mail.yml")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n, err := node.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			n.PublicAPI[0].Signature = "func Greet(name string) error"
			if err := os.WriteFile(file, n.Encode(), 0o644); err != nil {
				t.Fatal(err)
			}
		}, 1, 0, ".causal/nodes/mail.yml"},
		{"a page of a person's", func(t *testing.T, dir string) {
			file := filepath.Join(dir, "docs", "causal", "extra.md")
			if err := os.WriteFile(file, []byte("# Extra\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, 0, 1, "docs/causal/extra.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, err := newWalk(t.Context(), makeHistory(t, edits[:2]).dir, 2, 100)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.close() }()
			for w.more() {
				if _, err := w.step(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			c.damage(t, w.walked)
			w.outcome.Differences, w.outcome.Missed, w.outcome.Pages = nil, 0, 0
			if err := w.compare(t.Context(), w.history[len(w.history)-1]); err != nil {
				t.Fatal(err)
			}
			o := w.finish()
			if o.Holds || o.Missed != c.missed || o.Pages != c.pages || len(o.Differences) == 0 || o.Differences[0].File != c.file {
				t.Errorf("wrong differences:\n%s", o.text())
			}
			if !strings.Contains(o.text(), "differs from a clean run: "+c.file) {
				t.Errorf("the difference is not shown:\n%s", o.text())
			}
		})
	}
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	documented := newRepository(t)
	begin(documented)
	documented.write(".causal/nodes/_root.yml", "path: .\n")
	documented.commit("nodes")
	documented.git("rm", "--quiet", "-r", ".causal")
	documented.commit("no nodes")
	pages := newRepository(t)
	pages.write("docs/causal/index.md", "# Ours\n")
	begin(pages)
	pages.replace("mail/mail.go", "Dear", "Hello")
	pages.commit("more")
	single := newRepository(t)
	begin(single)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"nodes in the history": {[]string{documented.dir}, "it has files under .causal or docs/causal"},
		"pages from the start": {[]string{pages.dir}, "it has files under .causal or docs/causal"},
		"one commit":           {[]string{single.dir}, "it has one commit"},
		"no commit":            {[]string{newRepository(t).dir}, "does not have any commits yet"},
		"no repository":        {[]string{t.TempDir()}, "not a git repository"},
		"no directory":         {[]string{filepath.Join(t.TempDir(), "absent")}, "is not a directory"},
		"no argument":          {nil, "usage: replay"},
		"no commits to walk":   {[]string{"-n", "0", single.dir}, "usage: replay"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			if code := proof.Run(t.Context(), c.args, &out, &errs); code != trial.ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), c.says) {
				t.Errorf("exit code %d, %q; want %d and %q", code, errs.String(), trial.ExitUsage, c.says)
			}
		})
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		missed, pages, stale, docs int
		holds                      bool
	}{
		{0, 0, 0, 0, true},
		{0, 0, 2, 3, true},
		{0, 0, 1, 0, false},
		{0, 0, 0, 3, false},
		{1, 0, 0, 0, false},
		{0, 1, 0, 0, false},
	} {
		w := walk{outcome: outcome{Missed: c.missed, Pages: c.pages}}
		w.outcome.judge(commit{}, c.stale, c.docs)
		if o := w.finish(); o.Holds != c.holds {
			t.Errorf("%+v: holds %v", c, o.Holds)
		}
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	var times []time.Duration
	for i := range 10 {
		times = append(times, time.Duration(i+1)*time.Millisecond)
	}
	for _, c := range []struct {
		times []time.Duration
		p     int
		want  time.Duration
	}{{nil, 50, 0}, {times[:1], 90, times[0]}, {times, 50, times[4]}, {times, 90, times[8]}, {times[:3], 50, times[1]}} {
		if got := percentile(c.times, c.p); got != c.want {
			t.Errorf("percentile %d of %v: %v, want %v", c.p, c.times, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	n := node.Node{
		Module: "a", Path: "a", FrameID: "s/f",
		PublicAPI: []node.Symbol{{Name: "F", At: "c0ffee", Lines: "1-2"}}, Sources: []node.Source{{Path: "a/a.go", Role: "test"}},
	}
	n.Seal()
	other := n
	other.FrameID = "t/f"
	other.PublicAPI = []node.Symbol{{Name: "F", At: "beef", Lines: "5-6"}}
	other.Sources = []node.Source{{Path: "a/a.go", Role: "test"}}
	changed := other
	changed.Sources = []node.Source{{Path: "a/a.go"}}
	for _, c := range []struct {
		name, file, a, b string
		equal            bool
	}{
		{"provenance", "a.yml", string(n.Encode()), string(other.Encode()), true},
		{"a role", "a.yml", string(n.Encode()), string(changed.Encode()), false},
		{"form", "a.yml", string(n.Encode()), string(n.Encode()) + "\n", false},
		{"no node", "a.yml", "x", "y", false},
		{"words of a page", "a.md", "night\n", "noon\n", false},
	} {
		if got := bytes.Equal(settled(c.file, []byte(c.a)), settled(c.file, []byte(c.b))); got != c.equal {
			t.Errorf("%s: equal %v, want %v", c.name, got, c.equal)
		}
	}
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	r := makeHistory(t, edits[:2])
	w, err := newWalk(t.Context(), r.dir, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.step(t.Context()); err == nil || errors.Is(err, trial.ErrUnfit) {
		t.Errorf("a walk without its clones: %v", err)
	}
}

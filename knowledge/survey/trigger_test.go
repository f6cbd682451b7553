package survey

import (
	"fmt"
	"slices"
	"testing"
)

// TestWhatIsLeftUndone: what changed counts until a run leaves nothing undone, however many only looked.
func TestWhatIsLeftUndone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const first, second = "package a\n\nfunc A() int { return 1 }\n", "package a\n\nfunc A() int { return 2 }\n"
	link := func(file string) func() {
		return func() { b.tree.links[file] = b.tree.files[file]; delete(b.tree.files, file) }
	}
	states := map[string]string{} // the files before the edit
	for i, step := range []struct {
		edit func()
		done bool
		want []string // with + or - where a file came or went
	}{
		{nil, false, nil},
		{nil, false, nil},
		{func() { b.tree.files["a/a.go"] = second }, true, nil},
		{nil, false, nil},
		{func() { b.tree.files["a/a.go"] = first }, false, []string{"a/a.go"}},
		{func() { b.tree.files["d/d.go"] = "package d\n" }, false, []string{"a/a.go", "+d/d.go"}},
		{func() { b.tree.files["a/a.go"] = second }, false, []string{"+d/d.go"}},
		{func() { delete(b.tree.files, "d/d.go") }, false, nil},
		{func() { delete(b.tree.files, "c/c.go") }, false, []string{"-c/c.go"}},
		{link("a/a.go"), false, []string{"-a/a.go", "-c/c.go"}},
		{func() { b.tree.links["a/a.go"] = first }, false, []string{"-a/a.go", "-c/c.go"}},
		{func() { delete(b.tree.links, "a/a.go"); b.tree.files["a/a.go"] = first }, true, []string{"a/a.go", "-c/c.go"}},
		{func() { b.tree.files["b/data.bin"], b.tree.files["own/page.md"] = "1", "2" }, false, nil},
		{func() { b.tree.files["b/README.md"] = "# B\n" }, true, []string{"+b/README.md"}},
		{func() { b.tree.shared = true }, false, nil},
		{func() { b.tree.shared = false; b.tree.files["a/a.go"] = second }, true, nil},
		{func() { b.tree.files["a/a.go"] = first }, true, []string{"a/a.go"}},
		{nil, true, nil},
		{func() { b.tree.files["go.mod"] = "module y\n" }, false, []string{"go.mod"}},
		{func() { b.tree.files["go.mod"] = "module x\n" }, true, nil},
	} {
		if step.edit != nil {
			step.edit()
		}
		b.run(t, step.done, func(t *testing.T, s *Survey) {
			changes, state := s.Trigger()
			var got []string
			for _, c := range changes {
				sign := map[[2]bool]string{{true, false}: "+", {false, true}: "-"}[[2]bool{c.Before == "", c.After == ""}]
				got = append(got, sign+c.Fact.Name)
			}
			if !slices.Equal(got, step.want) {
				t.Errorf("step %d: %q, want %q", i, got, step.want)
			}
			if _, want := b.fresh(t).Trigger(); state != want {
				t.Errorf("step %d: state %s, and %s where nothing is remembered", i, state, want)
			}
			sources := fmt.Sprint(b.tree.files["go.mod"], b.tree.files["a/a.go"], b.tree.files["b/README.md"], b.tree.files["c/c.go"], b.tree.files["d/d.go"])
			if other, known := states[state]; known && other != sources {
				t.Errorf("step %d: the state of %q is that of %q", i, sources, other)
			}
			states[state] = sources
		})
	}
}

func TestOwnFilesAreListed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.tree.files["own/a.yml"], b.tree.files["own/b.yml"] = "a", "b"
	for i, step := range []struct {
		edit func()
		want []string
	}{
		{nil, []string{"own/a.yml", "own/b.yml"}}, // nothing is remembered
		{nil, nil},
		{func() { b.tree.files["own/a.yml"] = "edited" }, []string{"own/a.yml"}},
		{func() { delete(b.tree.files, "own/b.yml") }, []string{"own/b.yml"}},
		{func() { b.tree.shared = true; b.tree.files["own/a.yml"] = "again" }, []string{"own/a.yml"}},
	} {
		if step.edit != nil {
			step.edit()
		}
		b.run(t, true, func(t *testing.T, s *Survey) {
			if !slices.Equal(s.Own(), step.want) {
				t.Errorf("step %d: %q, want %q", i, s.Own(), step.want)
			}
		})
	}
}

func TestUnchanged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	unchanged := func() (out bool) {
		t.Run("unchanged", func(t *testing.T) {
			var err error
			if out, err = surveyOf(b.tree, openIndex(t, b.index)).Unchanged(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		return out
	}
	var got []bool
	got = append(got, unchanged())
	b.settle(t)
	b.tree.read = nil
	got = append(got, unchanged())
	b.tree.files["c/data.bin"] = "1"
	got = append(got, unchanged())
	b.settle(t)
	got = append(got, unchanged())
	b.tree.record("one")
	got = append(got, unchanged())
	b.run(t, true, func(t *testing.T, s *Survey) {
		if facts, all := s.Changed(); len(facts) > 0 || all || s.Base() != "" || s.Commit() != "one" {
			t.Errorf("a commit of what was there changed %v, %v; from %q to %q", facts, all, s.Base(), s.Commit())
		}
	})
	got = append(got, unchanged())
	if want := []bool{false, true, false, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("unchanged %v, want %v", got, want)
	}
	if len(b.tree.read) > 0 {
		t.Error(fmt.Sprint("to see that nothing changed, these were read: ", b.tree.read))
	}
}

// TestWhatTheRunWroteIsNoChange: the next run takes it for known.
func TestWhatTheRunWroteIsNoChange(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run(t, true, func(t *testing.T, s *Survey) {
		b.tree.files["own/page.md"] = "# Page\n"
		if err := s.Wrote(t.Context(), map[string][]byte{"own/page.md": nil}); err != nil {
			t.Fatal(err)
		}
	})
	if ok, err := surveyOf(b.tree, openIndex(t, b.index)).Unchanged(t.Context()); !ok || err != nil {
		t.Error("what the run wrote is a change, ", err)
	}
}

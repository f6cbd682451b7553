package worktree_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/survey"
)

// counting is a Tree in memory that counts what it is asked.
type counting struct {
	survey.Tree
	files         []survey.Entry
	content       func(survey.Entry) ([]byte, error)
	states, lists int
	reads         [][]string
}

var errGone = errors.New("gone")

func (c *counting) State(context.Context, func() survey.State) (survey.State, error) {
	c.states++
	return survey.State{Commit: "c"}, nil
}

func (c *counting) Entries(context.Context, survey.State) ([]survey.Entry, error) {
	c.lists++
	return c.files, nil
}

func (c *counting) Read(_ context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	var names []string
	for _, e := range list {
		names = append(names, e.Path)
	}
	c.reads = append(c.reads, names)
	for _, e := range list {
		content, err := c.content(e)
		if errors.Is(err, errGone) {
			return err
		}
		if err == nil && int64(len(content)) > limit {
			content, err = nil, survey.ErrTooLarge
		}
		if err := fn(e, content, err); err != nil {
			return err
		}
	}
	return nil
}

func newCounting(names ...string) *counting {
	c := &counting{content: func(e survey.Entry) ([]byte, error) { return []byte(e.ID), nil }}
	slices.Sort(names)
	for _, name := range names {
		c.files = append(c.files, survey.Entry{Path: name, ID: "id of " + name, Mode: survey.Regular})
	}
	return c
}

func (c *counting) entry(name string) survey.Entry {
	return survey.Entry{Path: name, ID: "id of " + name, Mode: survey.Regular}
}

// still shows a Tree that was looked at.
func still(t *testing.T, of *counting, files *worktree.Kept) *worktree.Still {
	t.Helper()
	s := worktree.NewStill(of, files)
	if _, err := s.State(t.Context(), func() survey.State { return survey.State{} }); err != nil {
		t.Fatal(err)
	}
	return s
}

// read is what one file holds, or what is wrong with it.
func read(t *testing.T, s survey.Tree, e survey.Entry) string {
	t.Helper()
	told := "nothing"
	err := s.Read(t.Context(), []survey.Entry{e}, 100, func(_ survey.Entry, content []byte, err error) error {
		told = fmt.Sprintf("%s %v", content, err)
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return told
}

// TestAStillReadsWhatIsBesideAFile: all of one kind in a directory, and nothing twice, whoever asks.
func TestAStillReadsWhatIsBesideAFile(t *testing.T) {
	t.Parallel()
	c := newCounting("a/a.go", "a/b.go", "a/b/c.go", "a/c.md", "a/d.go", "b.go", "root.go")
	files := worktree.NewKept()
	s, other := still(t, c, files), still(t, c, files)
	for _, name := range []string{"a/b.go", "a/d.go", "a/a.go", "a/c.md", "root.go", "b.go", "b.go"} {
		if got, want := read(t, s, c.entry(name)), "id of "+name+" <nil>"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	read(t, other, c.entry("a/d.go"))
	if got, want := fmt.Sprint(c.reads), "[[a/b.go a/d.go] [a/a.go] [a/c.md] [root.go] [b.go]]"; got != want {
		t.Errorf("it read %s, want %s", got, want)
	}
}

// TestAStillLooksOnce: a run is about one state.
func TestAStillLooksOnce(t *testing.T) {
	t.Parallel()
	c := newCounting("a.go")
	s := still(t, c, worktree.NewKept())
	state, _ := s.State(t.Context(), nil)
	for range 2 {
		if list, err := s.Entries(t.Context(), state); err != nil || len(list) != 1 {
			t.Errorf("it lists %v, %v", list, err)
		}
	}
	if _, err := s.Entries(t.Context(), survey.State{Commit: "other"}); err != nil {
		t.Error(err)
	}
	if c.states != 1 || c.lists != 2 {
		t.Errorf("the tree was asked %d times what is there, and listed %d times, for two states", c.states, c.lists)
	}
}

// TestAStillSaysWhatTheTreeSays of files that cannot be read, and of those beside them.
func TestAStillSaysWhatTheTreeSays(t *testing.T) {
	t.Parallel()
	problems := map[string]error{"bad.go": errors.New("unreadable"), "gone.go": errGone}
	c := newCounting("a.go", "bad.go", "c.go", "empty.go", "gone.go", "large.go", "z.go")
	c.content = func(e survey.Entry) ([]byte, error) {
		switch e.Path {
		case "large.go":
			return []byte(strings.Repeat("x", 101)), nil
		case "empty.go":
			return nil, nil
		}
		return []byte(e.ID), problems[e.Path]
	}
	for _, alone := range []bool{true, false} {
		s := still(t, c, worktree.NewKept())
		for _, e := range c.files {
			if alone {
				s = still(t, c, worktree.NewKept())
			}
			if got, want := read(t, s, e), read(t, c, e); got != want {
				t.Errorf("%s: %q, want %q", e.Path, got, want)
			}
		}
	}
}

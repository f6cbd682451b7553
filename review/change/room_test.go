package change

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
)

type files map[string]string

func (f files) All() map[string]string { return f }

// there answers which paths there are.
type there files

func (t there) Digest(_ context.Context, f fact.Fact) (string, error) {
	if _, ok := t[f.Name]; ok {
		return "file", nil
	}
	return "", nil
}

func (there) Value(context.Context, fact.Fact) (any, error) { return nil, nil }

// roomOf is the change between two versions.
func roomOf(t *testing.T, before, after files) *Room {
	t.Helper()
	var changes []survey.Change
	for _, name := range slices.Sorted(slices.Values(slices.Concat(keys(before), keys(after)))) {
		was, now := before[name], after[name]
		if len(changes) > 0 && changes[len(changes)-1].Path == name || was == now {
			continue
		}
		changes = append(changes, survey.Change{Path: name, ID: id(now), Was: id(was), Mode: survey.Regular})
	}
	r, err := NewRoom(t.Context(), Config{
		Base: there(before), Now: there(after), Changes: changes, BaseTree: surveytest.Tree{Files: before}, Head: surveytest.Tree{Files: after},
		MaxBytes: 1 << 20, Ignored: func(path string) bool { return path == "ignored" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func keys(f files) (names []string) {
	for name := range f {
		names = append(names, name)
	}
	return names
}

func id(content string) string {
	if content == "" {
		return ""
	}
	return fact.Digest(content)
}

// TestRoom goes through what may become of a file.
func TestRoom(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("one line\ntwo\nthree\nfour\n", 20)
	r := roomOf(t,
		files{"same": "a\n", "edited": "a\nb\n", "gone": "g\n", "old/moved.go": long, "turned.go": long + "before\n", "ignored": "a", "bin": "a\x00"},
		files{"same": "a\n", "edited": "a\nc\nb\n", "new": "n\n", "new/moved.go": long, "turned2.go": long + "after\n", "ignored": "b", "bin": "b\x00"})
	want := map[string]string{
		"bin": "bin", "edited": "edited", "gone": "gone", "new": "", "new/moved.go": "old/moved.go", "turned2.go": "turned.go",
	}
	if got := slices.Sorted(slices.Values(keysOf(r.files))); !slices.Equal(got, r.names) || len(got) != len(want) {
		t.Fatalf("the files that differ are %q", got)
	}
	for name, was := range want {
		if f := r.files[name]; f.Was != was || f.Gone != (name == "gone") || (f.Unread != "") != (name == "bin") {
			t.Errorf("%s was %q, gone %t, unread %q", name, f.Was, f.Gone, f.Unread)
		}
	}
	if f := r.files["edited"]; !f.Lines.Added(2, 2) || f.Lines.Added(3, 3) || f.Lines.Count() != 3 {
		t.Error("of edited, other lines were added than the second")
	}
	if f := r.files["turned2.go"]; !f.Lines.Added(81, 81) || f.Lines.Added(1, 80) {
		t.Error("of a file that was renamed, other lines were added than the last")
	}
}

func keysOf(f map[string]*File) (names []string) {
	for name := range f {
		names = append(names, name)
	}
	return names
}

// TestFollow finds files of an earlier version of the change.
func TestFollow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("one line\ntwo\nthree\nfour\n", 20)
	r := roomOf(t, files{"a": "a\n", "renamed": long}, files{"a": "b\n", "b": long, "c": long + "five\n"})
	for _, test := range []struct{ name, held, want string }{
		{"a", "x\n", "a"},
		{"renamed", "", "b"},
		{"never committed", long + "five\n", "c"},
		{"forgotten", "nothing like it\n", ""},
		{"unknown", "", ""},
	} {
		if got, err := r.Follow(t.Context(), test.name, []byte(test.held)); err != nil || got != test.want {
			t.Errorf("%s is %q now, %v; want %q", test.name, got, err, test.want)
		}
	}
}

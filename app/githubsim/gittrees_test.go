package githubsim

import (
	"slices"
	"strings"
	"testing"
)

// TestCompare compares the changed files of two trees with git's.
func TestCompare(t *testing.T) {
	t.Parallel()
	b := newBare(t.Context(), t.TempDir(), "main")
	id := func(text string) string { return b.put("blob", text) }
	at := func(files ...string) string {
		var edits []entry
		for _, f := range files {
			path, text, _ := strings.Cut(f, "=")
			mode := "100644"
			if strings.HasPrefix(text, "!") {
				mode = "100755"
			}
			edits = append(edits, entry{mode, id(text), path})
		}
		return b.amend("", edits)
	}
	trees := []string{
		emptyTree,
		at("a=1", "d/x=1", "d/e/y=1", "d-e=1"),
		at("a=1", "d/x=2", "d/e/z=1", "d-e=1"),
		at("a/b=1", "d=1", "d-e=2", "k/l/m=1"),
		at("a=!1", "d/x=1", "d/e=1"),
	}
	letters := map[string]string{"added": "A", "removed": "D", "modified": "M"}
	for _, from := range trees {
		for _, to := range trees {
			var got []string
			for _, c := range b.compare(from, to) {
				got = append(got, letters[c.status]+" "+c.path)
			}
			out, err := b.run("diff-tree", "-r", "--no-renames", "--name-status", from, to)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.ReplaceAll(strings.TrimSpace(out), "\t", " "), "\n")
			slices.Sort(got)
			slices.Sort(want)
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("from %s to %s: %q, git says %q", from, to, got, want)
			}
		}
	}
}

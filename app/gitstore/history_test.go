package gitstore_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// history has a side branch merged into main: the side changed s.txt, main changed m.txt, the merge itself e.txt.
func history(f *fixture) map[string]string {
	if !f.become(commitsOfHistory) {
		commitsOfHistory.build(f)
	}
	return historyIDs
}

// historyIDs are the commits of history by their subjects: author, dates and content are the same in every fixture.
var historyIDs = map[string]string{}

var commitsOfHistory = &template{build: func(f *fixture) {
	ids := historyIDs
	f.write("d/s.txt", "1")
	f.write("m.txt", "1")
	f.write("e.txt", "1")
	f.write("gone.txt", "1")
	ids["root"] = f.commit("root")
	f.git("checkout", "--quiet", "-b", "side")
	f.write("d/s.txt", "2")
	ids["side"] = f.commit("side")
	f.git("checkout", "--quiet", "main")
	f.write("m.txt", "2")
	f.remove("gone.txt")
	ids["main"] = f.commit("main")
	f.commits++
	f.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
	f.write("e.txt", "2")
	ids["merge"] = f.commit("merge")
	f.write("other.txt", "1")
	ids["tip"] = f.commit("tip")
	f.git("checkout", "--quiet", "--orphan", "island")
	ids["island"] = f.commitStaged("island")
	f.git("checkout", "--quiet", "main")
}}

func TestLastCommit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	f.git("config", "log.follow", "true")
	f.git("config", "log.showSignature", "true")
	cases := []struct {
		rev   string
		paths []string
		want  string
	}{
		{"HEAD", []string{"d/s.txt"}, "side"},
		{"HEAD", []string{"d"}, "side"},
		{"HEAD", []string{"m.txt"}, "main"},
		{"HEAD", []string{"e.txt"}, "merge"},
		{"HEAD", []string{"gone.txt"}, "main"},
		{"HEAD", []string{"m.txt", "other.txt"}, "tip"},
		{"HEAD", []string{"d/s.txt", "m.txt"}, "merge"},
		{"side", []string{"m.txt"}, "root"},
		{"HEAD", []string{"never.txt"}, ""},
		{"HEAD", []string{"*.txt"}, ""},
		{"HEAD", nil, ""},
	}
	repo := open(t, gitstore.CLI, f.dir)
	for _, c := range cases {
		got, ok, err := repo.LastCommit(t.Context(), c.rev, c.paths...)
		if err != nil || ok != (c.want != "") || got.ID != ids[c.want] || ok && got.Subject != c.want {
			t.Errorf("LastCommit(%s, %q) = %+v, %v, %v; want %s %s", c.rev, c.paths, got, ok, err, c.want, ids[c.want])
		}
	}
	if _, _, err := repo.LastCommit(t.Context(), "HEAD", "../x"); err == nil {
		t.Error("a path outside has no error")
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	cases := []struct {
		ref, commit string
		want        bool
	}{
		{"main", ids["side"], true},
		{"main", ids["tip"], true},
		{"main", "side", true},
		{"side", ids["main"], false},
		{ids["root"], ids["tip"], false},
		{"island", ids["root"], false},
		{"none", ids["root"], false},
		{"main", "1111111111111111111111111111111111111111", false},
		{"--all", ids["root"], false},
		{"", "", false},
	}
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		for _, c := range cases {
			if got, err := repo.Contains(t.Context(), c.ref, c.commit); err != nil || got != c.want {
				t.Errorf("Contains(%q, %q) = %v, %v; want %v", c.ref, c.commit, got, err, c.want)
			}
		}
	})
}

// TestMergeBaseOfRepo includes histories that were never joined.
func TestMergeBaseOfRepo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	repo := open(t, gitstore.CLI, f.dir)
	for _, c := range [][3]string{
		{"main", "side", ids["side"]}, {ids["main"], "side", ids["root"]}, {ids["merge"], "main", ids["merge"]},
		{"main", ids["tip"], ids["tip"]}, {ids["root"], ids["side"], ids["root"]}, {"main", "island", ""},
	} {
		for _, pair := range [][2]string{{c[0], c[1]}, {c[1], c[0]}} {
			if got, err := repo.MergeBase(t.Context(), pair[0], pair[1]); err != nil || got != c[2] {
				t.Errorf("MergeBase(%q) = %q, %v; want %q", pair, got, err, c[2])
			}
		}
	}
	if _, err := repo.MergeBase(t.Context(), "main", "none"); !errors.Is(err, gitstore.ErrUnknownRevision) {
		t.Errorf("a branch that is not there: %v", err)
	}
}

// TestEverBelow checks that every file of any commit is listed, with the commit that removed it, even for a silent removal in a merge.
func TestEverBelow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := map[string]string{}
	f.write("l/a/kept", "1")
	f.write("l/a/gone", "1")
	f.write("l/b/back", "1")
	f.write("other", "1")
	ids["root"] = f.commit("root")
	f.remove("l/a/gone")
	f.remove("l/b/back")
	ids["gone"] = f.commit("gone")
	f.write("l/b/back", "1")
	f.commit("back")
	f.git("checkout", "--quiet", "-b", "side", ids["gone"])
	f.write("l/side", "1")
	f.write("l/dropped", "1")
	f.commit("side")
	f.git("checkout", "--quiet", "main")
	f.write("l/main", "1")
	f.commit("main")
	f.commits++
	f.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
	f.remove("l/dropped")
	ids["merge"] = f.commit("merge")
	want := map[string]string{
		"l/a/kept": "", "l/a/gone": ids["gone"], "l/b/back": ids["gone"], "l/side": "", "l/main": "", "l/dropped": ids["merge"],
	}
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		if got, whole, err := repo.EverBelow(t.Context(), "HEAD", "l", ""); err != nil || !whole || !maps.Equal(got, want) {
			t.Errorf("%v, %v, %v; want %v", got, whole, err, want)
		}
		later := map[string]string{"l/side": "", "l/main": "", "l/dropped": ids["merge"], "l/b/back": ""}
		if got, _, err := repo.EverBelow(t.Context(), "HEAD", "l", ids["gone"]); err != nil || !contains(got, later) {
			t.Errorf("since: %v, %v; want %v", got, err, later)
		}
		if got, _, err := repo.EverBelow(t.Context(), "HEAD", "l", ids["merge"]); err != nil || !contains(got, nil) || got["l/a/gone"] != "" {
			t.Errorf("since the newest: %v, %v", got, err)
		}
		if got, _, err := repo.EverBelow(t.Context(), "HEAD", "none", ""); err != nil || len(got) != 0 {
			t.Errorf("below nothing: %v, %v", got, err)
		}
		if _, _, err := repo.EverBelow(t.Context(), "HEAD", "../x", ""); err == nil {
			t.Error("a path outside has no error")
		}
	})
	clone := t.TempDir()
	f.git("clone", "--quiet", "--depth", "1", "file://"+f.dir, clone)
	each(t, clone, func(t *testing.T, repo *gitstore.Repo) {
		got, whole, err := repo.EverBelow(t.Context(), "HEAD", "l", "")
		if err != nil || whole || len(got) != 4 {
			t.Errorf("a shallow clone: %v, %v, %v", got, whole, err)
		}
	})
}

// contains reports whether a map has all entries of another.
func contains(all, some map[string]string) bool {
	for key, value := range some {
		if got, ok := all[key]; !ok || got != value {
			return false
		}
	}
	return true
}

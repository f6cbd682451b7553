package gitstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestLog: commits with their files, and the ways to leave some out.
func TestLog(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.txt", "one")
	f.write("dir/b.txt", "one")
	f.commit("first")
	f.git("tag", "v1")
	f.write("own/x.txt", "x")
	f.commit("own alone")
	f.write("own/x.txt", "y")
	f.write("dir/b.txt", "Parse one")
	f.commit("both")
	f.write("a.txt", "one\n* two")
	f.write("na\u00efve [x].txt", "x")
	f.commit("subject | with \u00fcmlaut")
	repo := open(t, gitstore.CLI, f.dir)
	log := func(q gitstore.Query) (subjects []string) {
		t.Helper()
		if q.Most == 0 {
			q.Most = 100
		}
		list, whole, err := repo.Log(t.Context(), "HEAD", q)
		if err != nil || !whole {
			t.Errorf("%+v: %v, whole: %v", q, err, whole)
		}
		for _, c := range list {
			subjects = append(subjects, c.Subject+": "+strings.Join(c.Files, ","))
		}
		return subjects
	}
	last, both, own, first := "subject | with \u00fcmlaut: a.txt,na\u00efve [x].txt", "both: dir/b.txt,own/x.txt", "own alone: own/x.txt", "first: a.txt,dir/b.txt"
	for name, c := range map[string]struct {
		query gitstore.Query
		want  []string
	}{
		"all":           {gitstore.Query{}, []string{last, both, own, first}},
		"at most":       {gitstore.Query{Most: 2}, []string{last, both}},
		"since a tag":   {gitstore.Query{Since: "v1"}, []string{last, both, own}},
		"without own":   {gitstore.Query{Except: []string{"own"}}, []string{last, "both: dir/b.txt", first}},
		"of a path":     {gitstore.Query{Paths: []string{"dir"}}, []string{"both: dir/b.txt", "first: dir/b.txt"}},
		"an odd path":   {gitstore.Query{Paths: []string{"na\u00efve [x].txt"}}, []string{"subject | with \u00fcmlaut: na\u00efve [x].txt"}},
		"with a word":   {gitstore.Query{Naming: "Parse"}, []string{"both: dir/b.txt"}},
		"a line of one": {gitstore.Query{Naming: "one", Lines: true, Since: "v1", Paths: []string{"dir/b.txt"}}, []string{"both: dir/b.txt"}},
		"later":         {gitstore.Query{After: time.Now().AddDate(10, 0, 0)}, nil},
	} {
		if got := log(c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, _, err := repo.Log(t.Context(), "HEAD", gitstore.Query{Since: "nope", Most: 1}); !errors.Is(err, gitstore.ErrUnknownRevision) {
		t.Errorf("an unknown revision: %v", err)
	}
	if _, _, err := repo.Log(t.Context(), "HEAD", gitstore.Query{Paths: []string{"../x"}, Most: 1}); err == nil {
		t.Error("a path outside is taken")
	}
	shallow := t.TempDir() + "/shallow"
	f.git("clone", "--quiet", "--depth=1", "file://"+f.dir, shallow)
	if _, whole, err := open(t, gitstore.CLI, shallow).Log(t.Context(), "HEAD", gitstore.Query{Most: 10}); whole || err != nil {
		t.Errorf("a shallow clone is taken for whole: %v", err)
	}
	if _, _, err := open(t, gitstore.GoGit, f.dir).Log(t.Context(), "HEAD", gitstore.Query{Most: 10}); !errors.Is(err, gitstore.ErrUnsupported) {
		t.Errorf("without git: %v", err)
	}
}

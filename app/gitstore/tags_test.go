package gitstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

func TestTags(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := history(f)
	repo := open(t, gitstore.CLI, f.dir)
	if got, err := repo.Tags(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("without tags: %v, %v", got, err)
	}
	f.git("tag", "v1.2.0", ids["root"])
	f.git("tag", "--annotate", "--message", "a release", "pkg/v2.0", ids["side"])
	f.git("pack-refs", "--all")
	f.git("tag", "v1.10.0", ids["side"])
	if got, err := repo.Tags(t.Context()); err != nil || !slices.Equal(got, []string{"pkg/v2.0", "v1.10.0", "v1.2.0"}) {
		t.Errorf("%v, %v", got, err)
	}
	if c, err := repo.Resolve(t.Context(), "refs/tags/pkg/v2.0"); err != nil || c.ID != ids["side"] {
		t.Errorf("an annotated tag leads to %v, %v", c, err)
	}
}

// readers find tags in one repository: git, a mirror, and a mirror that follows it.
func readers(t *testing.T, s *server) map[string]*gitstore.Repo {
	t.Helper()
	out := map[string]*gitstore.Repo{"git": open(t, gitstore.CLI, s.dir)}
	dir := filepath.Join(t.TempDir(), "shop")
	leader := s.mirror(t, dir)
	leader.SetDepths(2, 4)
	out["mirror"], out["followed mirror"] = leader.Repo(), follow(t, dir, s.url, leader).Repo()
	return out
}

// TestTag: all readers find the same tags, in a history with a merge and more commits than a mirror fetches at once.
func TestTag(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ids := history(s.fixture)
	tip := s.git("rev-parse", "HEAD")
	later := s.grow(tip, [][]int{nil, {0}, {1}, {2}, {3}, {4}, {5}})
	last, middle := later[len(later)-1], later[3]
	blob := s.git("hash-object", "-w", "--stdin")
	tag := func(name, at string, annotation ...string) func() {
		return func() { s.git(append(append([]string{"tag", "--force"}, annotation...), name, at)...) }
	}
	annotated := []string{"--annotate", "--message", "a release"}
	object := func(name, inside, at string, seconds int) func() {
		return func() {
			text := fmt.Sprintf("object %s\ntype commit\ntag %s\ntagger A <a@example.com> %d +0000\n\nx\n", at, inside, epoch+seconds)
			s.write("tag", text)
			id := s.git("hash-object", "-w", "-t", "tag", "--literally", "tag")
			s.remove("tag")
			s.git("update-ref", "refs/tags/"+name, id)
		}
	}
	all := readers(t, s)
	for i, step := range []struct {
		about  string
		do     func()
		newest gitstore.Tag
	}{
		{"none", func() {}, gitstore.Tag{}},
		{"of a blob", tag("blob", blob), gitstore.Tag{}},
		{"of another history", tag("island", ids["island"]), gitstore.Tag{}},
		{"the first commit", tag("v0", ids["root"]), gitstore.Tag{Name: "v0", Commit: ids["root"]}},
		{"one side", tag("on-side", ids["side"]), gitstore.Tag{Name: "on-side", Commit: ids["side"]}},
		{"the other side as well", tag("on-main", ids["main"], annotated...), gitstore.Tag{Name: "on-main", Commit: ids["main"]}},
		{"an odd name", tag("pkg/v1.0-%3Cscript>$(x)\u00fc", middle), gitstore.Tag{Name: "pkg/v1.0-%3Cscript>$(x)\u00fc", Commit: middle}},
		{"several of a commit", tag("pkg/a", middle), gitstore.Tag{Name: "pkg/a", Commit: middle}},
		{"an annotated one goes first", object("x1", "x1", middle, 5), gitstore.Tag{Name: "x1", Commit: middle}},
		{"an older annotated one", object("a0", "a0", middle, 3), gitstore.Tag{Name: "x1", Commit: middle}},
		{"a newer annotated one, with another name inside", object("y2", "; rm -rf", middle, 9), gitstore.Tag{Name: "y2", Commit: middle}},
		{"the commit itself", tag("here", last), gitstore.Tag{Name: "here", Commit: last}},
		{"it has moved", tag("here", later[5]), gitstore.Tag{Name: "here", Commit: later[5]}},
		{"a directory in its place", func() { s.git("tag", "-d", "here"); s.git("tag", "here/there", last) }, gitstore.Tag{Name: "here/there", Commit: last}},
		{"it is gone", func() { s.git("tag", "-d", "here/there") }, gitstore.Tag{Name: "y2", Commit: middle}},
	} {
		step.do()
		for name, repo := range all {
			if name == "followed mirror" && i%3 != 0 { // it shares its leader's way to find tags, and each answer fetches
				continue
			}
			got, err := repo.Tag(t.Context(), last, "")
			if err != nil || got != step.newest {
				t.Errorf("%s: %s: %v, %v; want %v", step.about, name, got, err, step.newest)
			}
		}
	}
	for name, want := range map[string]string{
		"v0": ids["root"], "on-main": ids["main"], "island": ids["island"], "y2": middle, "none": "", "x1~1": "", "-x": "", "a\nb": "", "HEAD": "", "a b": "",
		"v0-3-g" + last: "",
	} {
		for who, repo := range all {
			got, err := repo.Tag(t.Context(), last, name)
			if err != nil || got.Commit != want || (got.Name == name) != (want != "") {
				t.Errorf("%s: tag %q: %v, %v; want %s", who, name, got, err, want)
			}
		}
	}
	if _, err := all["mirror"].Tag(t.Context(), strings.Repeat("1", 40), ""); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("an unknown commit: %v", err)
	}
}

// TestNewestTagAgreesWithGit on random histories and tags, with a mirror that is cut off here and there.
func TestNewestTagAgreesWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	s := serve(t)
	base(s.fixture)
	graph := [][]int{nil}
	for i := 1; i <= 40; i++ {
		graph = append(graph, []int{max(0, i-1-random.IntN(4))})
		if other := random.IntN(i); random.IntN(3) == 0 && other != graph[i][0] {
			graph[i] = append(graph[i], other)
		}
	}
	all := s.grow(s.git("rev-parse", "HEAD"), graph)
	repo, m := open(t, gitstore.CLI, s.dir), s.fresh(t)
	m.SetDepths(2, 5)
	for round := range 12 {
		s.git("tag", fmt.Sprint("t", round), all[random.IntN(len(all))])
		head := all[len(all)-1-random.IntN(8)]
		want, err := repo.Tag(t.Context(), head, "")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Tag(t.Context(), head, ""); err != nil || got != want {
			t.Errorf("round %d: %v, %v; want %v", round, got, err, want)
		}
	}
}

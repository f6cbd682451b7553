package gitstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// chain adds empty commits to the branch that is checked out and returns the last one.
func (s *server) chain(n int) string {
	s.t.Helper()
	graph := [][]int{nil}
	for i := range n {
		graph = append(graph, []int{i})
	}
	tip := s.grow(s.git("rev-parse", "HEAD"), graph)[n]
	s.git("reset", "--quiet", "--hard", tip)
	return tip
}

// grow makes empty commits with these parents, each a place in graph, in one process. The first place is root. Every commit
// has a branch.
func (s *server) grow(root string, graph [][]int) []string {
	s.t.Helper()
	name := func(i int) string {
		if i == 0 {
			return root
		}
		return fmt.Sprint(":", i)
	}
	var stream strings.Builder
	space := fmt.Sprintf("refs/heads/grown-%d/", s.commits)
	for i, parents := range graph[1:] {
		s.commits++
		fmt.Fprintf(&stream, "commit %s%d\nmark :%d\ncommitter Ada <ada@example.com> %d +0100\ndata 4\nlink\n", space, i+1, i+1, epoch+60*s.commits)
		for k, parent := range parents {
			fmt.Fprintf(&stream, "%s %s\n", []string{"from", "merge"}[k], name(parent))
		}
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Stdin = s.dir, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	ids := make([]string, len(graph))
	ids[0] = root
	for line := range strings.Lines(s.git("for-each-ref", "--format=%(refname:lstrip=3) %(objectname)", space)) {
		var place int
		var id string
		if _, err := fmt.Sscan(line, &place, &id); err != nil || place >= len(ids) {
			s.t.Fatalf("git for-each-ref: %q, %v", line, err)
		}
		ids[place] = id
	}
	return ids
}

func TestMirrorContains(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ids := history(s.fixture)
	m := s.fresh(t)
	for _, c := range []struct {
		ref, commit string
		want        bool
	}{
		{ids["tip"], ids["side"], true},
		{ids["tip"], ids["root"], true},
		{ids["tip"], ids["tip"], true},
		{ids["side"], ids["main"], false},
		{ids["root"], ids["tip"], false},
		{ids["island"], ids["root"], false},
		{ids["tip"], strings.Repeat("1", 40), false},
		{"main", ids["root"], false},
		{"", "", false},
	} {
		if got, err := m.Repo().Contains(t.Context(), c.ref, c.commit); err != nil || got != c.want {
			t.Errorf("Contains(%q, %q) = %v, %v; want %v", c.ref, c.commit, got, err, c.want)
		}
	}
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ids := history(s.fixture)
	m := s.fresh(t)
	for _, c := range [][3]string{
		{"side", "main", "root"}, {"tip", "side", "side"}, {"merge", "tip", "merge"}, {"tip", "tip", "tip"},
		{"island", "tip", ""}, {"root", "side", "root"},
	} {
		got, err := m.MergeBase(t.Context(), ids[c[0]], ids[c[1]])
		if err != nil || got != ids[c[2]] {
			t.Errorf("MergeBase(%s, %s) = %s, %v; want %s", c[0], c[1], got, err, ids[c[2]])
		}
	}
	for _, id := range []string{strings.Repeat("1", 40), "main", "", "-x"} {
		if _, err := m.MergeBase(t.Context(), ids["tip"], id); !errors.Is(err, gitstore.ErrUnknownObject) {
			t.Errorf("MergeBase(%q): %v; want ErrUnknownObject", id, err)
		}
	}
}

// TestMergeBaseDeepens checks that a young branch needs one request with a bit of history, an old one more, and a known one none.
func TestMergeBaseDeepens(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	root := s.git("rev-parse", "HEAD")
	young := s.chain(300)
	s.chain(5)
	s.write("new.txt", "1")
	main := s.commit("main")
	branch := func(at string) string {
		s.git("checkout", "--quiet", "--detach", at)
		s.write("other.txt", "2")
		return s.commit("branch")
	}
	fromYoung, fromRoot := branch(young), branch(root)
	m := s.fresh(t)
	ask := func(tip, want string, most, least int64) {
		t.Helper()
		n := s.during(func() {
			if got, err := m.MergeBase(t.Context(), main, tip); err != nil || got != want {
				t.Errorf("MergeBase = %s, %v; want %s", got, err, want)
			}
		})
		if n < least || n > most {
			t.Errorf("%d requests, want %d to %d", n, least, most)
		}
	}
	ask(fromYoung, young, 2, 1)
	part := m.BytesFetched()
	ask(fromYoung, young, 0, 0)
	ask(fromRoot, root, 6, 2)
	if whole := m.BytesFetched(); part == 0 || part*2 > whole {
		t.Errorf("%d bytes for the young branch, %d in all", part, whole)
	}
	tip := fromYoung
	main, fromYoung = branch(main), branch(fromYoung)
	ask(tip, young, 3, 1)
	ask(fromYoung, young, 3, 1)
	ask(fromRoot, root, 0, 0) // new commits do not invalidate known answers
	if err := m.Fetch(t.Context(), main); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Repo().Tree(t.Context(), main); err != nil {
		t.Errorf("a commit of the history has its tree once it is fetched: %v", err)
	}
}

// TestMergeBaseAgreesWithGit uses random histories and a random order of questions, so the mirror is shallow at various commits.
func TestMergeBaseAgreesWithGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s := serve(t)
	base(s.fixture)
	root := s.git("rev-parse", "HEAD")
	graph := [][]int{nil} // the parents of each commit; the first is root
	for i := 1; i <= 25; i++ {
		graph = append(graph, []int{max(0, i-1-random.IntN(8))})
		if other := random.IntN(i); random.IntN(3) == 0 && other != graph[i][0] {
			graph[i] = append(graph[i], other)
		}
	}
	all := s.grow(root, graph)
	m := s.fresh(t)
	m.SetDepths(2, 5)
	for range 12 {
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		want, _ := s.try("merge-base", "--all", a, b)
		got, err := m.MergeBase(t.Context(), a, b)
		if err != nil || got == "" || !strings.Contains(want, got) {
			t.Errorf("MergeBase(%s, %s) = %s, %v; want one of\n%s", a, b, got, err, want)
		}
		ancestor := strings.Contains(want, a)
		if contains, err := m.Repo().Contains(t.Context(), b, a); err != nil || contains != ancestor {
			t.Errorf("Contains(%s, %s) = %v, %v", b, a, contains, err)
		}
	}
}

package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// TestMirrorReads holds a mirror to the answers of a local repository.
func TestMirrorReads(t *testing.T) {
	t.Parallel()
	s := serve(t)
	withSubmodule(s.fixture)
	unusual(s.fixture)
	first := s.commit("first")
	s.write("a.txt", "A\n")
	s.git("mv", "b.txt", "moved.txt")
	s.chmod("dir/c.txt", 0o755)
	s.remove("link")
	s.write("link/inner", "a directory now")
	second := s.commit("second")
	local, m := open(t, gitstore.CLI, s.dir), s.fresh(t)
	if err := m.Fetch(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	repo := m.Repo()
	for _, id := range []string{first, second} {
		wantCommit, _ := local.Resolve(t.Context(), id)
		if got, err := repo.Resolve(t.Context(), id); err != nil || got != wantCommit {
			t.Errorf("Resolve = %+v, %v; want %+v", got, err, wantCommit)
		}
		want, _ := local.Tree(t.Context(), id)
		got, err := repo.Tree(t.Context(), id)
		if err != nil || len(got) == 0 {
			t.Fatal(err)
		}
		equalLines(t, "tree", listing(got), listing(want))
	}
	want, _ := local.DiffTrees(t.Context(), first, second)
	if got, err := repo.DiffTrees(t.Context(), first, second); err != nil || len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("DiffTrees = %v, %v; want %v", got, err, want)
	}
	if id := repo.HashBytes([]byte("A\n")); id != s.git("rev-parse", "HEAD:a.txt") {
		t.Errorf("HashBytes = %s", id)
	}
	missing := strings.Repeat("1", 40)
	for _, rev := range []string{missing, "main", "HEAD", "", "-h"} {
		if _, err := repo.Resolve(t.Context(), rev); !errors.Is(err, gitstore.ErrUnknownRevision) {
			t.Errorf("Resolve(%q): %v; want ErrUnknownRevision", rev, err)
		}
		if _, err := repo.Tree(t.Context(), rev); err == nil {
			t.Errorf("Tree(%q) has no error", rev)
		}
	}
	if _, err := repo.DiffTrees(t.Context(), missing, second); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("DiffTrees: %v; want ErrUnknownObject", err)
	}
	if _, err := repo.Status(t.Context()); !errors.Is(err, gitstore.ErrMirror) {
		t.Errorf("Status: %v; want ErrMirror", err)
	}
	if _, _, err := repo.LastCommit(t.Context(), second, "a.txt"); !errors.Is(err, gitstore.ErrMirror) {
		t.Errorf("LastCommit: %v; want ErrMirror", err)
	}
}

// TestMirrorReadsBlobs is the local suite for blobs, and how they come.
func TestMirrorReadsBlobs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(100)
	s.write("large", strings.Repeat("large\x00", 1<<17))
	s.write("empty", "")
	head := s.commit("all")
	m := s.fresh(t)
	if err := m.Fetch(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	before := m.BytesFetched()
	if before == 0 || before > 100_000 {
		t.Errorf("%d bytes fetched for the trees: no blob should be among them", before)
	}
	entries, err := m.Repo().Tree(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	ids = append(ids, ids[1])
	read := func() {
		next := 0
		err := m.Repo().ReadBlobs(t.Context(), ids, 1<<20, func(b gitstore.Blob) error {
			if b.ID != ids[next] || m.Repo().HashBytes(b.Content) != b.ID {
				t.Errorf("blob %d is %s and holds %s, want %s", next, b.ID, m.Repo().HashBytes(b.Content), ids[next])
			}
			next++
			return nil
		})
		if err != nil || next != len(ids) {
			t.Fatalf("read %d blobs of %d: %v", next, len(ids), err)
		}
	}
	if n := s.during(read); n > 2 {
		t.Errorf("%d blobs took %d requests, want one fetch", len(ids), n)
	}
	if m.BytesFetched() == before {
		t.Error("the blobs were not counted")
	}
	if n := s.during(read); n != 0 {
		t.Errorf("blobs that are here took %d requests", n)
	}
	for _, id := range []string{strings.Repeat("1", 40), head, "HEAD", ""} {
		if _, err := m.Repo().ReadBlob(t.Context(), id, 1<<20); !errors.Is(err, gitstore.ErrUnknownObject) || !strings.Contains(err.Error(), id) {
			t.Errorf("ReadBlob(%q): %v; want ErrUnknownObject that names it", id, err)
		}
	}
	checkYieldError(t, m.Repo(), ids)
}

// TestMirrorFetchesEachCommitOnce checks that known commits need no request, that commits missing at the remote are named, and that the
// others are fetched.
func TestMirrorFetchesEachCommitOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	one := s.commit("one")
	s.write("a.txt", "2")
	two := s.commit("two")
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	missing := []string{strings.Repeat("1", 40), strings.Repeat("2", 40)}
	err := m.Fetch(t.Context(), missing[0], one, missing[1], two)
	if !errors.Is(err, gitstore.ErrUnknownObject) || !strings.Contains(err.Error(), missing[0]) || !strings.Contains(err.Error(), missing[1]) {
		t.Errorf("Fetch: %v; want ErrUnknownObject for both", err)
	}
	for _, again := range []*gitstore.Mirror{m, s.mirror(t, dir)} {
		n := s.during(func() {
			if err := again.Fetch(t.Context(), one, two); err != nil {
				t.Error(err)
			}
		})
		if n != 0 {
			t.Errorf("%d requests for commits that are here", n)
		}
	}
	for _, id := range []string{"", "main", one[:10], "-x", one + "\n" + two} {
		if err := m.Fetch(t.Context(), id); !errors.Is(err, gitstore.ErrUnknownObject) {
			t.Errorf("Fetch(%q): %v", id, err)
		}
	}
}

// TestMirrorAfterForcePush: a commit that no branch leads to any more can be fetched for as long as the remote keeps it.
func TestMirrorAfterForcePush(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	s.write("a.txt", "dropped")
	dropped := s.commit("dropped")
	s.git("reset", "--quiet", "--hard", "HEAD~1")
	s.write("a.txt", "instead")
	head := s.commit("instead")
	m := s.fresh(t)
	if err := m.Fetch(t.Context(), dropped, head); err != nil {
		t.Fatal(err)
	}
	changes, err := m.Repo().DiffTrees(t.Context(), dropped, head)
	if err != nil {
		t.Fatal(err)
	}
	equalLines(t, "changes", brief(changes), []string{"modified regular a.txt"})
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "--quiet", "--prune=now")
	if err := m.Fetch(t.Context(), dropped, head); err != nil {
		t.Errorf("what was fetched is here whatever the remote forgets: %v", err)
	}
	if err := s.fresh(t).Fetch(t.Context(), dropped, head); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("Fetch of what the remote has forgotten: %v; want ErrUnknownObject", err)
	}
}

func TestMirrorErrors(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	head := s.commit("one")
	for code, want := range map[int]error{
		http.StatusNotFound: gitstore.ErrGone, http.StatusForbidden: gitstore.ErrGone, http.StatusMovedPermanently: gitstore.ErrGone,
		http.StatusUnauthorized: gitstore.ErrUnavailable, http.StatusTooManyRequests: gitstore.ErrUnavailable,
		http.StatusInternalServerError: gitstore.ErrUnavailable, http.StatusBadGateway: gitstore.ErrUnavailable,
	} {
		s.status.Store(int64(code))
		var err error
		n := s.during(func() { err = s.fresh(t).Fetch(t.Context(), head) })
		if !errors.Is(err, want) {
			t.Errorf("answered with %d: %v; want %v", code, err, want)
		}
		if n > 2 {
			t.Errorf("answered with %d: asked %d times", code, n)
		}
	}
	s.status.Store(0)
	s.mu.Lock()
	s.token = "ghs_other"
	s.mu.Unlock()
	m, err := gitstore.OpenMirror(t.Context(), filepath.Join(t.TempDir(), "m"), s.url, func(context.Context) (string, error) { return "ghs_secret", nil })
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Fetch(t.Context(), head); !errors.Is(err, gitstore.ErrUnavailable) {
		t.Errorf("a wrong token: %v; want ErrUnavailable", err)
	}
	refused := errors.New("no installation")
	none, err := gitstore.OpenMirror(t.Context(), filepath.Join(t.TempDir(), "m"), "http://127.0.0.1:1/x.git", func(context.Context) (string, error) { return "", refused })
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if err := none.Fetch(t.Context(), head); !errors.Is(err, refused) {
		t.Errorf("no token to be had: %v", err)
	}
	for _, url := range []string{"", "file:///srv/x", "https://user:secret@example.com/x", "ssh://example.com/x", "x.git", "--upload-pack=x", "ext::sh"} {
		_, err := gitstore.OpenMirror(t.Context(), t.TempDir(), url, nil)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("OpenMirror(%q): %v", url, err)
		}
	}
}

func TestMirrorUnreachable(t *testing.T) {
	t.Parallel()
	m, err := gitstore.OpenMirror(t.Context(), filepath.Join(t.TempDir(), "m"), "http://127.0.0.1:1/x.git", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Fetch(t.Context(), strings.Repeat("1", 40)); !errors.Is(err, gitstore.ErrUnavailable) {
		t.Errorf("%v; want ErrUnavailable", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Fetch(ctx, strings.Repeat("1", 40)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want context.Canceled", err)
	}
}

// TestMirrorHidesTheToken checks that the token is only in a header, even if the environment enables tracing in git.
func TestMirrorHidesTheToken(t *testing.T) {
	s := serve(t)
	base(s.fixture)
	head := s.commit("one")
	told := filepath.Join(t.TempDir(), "trace")
	for _, name := range []string{"GIT_TRACE", "GIT_TRACE_CURL", "GIT_CURL_VERBOSE", "GIT_TRACE2", "GIT_TRACE_SETUP"} {
		t.Setenv(name, told)
	}
	t.Setenv("GIT_TRACE_REDACT", "0")
	t.Setenv("GIT_TRACE2_CONFIG_PARAMS", "*")
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.bare=false'")
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	if err := m.Fetch(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(told); err == nil {
		t.Errorf("git told:\n%s", text)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "ghs_") || strings.Contains(string(text), s.url) {
			t.Errorf("%s knows the remote", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.seen {
		if strings.Contains(text, "ghs_secret") {
			t.Errorf("the token is in %s", text)
		}
	}
}

// TestMirrorOfARemoteWithoutFilters: more comes than is needed, and all answers are the same.
func TestMirrorOfARemoteWithoutFilters(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.git("config", "uploadpack.allowFilter", "false")
	base(s.fixture)
	s.write("a.txt", "2")
	one, two := s.git("rev-parse", "HEAD"), s.commit("two")
	m := s.fresh(t)
	if err := m.Fetch(t.Context(), one, two); err != nil {
		t.Fatal(err)
	}
	changes, err := m.Repo().DiffTrees(t.Context(), one, two)
	if err != nil || len(changes) != 1 {
		t.Fatalf("DiffTrees = %v, %v", changes, err)
	}
	if content, err := m.Repo().ReadBlob(t.Context(), changes[0].New, 1<<20); err != nil || string(content) != "2" {
		t.Errorf("ReadBlob = %q, %v", content, err)
	}
	if got, err := m.MergeBase(t.Context(), one, two); err != nil || got != one {
		t.Errorf("MergeBase = %s, %v", got, err)
	}
	if err := m.Prune(t.Context(), 1<<30, two); err != nil {
		t.Error(err)
	}
}

// TestMirrorFollowsNoRedirection, since the header with the token would follow too.
func TestMirrorFollowsNoRedirection(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.status.Store(http.StatusMovedPermanently)
	if n := s.during(func() { _ = s.fresh(t).Fetch(t.Context(), strings.Repeat("1", 40)) }); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// TestMirrorConcurrently: many at once, through several Mirrors of one directory, get right answers.
func TestMirrorConcurrently(t *testing.T) {
	t.Parallel()
	s := serve(t)
	var commits []string
	for i := range 3 {
		s.write("a.txt", fmt.Sprint("version ", i))
		commits = append(commits, s.commit("next"))
	}
	dir := filepath.Join(t.TempDir(), "shop")
	var group sync.WaitGroup
	for _, m := range []*gitstore.Mirror{s.mirror(t, dir), s.mirror(t, dir)} {
		for i, id := range commits {
			group.Go(func() {
				if err := m.Fetch(t.Context(), id); err != nil {
					t.Error(err)
					return
				}
				entries, err := m.Repo().Tree(t.Context(), id)
				if err != nil || len(entries) != 1 {
					t.Errorf("Tree = %v, %v", entries, err)
					return
				}
				content, err := m.Repo().ReadBlob(t.Context(), entries[0].ID, 1<<20)
				if err != nil || string(content) != fmt.Sprint("version ", i) {
					t.Errorf("ReadBlob = %q, %v", content, err)
				}
			})
		}
	}
	group.Wait()
}

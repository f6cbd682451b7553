package gitstore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/causaldocs/causal/app/gitstore"
)

// packs are the packs of a mirror's content, oldest first by name.
func packs(t *testing.T, dir, ext string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "content.git", "objects", "pack", "*"+ext))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// rewrite replaces the content of files that git makes read-only.
func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func scramble(content []byte) []byte {
	for i := 12; i < len(content)-20; i++ {
		content[i] ^= 0x5a
	}
	return content
}

// TestDamagedMirrorIsMadeAnew checks that after any damage, open mirrors and newly opened ones give right answers.
func TestDamagedMirrorIsMadeAnew(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(100)
	one := s.commit("one")
	s.write("pkg001/file0050.go", "package changed\n")
	two := s.commit("two")
	want := s.git("rev-parse", "HEAD:pkg001/file0050.go")
	whole := filepath.Join(t.TempDir(), "whole")
	first := s.mirror(t, whole)
	must(t, first.Fetch(t.Context(), one))
	must(t, first.Fetch(t.Context(), two))
	checkMirror(t, first, one, two, want)
	again := []string{"packs cut", "everything gone"} // also for who opens it next, and for who follows
	for name, damage := range map[string]func(t *testing.T, dir string){
		"packs gone": func(t *testing.T, dir string) {
			for _, path := range packs(t, dir, "") {
				_ = os.Remove(path)
			}
		},
		"packs without index": func(t *testing.T, dir string) {
			for _, path := range packs(t, dir, ".idx") {
				_ = os.Remove(path)
			}
		},
		"first pack gone": func(t *testing.T, dir string) { _ = os.Remove(packs(t, dir, ".pack")[0]) },
		"last pack gone": func(t *testing.T, dir string) {
			all := packs(t, dir, ".pack")
			_ = os.Remove(all[len(all)-1])
		},
		"packs scrambled": func(t *testing.T, dir string) {
			for _, path := range packs(t, dir, ".pack") {
				rewrite(t, path, scramble)
			}
		},
		"packs cut": func(t *testing.T, dir string) {
			for _, path := range packs(t, dir, ".pack") {
				rewrite(t, path, func(c []byte) []byte { return c[:len(c)/2] })
			}
		},
		"index empty": func(t *testing.T, dir string) {
			for _, path := range packs(t, dir, ".idx") {
				rewrite(t, path, func([]byte) []byte { return nil })
			}
		},
		"no HEAD":          func(_ *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, "content.git", "HEAD")) },
		"HEAD is nonsense": func(t *testing.T, dir string) { rewrite(t, filepath.Join(dir, "content.git", "HEAD"), scrambleAll) },
		"config is nonsense": func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "content.git", "config"), func([]byte) []byte { return []byte("[core\n\trepositoryformatversion = 9") })
		},
		"shallow is nonsense": func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "content.git", "shallow"), func([]byte) []byte { return []byte("nonsense\n") })
		},
		"everything gone": func(_ *testing.T, dir string) { _ = os.RemoveAll(filepath.Join(dir, "content.git")) },
		"a file instead": func(t *testing.T, dir string) {
			_ = os.RemoveAll(filepath.Join(dir, "content.git"))
			if err := os.WriteFile(filepath.Join(dir, "content.git"), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "shop")
			must(t, os.CopyFS(dir, os.DirFS(whole))) // it has several packs
			m := s.mirror(t, dir)
			must(t, m.Fetch(t.Context(), one, two)) // they are here
			damage(t, dir)
			checkMirror(t, m, one, two, want) // without a Fetch: it was fetched
			if !slices.Contains(again, name) {
				return
			}
			damage(t, dir)
			another := s.mirror(t, dir)
			must(t, another.Fetch(t.Context(), one, two))
			checkMirror(t, another, one, two, want)
			follower := follow(t, dir, s.url, m)
			must(t, follower.Fetch(t.Context(), one, two))
			damage(t, dir)
			checkMirror(t, follower, one, two, want)
		})
	}
}

// TestReadingGoesOnAfterDamage: a blob that was handed out is not handed out again.
func TestReadingGoesOnAfterDamage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.write("a", "first")
	s.write("b", strings.Repeat("second", 1000))
	head := s.commit("one")
	ids := []string{s.git("rev-parse", "HEAD:a"), s.git("rev-parse", "HEAD:b")}
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	must(t, m.Fetch(t.Context(), head))
	if _, err := m.Repo().ReadBlob(t.Context(), ids[0], 1<<20); err != nil {
		t.Fatal(err)
	}
	before := packs(t, dir, ".pack")
	if _, err := m.Repo().ReadBlob(t.Context(), ids[1], 1<<20); err != nil {
		t.Fatal(err)
	}
	for _, path := range packs(t, dir, ".pack") {
		if !slices.Contains(before, path) {
			rewrite(t, path, func(c []byte) []byte { return append(slices.Clone(c[:20]), scramble(c)[20:]...) }) // git still recognises the format
		}
	}
	var got []string
	err := m.Repo().ReadBlobs(t.Context(), ids, 1<<20, func(b gitstore.Blob) error {
		if m.Repo().HashBytes(b.Content) != b.ID {
			t.Errorf("%s holds %q", b.ID, b.Content)
		}
		got = append(got, b.ID)
		return nil
	})
	if err != nil || !slices.Equal(got, ids) {
		t.Errorf("read %v, %v; want %v", got, err, ids)
	}
}

func scrambleAll(content []byte) []byte { return []byte(strings.Repeat("\xff", len(content))) }

func checkMirror(t *testing.T, m *gitstore.Mirror, one, two, blob string) {
	t.Helper()
	entries, err := m.Repo().Tree(t.Context(), two)
	if err != nil || len(entries) != 100 {
		t.Fatalf("Tree has %d entries, %v", len(entries), err)
	}
	changes, err := m.Repo().DiffTrees(t.Context(), one, two)
	if err != nil || len(changes) != 1 || changes[0].New != blob {
		t.Fatalf("DiffTrees = %v, %v", changes, err)
	}
	content, err := m.Repo().ReadBlob(t.Context(), blob, 1<<20)
	if err != nil || string(content) != "package changed\n" {
		t.Fatalf("ReadBlob = %q, %v", content, err)
	}
}

// TestLeftoversOfAKilledFetch checks that locks and partial files do not block a fetch, and are removed.
func TestLeftoversOfAKilledFetch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	one := s.commit("one")
	dir := filepath.Join(t.TempDir(), "shop [1]*")
	m := s.mirror(t, dir)
	if err := m.Fetch(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	left := []string{
		"trace-1", "new/config", "old/config", "content.git/shallow.lock", "content.git/config.lock", "content.git/packed-refs.lock",
		"content.git/objects/pack/tmp_pack_1", "content.git/objects/pack/pack-1.keep", "content.git/shallow_1", "history.git/shallow.lock",
	}
	for _, name := range left {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s.write("a.txt", "2")
	two := s.commit("two")
	if err := os.WriteFile(filepath.Join(dir, "content.git", "refs", "causal", two+".lock"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Fetch(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// TestFetchCutOff: a connection that ends within the pack, at many places, is ErrUnavailable and leaves nothing broken.
func TestFetchCutOff(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(300)
	one := s.commit("one")
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	for _, limit := range []int64{1, 100, 500, 1000, 2000, 5000} {
		s.cutAfter.Store(limit)
		if err := m.Fetch(t.Context(), one); !errors.Is(err, gitstore.ErrUnavailable) {
			t.Errorf("cut off after %d bytes: %v; want ErrUnavailable", limit, err)
		}
	}
	s.cutAfter.Store(0)
	if err := m.Fetch(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	entries, err := m.Repo().Tree(t.Context(), one)
	if err != nil || len(entries) != 300 {
		t.Errorf("Tree has %d entries, %v", len(entries), err)
	}
}

// TestCancelledFetch: a fetch that is given up in the middle of an answer can be begun again.
func TestCancelledFetch(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.project(100)
	one := s.commit("one")
	m := s.fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	hook := func() { cancel() }
	s.onRequest.Store(&hook)
	if err := m.Fetch(ctx, one); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want context.Canceled", err)
	}
	s.onRequest.Store(nil)
	if err := m.Fetch(t.Context(), one); err != nil {
		t.Error(err)
	}
}

// TestKilledProcess kills a process while it fetches; the next one finds a mirror that works.
func TestKilledProcess(t *testing.T) {
	if dir := os.Getenv("CAUSAL_TEST_MIRROR"); dir != "" {
		fetchUntilKilled(t, dir)
		return
	}
	t.Parallel()
	s := serve(t)
	s.project(200)
	one := s.commit("one")
	dir := filepath.Join(t.TempDir(), "shop")
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$")
		cmd.Env = append(os.Environ(), "CAUSAL_TEST_MIRROR="+dir, "CAUSAL_TEST_URL="+s.url, "CAUSAL_TEST_COMMIT="+one)
		asked := make(chan struct{}, 100)
		hook := func() { asked <- struct{}{} }
		s.onRequest.Store(&hook)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		<-asked
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		s.onRequest.Store(nil)
		m := s.mirror(t, dir)
		if err := m.Fetch(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if entries, err := m.Repo().Tree(t.Context(), one); err != nil || len(entries) != 200 {
			t.Fatalf("Tree has %d entries, %v", len(entries), err)
		}
		_ = os.RemoveAll(filepath.Join(dir, "content.git"))
	}
}

func fetchUntilKilled(t *testing.T, dir string) {
	t.Helper()
	auth := func(context.Context) (string, error) { return "ghs_secret", nil }
	m, err := gitstore.OpenMirror(t.Context(), dir, os.Getenv("CAUSAL_TEST_URL"), auth)
	if err != nil {
		t.Fatal(err)
	}
	for {
		_ = m.Fetch(t.Context(), os.Getenv("CAUSAL_TEST_COMMIT"))
		_ = os.RemoveAll(filepath.Join(dir, "content.git"))
	}
}

// TestRemoveMirror checks that a mirror is removed only if it is not open.
func TestRemoveMirror(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	head := s.commit("one")
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	if err := m.Fetch(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	if removed, err := gitstore.RemoveMirror(dir); removed || err != nil {
		t.Errorf("an open mirror: %v, %v", removed, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if removed, err := gitstore.RemoveMirror(dir); !removed || err != nil {
		t.Errorf("a closed mirror: %v, %v", removed, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is still there")
	}
	if err := s.mirror(t, dir).Fetch(t.Context(), head); err != nil {
		t.Error(err)
	}
}

// TestMirrorWaitsForOtherProcesses that write to it, as long as the caller has time.
func TestMirrorWaitsForOtherProcesses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	base(s.fixture)
	head := s.commit("one")
	dir := filepath.Join(t.TempDir(), "shop")
	m := s.mirror(t, dir)
	other := flock.New(dir + ".lock")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() { failed <- m.Fetch(ctx, head) }()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want context.Canceled", err)
	}
	go func() { failed <- m.Fetch(t.Context(), head) }()
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

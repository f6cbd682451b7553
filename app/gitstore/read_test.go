package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
)

func TestHeadAndResolve(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.commits++
	f.git("commit", "--quiet", "--allow-empty", "--message", "Two lines\nof subject\n\nand a body")
	f.git("tag", "--annotate", "v1", "--message", "one")
	f.git("tag", "--annotate", "v1v1", "v1", "--message", "tag of a tag")
	head := f.git("rev-parse", "HEAD")
	want := gitstore.Commit{
		ID: head, Tree: f.git("rev-parse", "HEAD^{tree}"), When: time.Unix(epoch+120, 0).UTC(),
		Author:  "Ada",
		Subject: "Two lines of subject",
	}
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		if got, err := repo.Head(t.Context()); err != nil || got != want {
			t.Errorf("Head = %+v, %v; want %+v", got, err, want)
		}
	})
	repo := open(t, gitstore.CLI, f.dir)
	for _, rev := range []string{"HEAD", "main", head, "v1", "v1v1", "refs/heads/main"} {
		if got, err := repo.Resolve(t.Context(), rev); err != nil || got != want {
			t.Errorf("Resolve(%q) = %+v, %v; want %+v", rev, got, err, want)
		}
	}
	for _, rev := range []string{
		"", "nope", "-h", "--all", "a\nb", "HEAD~9", "main..v1", "^main", strings.Repeat("0", 40), "HEAD:a.txt",
		want.Tree, ":", "@{", "a b", "HEAD^{tree}", "\x00", "é", "..", "~", "^{/nothing}",
	} {
		if got, err := repo.Resolve(t.Context(), rev); !errors.Is(err, gitstore.ErrUnknownRevision) {
			t.Errorf("Resolve(%q) = %+v, %v; want ErrUnknownRevision", rev, got, err)
		}
	}
	for _, rev := range []string{head[:10], "main^{commit}", "HEAD~1"} {
		if got, err := repo.Resolve(t.Context(), rev); err != nil || got.ID != f.git("rev-parse", rev) {
			t.Errorf("Resolve(%q) = %+v, %v", rev, got, err)
		}
	}
}

func TestUnborn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		if got, err := repo.Head(t.Context()); err != nil || got != (gitstore.Commit{}) {
			t.Errorf("Head = %+v, %v", got, err)
		}
	})
	repo := open(t, gitstore.CLI, f.dir)
	if _, err := repo.Resolve(t.Context(), "HEAD"); !errors.Is(err, gitstore.ErrUnknownRevision) {
		t.Errorf("Resolve: %v", err)
	}
	if _, err := repo.Tree(t.Context(), "HEAD"); !errors.Is(err, gitstore.ErrUnknownObject) {
		t.Errorf("Tree: %v", err)
	}
	if _, _, err := repo.LastCommit(t.Context(), "HEAD", "a"); !errors.Is(err, gitstore.ErrUnknownRevision) {
		t.Errorf("LastCommit: %v", err)
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	withSubmodule(f)
	unusual(f)
	f.write("a-b", "1")
	f.write("a/c", "2")
	f.write("a.d", "3")
	f.commit("names")
	f.git("tag", "--annotate", "v1", "--message", "one")
	want := f.staged()
	repo := open(t, gitstore.CLI, f.dir)
	for _, treeish := range []string{"HEAD", "v1", f.git("rev-parse", "HEAD^{tree}"), f.git("rev-parse", "HEAD")} {
		entries, err := repo.Tree(t.Context(), treeish)
		if err != nil {
			t.Fatal(err)
		}
		equalLines(t, treeish, listing(entries), want)
	}
	for _, treeish := range []string{"nope", strings.Repeat("1", 40), "-r"} {
		if _, err := repo.Tree(t.Context(), treeish); err == nil {
			t.Errorf("Tree(%q) has no error", treeish)
		}
	}
}

func TestDiffTrees(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("cafe\u0301", "nfd")
	first := f.commit("first")
	f.write("a.txt", "A\n")
	f.git("mv", "b.txt", "moved.txt")
	f.chmod("dir/c.txt", 0o755)
	f.remove("link")
	f.write("link/inner", "a directory now")
	f.write("caf\u00e9", "nfc")
	f.write("new\nline", "x")
	second := f.commit("second")
	want := []string{
		"modified regular a.txt", "deleted b.txt", "added regular caf\u00e9", "modified executable dir/c.txt",
		"deleted link", "added regular link/inner", "added regular moved.txt", "added regular new\nline",
	}
	repo := open(t, gitstore.CLI, f.dir)
	changes, err := repo.DiffTrees(t.Context(), first, second)
	if err != nil {
		t.Fatal(err)
	}
	equalLines(t, "changes", brief(changes), want)
	for _, c := range changes {
		checkSide(t, f, first, c.Path, c.Old)
		checkSide(t, f, second, c.Path, c.New)
	}
	if none, err := repo.DiffTrees(t.Context(), second, "HEAD"); err != nil || len(none) != 0 {
		t.Errorf("a commit differs from itself: %v, %v", none, err)
	}
	trees, err := repo.DiffTrees(t.Context(), first+"^{tree}", f.git("rev-parse", second+"^{tree}"))
	if err != nil || !slices.Equal(trees, changes) {
		t.Errorf("by trees: %v, %v", trees, err)
	}
	for _, pair := range [][2]string{{strings.Repeat("1", 40), second}, {second, "gone"}} {
		if _, err := repo.DiffTrees(t.Context(), pair[0], pair[1]); !errors.Is(err, gitstore.ErrUnknownObject) {
			t.Errorf("DiffTrees(%q): %v; want ErrUnknownObject", pair, err)
		}
	}
}

func checkSide(t *testing.T, f *fixture, rev, path, got string) {
	t.Helper()
	want := ""
	for item := range strings.SplitSeq(f.git("ls-tree", "-r", "-z", rev), "\x00") {
		if meta, name, ok := strings.Cut(item, "\t"); ok && name == path {
			want = strings.Fields(meta)[2]
		}
	}
	if got != want {
		t.Errorf("%s at %s: id = %q, want %q", path, rev, got, want)
	}
}

func TestReadBlobs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	contents := []string{"", "a\n", strings.Repeat("large\x00", 1<<17), "\xff\xfe", "last"}
	ids := make([]string, len(contents))
	for i, content := range contents {
		name := fmt.Sprintf("f%d", i)
		f.write(name, content)
		ids[i] = f.git("hash-object", "-w", "--", name)
	}
	ids, contents = append(ids, ids[1]), append(contents, contents[1])
	commit := f.commit("all")
	repo := open(t, gitstore.CLI, f.dir)
	var got []string
	err := repo.ReadBlobs(t.Context(), ids, 1<<20, func(b gitstore.Blob) error {
		if b.ID != ids[len(got)] {
			t.Errorf("blob %d is %s, want %s", len(got), b.ID, ids[len(got)])
		}
		got = append(got, string(b.Content))
		return nil
	})
	if err != nil || !slices.Equal(got, contents) {
		t.Fatalf("read %d blobs of %d: %v", len(got), len(contents), err)
	}
	if n := repo.Counters().Blobs; n != int64(len(ids)) {
		t.Errorf("counted %d blobs, want %d", n, len(ids))
	}
	if content, err := repo.ReadBlob(t.Context(), ids[1], 1<<20); err != nil || string(content) != "a\n" {
		t.Errorf("ReadBlob = %q, %v", content, err)
	}
	missing := strings.Repeat("1", 40)
	for _, id := range []string{missing, commit, "HEAD", "", ids[0] + "\n" + ids[0], strings.ToUpper(ids[1])} {
		if _, err := repo.ReadBlob(t.Context(), id, 1<<20); !errors.Is(err, gitstore.ErrUnknownObject) {
			t.Errorf("ReadBlob(%q): %v; want ErrUnknownObject", id, err)
		}
	}
	if _, err := repo.ReadBlob(t.Context(), missing, 1<<20); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("the error does not name the object: %v", err)
	}
	checkYieldError(t, repo, ids)
	checkLimit(t, repo, ids, contents)
}

// checkLimit checks that oversized blobs are skipped and reported, and the following ones are read.
func checkLimit(t *testing.T, repo *gitstore.Repo, ids, contents []string) {
	t.Helper()
	const limit = 4
	next := 0
	err := repo.ReadBlobs(t.Context(), ids, limit, func(b gitstore.Blob) error {
		want := contents[next]
		next++
		if b.Size != int64(len(want)) || b.Size <= limit && string(b.Content) != want || b.Size > limit && b.Content != nil {
			t.Errorf("%d bytes, of which %d were read, want %d", b.Size, len(b.Content), len(want))
		}
		return nil
	})
	if err != nil || next != len(ids) {
		t.Errorf("%d blobs of %d: %v", next, len(ids), err)
	}
	if _, err := repo.ReadBlob(t.Context(), ids[2], limit); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Errorf("ReadBlob: %v, want ErrTooLarge", err)
	}
}

func checkYieldError(t *testing.T, repo *gitstore.Repo, ids []string) {
	t.Helper()
	stop, seen := errors.New("stop"), 0
	err := repo.ReadBlobs(t.Context(), ids, 1<<20, func(gitstore.Blob) error {
		seen++
		return stop
	})
	if err != stop || seen != 1 { //nolint:errorlint // it has to come back as it is
		t.Errorf("after %d blobs: %v, want the callback's own error after 1", seen, err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("a.txt", "changed")
	id := f.git("rev-parse", "HEAD:b.txt")
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		calls := map[string]func() error{
			"Head":      func() error { _, err := repo.Head(ctx); return err },
			"EverBelow": func() error { _, _, err := repo.EverBelow(ctx, "HEAD", "dir", ""); return err },
			"HashFile":  func() error { _, _, err := repo.HashFile(ctx, "a.txt"); return err },
			"Contains":  func() error { _, err := repo.Contains(ctx, "HEAD", "HEAD"); return err },
		}
		if t.Name() == "TestCancelled/git" {
			calls["Resolve"] = func() error { _, err := repo.Resolve(ctx, "HEAD"); return err }
			calls["Tree"] = func() error { _, err := repo.Tree(ctx, "HEAD"); return err }
			calls["DiffTrees"] = func() error { _, err := repo.DiffTrees(ctx, "HEAD", "HEAD"); return err }
			calls["ReadBlob"] = func() error { _, err := repo.ReadBlob(ctx, id, 1<<20); return err }
			calls["Status"] = func() error { _, err := repo.Status(ctx); return err }
			calls["LastCommit"] = func() error { _, _, err := repo.LastCommit(ctx, "HEAD", "a.txt"); return err }
		}
		for name, call := range calls {
			if err := call(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want context.Canceled", name, err)
			}
		}
	})
}

func TestHash(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	base(f)
	f.write("large", strings.Repeat("x", 3<<20))
	each(t, f.dir, func(t *testing.T, repo *gitstore.Repo) {
		for _, name := range []string{"a.txt", "large", "dir/run.sh"} {
			id, size, err := repo.HashFile(t.Context(), name)
			if want := f.git("hash-object", "--", name); err != nil || id != want || size == 0 {
				t.Errorf("HashFile(%s) = %s, %d, %v; want %s", name, id, size, err, want)
			}
		}
		link, size, err := repo.HashFile(t.Context(), "link")
		if err != nil || link != repo.HashBytes([]byte("a.txt")) || size != 5 {
			t.Errorf("HashFile(link) = %s, %d, %v", link, size, err)
		}
		if got := repo.HashBytes(nil); got != "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" {
			t.Errorf("HashBytes(nil) = %s", got)
		}
		for _, path := range []string{"", "/etc/hostname", "../x", "dir/../a.txt", "none", "dir", ".git/config", "a\x00"} {
			if _, _, err := repo.HashFile(t.Context(), path); err == nil {
				t.Errorf("HashFile(%q) has no error", path)
			}
		}
		if c := repo.Counters(); c.Files != 4 || c.Bytes < 3<<20 {
			t.Errorf("counters: %+v", c)
		}
	})
}

func TestRemotes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	commit := f.commitStaged("one")
	f.git("update-ref", "refs/remotes/origin/main", commit)
	f.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	f.git("config", "url.https://example.com/.insteadOf", "ex:")
	f.git("config", "url.https://example.com/team/.insteadOf", "ex:t/")
	urls := map[string][2]string{
		"origin": {"https://user:secret@example.com/a/b.git", "https://example.com/a/b.git"},
		"token":  {"https://ghs_secret@example.com/a/b.git", "https://example.com/a/b.git"},
		"scp":    {"git@example.com:a/b.git", "git@example.com:a/b.git"},
		"ssh":    {"ssh://git:secret@example.com:22/a/b.git", "ssh://git@example.com:22/a/b.git"},
		"short":  {"ex:a/b.git", "https://example.com/a/b.git"},
		"longer": {"ex:t/b.git", "https://example.com/team/b.git"},
		"path":   {"/srv/a@b.git", "/srv/a@b.git"},
	}
	for name, url := range urls {
		f.configure("[remote \"" + name + "\"]\n\turl = " + url[0] + "\n")
	}
	repo := open(t, gitstore.CLI, f.dir)
	for name, url := range urls {
		if got, err := repo.RemoteURL(t.Context(), name); err != nil || got != url[1] {
			t.Errorf("RemoteURL(%s) = %q, %v; want %q", name, got, err, url[1])
		}
	}
	for _, name := range []string{"none", "", "-x"} {
		if got, err := repo.RemoteURL(t.Context(), name); err != nil || got != "" {
			t.Errorf("RemoteURL(%q) = %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"origin": "origin/main", "scp": "", "none": "", "": ""} {
		if got, err := repo.DefaultRemoteBranch(t.Context(), name); err != nil || got != want {
			t.Errorf("DefaultRemoteBranch(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

// TestNewObjectsShow: a Repo that is open sees what other programs write and pack.
func TestNewObjectsShow(t *testing.T) {
	t.Parallel()
	for _, adapter := range adapters {
		t.Run(adapter.String(), func(t *testing.T) {
			f := newFixture(t)
			base(f)
			f.git("repack", "-a", "-d", "--quiet")
			repo := open(t, adapter, f.dir)
			if _, _, err := repo.EverBelow(t.Context(), "HEAD", "dir", ""); err != nil {
				t.Fatal(err)
			}
			f.write("dir/later.txt", "later")
			want := f.commit("later")
			f.git("repack", "-a", "-d", "--quiet")
			if head, err := repo.Head(t.Context()); err != nil || head.ID != want {
				t.Fatalf("Head = %+v, %v", head, err)
			}
			files, _, err := repo.EverBelow(t.Context(), "HEAD", "dir", "")
			if _, there := files["dir/later.txt"]; err != nil || !there {
				t.Errorf("EverBelow = %q, %v", files, err)
			}
		})
	}
}

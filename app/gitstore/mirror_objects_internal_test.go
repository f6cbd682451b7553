package gitstore

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestOneGitAnswers: small questions are put to one process, whatever became of the one before.
func TestOneGitAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git := func(in string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "init", "--quiet", "--bare", "content.git")
	dir += "/content.git"
	var ids []string
	for _, text := range []string{"one", "two", strings.Repeat("three", 100_000), "four"} {
		ids = append(ids, git(text, "hash-object", "-w", "--stdin"))
	}
	tree, unknown := git("", "mktree"), strings.Repeat("0123456789", 4)
	git(strings.Join(append(ids, tree), "\n"), "pack-objects", "--quiet", "objects/pack/pack") // loose ones need no git
	git("", "prune-packed", "--quiet")
	counts := &counters{}
	runner, err := newRunner(counts)
	if err != nil {
		t.Fatal(err)
	}
	repo := newCache(runner, strings.TrimSuffix(dir, "/content.git"), "content.git", "blob:none")
	t.Cleanup(repo.contents.close)
	c := &cli{git: repo.git, objects: repo.contents}
	read := func(ctx context.Context, then error, names ...string) (sizes []int64, err error) {
		err = c.blobs(ctx, names, 10, func(b Blob) error {
			sizes = append(sizes, b.Size)
			return then
		})
		return sizes, err
	}
	fine := func(after string, spawned int64) {
		t.Helper()
		before := counts.spawns.Load()
		if sizes, err := read(t.Context(), nil, ids...); err != nil || len(sizes) != 4 || sizes[2] != 500_000 || sizes[3] != 4 {
			t.Errorf("after %s: %v, %v", after, sizes, err)
		}
		if n := counts.spawns.Load() - before; n != spawned {
			t.Errorf("after %s %d processes are started, want %d", after, n, spawned)
		}
	}
	fine("nothing", 1)
	fine("an answer", 0)
	before := counts.spawns.Load()
	if sizes, err := read(t.Context(), nil, slices.Repeat(ids, 3*fewNames)...); err != nil || len(sizes) != 12*fewNames || counts.spawns.Load() != before {
		t.Errorf("many names: %d sizes, %v, %d processes", len(sizes), err, counts.spawns.Load()-before)
	}
	if _, err := read(t.Context(), nil, unknown); !errors.Is(err, ErrUnknownObject) {
		t.Errorf("an unknown object: %v", err)
	}
	fine("an unknown object", 0)
	if _, err := read(t.Context(), nil, ids[0], tree); !errors.Is(err, ErrUnknownObject) {
		t.Errorf("a tree: %v", err)
	}
	fine("what is no blob", 0)
	if _, err := read(t.Context(), nil, unknown, ids[2], ids[2]); !errors.Is(err, ErrUnknownObject) {
		t.Errorf("an unknown object before others: %v", err)
	}
	fine("answers that nobody read", 1)
	enough := errors.New("enough")
	if sizes, err := read(t.Context(), enough, ids...); !errors.Is(err, enough) || len(sizes) != 1 {
		t.Errorf("who has enough: %v, %v", sizes, err)
	}
	fine("who had enough", 1)
	_ = repo.contents.live.cmd.Process.Kill()
	fine("its end", 1)
	repo.made.Add(1)
	fine("another repository in its place", 1)
	repo.contents.close()
	fine("it was closed", 1)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(gone, nil, ids...); !errors.Is(err, context.Canceled) {
		t.Errorf("with nobody waiting: %v", err)
	}
	err = c.blobs(t.Context(), ids[:1], 10, func(Blob) error {
		fine("a question while one is answered", 1)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestManyNamesAreNoSmallQuestion checks that many names do not block on a full pipe.
func TestManyNamesAreNoSmallQuestion(t *testing.T) {
	t.Parallel()
	o := &objects{}
	done, err := o.ask(t.Context(), make([]string, manyNames+1), func(*bufio.Reader, string) error { return nil })
	if done || err != nil {
		t.Errorf("%v, %v", done, err)
	}
}

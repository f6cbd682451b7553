package gitstore

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLooseObjects checks that loose objects are read without git, and that git is asked about all others and about
// damaged ones.
func TestLooseObjects(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		git := func(in string, args ...string) string {
			t.Helper()
			cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.com"}, args...)...)
			cmd.Stdin = strings.NewReader(in)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return strings.TrimSpace(string(out))
		}
		git("", "init", "--quiet", "--bare", "--object-format="+format)
		blob, empty := git("text\n", "hash-object", "-w", "--stdin"), git("", "hash-object", "-w", "--stdin")
		tree := git("100644 blob "+blob+"\tfile", "mktree")
		commit := git("", "commit-tree", "-m", "one", tree)
		tag := git(fmt.Sprintf("object %s\ntype commit\ntag v1\ntagger n <e@example.com> 0 +0000\n\nv1\n", commit), "mktag")
		path := filepath.Join(dir, "objects", blob[:2], blob[2:])
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		as := func(object string) []byte {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			_, _ = w.Write([]byte(object))
			_ = w.Close()
			return b.Bytes()
		}
		flipped := bytes.Clone(good)
		flipped[len(flipped)-1] ^= 1
		for _, c := range []struct {
			name, kind string
			file       []byte // content of the blob's file; nil: as git wrote it
			spawns     int64
			fails      bool
		}{
			{blob, "blob", nil, 0, false},
			{empty, "blob", nil, 0, false},
			{tree, "tree", nil, 0, false},
			{commit, "commit", nil, 0, false},
			{commit + "^{commit}", "commit", nil, 0, false},
			{commit + "^{tree}", "tree", nil, 0, false},
			{tree + "^{tree}", "tree", nil, 0, false},
			{blob, "tree", nil, 0, true},
			{tag + "^{commit}", "commit", nil, 1, false},
			{blob + "^{tree}", "tree", nil, 1, true},
			{strings.Repeat("0", len(blob)), "blob", nil, 1, true},
			{"../../config", "blob", nil, 1, true},
			{blob + "^{tree}", "tree", as("commit 0\x00tree " + blob + "\n"), 1, true},
			{blob + "^{tree}", "tree", as("commit 0\x00tree " + blob + "^{tree}\n"), 1, true},
			{blob, "blob", []byte{}, 1, true},
			{blob, "blob", []byte("blob 5\x00text\n"), 1, true},
			{blob, "blob", good[:len(good)-6], 0, true},
			{blob, "blob", as("blob 7\x00text\n"), 0, true},
			{blob, "blob", as("blob 3\x00text\n"), 0, true},
			{blob, "blob", flipped, 0, true},
			{blob, "blob", as("blob"), 1, true},
			{blob, "blob", as(strings.Repeat("b", 10_000)), 1, true},
		} {
			file := good
			if c.file != nil {
				file = c.file
			}
			if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, file, 0o600)); err != nil {
				t.Fatal(err)
			}
			counts := &counters{}
			runner, err := newRunner(counts)
			if err != nil {
				t.Fatal(err)
			}
			runner.dir = dir
			backend := &cli{git: runner, objects: &objects{git: runner, dir: dir}}
			var found []Blob
			err = backend.batch(t.Context(), []string{c.name}, c.kind, 1000, func(b Blob) error {
				found = append(found, b)
				return nil
			})
			backend.objects.close()
			if (err != nil) != c.fails || counts.spawns.Load() != c.spawns {
				t.Errorf("%s: %s as %s, file %q: %v with %d processes", format, c.name, c.kind, c.file, err, counts.spawns.Load())
			}
			if err == nil {
				id, _, _ := strings.Cut(c.name, "^")
				want := git("", "cat-file", c.kind, c.name)
				if len(found) != 1 || c.kind != "tree" && strings.TrimSpace(string(found[0].Content)) != want || !strings.HasPrefix(c.name, commit+"^{tree}") && id != tag && found[0].ID != id {
					t.Errorf("%s: %s is %v, want %q", format, c.name, found, want)
				}
			} else if len(found) > 0 {
				t.Errorf("%s: %s: %v was yielded", format, c.name, found)
			}
		}
	}
}

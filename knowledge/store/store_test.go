package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/store"
)

var layout = store.Layout{Docs: "docs/causal"}

func TestPaths(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{
		".": "_root", "money": "money", "a/b": "a/b", "_root": "__root", "__root": "___root", "aux": "_aux", "_aux": "__aux",
		"src/con.d": "src/_con.d", "com1": "_com1", "command": "command", "a:b/c?": "a%3Ab/c%3F", "x.": "x%2E", "100%": "100%25",
		"d\xffir/é": "d%FFir/é", "é\xff": "%C3%A9%FF",
	} {
		if got := layout.Node(module); got != ".causal/nodes/"+want+".yml" {
			t.Errorf("%s lies in %s, want %s", module, got, want)
		}
	}
}

func TestPagesAreToldFromOtherFiles(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		layout.Index(): true, layout.Page("a/b"): true, layout.ModuleList(): true, layout.Overview("x"): true, layout.Guide(): true,
		"docs/causal/modules/llms.txt": false, "docs/causal/notes.txt": false, "llms.txt": false, "docs/index.md": false, layout.Node("a"): false,
	} {
		if got := layout.IsPage(file); got != want {
			t.Errorf("%s: got %v", file, got)
		}
	}
}

// TestPathsAreReversible: no two modules share a file, and a file tells its module.
func TestPathsAreReversible(t *testing.T) {
	t.Parallel()
	segment := rapid.OneOf(rapid.StringMatching(`_{0,3}(root|con|aux|com1|a|b\.|%41|a:)`), rapid.StringMatching(`[a-z_%.:]{1,6}`),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte("a_%\xc3\xa9\xff")), 1, 5), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(segment, 1, 3).Draw(t, "parts")
		for _, p := range parts {
			if p == "." || p == ".." {
				t.Skip("no directory is called so")
			}
		}
		module := strings.Join(parts, "/")
		for _, file := range []string{layout.Node(module), layout.Page(module)} {
			if got, ok := layout.ModuleOf(file); !ok || got != module {
				t.Fatalf("%q lies in %q, which tells %q", module, file, got)
			}
			if !layout.Owns(file) {
				t.Fatalf("%q is not owned", file)
			}
		}
	})
}

func TestWrite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := open(t, root)
	for _, step := range []struct {
		data    string
		changed bool
	}{{"one", true}, {"one", false}, {"two", true}} {
		changed, err := d.Write("docs/causal/modules/a/b.md", []byte(step.data))
		if err != nil || changed != step.changed {
			t.Fatalf("write %q: changed %v, %v", step.data, changed, err)
		}
	}
	if err := d.Remove("docs/causal/modules/a/b.md", "docs/causal"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "docs/causal/modules")); !os.IsNotExist(err) {
		t.Error("empty directories are left")
	}
	if err := d.Sweep(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(root, ".causal/tmp/*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTouched(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := open(t, root)
	for name, text := range map[string]string{"other": "a", "again": "a", "gone": "a"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if _, err := d.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := d.Remove(name, ""); err != nil {
			t.Fatal(err)
		}
	}
	write("new", "n")
	write("empty", "")
	write("other", "o")
	write("again", "b")
	write("again", "a")
	write("never", "n")
	remove("never")
	remove("gone")
	written, removed, err := d.Touched()
	if err != nil || !slices.Equal(written, []string{"empty", "new", "other"}) || !slices.Equal(removed, []string{"gone"}) {
		t.Errorf("written %v, removed %v, %v", written, removed, err)
	}
}

func TestNothingLeadsOutside(t *testing.T) {
	t.Parallel()
	root, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(other, filepath.Join(root, "docs")); err != nil {
		t.Skip("no symbolic links here")
	}
	d := open(t, root)
	for _, name := range []string{"docs/causal/index.md", "../x.md", "a/../../x.md", "/x.md"} {
		if changed, err := d.Write(name, []byte("x")); err == nil || changed {
			t.Errorf("%s was written", name)
		}
	}
	if left, _ := os.ReadDir(other); len(left) > 0 {
		t.Errorf("outside: %v", left)
	}
}

func open(t *testing.T, root string) *store.Dir {
	t.Helper()
	d, err := store.OpenDir(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestWriteBesideRemove: the last file of a directory goes while another one comes, and what came can be read.
func TestWriteBesideRemove(t *testing.T) {
	t.Parallel()
	d := open(t, t.TempDir())
	for i := range 300 {
		old, fresh := layout.Frames(fmt.Sprint("s-", i)), layout.Frames(fmt.Sprint("s-", i+1))
		if _, err := d.Write(old, []byte("old")); err != nil {
			t.Fatal(err)
		}
		var both errgroup.Group
		both.Go(func() error { return d.Remove(old, store.Top) })
		both.Go(func() error { _, err := d.Write(fresh, []byte("new")); return err })
		both.Go(func() error { _, err := d.Read(fresh); return ignore(err, fs.ErrNotExist) })
		if err := both.Wait(); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Read(fresh); err != nil || string(got) != "new" {
			t.Fatalf("round %d: what was written reads %q, %v", i, got, err)
		}
	}
}

func ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}

// TestNamesThatAreNoText are listed like any others: somebody else's file of such a name is no reason to read nothing.
func TestNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	want := []string{"a/b.yml", "a/b\xff.yml", "a/\xff/c.yml"}
	for _, name := range want {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
	}
	d := open(t, root)
	if got, err := d.Below("a"); err != nil || !slices.Equal(got, want) {
		t.Errorf("below are %q, %v", got, err)
	}
	if got, err := d.List("a"); err != nil || !slices.Equal(got, want[:2]) {
		t.Errorf("the list is %q, %v", got, err)
	}
}

// TestTooLargeForANode: what is in the place of a node and larger than any is replaced and removed; elsewhere nothing is.
func TestTooLargeForANode(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := open(t, root)
	write, gone, page := layout.Node("a"), layout.Node("b"), layout.Page("a")
	for _, name := range []string{write, gone, page} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(root, name), store.LargestFile+1); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Read(name); !errors.Is(err, store.ErrTooLarge) || !errors.Is(err, store.ErrOccupied) {
			t.Errorf("%s is read: %v", name, err)
		}
	}
	if _, err := d.Write(page, []byte("x")); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("a page is overwritten: %v", err)
	}
	if err := d.Remove(page, "docs"); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("a page is removed: %v", err)
	}
	if changed, err := d.Write(write, []byte("x")); err != nil || !changed {
		t.Errorf("a node is not written: %v", err)
	}
	if err := d.Remove(gone, store.Top); err != nil {
		t.Error(err)
	}
	if written, removed, err := d.Touched(); err != nil || !slices.Equal(written, []string{write}) || !slices.Equal(removed, []string{gone}) {
		t.Errorf("written %v, removed %v, %v", written, removed, err)
	}
}

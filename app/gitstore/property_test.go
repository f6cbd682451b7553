package gitstore_test

import (
	"os"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"pgregory.net/rapid"
)

// scratch returns a directory that is removed at the end of a rapid check.
func scratch(rt *rapid.T) string {
	dir, err := os.MkdirTemp("", "gitstore-")
	if err != nil {
		rt.Fatalf("%v", err)
	}
	rt.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// TestListingIsWhatGitWouldCommit after random changes to work tree and index.
func TestListingIsWhatGitWouldCommit(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "d/a", "d/b", "d/e/a", "f", "g/a", "a b"}
	content := rapid.SampledFrom([]string{"", "1", "2", "1\r\n"})
	rapid.Check(t, func(rt *rapid.T) {
		f := initIn(rt, scratch(rt))
		put := func(name string) { f.alter(name, rapid.IntRange(0, 5).Draw(rt, "act"), content.Draw(rt, "content")) }
		for _, name := range names {
			put(name)
		}
		if rapid.Bool().Draw(rt, "born") {
			f.commit("base")
		}
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID)
		for _, name := range some.Draw(rt, "changed before staging") {
			put(name)
		}
		_, _ = f.try("add", "--all", "--", rapid.SampledFrom([]string{"a", "d", "g", "."}).Draw(rt, "staged"))
		forget := rapid.SampledFrom([]string{"a", "d", "g/a", "none"}).Draw(rt, "forgotten")
		_, _ = f.try("rm", "--quiet", "--cached", "-r", "--ignore-unmatch", "--", forget)
		for _, name := range some.Draw(rt, "changed after staging") {
			put(name)
		}
		repo, err := gitstore.OpenWith(t.Context(), f.dir, gitstore.CLI)
		f.must(err)
		snapshot, err := workTree(t.Context(), repo)
		f.must(err)
		equalLines(rt, "work tree", listing(snapshot.entries), f.staged())
	})
}

// alter replaces a path with a file, an executable, a link or nothing, and removes conflicting files.
func (f *fixture) alter(name string, act int, content string) {
	for i := range name {
		if name[i] != '/' {
			continue
		}
		if info, err := os.Lstat(f.path(name[:i])); err == nil && !info.IsDir() {
			f.remove(name[:i])
		}
	}
	f.remove(name)
	switch act {
	case 0:
	case 1:
		f.link(name, "target"+content)
	case 2:
		f.write(name, content)
		f.chmod(name, 0o755)
	case 3:
		f.write(name+"/x", content)
	default:
		f.write(name, content)
	}
}

package java

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"

	"github.com/causaldocs/causal/knowledge/testmode"
)

// sampled bounds how many files of a corpus are read by default.
const sampled = 60

// corpus lists Java sources of this machine: those below the directories of CAUSAL_CORPUS, else a sample of the
// sources of an installed JDK. A long run takes all of them.
func corpus(t testing.TB) []string {
	t.Helper()
	var files []string
	if dirs := os.Getenv("CAUSAL_CORPUS"); dirs != "" {
		for _, dir := range filepath.SplitList(dirs) {
			files = append(files, below(t, dir)...)
		}
	} else {
		files = jdkSources(t)
	}
	slices.Sort(files)
	if testmode.Long() || len(files) <= sampled {
		return files
	}
	var some []string
	for i := range sampled {
		some = append(some, files[i*len(files)/sampled])
	}
	return some
}

func below(t testing.TB, dir string) []string {
	var out []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(name) == ".java" {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// jdkSources unpacks a sample of the first JDK source archive that is found; without one, this package's own sample
// files remain.
func jdkSources(t testing.TB) []string {
	own, err := filepath.Glob(filepath.Join("testdata", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"/usr/lib/jvm/*/lib/src.zip", "/Library/Java/JavaVirtualMachines/*/Contents/Home/lib/src.zip"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, archive := range found {
			if r, err := zip.OpenReader(archive); err == nil {
				defer r.Close()
				return append(own, unpack(t, r)...)
			}
		}
	}
	return own
}

func unpack(t testing.TB, r *zip.ReadCloser) []string {
	var sources []*zip.File
	for _, f := range r.File {
		if strings.HasPrefix(f.Name, "java.base/java/") && strings.HasSuffix(f.Name, ".java") {
			sources = append(sources, f)
		}
	}
	dir := t.TempDir()
	var out []string
	for i := range min(sampled, len(sources)) {
		f := sources[i*len(sources)/min(sampled, len(sources))]
		name := filepath.Join(dir, strconv.Itoa(i), filepath.Base(f.Name))
		if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	return out
}

// load reads the corpus, line ends as Extract wants them.
func load(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range corpus(t) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = []byte(strings.ReplaceAll(string(src), "\r\n", "\n"))
	}
	return out
}

// TestCorpus holds the rules of every File on real sources, and that formatting does not count: the same tokens on
// one line each give the same digests.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for name, src := range load(t) {
		f := Language{}.Extract(context.Background(), name, src)
		sourcetest.CheckFile(t, f)
		if t.Failed() {
			t.Fatalf("in %s", name)
		}
		g := Language{}.Extract(context.Background(), name, []byte(spread(string(src))))
		if f.Problem == "" && (g.Problem != "" || !sameDigests(f, g)) {
			t.Fatalf("%s: other formatting gives other digests or a problem: %q", name, g.Problem)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	files := load(b)
	size := 0
	for _, src := range files {
		size += len(src)
	}
	if size == 0 {
		b.Skip("no Java sources: set CAUSAL_CORPUS=dir:dir")
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name, src := range files {
			Language{}.Extract(context.Background(), name, src)
		}
	}
}

package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// speed is how fast the files of one language are read.
type speed struct {
	language  string
	files     int
	megabytes float64
	rate      float64
	least     float64 // the rate that is promised, 0 for none
}

// leastSpeed is promised of every language with a scanner of our own.
const leastSpeed = 30

func (s speed) kept() bool { return s.rate >= s.least }

// mostBytes is how much source of one language is read.
const mostBytes = 24 << 20

// extraction measures every language for which the machine has source, on one processor.
func (b *bench) extraction() ([]speed, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var out []speed
	for _, l := range languages.All() {
		s := speed{language: l.Name(), least: leastSpeed}
		if s.language == "go" {
			s.least = 0 // read by the parser of its own library
		}
		names, sources := collect(b.sourceDirs(l.Name()), l)
		if len(sources) == 0 {
			continue
		}
		best, all := time.Duration(0), time.Duration(0)
		for passes := 0; passes < 3 || all < time.Second; passes++ { // one pass over a small corpus is too short to tell
			runtime.GC()
			start := cpu()
			for i, src := range sources {
				l.Extract(b.ctx, names[i], src)
			}
			took := cpu() - start
			all += took
			if best == 0 || took < best {
				best = took
			}
		}
		for _, src := range sources {
			s.megabytes += float64(len(src)) / 1e6
		}
		s.files, s.rate = len(sources), s.megabytes/best.Seconds()
		if s.megabytes < 1 {
			s.least = 0 // too little to tell
		}
		out = append(out, s)
	}
	return out, nil
}

// sourceDirs are the places where a machine is likely to have source of a language.
func (b *bench) sourceDirs(language string) []string {
	ask := func(name string, args ...string) string {
		out, err := exec.CommandContext(b.ctx, name, args...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	switch language {
	case "go":
		return []string{filepath.Join(runtime.GOROOT(), "src")}
	case "python":
		return []string{ask("python3", "-c", "import os; print(os.path.dirname(os.__file__))")}
	case "typescript", "javascript":
		return []string{ask("npm", "root", "-g"), "/usr/share/nodejs", ask("go", "env", "GOMODCACHE")}
	case "java":
		return []string{os.Getenv("JAVA_HOME"), "/usr/lib/jvm"}
	case "rust":
		home, _ := os.UserHomeDir()
		return []string{filepath.Join(ask("rustc", "--print", "sysroot"), "lib/rustlib/src"), filepath.Join(home, ".cargo", "registry", "src")}
	case "c", "c++":
		return []string{"/usr/include", filepath.Join(runtime.GOROOT(), "src")}
	}
	return nil
}

func collect(dirs []string, l source.Language) (names []string, sources [][]byte) {
	total := 0
	take := func(name string, read func() ([]byte, error)) {
		if total > mostBytes || !slices.Contains(l.Extensions(), path.Ext(name)) {
			return
		}
		if src, err := read(); err == nil {
			names, sources, total = append(names, name), append(sources, src), total+len(src)
		}
	}
	for _, dir := range append(dirs, filepath.SplitList(os.Getenv("CAUSAL_CORPUS"))...) {
		if dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || total > mostBytes {
				return nil
			}
			if d.Name() == "src.zip" { // the source of Java's own library
				fromZip(p, take)
				return nil
			}
			rel, _ := filepath.Rel(dir, p)
			take(filepath.ToSlash(rel), func() ([]byte, error) { return os.ReadFile(p) }) //nolint:gosec // nobody else writes the tree that is measured
			return nil
		})
	}
	return names, sources
}

func fromZip(file string, take func(name string, read func() ([]byte, error))) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		take(f.Name, func() ([]byte, error) {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			defer func() { _ = r.Close() }()
			return io.ReadAll(r)
		})
	}
}

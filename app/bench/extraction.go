package main

import (
	"io/fs"
	"os"
	"os/exec"
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
}

// mostBytes is how much source of one language is read.
const mostBytes = 24 << 20

// extraction measures every language for which the machine has source, on one processor.
func (b *bench) extraction() ([]speed, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var out []speed
	for _, l := range languages.All() {
		s := speed{language: l.Name()}
		names, sources := collect(b.sourceDirs(l.Name()), l)
		if len(sources) == 0 {
			continue
		}
		best := time.Duration(0)
		for range 3 {
			runtime.GC()
			start := time.Now()
			for i, src := range sources {
				l.Extract(names[i], src)
			}
			if took := time.Since(start); best == 0 || took < best {
				best = took
			}
		}
		for _, src := range sources {
			s.megabytes += float64(len(src)) / 1e6
		}
		s.files, s.rate = len(sources), s.megabytes/best.Seconds()
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
		return []string{ask("npm", "root", "-g"), "/usr/share/nodejs"}
	case "rust":
		return []string{filepath.Join(ask("rustc", "--print", "sysroot"), "lib/rustlib/src")}
	case "c", "c++":
		return []string{"/usr/include", filepath.Join(runtime.GOROOT(), "src")}
	}
	return nil
}

func collect(dirs []string, l source.Language) (names []string, sources [][]byte) {
	total := 0
	for _, dir := range append(dirs, filepath.SplitList(os.Getenv("CAUSAL_CORPUS"))...) {
		if dir == "" || !filepath.IsAbs(dir) {
			continue
		}
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || total > mostBytes || !slices.Contains(l.Extensions(), filepath.Ext(p)) {
				return nil
			}
			if src, err := os.ReadFile(p); err == nil && d.Type().IsRegular() { //nolint:gosec // nobody else writes the tree that is measured
				rel, _ := filepath.Rel(dir, p)
				names, sources, total = append(names, filepath.ToSlash(rel)), append(sources, src), total+len(src)
			}
			return nil
		})
	}
	return names, sources
}

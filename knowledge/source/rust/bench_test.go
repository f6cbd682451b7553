package rust

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusFiles lists the Rust files below the folders that CAUSAL_CORPUS names, else those of the packages that cargo has
// fetched and of the standard library.
func corpusFiles() []string {
	roots := filepath.SplitList(os.Getenv("CAUSAL_CORPUS"))
	if len(roots) == 0 {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		roots = []string{filepath.Join(home, ".cargo", "registry", "src"), filepath.Join(home, ".rustup", "toolchains")}
	}
	var files []string
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".rs") {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

func BenchmarkExtract(b *testing.B) {
	var sources [][]byte
	var size int64
	for _, file := range corpusFiles() {
		src, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if size+int64(len(src)) > 32<<20 {
			break
		}
		size += int64(len(src))
		sources = append(sources, src)
	}
	if len(sources) == 0 {
		b.Skip("no Rust files on this machine; name folders with CAUSAL_CORPUS")
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range sources {
			Language{}.Extract(context.Background(), "src/x.rs", src)
		}
	}
}

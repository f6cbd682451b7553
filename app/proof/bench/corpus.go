package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// corpus is a tree of source to measure on.
type corpus struct {
	name string
	make func(dir string) error
	// edited is a file of a made tree that is edited, by appending a declaration. In real ones it is looked for.
	edited, declaration string
	real                bool // somebody works in it: what is promised holds there, and the first run is compared with a tag generator
}

// corpora are the trees that every machine with Go has, and made ones of growing size.
func (b *bench) corpora() []corpus {
	out := []corpus{standardLibrary()}
	source, packages := largestModules(b.ctx)
	for i, m := range []module{source, packages} {
		if m.Dir == "" || i > 0 && packages.Dir == source.Dir {
			continue
		}
		out = append(out, corpus{
			name: m.Path, declaration: "\nfunc benched%d() {}\n", real: true,
			make: func(to string) error { return copyTree(m.Dir, to) },
		})
	}
	for _, files := range []int{1000, 10_000, 50_000} {
		out = append(out, madeOf(files))
	}
	return out
}

// madeOf is a made tree of as many files.
func madeOf(files int) corpus {
	return corpus{
		name: fmt.Sprintf("%d files", files), edited: "p0000/f0.go", declaration: "\nfunc benched%d() {}\n",
		make: func(dir string) error { return synthetic(dir, files) },
	}
}

func standardLibrary() corpus {
	return corpus{
		name: "standard library", declaration: "\nfunc benched%d() {}\n", real: true,
		make: func(dir string) error {
			return copyTree(filepath.Join(runtime.GOROOT(), "src"), filepath.Join(dir, "src"))
		},
	}
}

// module is a dependency of this project.
type module struct {
	Path, Dir string
	Main      bool
}

// largestModules are the dependencies of this project with the most Go source and with the most packages.
func largestModules(ctx context.Context) (source, packages module) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-json", "all").Output()
	if err != nil {
		return module{}, module{}
	}
	var mostBytes, mostPackages int64
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var m module
		if d.Decode(&m) != nil {
			return source, packages
		}
		if m.Dir == "" || m.Main {
			continue
		}
		size, dirs := goSource(m.Dir)
		if size > mostBytes {
			source, mostBytes = m, size
		}
		if dirs > mostPackages {
			packages, mostPackages = m, dirs
		}
	}
}

// goSource counts the bytes of the Go files below a directory, and the directories that hold them.
func goSource(dir string) (size, dirs int64) {
	found := map[string]bool{}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, ".go") {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		found[filepath.Dir(p)] = true
		return nil
	})
	return size, int64(len(found))
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(p) //nolint:gosec // nobody else writes the tree that is measured
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// synthetic makes packages of ten files, each using the package before it.
func synthetic(dir string, files int) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/made\n"), 0o644); err != nil {
		return err
	}
	for p := range files / 10 {
		pkg := filepath.Join(dir, fmt.Sprintf("p%04d", p))
		if err := os.Mkdir(pkg, 0o755); err != nil {
			return err
		}
		for f := range 10 {
			text := fmt.Sprintf("package p%04d\n\n// F%d does %d.\nfunc F%d(a int) int { return a * %d }\n", p, f, f, f, p)
			if f == 0 && p > 0 {
				text = fmt.Sprintf("// Package p%04d is number %d.\npackage p%04d\n\nimport \"example.com/made/p%04d\"\n\n// F0 calls the one before.\nfunc F0() int { return p%04d.F1(1) }\n", p, p, p, p-1, p-1)
			}
			if err := os.WriteFile(filepath.Join(pkg, fmt.Sprintf("f%d.go", f)), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// goPackage is a directory with Go files that are not tests.
type goPackage struct {
	file  string // one of them
	bytes int64
}

// goPackages lists the packages of a tree by size, smallest first.
func goPackages(dir string) []goPackage {
	found := map[string]*goPackage{}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		info, err := d.Info()
		if err != nil || strings.HasSuffix(p, "_test.go") || strings.Contains(rel, "testdata") || strings.Contains(rel, "vendor") {
			return err
		}
		name := path.Dir(rel)
		if found[name] == nil {
			found[name] = &goPackage{file: rel}
		}
		found[name].bytes += info.Size()
		return nil
	})
	out := make([]goPackage, 0, len(found))
	for _, p := range found {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b goPackage) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), strings.Compare(a.file, b.file))
	})
	return out
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// tree is source to measure on.
type tree struct {
	name string
	make func(dir string) error
}

// standardLibrary is a copy of Go's standard library.
var standardLibrary = tree{"standard library", func(dir string) error {
	return os.CopyFS(filepath.Join(dir, "src"), os.DirFS(filepath.Join(runtime.GOROOT(), "src")))
}}

// monorepo makes a Go module of n packages, each of which imports three others.
func monorepo(dir string, n int) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/made\n\ngo 1.24\n"), 0o644); err != nil {
		return err
	}
	for i := range n {
		text := source(i)
		file := filepath.Join(dir, filepath.FromSlash(packageDir(i)), "p.go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// packageDir is the directory of a package: a hundred are in one area.
func packageDir(i int) string { return fmt.Sprintf("area%03d/p%05d", i/100, i) }

// imported are the packages that one imports: the one before it, one of the same area, and one that many use.
func imported(i int) []int {
	var out []int
	for _, j := range []int{i % 10, i - 7, i - 1} {
		if j >= 0 && j < i && (len(out) == 0 || j > out[len(out)-1]) {
			out = append(out, j)
		}
	}
	return out
}

// source is the text of a package.
func source(i int) string {
	var imports, calls strings.Builder
	for _, j := range imported(i) {
		fmt.Fprintf(&imports, "\t\"example.com/made/%s\"\n", packageDir(j))
		fmt.Fprintf(&calls, " + p%05d.Weight(a)", j)
	}
	text := fmt.Sprintf("// Package p%05d is number %d of the made packages.\npackage p%05d\n\n", i, i, i)
	if imports.Len() > 0 {
		text += "import (\n" + imports.String() + ")\n\n"
	}
	return text + fmt.Sprintf(`// Limit is how much a Box holds.
const Limit = %d

// Box holds a number.
type Box struct{ N int }

// Add adds to what a box holds.
func (b *Box) Add(n int) { b.N = min(b.N+n, Limit) }

// Weight tells the weight of a.
func Weight(a int) int { return a%s }
`, i+1, calls.String())
}

// edit is a change of one file. n differs from one time to the next.
type edit struct {
	name   string
	change func(text string, n int) string
}

// editedFile is in a package that many others use.
const editedFile = "src/strings/builder.go"

// edits are changes of editedFile, each with a bound.
var edits = []edit{
	{"a body", func(text string, n int) string {
		return grow.ReplaceAllString(text, fmt.Sprintf("${0}\tif n == %d {\n\t\tn++\n\t}\n", n+1_000_000))
	}},
	{"a new public function", func(text string, n int) string {
		return text + fmt.Sprintf("\n// Bench%d does nothing.\nfunc Bench%d() {}\n", n, n)
	}},
	{"a changed signature", func(text string, n int) string {
		return grow.ReplaceAllString(text, fmt.Sprintf("func (b *Builder) Grow(n int, bench%d ...int) {\n", n))
	}},
}

// grow matches the head of a method in editedFile.
var grow = regexp.MustCompile(`func \(b \*Builder\) Grow\(n int.*\) \{\n`)

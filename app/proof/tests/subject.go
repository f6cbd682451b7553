package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/causaldocs/causal/app/confine"
)

// subject is a library whose own tests were taken away: a tree of sources, over which tests are laid for the go command.
type subject struct {
	dir      string   // where everything of it lies
	root     string   // the source tree, below dir
	launcher string   // see confine.Program
	env      []string // of tests
	units    []*unit
	laid     int
}

// unit is one importable package.
type unit struct {
	dir   string // slash-separated, from the root
	path  string
	files []string // from the root

	fset    *token.FileSet
	trees   []*ast.File
	types   *types.Package
	sizes   types.Sizes
	version string // of the language
}

// takeAway removes the library's tests and nested modules, and returns the tests by their paths.
func takeAway(dir string) (map[string][]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	people := map[string][]byte{}
	return people, fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != ".":
			if _, err := root.Stat(file + "/go.mod"); err != nil {
				return nil //nolint:nilerr // it is part of the root's own module
			}
			if err := root.RemoveAll(file); err != nil {
				return err
			}
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		if people[file], err = root.ReadFile(file); err != nil {
			return err
		}
		return root.Remove(file)
	})
}

// newSubject removes the tests of a tree and returns them by their paths. Nested modules are removed: they are separate libraries.
func newSubject(ctx context.Context, dir, root, launcher string) (*subject, map[string][]byte, error) {
	people, err := takeAway(root)
	if err != nil {
		return nil, nil, fmt.Errorf("take the tests away: %w", err)
	}
	s := &subject{dir: dir, root: root, launcher: launcher}
	loaded, err := load(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range loaded {
		if p.Name != "main" && len(p.GoFiles) > 0 {
			s.units = append(s.units, newUnit(root, p))
		}
	}
	return s, people, nil
}

func newUnit(root string, p *packages.Package) *unit {
	u := &unit{dir: slashed(root, filepath.Dir(p.GoFiles[0])), path: p.PkgPath, fset: p.Fset, trees: p.Syntax, types: p.Types, sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		u.version = "go" + p.Module.GoVersion
	}
	for _, f := range p.GoFiles {
		u.files = append(u.files, slashed(root, f))
	}
	slices.Sort(u.files)
	return u
}

// load reads the packages of the module in a directory, in the order of their paths.
func load(ctx context.Context, root string) ([]*packages.Package, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	list, err := packages.Load(&packages.Config{Context: ctx, Dir: root, Mode: mode, Env: environment()}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load the packages: %w", err)
	}
	slices.SortFunc(list, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return list, nil
}

// slashed is the path of a file from the root, with slashes.
func slashed(root, file string) string {
	name, err := filepath.Rel(root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

func (s *subject) at(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// environment is that of the go command: nothing around the library takes part.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return append(env, "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local", "LC_ALL=C")
}

// layer maps files to their replacements, for the -overlay flag of the go command.
type layer map[string]string

// lay writes files aside, and returns the layer in which they are part of the tree.
func (s *subject) lay(files map[string][]byte) (layer, error) {
	out := layer{}
	s.laid++
	dir := filepath.Join(s.dir, "laid", strconv.Itoa(s.laid))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(file, files[name], 0o600); err != nil {
			return nil, err
		}
		out[s.at(name)] = file
	}
	return out, nil
}

// of is the part of a layer that concerns a package.
func (s *subject) of(u *unit, l layer) layer {
	out := layer{}
	for name, file := range l {
		if filepath.Dir(name) == filepath.Clean(s.at(u.dir)) {
			out[name] = file
		}
	}
	return out
}

func join(layers ...layer) layer {
	out := layer{}
	for _, l := range layers {
		maps.Copy(out, l)
	}
	return out
}

// goCommand runs the go command in the directory of a package, and reports whether it found nothing wrong.
func (s *subject) goCommand(ctx context.Context, dir string, args ...string) (said string, ok bool, err error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Env = s.at(dir), environment()
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return string(out), false, nil
	}
	return string(out), err == nil, err
}

// build builds the tests of a package with a layer.
func (s *subject) build(ctx context.Context, u *unit, l layer, binary string, flags ...string) (said string, ok bool, err error) {
	data, err := json.Marshal(map[string]layer{"Replace": l})
	if err != nil {
		return "", false, err
	}
	if err := os.WriteFile(binary+".json", data, 0o600); err != nil {
		return "", false, err
	}
	return s.goCommand(ctx, u.dir, slices.Concat([]string{"test", "-c", "-vet=off", "-overlay", binary + ".json", "-o", binary}, flags, []string{"."})...)
}

// mustBuild builds tests that nothing is wrong with.
func (s *subject) mustBuild(ctx context.Context, u *unit, l layer, binary string, flags ...string) error {
	said, ok, err := s.build(ctx, u, l, binary, flags...)
	if err == nil && !ok {
		err = fmt.Errorf("the tests of %s do not build: %s", u.path, said)
	}
	return err
}

// How tests are run.
const (
	confined = iota // without sockets and with limits, as a verification does
	limited         // the library's own tests may open sockets
	free            // a race detector takes more memory than any limit
)

// most is how much memory tests may take that are limited, in KiB.
const most = 2 << 20

// with is the same library; its tests get one more variable.
func (s *subject) with(variable string) *subject {
	other := *s
	other.env = append(slices.Clone(s.env), variable)
	return &other
}

// test runs tests in the directory of their package, and reports whether all hold.
func (s *subject) test(ctx context.Context, u *unit, how int, binary string, limit time.Duration, args ...string) (said string, ok bool, err error) {
	var b strings.Builder
	p := confine.Program{
		Dir: s.dir, Work: s.at(u.dir), Path: binary, Args: append([]string{"-test.timeout=" + limit.String()}, args...), Time: limit + 5*time.Second, Out: &b,
		Env: s.env,
	}
	switch how {
	case confined:
		p.Launcher = s.launcher
	case limited:
		p.Path, p.Args = "/bin/sh", append([]string{"-c", fmt.Sprintf(`ulimit -d %d; exec "$0" "$@"`, most), binary}, p.Args...)
	}
	err = p.Run(ctx)
	var exit *exec.ExitError
	if ctx.Err() == nil && (errors.As(err, &exit) || errors.Is(err, confine.ErrTime)) {
		return b.String(), false, nil
	}
	return b.String(), err == nil, err
}

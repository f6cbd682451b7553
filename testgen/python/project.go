package python

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/testgen"
)

// project is the directory of the nearest manifest, or the repository.
type project struct {
	dir        string
	roots      []string // import roots, longest first
	python     string   // the oldest supported version
	hypothesis bool     // hypothesis is a dependency
}

const oldest = "3.8"

var (
	requires   = lazyregexp.New(`(?:python_requires\s*=\s*["']?|requires-python\s*=\s*["'])[^"'\n]{0,40}?(3\.\d{1,2})`)
	packageDir = lazyregexp.New(`package_dir\s*=\s*\{?\s*["']{0,2}\s*[:=]\s*["']?([\w./-]+)`)
	hypothesis = lazyregexp.New(`(?m)["'\s=]hypothesis(?:\[[\w,]*\])?\s*(?:[<>=!~;"',\]]|$)`)
)

var manifests = []string{"pyproject.toml", "setup.cfg", "setup.py"}

func projectOf(r testgen.Repository, dir string) (*project, error) {
	var p *project
	for at := range testgen.Up(dir) {
		p = &project{dir: at, python: oldest}
		found := false
		for _, base := range manifests {
			data, err := r.Read(path.Join(at, base))
			if err != nil {
				return nil, err
			}
			if data != nil && len(data) <= testgen.Largest {
				found = true
				p.read(base, data)
			}
		}
		if found {
			break
		}
	}
	for _, usual := range []string{"src", "lib", "python", "."} {
		p.roots = append(p.roots, path.Join(p.dir, usual))
	}
	slices.SortStableFunc(p.roots, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return p, nil
}

func (p *project) read(base string, data []byte) {
	src := string(data)
	if m := requires.FindStringSubmatch(src); m != nil {
		p.python = m[1]
	}
	if m := packageDir.FindStringSubmatch(src); m != nil {
		p.roots = append(p.roots, path.Join(p.dir, m[1]))
	}
	p.hypothesis = p.hypothesis || hypothesis.MatchString(src)
	if base != "pyproject.toml" {
		return
	}
	t := manifest.Read(data)
	for _, where := range slices.Concat(t.Table("tool", "pytest", "ini_options").Texts("pythonpath"), t.Table("tool", "setuptools", "packages", "find").Texts("where")) {
		p.roots = append(p.roots, path.Join(p.dir, where))
	}
}

func within(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// importName returns the dotted name of a file's module; empty if it cannot be imported.
func (p *project) importName(file string, packages func(dir string) bool) string {
	dir, base := path.Split(file)
	dir = path.Clean(dir)
	root := dir
	for root != p.dir && root != "." && packages(root) { // a directory with __init__.py is a package inside its parent
		root = path.Dir(root)
	}
	if root == dir {
		for _, one := range p.roots {
			if within(dir, one) {
				root = one
				break
			}
		}
	}
	name := strings.TrimSuffix(base, ".py")
	parts := strings.Split(strings.Trim(strings.TrimPrefix(path.Join(dir, name), strings.TrimPrefix(root, ".")), "/"), "/")
	if name == "__init__" {
		parts = parts[:len(parts)-1]
	}
	for _, part := range parts {
		if !identifier.MatchString(part) || reserved[part] {
			return ""
		}
	}
	return strings.Join(parts, ".")
}

var identifier = lazyregexp.New(`^[\p{L}_][\p{L}\p{Nd}_]*$`)

// reserved are the keywords of Python.
var reserved = testgen.Words(`False None True and as assert async await break class continue def del elif else except finally for from global if import in is
	lambda nonlocal not or pass raise return try while with yield`)

func (p *project) testsDir() string { return path.Join(p.dir, "tests") }

package typescript

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
)

// project is the combined content of a package.json and those above it.
type project struct {
	vitest  bool
	check   bool // fast-check is a dependency
	version string
}

// Package is the source of one directory.
type Package struct {
	Dir        string
	repository testgen.Repository
	files      map[string]*file
	tests      []*file
	project
	suffix string           // of import paths
	names  map[string]*decl // declarations by name in the module
	twice  map[string]bool  // names that several files declare
}

// load parses the TypeScript of a directory; nil if there is none.
func load(r testgen.Repository, dir string) (testgen.Module, error) {
	p := &Package{Dir: dir, repository: r, files: map[string]*file{}, names: map[string]*decl{}, twice: map[string]bool{}}
	err := testgen.Sources(r, dir, func(name string) bool { return isSource(name) && !Owns(name) }, func(name string, data []byte) {
		f := readFile(name, data)
		if isTest(name) {
			p.tests = append(p.tests, f)
		} else {
			p.files[name] = f
		}
	})
	if err != nil || len(p.files) == 0 {
		return nil, err
	}
	if p.project, err = projectOf(r, dir); err != nil {
		return nil, err
	}
	p.suffix = p.importSuffix()
	p.index()
	return p, nil
}

// extensions maps the extensions of source files to those of imports.
var extensions = map[string]string{".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs"}

func isSource(name string) bool {
	_, ok := extensions[path.Ext(name)]
	return ok && !strings.Contains(path.Base(name), ".d.")
}

var testName = lazyregexp.New(`\.(test|spec|bench|stories|test-d)\.`)

func isTest(name string) bool { return testName.MatchString(path.Base(name)) }

type manifest struct {
	Needs map[string]string `json:"dependencies"`
	Dev   map[string]string `json:"devDependencies"`
	Peer  map[string]string `json:"peerDependencies"`
}

var major = lazyregexp.New(`^[\^~>=v\s]*(\d{1,3})(\.|$)`)

// projectOf reads the manifests from a directory up to the root. All contribute dependencies.
func projectOf(r testgen.Repository, dir string) (project, error) {
	p := project{version: "5.x"}
	said := false
	for at := range testgen.Up(dir) {
		data, err := r.Read(path.Join(at, manifestName))
		if err != nil {
			return p, err
		}
		var m manifest
		if data != nil && len(data) <= testgen.Largest && json.Unmarshal(data, &m) == nil {
			for _, list := range []map[string]string{m.Needs, m.Dev, m.Peer} {
				_, vitest := list["vitest"]
				_, check := list["fast-check"]
				p.vitest, p.check = p.vitest || vitest, p.check || check
				if v := major.FindStringSubmatch(list["typescript"]); v != nil && !said {
					p.version, said = v[1]+".x", true
				}
			}
		}
	}
	return p, nil
}

// importSuffix returns the extension of relative imports in the directory.
func (p *Package) importSuffix() string {
	count := map[string]int{}
	for _, f := range p.files {
		for _, in := range f.Imports {
			if strings.HasPrefix(in.Path, ".") {
				count[path.Ext(in.Path)]++
			}
		}
	}
	switch {
	case count[".ts"]+count[".tsx"]+count[".mts"] > 0:
		return ".ts"
	case count[".js"]+count[".mjs"]+count[".cjs"] > 0:
		return ".js"
	}
	return ""
}

func (p *Package) importPath(name string) string {
	base := path.Base(name)
	ext := path.Ext(base)
	switch p.suffix {
	case ".ts":
		return "./" + base
	case ".js":
		return "./" + strings.TrimSuffix(base, ext) + extensions[ext]
	}
	if ext == ".mts" || ext == ".cts" {
		return "./" + strings.TrimSuffix(base, ext) + extensions[ext]
	}
	return "./" + strings.TrimSuffix(base, ext)
}

// index names declarations as the module facts do.
func (p *Package) index() {
	for _, f := range p.sorted() {
		for _, d := range f.decls {
			name := source.Prefix(f.name, true) + d.Name
			if p.names[name] != nil {
				p.twice[name] = true
				continue
			}
			p.names[name] = d
		}
	}
}

func (p *Package) sorted() []*file {
	return slices.SortedFunc(maps.Values(p.files), func(a, b *file) int { return strings.Compare(a.name, b.name) })
}

// mostPassed limits the files followed through re-exports.
const mostPassed = 3

// find resolves a name of a file, following imports; nil if the repository does not declare it.
func (p *Package) find(f *file, name string, passed int) *decl {
	if d := f.decls[name]; d != nil {
		return d
	}
	in, member := f.bound(name)
	if member == "" || !strings.HasPrefix(in.Path, ".") || passed > mostPassed {
		return nil
	}
	at := path.Join(path.Dir(f.name), in.Path)
	pkg, other := p, p.fileAt(at)
	if dir := path.Dir(at); other == nil && dir != p.Dir {
		if pkg = p.other(dir); pkg != nil {
			other = pkg.fileAt(at)
		}
	}
	if other == nil {
		return nil
	}
	for _, d := range other.decls {
		if d.exported == member || (d.Kind == source.Type || d.Kind == source.Interface) && d.Name == member {
			return d
		}
	}
	return pkg.find(other, member, passed+1)
}

// other returns the package of another directory of the repository; nil if there is none.
func (p *Package) other(dir string) *Package {
	if dir == ".." || strings.HasPrefix(dir, "../") {
		return nil
	}
	m, err := p.repository.Open(dir)
	if err != nil {
		return nil
	}
	other, _ := m.(*Package)
	return other
}

// fileAt resolves an import path, which may lack an extension or have that of compiled code.
func (p *Package) fileAt(at string) *file {
	stem := at
	if ext := path.Ext(at); ext == ".js" || ext == ".mjs" || ext == ".cjs" {
		stem = strings.TrimSuffix(at, ext)
	}
	for _, name := range []string{at, stem + ".ts", stem + ".tsx", stem + ".mts", stem + ".cts"} {
		if f := p.files[name]; f != nil {
			return f
		}
	}
	return nil
}

// Package python generates test specs and test code for Python from signatures, annotations and docstrings, without an
// interpreter. Its output depends only on the source; this package runs none of it.
package python

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	reader "github.com/causaldocs/causal/knowledge/source/python"
	"github.com/causaldocs/causal/testgen"
)

type module struct {
	repository testgen.Repository
	dir        string
	project    *project
	files      map[string]*file // by prefix of symbol names
	functions  map[string]*function
	tests      [][]token
	looked     []string // directories searched for tests
}

type file struct {
	path    string
	imports string // dotted import name
	source.File
	lines   []string
	symbols map[string]*source.Symbol
	aliases map[string][]token
}

type function struct {
	symbol string // in the directory
	file   *file
	class  string // class of a method
	*source.Symbol
}

// aside are directories and files whose code is not part of an API.
var aside = []string{"tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks", "benchmark", "scripts", "tools", "bin", "setup.py", "conftest.py", "noxfile.py", "fabfile.py", "tasks.py", "__main__.py"}

// open reads the modules of a directory; nil if there are none.
func open(r testgen.Repository, dir string) (testgen.Module, error) {
	for _, part := range strings.Split(dir, "/") {
		if slices.Contains(aside, part) || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") && part != "." {
			return nil, nil
		}
	}
	project, err := projectOf(r, dir)
	if err != nil {
		return nil, err
	}
	m := &module{repository: r, dir: dir, project: project, files: map[string]*file{}, functions: map[string]*function{}}
	packages := map[string]bool{}
	isPackage := func(dir string) bool {
		there, known := packages[dir]
		if !known {
			data, err := r.Read(path.Join(dir, "__init__.py"))
			there = err == nil && data != nil
			packages[dir] = there
		}
		return there
	}
	err = testgen.Sources(r, dir, func(name string) bool { return path.Ext(name) == ".py" && !slices.Contains(aside, path.Base(name)) }, func(name string, data []byte) {
		m.add(name, data, isPackage)
	})
	if err != nil || len(m.files) == 0 {
		return nil, err
	}
	return m, nil
}

func (m *module) add(name string, data []byte, packages func(string) bool) {
	f := &file{path: name, symbols: map[string]*source.Symbol{}, aliases: map[string][]token{}}
	var err error
	if f.File, err = source.Extract(context.Background(), reader.Language{}, name, data); err != nil || f.Test || f.Problem != "" {
		return
	}
	if f.imports = m.project.importName(name, packages); f.imports == "" {
		return
	}
	f.lines = strings.Split(string(data), "\n")
	prefix, base := source.Prefix(name, f.Scoped), path.Base(name)
	m.files[prefix] = f
	private := base != "__init__.py" && strings.HasPrefix(base, "_")
	for i := range f.Symbols {
		s := &f.Symbols[i]
		f.symbols[s.Name] = s
		class, method, isMethod := strings.Cut(s.Name, ".")
		switch {
		case private:
		case s.Kind == source.Func && !isMethod, s.Kind == source.Method && isMethod && !strings.Contains(method, "."):
			one := &function{symbol: prefix + s.Name, file: f, Symbol: s}
			if isMethod {
				one.class = class
			}
			m.functions[one.symbol] = one
		default:
			f.alias(s)
		}
	}
}

// alias records the value of a name for use in annotations.
func (f *file) alias(s *source.Symbol) {
	list := s.Headers()
	if len(list) == 0 || strings.Contains(s.Name, ".") {
		return
	}
	toks := tokens(list[0].Value) // The first binding has the type if there are two, as under TYPE_CHECKING.
	if len(toks) > 0 && (toks[0].kind == tWord || toks[0].kind == tText && len(toks) == 1 && strings.Contains(list[0].Result, "TypeAlias")) {
		f.aliases[s.Name] = toks
	}
}

// Symbols implements testgen.Module. It returns the public functions and methods.
func (m *module) Symbols() []string {
	var out []string
	for name, f := range m.functions {
		if public(f) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func public(f *function) bool {
	if f.class != "" {
		if c := f.file.symbols[f.class]; c == nil || !c.Exported || strings.HasPrefix(f.class, "_") {
			return false
		}
	}
	return f.Exported && !strings.HasPrefix(testgen.LastName(f.Name), "_")
}

func (f *file) sourceOf(s *source.Symbol) string {
	first, end := max(s.Line-1, 0), min(s.End, len(f.lines))
	if first >= end {
		return ""
	}
	return strings.Join(f.lines[first:end], "\n")
}

func (m *module) owner(name string) (*file, *source.Symbol) {
	prefix, rest, ok := strings.Cut(name, ".")
	if f := m.files[prefix+"."]; ok && f != nil && f.symbols[rest] != nil {
		return f, f.symbols[rest]
	}
	if f := m.files[""]; f != nil && f.symbols[name] != nil {
		return f, f.symbols[name]
	}
	return nil, nil
}

// Looked returns the other directories whose files affect the module's proposals.
func (m *module) Looked() []string { return m.looked }

// mostTests limits the bytes of existing tests that are searched.
const mostTests = 4 << 20

// peopleTests reads existing tests of the project and beside the code.
func (m *module) peopleTests() ([][]token, error) {
	if m.looked != nil {
		return m.tests, nil
	}
	m.looked = []string{path.Join(m.project.dir, "tests"), path.Join(m.project.dir, "test"), path.Join(m.dir, "tests"), m.dir}
	slices.Sort(m.looked)
	m.looked = slices.Compact(m.looked)
	left := mostTests
	for _, dir := range m.looked {
		names, err := m.repository.Files(dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			base := path.Base(name)
			if path.Ext(base) != ".py" || Owns(name) || dir == m.dir && !strings.HasPrefix(base, "test") {
				continue
			}
			data, err := m.repository.Read(name)
			if err != nil {
				return nil, err
			}
			if left -= len(data); left < 0 {
				return m.tests, nil
			}
			m.tests = append(m.tests, tokens(string(data)))
		}
	}
	return m.tests, nil
}

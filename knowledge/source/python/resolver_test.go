package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func project(files ...string) sourcetest.Project {
	p := sourcetest.Project{Files: map[string]string{}, Languages: []source.Language{Language{}}}
	for _, f := range files {
		p.Files[f] = ""
	}
	return p
}

func describe(targets []source.Target) string {
	var out []string
	for _, t := range targets {
		s := t.Dir + "/" + t.File
		if t.All {
			s += "*"
		}
		for _, n := range t.Names {
			s += " " + n.Name
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestResolve(t *testing.T) {
	t.Parallel()
	r := Language{}.Resolver(project(
		"setup.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "pkg/both.py", "pkg/both/__init__.py", "pkg/stub.pyi",
		"src/other/__init__.py", "src/other/x.py", "ns/one/mod.py", "ns/top.py", "scripts/run.py", "scripts/tool.py", "platform/x.py",
		"services/api/app/main.py", "services/api/app/models.py", "services/web/app/models.py",
		"projects/p1/pyproject.toml", "projects/p1/src/p1lib/__init__.py", "projects/p1/src/shared.py",
		"projects/p2/setup.cfg", "projects/p2/shared.py", "projects/p2/json/__init__.py",
	))
	names := func(list ...string) (out []source.Name) {
		for _, n := range list {
			out = append(out, source.Name{Name: n})
		}
		return out
	}
	for _, c := range []struct {
		from, path string
		names      []source.Name
		all        bool
		want       string
	}{
		{"pkg/a.py", ".sub.b", names("f"), false, "pkg/sub/b.py f"},
		{"pkg/a.py", ".", names("sub", "f"), false, "pkg/__init__.py f, pkg/sub/__init__.py*"},
		{"pkg/__init__.py", ".", names("a"), false, "pkg/__init__.py a, pkg/a.py*"},
		{"pkg/sub/b.py", "..a", names("f"), false, "pkg/a.py f"},
		{"pkg/sub/b.py", "..", names("f"), false, "pkg/__init__.py f"},
		{"pkg/sub/b.py", "....x", names("f"), false, ""},
		{"pkg/sub/b.py", "pkg.a", nil, true, "pkg/a.py*"},
		{"pkg/sub/b.py", "pkg", nil, true, "pkg/__init__.py*"},
		{"pkg/sub/b.py", "pkg", nil, false, "pkg/__init__.py"},
		{"pkg/a.py", "pkg.both", names("f"), false, "pkg/both/__init__.py f"},
		{"pkg/a.py", "pkg.stub", names("f"), false, "pkg/stub.pyi f"},
		{"pkg/sub/b.py", "b", names("f"), false, ""},
		{"pkg/a.py", "other.x", names("f"), false, "src/other/x.py f"},
		{"pkg/a.py", "ns.one", names("mod"), false, "ns/one/mod.py*"},
		{"pkg/a.py", "ns", names("top", "missing"), false, "ns/top.py*"},
		{"pkg/a.py", "ns", nil, true, ""},
		{"scripts/run.py", "tool", names("f"), false, "scripts/tool.py f"},
		{"pkg/a.py", "tool", names("f"), false, ""},
		{"pkg/a.py", "platform", names("x"), false, ""},
		{"services/api/app/main.py", "app.models", names("M"), false, "services/api/app/models.py M"},
		{"pkg/a.py", "p1lib", names("f"), false, "projects/p1/src/p1lib/__init__.py f"},
		{"pkg/a.py", "shared", names("f"), false, ""},
		{"pkg/a.py", "json", names("loads"), false, ""},
		{"projects/p2/shared.py", "json", names("loads"), false, "projects/p2/json/__init__.py loads"},
		{"pkg/a.py", "numpy", nil, true, ""},
		{"pkg/a.py", "", nil, true, ""},
		{"/odd/a.py", "pkg.a", nil, true, "pkg/a.py*"},
	} {
		got := describe(r.Resolve(c.from, source.Import{Path: c.path, Names: c.names, All: c.all}))
		if got != c.want {
			t.Errorf("%s in %s %v: %q, want %q", c.path, c.from, c.names, got, c.want)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	var files []string
	for i := range 2000 {
		files = append(files, fmt.Sprintf("src/pkg/m%d/__init__.py", i), fmt.Sprintf("p%d/pyproject.toml", i))
	}
	r := Language{}.Resolver(project(files...))
	imp := source.Import{Path: "pkg.m77", Names: []source.Name{{Name: "f"}}}
	for b.Loop() {
		r.Resolve("src/pkg/m1/__init__.py", imp)
	}
}

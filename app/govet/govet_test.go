package govet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// place is a directory with files. Those that end in .go are what is looked at.
func place(t *testing.T, files map[string]string) (root string, names []string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	root = t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names = slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return !strings.HasSuffix(name, ".go") })
	return root, names
}

// told is everything that was said, in lines.
func told(s *Said) (lines []string) {
	for _, r := range s.Results {
		lines = append(lines, fmt.Sprintf("%s:%d-%d %s", r.Path, r.Line, r.EndLine, r.Rule))
	}
	for _, k := range s.Skipped {
		lines = append(lines, k.Path+" "+k.Reason)
	}
	if s.Absent != "" {
		lines = append(lines, s.Absent)
	}
	return lines
}

const mod = "module example.com/shop\n\ngo 1.24\n"

// wrong has a verb that does not fit, on line 6.
const wrong = "package p\n\nimport \"fmt\"\n\nfunc Show(n int) string {\n\treturn fmt.Sprintf(\"%s\", n)\n}\n"

func TestLook(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  []string // beginnings
	}{
		"nothing": {map[string]string{"go.mod": mod, "README.md": "x"}, nil},
		"fine":    {map[string]string{"go.mod": mod, "p.go": strings.Replace(wrong, "%s", "%d", 1)}, nil},
		"a verb":  {map[string]string{"go.mod": mod, "p/p.go": wrong}, []string{"p/p.go:6-6 go-vet/printf"}},
		"nil on every path": {
			map[string]string{"go.mod": mod, "p.go": "package p\n\nfunc F(p *int) int {\n\tif p == nil {\n\t\treturn *p\n\t}\n\treturn 0\n}\n"},
			[]string{"p.go:5-5 go-vet/nilness"},
		},
		"a lock": {map[string]string{"go.mod": mod, "p.go": "package p\n\nimport \"sync\"\n\nfunc F(m sync.Mutex) { m.Lock() }\n"}, []string{"p.go:5-5 go-vet/copylocks"}},
		"tests, in the package and beside it": {
			map[string]string{
				"go.mod": mod, "p.go": wrong,
				"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestP(t *testing.T) {\n\tgo func() { t.Fatal(Show(1)) }()\n}\n",
				"q_test.go": "package p_test\n\nimport (\n\t\"errors\"\n\t\"testing\"\n\n\t\"example.com/shop\"\n)\n\nfunc TestQ(t *testing.T) {\n\t_ = p.Show(1)\n\terrors.As(nil, 1)\n}\n",
			},
			[]string{"p.go:6-6 go-vet/printf", "p_test.go:6-6 go-vet/testinggoroutine", "q_test.go:12-12 go-vet/errorsas"},
		},
		"a wrapper of the same package": {
			map[string]string{
				"go.mod": mod, "say.go": "package p\n\nimport \"log\"\n\nfunc say(format string, args ...any) { log.Printf(format, args...) }\n",
				"p.go": "package p\n\nfunc F() { say(\"%d\", \"x\") }\n",
			},
			[]string{"p.go:3-3 go-vet/printf"},
		},
		"what does not return": {
			map[string]string{"go.mod": mod, "p.go": "package p\n\nimport (\n\t\"context\"\n\t\"log\"\n)\n\nfunc F(ctx context.Context, n int) context.Context {\n\tctx, cancel := context.WithCancel(ctx)\n\tswitch n {\n\tcase 1:\n\t\tdefer cancel()\n\tdefault:\n\t\tlog.Fatal(n)\n\t}\n\treturn ctx\n}\n"},
			nil,
		},
		"a module in a directory, and a file in none": {
			map[string]string{"tools/go.mod": mod, "tools/p/p.go": wrong, "alone.go": "package p\n"},
			[]string{"tools/p/p.go:6-6 go-vet/printf", "alone.go go-vet did not look at its package: there is no go.mod above it"},
		},
		"no module":                 {map[string]string{"a/p.go": wrong}, []string{"there is no go.mod above a/p.go"}},
		"what is not to be built":   {map[string]string{"go.mod": mod, "testdata/p.go": wrong, "_old/p.go": wrong, "a/vendor/x/p.go": wrong, ".b/p.go": wrong}, nil},
		"for another system":        {map[string]string{"go.mod": mod, "p.go": "package p\n", "p_plan9.go": wrong}, nil},
		"a go that is not there":    {map[string]string{"go.mod": "module x\n\ngo 1.99\n", "p.go": wrong}, []string{"p.go go-vet did not look at its package: go: go.mod requires go >= 1.99"}},
		"a module that is not":      {map[string]string{"go.mod": "module\n", "p.go": wrong}, []string{"p.go go-vet did not look at its package: go: errors parsing go.mod:"}},
		"types that are wrong":      {map[string]string{"go.mod": mod, "p.go": wrong, "q/q.go": "package q\n\nvar X int = \"\"\n"}, []string{"p.go:6-6 go-vet/printf", "q/q.go go-vet did not look at its package: q/q.go:3:13: cannot use"}},
		"a test that is wrong":      {map[string]string{"go.mod": mod, "p.go": wrong, "p_test.go": "package p\n\nvar X int = \"\"\n"}, []string{"p.go:6-6 go-vet/printf", "p.go go-vet did not look at its package: p_test.go:3:13"}},
		"a text that is not Go":     {map[string]string{"go.mod": mod, "p.go": "packing\n"}, []string{"p.go go-vet did not look at its package: p.go:1:1: expected 'package'"}},
		"a generator's directives":  {map[string]string{"go.mod": mod, "p.go": strings.Replace(wrong, "func", "//line /etc/passwd:1\nfunc", 1)}, []string{"p.go:7-7 go-vet/printf"}},
		"a directory for wildcards": {map[string]string{"go.mod": mod, ".../p.go": wrong, "q/p.go": wrong}, []string{"q/p.go:6-6 go-vet/printf"}},
		"what was vendored": {
			map[string]string{
				"go.mod": mod + "\nrequire example.com/x v1.0.0\n", "vendor/modules.txt": "# example.com/x v1.0.0\n## explicit; go 1.24\nexample.com/x\n",
				"vendor/example.com/x/x.go": "package x\n\ntype T int\n", "p.go": strings.Replace(strings.Replace(wrong, "n int", "n x.T", 1), "import", "import \"example.com/x\"\nimport", 1),
			},
			[]string{"p.go:7-7 go-vet/printf"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, files := place(t, c.files)
			said, err := Look(t.Context(), root, os.Getenv, files)
			if err != nil {
				t.Fatal(err)
			}
			got := told(said)
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if strings.Contains(strings.Join(got, "\n"), root) {
				t.Errorf("it says where the repository is: %s", got)
			}
		})
	}
}

// TestNothingRuns: neither what the environment names, nor what the source asks for, nor a download.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	mark := filepath.Join(bin, "ran")
	for _, name := range []string{"git", "gcc", "cc", "tool", "gopackagesdriver"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho "+name+" >> '"+mark+"'\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root, files := place(t, map[string]string{
		"go.mod": mod + "\nrequire example.com/x v1.0.0\n",
		"go.sum": "example.com/x v1.0.0 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nexample.com/x v1.0.0/go.mod h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
		"p.go":   "package p\n\nimport _ \"example.com/x\"\n",
		"c/c.go": "package c\n\n//go:generate tool\n\n// int f() { return 1; }\nimport \"C\"\n\nvar X = C.f()\n",
		"d/d.go": "package d\n",
	})
	given := map[string]string{
		"PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "GOFLAGS": "-mod=mod -toolexec=" + filepath.Join(bin, "tool"), "GOPACKAGESDRIVER": filepath.Join(bin, "tool"),
		"GOPRIVATE": "*", "GOPROXY": "direct", "GOVCS": "*:all", "CGO_ENABLED": "1", "GOTOOLCHAIN": "go1.99.0", "GOMODCACHE": t.TempDir(),
	}
	said, err := Look(t.Context(), root, func(name string) string {
		if v, ok := given[name]; ok {
			return v
		}
		return os.Getenv(name)
	}, files)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(told(said), "\n"); !strings.Contains(got, "p.go go-vet did not look at its package: example.com/x is not in the module cache; `go mod download` gets it") || said.Looked() {
		t.Errorf("it says\n%s", got)
	}
	if ran, err := os.ReadFile(mark); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("these ran: %s (%v)", ran, err)
	}
	if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || !strings.HasPrefix(string(text), mod) {
		t.Errorf("go.mod is %q (%v)", text, err)
	}
}

func TestWithoutGo(t *testing.T) {
	root, files := place(t, map[string]string{"go.mod": mod, "p.go": wrong})
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		files  []string
		absent string
	}{{files, "there is no go command"}, {[]string{"README.md"}, ""}} {
		said, err := Look(t.Context(), root, os.Getenv, c.files)
		if err != nil || said.Absent != c.absent || said.Looked() != (c.absent == "") {
			t.Errorf("of %s it says %+v (%v)", c.files, said, err)
		}
	}
}

func TestTimeIsBounded(t *testing.T) {
	t.Parallel()
	root, files := place(t, map[string]string{"go.mod": mod, "p.go": wrong})
	said, err := within(t.Context(), time.Nanosecond, root, os.Getenv, files)
	if err != nil || said.Absent != "it took longer than 0 s" {
		t.Errorf("it says %+v (%v)", said, err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Look(ended, root, os.Getenv, files); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was interrupted ends with %v", err)
	}
}

func TestPackagesAreBounded(t *testing.T) {
	t.Parallel()
	l := &look{ctx: t.Context(), taken: mostPackages}
	l.module(&module{dir: ".", dirs: []string{"a", "b"}, of: map[string][]string{"a": {"a/a.go"}, "b": {"b/b.go"}}})
	want := []string{"a/a.go go-vet did not look at its package: the change touches more than 200 packages"}
	if got := told(l.said()); !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
}

// TestAPassThatFails costs its package.
func TestAPassThatFails(t *testing.T) {
	t.Parallel()
	faulty := &analysis.Analyzer{Name: "faulty", Doc: "fails", Run: func(*analysis.Pass) (any, error) { panic("no such case") }}
	needs := &analysis.Analyzer{Name: "needs", Doc: "needs what fails", Requires: []*analysis.Analyzer{faulty}, Run: func(*analysis.Pass) (any, error) { return nil, nil }}
	i := &inspection{pkg: &packages.Package{}, results: map[*analysis.Analyzer]any{}}
	if err := i.run(needs); err == nil || err.Error() != "faulty gave up: no such case" {
		t.Errorf("it says %v", err)
	}
}

func TestPassesAreWellFormed(t *testing.T) {
	t.Parallel()
	if err := analysis.Validate(passes); err != nil {
		t.Error(err)
	}
}

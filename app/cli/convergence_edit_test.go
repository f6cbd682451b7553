package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goFile is a Go file of a directory that uses another one, when there is one. n makes variants.
func goFile(dir, stem, uses string, n int) string {
	name := path.Base(dir)
	if strings.HasPrefix(dir, "cmd/") {
		name = "main"
	}
	letter := strings.ToUpper(stem[:1])
	imports, use, result := "", "", "int"
	if uses != "" && uses != dir {
		other := path.Base(uses)
		imports = fmt.Sprintf("import %q\n\n", "example.com/village/"+uses)
		use = fmt.Sprintf("\t_ = %s.LimitA\n", other)
		if n > 0 {
			result = other + ".PlaceB"
		}
	}
	if name == "main" {
		use += "\tprintln(RunMain())\n}\n\n// RunMain runs.\nfunc RunMain() int {\n"
		return fmt.Sprintf("// Command shop does %d.\npackage main\n\n%sfunc main() {\n%s\treturn %d\n}\n", n, imports, use, n)
	}
	return fmt.Sprintf(`// Package %[1]s does %[2]d.
package %[1]s

%[3]s// Limit%[4]s is a limit.
const Limit%[4]s = %[2]d

// Place%[4]s does %[2]d.
type Place%[4]s struct{ Next *Place%[5]s }

// Run%[4]s does %[2]d.
func Run%[4]s(p0 int) (r %[6]s) {
	// note %[2]d
%[7]s	print(%[2]d)
	return
}
`, name, n, imports, letter, string("AB"[n%2]), result, use)
}

// pythonFile is a Python module that uses another package, when there is one.
func pythonFile(dir, stem, uses string, n int) string {
	use := ""
	switch {
	case uses == dir:
		use = "from .a import *\n"
	case uses != "" && n == 0:
		use = "from " + strings.ReplaceAll(uses, "/", ".") + " import a\n"
	case uses != "":
		use = "from " + strings.ReplaceAll(uses, "/", ".") + ".a import run_a\n"
	}
	return fmt.Sprintf(`"""Module %[1]s does %[2]d."""
%[3]s
LIMIT = %[2]d


def run_%[1]s(p0):
    """Does %[2]d."""
    # note %[2]d
    print(%[2]d)
    return LIMIT
`, stem, n, use)
}

// typeScriptFile is a TypeScript module that uses another directory, when there is one.
func typeScriptFile(dir, stem, uses string, n int) string {
	use := ""
	switch {
	case uses == dir:
		use = "export * from \"./a\";\n"
	case uses != "":
		up := strings.Repeat("../", strings.Count(dir, "/")+1)
		use = fmt.Sprintf("import { run_a } from \"%s%s\";\n", up, uses)
		if n > 0 {
			use = fmt.Sprintf("import * as other from \"%s%s/a\";\n", up, uses)
		}
	}
	return fmt.Sprintf(`/** Module %[1]s does %[2]d. @packageDocumentation */
%[3]sexport const limit_%[1]s = %[2]d;

/** Does %[2]d. */
export function run_%[1]s(p0: number): number {
  // note %[2]d
  console.log(%[2]d);
  return limit_%[1]s;
}
`, stem, n, use)
}

// directories are where files come and go, by language.
var directories = map[string][]string{
	".go": {"money", "cart", "internal/db", "cmd/shop", "money/eur"},
	".py": {"tools", "tools/report", "tools/load", "money"},
	".ts": {"web/lib", "web/ui", "web", "web/lib/deep"},
}

var stems = map[string][]string{".go": {"a", "b"}, ".py": {"__init__", "a", "b"}, ".ts": {"index", "a", "b"}}

var writers = map[string]func(dir, stem, uses string, n int) string{".go": goFile, ".py": pythonFile, ".ts": typeScriptFile}

// place draws a path, whether there is a file or not.
func (m *machine) place() string { return m.placeOf(pick(m, "language", ".go", ".py", ".ts")) }

func (m *machine) placeOf(ext string) string {
	return pick(m, "directory", directories[ext]...) + "/" + pick(m, "stem", stems[ext]...) + ext
}

// text draws the content of a file for a path.
func (m *machine) text(name string) string {
	ext := path.Ext(name)
	uses := pick(m, "uses", append([]string{"", path.Dir(name)}, directories[ext]...)...)
	return writers[ext](path.Dir(name), strings.TrimSuffix(path.Base(name), ext), uses, m.number())
}

// sources lists the source files in the work tree.
func (m *machine) sources() []string {
	var out []string
	err := filepath.WalkDir(m.dir, func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".causal" || d.Name() == "docs") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && writers[path.Ext(name)] != nil {
			rel, _ := filepath.Rel(m.dir, name)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		m.t.Fatalf("%v", err)
	}
	return out
}

// source draws a source file; false when there is none.
func (m *machine) source() (string, bool) {
	all := m.sources()
	if len(all) == 0 {
		return "", false
	}
	return pick(m, "file", all...), true
}

// edits change one thing in a file.
var edits = map[string]struct {
	pattern *regexp.Regexp
	variant []string
}{
	"body":      {regexp.MustCompile(`(print|log)\(\d`), []string{"$1(${n}"}},
	"constant":  {regexp.MustCompile(`(?i)(limit_?\w* =) +\d`), []string{"$1 ${n}"}},
	"doc":       {regexp.MustCompile(`(?i)(does) \d`), []string{"$1 ${n}"}},
	"comment":   {regexp.MustCompile(`note \d`), []string{"note ${n}"}},
	"signature": {regexp.MustCompile(`\bp\d`), []string{"p${n}"}},
	"format":    {regexp.MustCompile(`( note \d)\n+`), []string{"$1\n", "$1\n\n", "$1\n\n\n"}},
	"module":    {regexp.MustCompile(`(?m)^(// Package .*|"""Module .*"""|/\*\* Module .*)\n`), []string{"", "$1\n"}},
	"import":    {regexp.MustCompile(`(?m)^(?:import|from|export \*) .*\n`), []string{""}},
	"ends":      {regexp.MustCompile(`\r?\n`), []string{"\r\n", "\n"}},
}

func (m *machine) edit() {
	name, ok := m.source()
	if !ok {
		return
	}
	e := edits[pick(m, "edit", "body", "constant", "doc", "comment", "signature", "format", "module", "import", "ends")]
	with := pick(m, "variant", e.variant...)
	if strings.Contains(with, "${n}") {
		with = strings.ReplaceAll(with, "${n}", strconv.Itoa(m.number()))
	}
	m.write(name, e.pattern.ReplaceAllString(m.read(name), with))
}

func (m *machine) rewrite() {
	if name, ok := m.source(); ok {
		m.write(name, m.text(name))
	}
}

func (m *machine) add() {
	name := m.place()
	if info, err := os.Lstat(m.path(name)); err == nil && !info.Mode().IsRegular() {
		m.remove(name)
	}
	m.write(name, m.text(name))
}

func (m *machine) delete() {
	if name, ok := m.source(); ok {
		m.remove(name)
	}
}

func (m *machine) move() {
	from, ok := m.source()
	if !ok {
		return
	}
	to := m.placeOf(path.Ext(from))
	if from == to {
		return
	}
	content := m.read(from)
	m.remove(from)
	m.remove(to)
	m.write(to, content)
}

func (m *machine) renameModule() {
	from, to := pick(m, "from", "money", "cart", "tools/load", "web/lib", "web"), pick(m, "to", "money", "coins", "tools/load", "web/lib")
	if !m.has(from) || from == to || strings.HasPrefix(to, from+"/") {
		return
	}
	m.remove(to)
	err := os.MkdirAll(filepath.Dir(m.path(to)), 0o755)
	if err == nil {
		err = os.Rename(m.path(from), m.path(to))
	}
	if err != nil {
		m.t.Fatalf("%v", err)
	}
}

func (m *machine) deleteModule() {
	m.remove(pick(m, "module", "money", "cart", "tools", "tools/load", "web/lib", "web", "cmd"))
}

func (m *machine) readme() {
	name := pick(m, "place", ".", "money", "tools/load", "web/lib") + "/" + pick(m, "name", "README.md", "readme.txt")
	content := pick(m, "content", "", "# T\n\nSays 0.\n", "# T\n\nSays 1.\n", "# U\n\n[link](x)\n")
	if content == "" {
		m.remove(name)
	} else {
		m.write(name, content)
	}
}

func (m *machine) manifest() {
	files := map[string][]string{
		"go.mod":         {"module example.com/village\n", "module example.com/town\n", ""},
		"money/go.mod":   {"module example.com/village/money\n", ""},
		"tsconfig.json":  {"{\"compilerOptions\": {\"baseUrl\": \"web\"}}\n", "{}\n", ""},
		"package.json":   {"{\"name\": \"village\"}\n", "{\"name\": \"town\", \"workspaces\": [\"web/*\"]}\n", ""},
		"pyproject.toml": {"[tool.setuptools]\npackage-dir = {\"\" = \"tools\"}\n", ""},
	}
	name := pick(m, "manifest", "go.mod", "money/go.mod", "tsconfig.json", "package.json", "pyproject.toml")
	if content := pick(m, "content", files[name]...); content != "" {
		m.write(name, content)
	} else {
		m.remove(name)
	}
}

func (m *machine) ignore() {
	m.write(".gitignore", pick(m, "rules", "", "web/\n", "b.*\n", "money/\n!money/a.go\n", "*.py\n"))
}

func (m *machine) configure() {
	m.write(".causal/config.yml", pick(m, "config", "", "exclude: [\"web/**\"]\n", "exclude: [\"**/b.*\", money/a.go]\n",
		"docs: {front_matter: false}\n", "max_file_bytes: 1024\n"))
}

// link puts a symbolic link where a file is or could be.
func (m *machine) link() {
	name := m.place()
	m.remove(name)
	err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755)
	if err == nil {
		err = os.Symlink(pick(m, "target", "a.go", "../README.md", "/dev/null", "nowhere"), m.path(name))
	}
	if err != nil {
		m.t.Fatalf("%v", err)
	}
}

// wounds make a file unreadable for its language.
var wounds = map[string]string{".go": "\nfunc (\n", ".py": "\ndef (\n", ".ts": "\nclass {{\n"}

func (m *machine) breakFile() {
	if name, ok := m.source(); ok && !slices.Contains(m.conflicted(), name) {
		m.write(name, m.read(name)+wounds[path.Ext(name)])
	}
}

// mend undoes what breakFile did.
func (m *machine) mend(name string) {
	text := strings.ReplaceAll(m.read(name), "\r\n", "\n")
	if healed := strings.ReplaceAll(text, wounds[path.Ext(name)], "\n"); healed != text {
		m.write(name, healed)
	}
}

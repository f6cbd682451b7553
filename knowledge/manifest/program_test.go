package manifest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
)

func TestEntryPoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    string
	}{
		"pyproject.toml": {"[project.scripts]\nx = \"a:b\"\n[project.entry-points.pytest11]\nmine = \"pkg.plugin\"\n[tool.poetry.plugins.\"flask.commands\"]\nrun = \"pkg.cli:run\"\n", "pytest11 mine pkg.plugin\nflask.commands run pkg.cli:run\n"},
		"setup.cfg": {"[options]\nname =\n  a = b\n[options.entry_points]\n# none\nconsole_scripts =\n    x = a:b\npytest11 =\n    mine = pkg.plugin\n\n    other=pkg.other:f [extra]\n[flake8]\nx = y\n  z = w\n",
			"console_scripts x a:b\npytest11 mine pkg.plugin\npytest11 other pkg.other:f [extra]\n"},
		"nothing": {"", ""},
	} {
		var b strings.Builder
		manifest.EntryPoints(name, []byte(c.content), func(group, name, target string) { b.WriteString(group + " " + name + " " + target + "\n") })
		if b.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, b.String(), c.want)
		}
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, content string
		want          []string
	}{
		"rust":             {"Cargo.toml", "[package]\nname = \"fd-find\"\n\n[[bin]]\nname = \"fd\"\npath = \"src/main.rs\"\n", []string{"fd"}},
		"rust, no name":    {"Cargo.toml", "[package]\nname = \"shapes\"\n", []string{"shapes"}},
		"rust, several":    {"Cargo.toml", "[[bin]]\nname = \"a\"\npath = \"src/main.rs\"\n\n[[bin]]\nname = \"b\"\npath = \"src/b.rs\"\n", []string{"a"}},
		"python":           {"pyproject.toml", "[project]\nname = \"my-tool\"\n\n[project.scripts]\ntool = \"tool:main\"\n", []string{"tool"}},
		"poetry":           {"pyproject.toml", "[tool.poetry.scripts]\nb = \"tool:b\"\na = \"tool:a\"\n", []string{"a", "b"}},
		"setup.cfg":        {"setup.cfg", "[options.entry_points]\nconsole_scripts =\n    tool = tool.main:cli\nplugins =\n    x = y:z\n", []string{"tool"}},
		"setup.py":         {"setup.py", "setup(name='tools', entry_points={'console_scripts': ['toold = tool.main:cli'], 'plugins': ['x = y:z']})\n", []string{"toold"}},
		"node":             {"package.json", `{"name": "@x/tool-cli", "bin": {"tool": "bin.js"}}`, []string{"tool"}},
		"one without name": {"package.json", `{"name": "tool", "bin": "bin.js"}`, nil},
		"no manifest":      {"Cargo.toml", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := manifest.Programs(c.file, []byte(c.content)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

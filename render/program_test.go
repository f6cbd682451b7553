package render

import (
	"slices"
	"testing"
)

func TestInstallers(t *testing.T) {
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
			for _, i := range installers {
				if got := i.read([]byte(c.content)); i.file == c.file && !slices.Equal(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}

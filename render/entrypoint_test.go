package render

import (
	"strings"
	"testing"
)

func TestEntryPoints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read    func([]byte, func(group, name, target string))
		content string
		want    string
	}{
		"pyproject.toml": {entriesInTOML, "[project.scripts]\nx = \"a:b\"\n[project.entry-points.pytest11]\nmine = \"pkg.plugin\"\n[tool.poetry.plugins.\"flask.commands\"]\nrun = \"pkg.cli:run\"\n", "pytest11 mine pkg.plugin\nflask.commands run pkg.cli:run\n"},
		"setup.cfg": {entriesInConfig, "[options]\nname =\n  a = b\n[options.entry_points]\n# none\nconsole_scripts =\n    x = a:b\npytest11 =\n    mine = pkg.plugin\n\n    other=pkg.other:f [extra]\n[flake8]\nx = y\n  z = w\n",
			"console_scripts x a:b\npytest11 mine pkg.plugin\npytest11 other pkg.other:f [extra]\n"},
		"nothing": {entriesInConfig, "", ""},
	} {
		var b strings.Builder
		c.read([]byte(c.content), func(group, name, target string) { b.WriteString(group + " " + name + " " + target + "\n") })
		if b.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, b.String(), c.want)
		}
	}
}

func TestModuleOfEntryPoint(t *testing.T) {
	t.Parallel()
	modules := []string{".", "src/pkg", "src/pkg/sub", "tests/pkg/sub/more"}
	for target, want := range map[string]string{
		"pkg:main": "src/pkg", "pkg.sub.file:f": "src/pkg/sub", "pkg.file": "src/pkg", "other.x:y": "", "": "", ":x": "",
	} {
		if got := moduleOfTarget(modules, target); got != want {
			t.Errorf("%q: got %q, want %q", target, got, want)
		}
	}
}

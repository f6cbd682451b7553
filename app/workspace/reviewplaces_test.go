package workspace

import (
	"strings"
	"testing"
)

// TestPlacer: a path of another machine, or relative to a package, matches one file by its suffix.
func TestPlacer(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	for _, name := range []string{"b.js", "src/b.js", "src/only.js", "web/src/page.js", "lib/page.js", "shop/setup.py", "setup.py", "tool/x.py"} {
		there[name] = true
	}
	for _, c := range []struct{ given, beside, want string }{
		{"/home/runner/work/shop/shop/src/only.js", "", "src/only.js"},
		{"D:/a/shop/shop/tool/x.py", "", "tool/x.py"},
		{"/src/b.js", "", "b.js"}, // "/" is no root of a repository
		{"/home/shop/shop/setup.py", "", "! one of several"},
		{"/home/shop/shop/setup.py", "/home/shop/shop/src/only.js", "setup.py"},
		{"/home/shop/setup.py", "/home/shop/src/only.js", "setup.py"},
		{"/app/src/page.js", "", "web/src/page.js"}, // a container that mounts one package
		{"/app/page.js", "", "! no file"},
		{"/usr/lib/other.js", "", "! no file"},
		{"src/page.js", "", "web/src/page.js"},
		{"only.js", "", "src/only.js"},
		{"page.js", "", "! one of several"},
		{"other/page.js", "", "! no file"},
		{"../outside/b.js", "", "! no file"},
		{"nowhere.js", "", "! no file"},
		{"/", "", "! no file"},
		{"", "", "! no file"},
	} {
		got, why := newPlacer(there, []string{c.given, c.beside}).find(c.given)
		if reason, refused := strings.CutPrefix(c.want, "! "); refused && !strings.Contains(why, reason) || !refused && got != c.want {
			t.Errorf("%q beside %q: %q %s, want %q", c.given, c.beside, got, why, c.want)
		}
	}
}

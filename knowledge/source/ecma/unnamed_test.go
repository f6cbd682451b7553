package ecma

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestUnnamed checks which code without a declaration a file has, and the order of its references.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	const app = "const app = express();\n"
	const cli = "import { Command } from 'commander';\nconst cli = new Command('shop');\n"
	for _, c := range []struct{ what, path, src, want string }{
		{"a route", "a.js", app + "app.get('/x', async (req, res) => { await g(h()); list.map(() => k()) }); module.exports = app", "route GET /x: h() g() [k()] list.map()"},
		{"a parameter without brackets", "a.js", app + "app.get('/x', req => g()); module.exports = app", "route GET /x: g()"},
		{"a function expression", "a.js", app + "app.get('/x', function named(req, res) { g() }); exports.a = app", "route GET /x: g()"},
		{"middleware", "a.js", app + "app.get('/x', auth, (req, res) => { g() }); exports.a = app", "route GET /x: g()"},
		{"a call around it", "a.js", app + "app.get('/x', wrap(async (req, res) => { g() })); exports.a = app", "route GET /x: g()"},
		{"a declared handler", "a.js", app + "app.get('/x', list); exports.a = app", ""},
		{"in a function", "a.js", "exports.routes = (app) => { app.post('/x', () => { g() }) }", "route POST /x: g()"},
		{"nothing around it counts", "a.js", app + "if (x) { app.get('/x', () => { if (y) g(); else h() }) }; exports.a = app", "route GET /x: y g() h(), g if `y`, h unless `y`"},
		{"a program", "a.js", "const a = g(h());\nfunction f() { k() }\nif (a) l();\non(() => m());", "program a.js: h() g() a l() [m()] on(), l if `a`"},
		{"a program with a shebang", "a.js", "#!/usr/bin/env node\nexport function f() {}\nf()", "program a.js: f()"},
		{"a module", "a.js", "export function f() {}\nf()", ""},
		{"another module", "a.js", "const m = exports;\nm.f = g()", ""},
		{"a class of a program", "a.ts", "class C { a = g(); m() { h() } }\nk()", "program a.ts: k()"},
		{"a component", "a.vue", "<script>\nk()\n</script>", ""},
		{"a command", "a.ts", cli + "cli.command('serve <dir>').description('d').action(async (dir) => { g(dir) }); export default cli", "command serve: g()"},
		{"the program's own command", "a.ts", cli + "cli.action(() => { g() }); export default cli", "command shop: g()"},
	} {
		got := ""
		for _, s := range languageOf(c.path).Extract(context.Background(), c.path, []byte(c.src)).Unnamed {
			if got != "" {
				got += "; "
			}
			got += s.Name + ": " + sourcetest.Course(s.Body)
			for _, r := range s.Body {
				for _, n := range control.Chain(s.Nests, r.Branch) {
					if r.Kind == source.RefCall {
						got += ", " + r.Name + " " + n.When
					}
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %s\nis   %s\nwant %s", c.what, c.src, got, c.want)
		}
	}
}

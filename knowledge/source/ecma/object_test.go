package ecma

import (
	"context"
	"strings"
	"testing"
)

// TestObjectMembers: callers reach the members of an exported object as those of a class.
func TestObjectMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"getter and setter of the exports", "a.js", "module.exports = { get q () { return 1 }, set q (v) {}, f (a) {} }", "q var get q()/set q(v), f func f(a)"},
		{"an object that is the exports too", "a.js", "const p = module.exports = { get q () { return 1 } }",
			"q var get q(), p const const p, default reexport export { p as default }"},
		{"exported constant", "a.ts", "export const r = {\n get q(): string { return '' },\n f(n: number) {},\n g: () => 1,\n /** Path. */\n path: '/',\n data: 1,\n}",
			"r const const r, r.q field get q(): string, r.f method f(n: number), r.g method g = () => …, r.path field path = '/'"},
		{"exported below", "a.ts", "const r = { f() {} } as const\nexport { r }", "r const const r, r.f method f()"},
		{"the default", "a.ts", "export default { f() {} } satisfies T", "default const default, default.f method f()"},
		{"a member of the exports", "a.js", "exports.r = { f() {} }", "r const r, r.f method f()"},
		{"not exported", "a.ts", "const r = { f() {} }\nexport const x = 1", "x const const x = 1"},
		{"part of an expression", "a.ts", "export const r = { f() {} }.f", "r const const r"},
		{"delegates", "a.js", "const delegate = require('delegates')\nconst p = module.exports = {}\ndelegate(p, 'res')\n  .method('set')\n  .access('status')\n  .other('x')",
			"p const const p = {}, set func delegate(p, 'res').method('set'), status var delegate(p, 'res').access('status'), default reexport export { p as default }"},
		{"delegates of a class", "a.js", "const d = require('delegates')\nclass C {}\nd(C.prototype, 'res').getter('ok').method('f')\nmodule.exports = C",
			"C class class C, C.ok field d(C.prototype, 'res').getter('ok'), C.f method d(C.prototype, 'res').method('f'), default reexport export { C as default }"},
		{"another function of that form", "a.js", "const d = require('d')\nconst p = module.exports = {}\nd(p, 'res').method('set')", "p const const p = {}, default reexport export { p as default }"},
	} {
		var got []string
		for _, s := range languageOf(c.file).Extract(context.Background(), c.file, []byte(c.text)).Symbols {
			if s.Exported {
				got = append(got, s.Name+" "+string(s.Kind)+" "+strings.ReplaceAll(s.Signature, "\n", "/"))
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, ", "), c.want)
		}
	}
}

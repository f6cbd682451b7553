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
		{"assigned functions", "a.js", "function esc(s) {}\nconst m = { /** Version. */\n v: 1, tag: 2 }\nm.escape = esc\nm.run = function (a) {}\nm.n = 1\nexport default m",
			"m const const m = { v: 1, tag: 2 }, m.escape method m.escape = function esc(s), m.run method m.run = function (a), default reexport export { m as default }, m.v field v = 1, m.tag field tag = 2"},
		{"assigned to a function", "a.ts", "export function visit(n: Node) {}\n/** Stops. */\nvisit.BREAK = stop as symbol\nvisit.at = (p: Path) => {}\nvisit.own = 1",
			"visit func function visit(n: Node), visit.BREAK field visit.BREAK = stop as symbol, visit.at method visit.at = (p: Path) => …"},
		{"a second name of a method", "a.js", "function E() {}\nE.prototype.on = function (f) {}\nE.prototype.add = E.prototype.on\nmodule.exports = E",
			"E func function E(), E.on method E.prototype.on = function (f), E.add method E.prototype.add = E.prototype.on = function (f), default reexport export { E as default }"},
		{"imported functions", "a.js", "import f from './f'\nconst v = 1\nexport const o = { f, v }", "o const const o = { f, v }, o.f reexport export { f }"},
		{"a namespace beside a class", "a.ts", "export declare namespace A { interface P { n: 1 } }\nexport class A { f() {} }",
			"A class namespace A/class A, A.P interface interface P {/  n: 1;/}, A.P.n field n: 1, A.f method f()"},
		{"not exported", "a.ts", "const r = { f() {} }\nexport const x = 1", "x const const x = 1"},
		{"part of an expression", "a.ts", "export const r = { f() {} }.f", "r const const r"},
		{"an instance", "a.js", "class C { f() {} }\nmodule.exports = new C()", "C class class C, C.f method f(), default reexport default = new C()"},
		{"a named instance", "a.ts", "class C { f() {} }\nexport const c = new C<T>(1)", "C class class C, C.f method f(), c reexport const c = new C<T>(1)"},
		{"an instance of an exported class", "a.ts", "export class C { f() {} }\nexport const c = new C()", "C class class C, C.f method f(), c const const c = new C()"},
		{"an instance of another file's class", "a.js", "module.exports = new C()", "default const default = new C()"},
		{"a member of an instance", "a.ts", "class C { f() {} }\nexport const c = new C().f", "c const const c = new C().f"},
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

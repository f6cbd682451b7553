package ecma

import (
	"context"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestEdits says for pairs of sources which digests of a symbol differ.
func TestEdits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path, before, after, symbol string
		file, content, visible            bool
	}{
		{"class decorator", "a.ts", "@a class C { m() {} }", "@b class C { m() {} }", "C", true, true, true},
		{"method body", "a.ts", "class C { m() { return 1 } }", "class C { m() { return 2 } }", "C", true, true, false},
		{"method signature is the method's", "a.ts", "class C { m() {} }", "class C { m(a) {} }", "C", true, true, false},
		{"private field", "a.ts", "class C { private a: number }", "class C { private a: string }", "C", true, true, false},
		{"public field", "a.ts", "class C { a: number }", "class C { a: string }", "C", true, true, true},
		{"constructor", "a.ts", "class C { constructor(a: number) {} }", "class C { constructor(a: string) {} }", "C", true, true, true},
		{"base class", "a.ts", "class C extends A {}", "class C extends B {}", "C", true, true, true},
		{"interface member", "a.ts", "interface I { a: number }", "interface I { a?: number }", "I", true, true, true},
		{"documentation of an interface member", "a.ts", "interface I { /** a */ a: number }", "interface I { /** b */ a: number }", "I.a", true, true, false},
		{"documentation of an enum member", "a.ts", "enum E { /** a */ A }", "enum E { /** b */ A }", "E", true, true, false},
		{"enum member", "a.ts", "enum E { A = 1 }", "enum E { A = 2 }", "E", true, true, true},
		{"export", "a.ts", "function f() {}", "export function f() {}", "f", true, true, false},
		{"leading bar", "a.ts", "type T =\n  | A\n  | B", "type T = A | B", "T", false, false, false},
		{"trailing comma", "a.ts", "const a = [1, 2,]", "const a = [1, 2]", "a", false, false, false},
		{"hole in an array", "a.ts", "const a = [1, ,]", "const a = [1]", "a", true, true, true},
		{"function in an object", "a.ts", "const a = { f: () => { g(1) } }", "const a = { f: () => { g(2) } }", "a", true, true, false},
		{"type literal behind an arrow", "a.ts", "type T = () => { a: number }", "type T = () => { a: string }", "T", true, true, true},
		{"type literal in a parameter", "a.ts", "function f(g: () => { a: number }) {}", "function f(g: () => { a: string }) {}", "f", true, true, true},
		{"arrow expression", "a.ts", "const f = (a: number) => a + 1", "const f = (a: number) => a + 2", "f", true, true, false},
		{"line break after return", "a.ts", "function f() { return g }", "function f() { return\ng }", "f", true, true, false},
		{"line break before increment", "a.ts", "function f() { a\n++b }", "function f() { a++\nb }", "f", true, true, false},
		{"blank in a template", "a.ts", "const a = `x ${y}`", "const a = `x  ${y}`", "a", true, true, true},
		{"layout of JSX text", "a.tsx", "const f = () => <p>a\n  b</p>", "const f = () => <p>a\n        b</p>", "f", false, false, false},
		{"blank in JSX text", "a.tsx", "const f = () => <p>a b</p>", "const f = () => <p>a  b</p>", "f", true, true, false},
		{"directive", "a.ts", "// @ts-ignore\nlet a", "// @ts-nocheck\nlet a", "a", true, false, false},
		{"reference directive", "a.ts", "let a", "/// <reference types='node' />\nlet a", "a", true, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before, after := TypeScript.Extract(context.Background(), tt.path, []byte(tt.before)), TypeScript.Extract(context.Background(), tt.path, []byte(tt.after))
			if before.Problem+after.Problem != "" {
				t.Fatalf("problems %q %q", before.Problem, after.Problem)
			}
			a, b := symbolsOf(before)[tt.symbol], symbolsOf(after)[tt.symbol]
			if a.Name == "" || b.Name == "" {
				t.Fatalf("%s is lost: %v %v", tt.symbol, before.Symbols, after.Symbols)
			}
			got := []bool{before.Content != after.Content, a.Content != b.Content, a.Interface != b.Interface}
			if want := []bool{tt.file, tt.content, tt.visible}; !slices.Equal(got, want) {
				t.Errorf("file, content, interface changed: %v, want %v", got, want)
			}
		})
	}
}

// TestReferences says which names an interface refers to.
func TestReferences(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src, symbol string
		want        []string
	}{
		{"function f<T extends A>(a: B<T>, { b, c }: C, d = D): E | null {}", "f", []string{"A", "B", "C", "D", "E"}},
		{"const f = (a: ns.A, ...b: B[]) => g(a)", "f", []string{"B", "ns.A"}},
		{"interface I<T> extends A<T> { a: B; m<U>(u: U, t: T): C; n?(): D; [k: string]: E }", "I", []string{"A", "B", "C", "D", "E"}},
		{"type T<K> = { [P in keyof K]: A<infer U> extends B ? C : D }", "T", []string{"A", "B", "C", "D"}},
		{"class C<T> extends A implements B<T> { x: D; private y: E; m(a: F) {} constructor(g: G) {} }", "C", []string{"A", "B", "D", "G"}},
		{"class C<T> { m(a: F, t: T): C<T> {} }", "C.m", []string{"C", "F"}},
		{"enum E { A = 1, B = A | other.C }", "E", []string{"other.C"}},
		{"const a = [b, c.d ? e : f, { g: h }]", "a", []string{"b", "c.d", "e", "f", "h"}},
		{"function f(this: A, x: unknown): x is B {}", "f", []string{"A", "B"}},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			t.Parallel()
			if got := symbolsOf(TypeScript.Extract(context.Background(), "a.ts", []byte(tt.src)))[tt.symbol].Refs; !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// TestBindings says which names count as taken from a module that is bound as a whole.
func TestBindings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		names      []string
		all        bool
	}{
		{"members", "m.a(m.b.c); new m.C()", []string{"C", "a", "b"}, false},
		{"type", "let x: m.T<m.U>", []string{"T", "U"}, false},
		{"literal key", "m['a']", []string{"a"}, false},
		{"computed key", "m[a]", nil, true},
		{"optional", "m?.a", []string{"a"}, false},
		{"in a template", "`${m.a}`", []string{"a"}, false},
		{"element", "x = <m.A b={m.c} />", []string{"A", "c"}, false},
		{"passed on", "f(m)", nil, true},
		{"typeof", "let x: typeof m", nil, true},
		{"shorthand", "f({ m })", nil, true},
		{"spread", "f({ ...m })", nil, true},
		{"destructured", "const { a } = m", nil, true},
		{"exported", "export { m }", nil, true},
		{"other member", "x.m(y.m.a)", nil, false},
		{"property key", "f({ m: 1 })", nil, false},
		{"ternary", "a ? m : b", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := TypeScript.Extract(context.Background(), "a.tsx", []byte("import * as m from './m'\n"+tt.body))
			var names []string
			for _, n := range f.Imports[0].Names {
				names = append(names, n.Name)
			}
			if f.Imports[0].All != tt.all || !slices.Equal(names, tt.names) {
				t.Errorf("%+v, want %v, all %v", f.Imports[0], tt.names, tt.all)
			}
		})
	}
}

// TestFacts checks that facts about behaviour are literally in the source.
func TestFacts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src  string
		want []string
	}{
		{"import.meta.env.VITE_KEY + import.meta.env.MODE", []string{"env VITE_KEY"}},
		{"Deno.env.get('A'); Bun.env.B; Deno.exit(3)", []string{"env A", "env B", "exit 3"}},
		{"const { A, B: b = 1 } = process.env", []string{"env A", "env B"}},
		{"process.env[name]; other.env.X; process.exit(code)", []string{"env *", "exit *"}},
		{"process.exitCode = 4", []string{"exit 4"}},
		{"new Option('-q, --quiet')", []string{"flag -q", "flag --quiet"}},
		{"menu.option('first')", nil},
		{"import yargs from 'yargs'; yargs.option('port', {})", []string{"flag --port", "command "}},
		{"userRouter.delete('/u/:id', remove); app.all('/any', (c) => c)", []string{"route DELETE /u/:id", "route /any"}},
		{"api.get('/x', params); client.get('/y', f); server.get('/z', { headers })", nil},
		{"api.get('/x', async (c) => c.json())", []string{"route GET /x"}},
		{"app.get(path, handler); app.get('name', handler)", nil},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range TypeScript.Extract(context.Background(), "src/a.ts", []byte(tt.src)).Facts {
				got = append(got, string(f.Kind)+" "+f.Name)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// TestTokens checks ambiguous tokens. Each source is valid, and the declaration at its end must be found.
func TestTokens(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, src string }{
		{"a.ts", "a = b / c; d = e / f"},
		{"a.ts", "if (x) /[)}\"]/.test(y)"},
		{"a.ts", "x = y++ / 2 /* ' */"},
		{"a.ts", "x = a.return / 2; y = '" + `/\'` + "'"},
		{"a.ts", "x = {} / 2\n{}\n/'/.test(x)"},
		{"a.ts", "x = <T>(a: T) => <T>a"},
		{"a.ts", "x = a < b, c > (d)"},
		{"a.ts", "x = `a${`b${{ c: '}' }.c}`}`"},
		{"a.ts", "x = 1..toString() + .5e-3 + 0xFFn + 1_000"},
		{"a.ts", "x = a ? .5 : b?.[0]"},
		{"a.ts", "class A { get = 1; set = 2; static = 3; async = 4 }"},
		{"a.ts", "class A { a\n*b() {}\n[c] = 1\n'd' = 2 }"},
		{"a.ts", "type A = typeof import('x')"},
		{"a.ts", "let x: A<B<C>>= y"},
		{"a.ts", "abstract class A<T extends { a: 1 }> extends B<{ c: 2 }> { }"},
		{"a.ts", "for (const x of /'/g) {}"},
		{"a.ts", "label: { /'/.test(x) }"},
		{"a.ts", "type\nA\ntype = 1"},
		{"a.tsx", "x = <a b='\\' c=\"\n'\">{/* ' */}it's ` // {'}'}</a>"},
		{"a.tsx", "x = <A<B> c={d}><></></A>"},
		{"a.tsx", "x = <T extends unknown>(a: T) => <b>{a}</b>"},
		{"a.tsx", "x = a < b && c > d"},
		{"a.tsx", "x = (<a-b.c d:e {...f} />) / 2"},
		{"a.jsx", "x = y ? <a /> : <b>if (1) {'{'} </b>"},
		{"a.js", "#!/bin/node\n#x in y"},
		{"a.js", "x = a\n/b/g"},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			t.Parallel()
			f := languageOf(tt.path).Extract(context.Background(), tt.path, []byte(tt.src+"\nexport const last = 1\n"))
			if f.Problem != "" {
				t.Errorf("problem %q", f.Problem)
			}
			if s := symbolsOf(f)["last"]; s.Kind != source.Const || !s.Exported {
				t.Errorf("the last declaration is lost: %+v", f.Symbols)
			}
		})
	}
}

func TestTestFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"src/a.test.ts": true, "a.spec.tsx": true, "src/__tests__/a.js": true, "test/a.js": true, "tests/deep/a.ts": true,
		"src/test/a.ts": false, "src/latest.ts": false, "contest.js": false, "a.test/b.ts": false,
	} {
		if got := languageOf(name).Extract(context.Background(), name, []byte("export {}")).Test; got != want {
			t.Errorf("%s: test %v, want %v", name, got, want)
		}
	}
}

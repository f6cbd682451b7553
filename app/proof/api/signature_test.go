package main

import (
	"encoding/json"
	"testing"

	"github.com/causaldocs/causal/render/node"
)

func TestJavaForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"public <T extends Number & Shape> List<? super T> all(final Map.Entry<String, T> e, int... more) throws IOException": "List<?superT>(Entry<String,T>e,int...more)throwsIOException",
		"java.util.List<? super T> x(java.util.Map.Entry<java.lang.String,T> e, int... more) throws java.io.IOException":      "List<?superT>(Entry<String,T>e,int...more)throwsIOException",
		"@Deprecated\n@Inline(by = \"this.set(1)\")\npublic Shape set(@Nullable int a[])":                                     "Shape(int[]a)",
		"public Shape(int a)\npublic Shape()":    "()\n(inta)",
		"String[] names() default {}":            "String[]()",
		"public static final int LIMIT = 1":      "",
		"public interface Shape extends Area<A>": "",
	} {
		if got := javaForms(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestRustForm(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"pub const unsafe fn at<F: Fn(u8) -> u8>(&mut self, mut f: F) -> io::Result<Self::Item> where F: Send": "constunsafe(&mutself,f:F)->Result<Item>",
		"fn map(self, f: impl Fn(u8) -> u8)":             "(self,f:implFn(u8)->u8)",
		`pub extern "C" fn chain(&self) -> Chain<'_>`:    "(&self)->Chain",
		"pub fn r#where(x: <Self as Trait>::Item) -> !;": "(x:Item)->!",
		"pub struct Shape":                               "",
	} {
		if got := rustForm(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestRustHead(t *testing.T) {
	t.Parallel()
	const word = `{"primitive":"u8"}`
	bounds := `[{"trait_bound":{"trait":{"path":"Fn","args":{"parenthesized":{"inputs":[` + word + `],"output":` + word + `}}},"modifier":"none"}},{"outlives":"'a"}]`
	for of, want := range map[string]string{
		`{"borrowed_ref":{"lifetime":"'a","is_mutable":true,"type":{"slice":` + word + `}}}`: "(x:&'amut[u8])->[u8;4]",
		`{"impl_trait":` + bounds + `}`: "(x:implFn(u8)->u8+'a)->[u8;4]",
		`{"raw_pointer":{"is_mutable":false,"type":{"tuple":[` + word + `,"infer"]}}}`:                                                                              "(x:*const(u8,_))->[u8;4]",
		`{"borrowed_ref":{"lifetime":null,"type":{"dyn_trait":{"traits":[{"trait":{"path":"std::error::Error"}}],"lifetime":"'static"}}}}`:                          "(x:&(dynError+'static))->[u8;4]",
		`{"resolved_path":{"path":"Map","args":{"angle_bracketed":{"args":[{"lifetime":"'a"},{"type":{"generic":"T"}},{"const":{"expr":"3"}}],"constraints":[]}}}}`: "(x:Map<'a,T,3>)->[u8;4]",
		`{"function_pointer":{"sig":{"inputs":[["_",` + word + `]],"output":null}}}`:                                                                                "(x:fn(u8))->[u8;4]",
	} {
		head := `{"sig":{"inputs":[["x",` + of + `]],"output":{"array":{"type":` + word + `,"len":"4"}}},"header":{}}`
		if got := rustHead(json.RawMessage(head)); got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
	if got := rustHead(json.RawMessage(`{"sig":{"inputs":[["self",{"borrowed_ref":{"lifetime":null,"is_mutable":true,"type":{"generic":"Self"}}}]]},"header":{"is_async":true}}`)); got != "async(&mutself)" {
		t.Errorf("a method: %q", got)
	}
}

func TestScriptAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown, told string
		want        bool
	}{
		{"const f = async <T extends (a: A) => B>(a: string, opt: Options = {}): Promise<T> => …", "x(a: string, opt?: Options): Promise<T>", true},
		{"function f(kind: 'a' | 'b', n = 1, ...rest: any[])", `x(kind: "a" | "b", n?: number, ...rest: any[]): void`, true},
		{"function f(a?: string)", "x(a?: string | undefined): void", true},
		{"create: (on: { a: A, b: B }) => void", "x(on: { a: A; b: B; }): void", true},
		{"f({ a, b = 1 }: Options)", "x({ a, b, }: Options): void", true},
		{"constructor(private readonly a: A)", "x(a: A)", true},
		{"f(): A\nf(a: B): A", "x(): A\nx(a: B): A", true},
		{"app.bind = function (path)", "x(path)", true},
		{"f(a: A): A", "x(a: B): A", false},
		{"f(a: A): A", "x(a: A): B", false},
		{"f(a: A)", "x(a?: A)", false},
		{"f(a)", "x(a, b)", false},
		{"const f = g.bind(h)", "x(): void", false},
		{"const f = g", "x(): void", false},
	} {
		if got := scriptAlike(&symbol{Symbol: node.Symbol{Signature: c.shown}}, c.told); got != c.want {
			t.Errorf("%s and %s: %v", c.shown, c.told, got)
		}
	}
}

func TestHeadAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown, told string
		want        bool
	}{
		{"CJSON_PUBLIC(item *) f(item *const a, const char *name)", "extern item *f (item *, const char *)", true},
		{"static inline unsigned f(int list[4], unsigned long n, ...)", "static unsigned int f (int *, long unsigned int, ...)", true},
		{"XX_API int f(XX_NOESCAPE const void *a, void (*cb)(int), const int n)", "extern int f (const void *, void (*)(int), int)", true},
		{`XX_DEPRECATED("use f (x) instead, not \"g\"") XX_API int f(char a)`, "extern int f (char)", true},
		{`XX_DEPRECATED("use f (x) instead") XX_API int f(char a)`, "extern int f (int)", false},
		{"push *f(push *fn, va_list ap)", "extern push (*f (push (*), __va_list_tag *))", true},
		{"FILE *f(FILE *)", "extern FILE *f (FILE *)", true},
		{"int f()\nint f(char a)", "extern int f (char)", true},
		{"int f(void)", "extern int f (void)", true},
		{"int f(char a)", "extern int f (void)", false},
		{"int f(char a)", "extern int f (int)", false},
		{"long f(char a)", "extern int f (char)", false},
		{"#define f g", "extern int f (char)", false},
	} {
		if got := headAlike(&symbol{Symbol: node.Symbol{Signature: c.shown}}, c.told); got != c.want {
			t.Errorf("%s and %s: %v", c.shown, c.told, got)
		}
	}
}

package python

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// written puts references into words: "f()" for calls, "T:" for types, ".m" for open ones, with the line behind "@"
// when it is not the first.
func written(refs []source.Reference) string {
	var out []string
	for _, r := range refs {
		text := r.Name
		if r.Open {
			text = "." + text
		}
		switch r.Kind {
		case source.RefCall:
			text += "()"
		case source.RefType:
			text += ":"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// bodiesOf lists the symbols that use something, and the file as "-".
func bodiesOf(f source.File) string {
	var out []string
	for _, s := range f.Symbols {
		if len(s.Body) > 0 {
			out = append(out, s.Name+" = "+written(s.Body))
		}
	}
	if len(f.Body) > 0 {
		out = append(out, "- = "+written(f.Body))
	}
	return strings.Join(out, "; ")
}

// TestBodies goes through the rules of scopes. The first and the last line of a case do not matter.
func TestBodies(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		// bound and free names
		"def f(a, /, b=c, *d, e=g, **h): return a, b, d, e, h, i":                             "f = c g i",
		"def f():\n  x = a.b\n  return x.y.z(w)":                                              "f = a.b w .y .z()",
		"def f():\n  print(x)\n  x = 1":                                                       "f = print()",
		"def f():\n  global x\n  x = 1":                                                       "f = x",
		"def f():\n  x = 1\n  def g():\n    nonlocal x\n    x = y":                            "f = y",
		"def f():\n  for i, (j, *k) in a: b(i, j, k)\n  else: i":                              "f = a b()",
		"def f():\n  with a as b, c as (d, e.f): b, d, e":                                     "f = a c e e.f",
		"def f():\n  with (a as b, c() as d): b.x":                                            "f = a c() .x",
		"def f():\n  try: pass\n  except (A, b.C) as e: e.args":                               "f = A: .args b.C:",
		"def f():\n  import a.b, c as d\n  from e import g as h, i\n  a.b.x(); d.y; h(); i.z": "f = a.b.x() d.y h() i.z",
		"def f():\n  del x\n  x":                                                              "",
		"def f():\n  if (n := a): return n":                                                   "f = a",
		"def f():\n  x: T = a\n  x.m()":                                                       "f = T: T.m() a",
		"def f():\n  x[a].b = c.d[e]":                                                         "f = a .b c.d e x",
		"def f():\n  x += a":                                                                  "f = a",
		"def f():\n  def g(): return h()\n  class C(D): y = g; z = y\n  return g, C.y":        "f = D: h() .y",
		"def f(): return f()":                                                                 "f = f()",
		"def f(): return f(key=a, *b, **c)":                                                   "f = a b c f()",
		"async def f():\n  async for x in a: await b(x)\n  async with c as d: d":              "f = a b() c",
		"def f():\n  yield a\n  raise E(x) from y":                                            "f = E: a x y",
		"def f():\n  return len(a), str.join(b), int":                                         "f = a b",
		"len = 1\ndef f(): return len(a)":                                                     "f = a len()",

		// comprehensions and lambdas
		"def f(): return [x.y for x in x if x]":                           "f = x .y",
		"def f(): return {k: v for k, v in a for k2 in v if (z := k)}, z": "f = a",
		"def f(): return g(x for x in a), x":                              "f = a g() x",
		"def f(): return lambda a, *b, c=d: (a, b, c, e)":                 "f = d e",
		"def f(): return [lambda: x for x in a], lambda: x, x":            "f = a x",
		"def f(): return {lambda: a: b, c: lambda d=lambda: 1: d}":        "f = a b c",
		"def f(): return (lambda: (y := a)), y":                           "f = a y",
		"x = [i for i in range(3) if j]":                                  "x = j",
		"class C:\n  a = 1\n  b = [a for i in a]":                         "C.b = C.a a",

		// text
		"def f(a): return f'{a.b!r:>{c}} {d=} {g[\"h\"]} {[i for i in j]}'": "f = .b c d g j",

		// annotations
		"def f(a: 'm.T', b: list['U'], c: Literal['V'] = 1, d: Annotated['W', 'x']) -> 'X | None': pass": "f = Annotated: Literal: U: W: X: m.T:",
		"def f(a: 'the amount'): pass":                     "",
		"def f(b: Buffer): b.flush(); b.x.y; b":            "f = Buffer: Buffer.flush() Buffer.x .y",
		"def f(b: 'm.Buffer | None'): b.flush()":           "f = m.Buffer: m.Buffer.flush()",
		"def f(b: Optional[Buffer]): b.x":                  "f = Buffer: Buffer.x Optional:",
		"def f(b: Box[int]): b.x":                          "f = Box: Box.x",
		"def f(b: Buffer):\n  b = g()\n  b.flush()":        "f = Buffer: .flush() g()",
		"def f(b: str): b.strip().x":                       "f = .x",
		"def f(b: Any): b.x":                               "f = Any: .x",
		"T = g()\ndef f(b: T): b.x":                        "T = g(); f = T: .x",
		"class B: pass\ndef f():\n  b = B()\n  b.x.y()":    "f = B: B.x .y()",
		"from m import B\ndef f():\n  b = B()\n  b.x":      "f = B: B.x",
		"def f():\n  class B: pass\n  b: B = B()\n  b.x":   "f = .x",
		"def f[T: B](a: T) -> T: return a.x":               "f = B: .x",
		"class C[T](D[T]):\n  def f(self, a: T): return T": "C = D:",
		"type X[T] = list[T | U]":                          "X = U:",

		// receivers and classes
		"class C(B, metaclass=M):\n  def f(self): self.a.b(); self.c()":                                                 "C = B: M:; C.f = C.a C.c() .b()",
		"class C:\n  @classmethod\n  def f(cls): return cls(), cls.x":                                                   "C.f = C.x",
		"class C:\n  @staticmethod\n  def f(x): x.y":                                                                    "C.f = .y",
		"class C:\n  def f(self):\n    self = a\n    self.x":                                                            "C.f = a .x",
		"class C:\n  def f(*self): self.x":                                                                              "C.f = .x",
		"class C:\n  def f(self):\n    def g(): return self.x\n    def h(self): self.y\n    return [self.z for q in g]": "C.f = C.x C.z .y",
		"class C:\n  class D:\n    def f(self): self.x":                                                                 "C.D.f = C.D.x",
		"class C:\n  a = x\n  def f(self, b=a): return a":                                                               "C.a = x; C.f = C.a a",
		"class C:\n  x = x\n  y = x":                                                                                    "C.x = x; C.y = C.x",
		"class C:\n  for i in a: b(i)":                                                                                  "C = a b()",
		"class C:\n  @property\n  def p(self): pass\n  @p.setter\n  def p(self, v): pass":                               "C.p = C.p .setter()",
		"class C:\n  class D: pass\n  def f(self, d: D): d.x":                                                           "C.f = C.D: C.D.x",

		// what belongs to the file
		"import a\na.run()":  "- = a.run()",
		"for i in a: b(i.c)": "- = a b() .c",
		"if __name__ == '__main__':\n  x = f()\n  x.run()": "x = f(); - = f() x.run()",
		"x, y = a":                                              "x = a; y = a",
		"x = 1\nx += a\ny.z = x\ndel x":                         "x = a; - = x y.z",
		"try:\n  import j\nexcept E:\n  j = a":                  "j = a; - = E:",
		"from m import *\nx = y":                                "x = y",
		"@a.b(c)\n@d\ndef f(): pass":                            "f = a.b() c d()",
		"def f(): return Amount(1), m.Rate(2), MAX(3), make(4)": "f = Amount: MAX: m.Rate: make()",

		// patterns
		"def f(a):\n  match a:\n    case B(x=y, z=m.C()) | [p, *q] if y.w: g(y, p, q)\n    case {'k': k, **r}: k, r\n    case m.D | _: h\n    case (1 as n): n": "f = B: g() h m.C: m.D .w",
		"match = 1\ncase = match\nmatch.x[case]": "case = match; - = case match.x",
	} {
		f := Language{}.Extract(context.Background(), "a.py", []byte(src))
		if got := bodiesOf(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

// TestGuards checks the conditions of symbols and imports.
func TestGuards(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"if TYPE_CHECKING:\n  from a import B\nfrom c import D":                                 "[a TYPE_CHECKING] [c ]",
		"if typing.TYPE_CHECKING: import a; import b":                                           "[a typing.TYPE_CHECKING] [b typing.TYPE_CHECKING]",
		"if not TYPE_CHECKING:\n  import a\nelse:\n  import b":                                  "[a not TYPE_CHECKING] [b TYPE_CHECKING]",
		"if sys.platform == 'win32':\n  def f(): pass\n  x = 1\nelse:\n  y = 2":                 "f sys.platform == 'win32'; x sys.platform == 'win32'; y not (sys.platform == 'win32')",
		"if sys.platform == 'win32':\n  def f(): pass\nelse:\n  def f(): pass":                  "f ",
		"if sys.version_info>=(3,8):\n  x = 1\nelif debug:\n  y = 2\nelif os.name=='nt': z = 3": "x sys.version_info >= (3, 8); y not (sys.version_info >= (3, 8)); z not (sys.version_info >= (3, 8)) and os.name == 'nt'",
		"if TYPE_CHECKING:\n  if a:\n    if os.name == 'nt' or b:\n      x = 1":                 "x TYPE_CHECKING and (os.name == 'nt' or b)",
		"if TYPE_CHECKING:\n  class C:\n    def f(self): pass\nx = 1":                           "C TYPE_CHECKING; C.f TYPE_CHECKING; x ",
		"if TYPE_CHECKING: pass\nelse: pass\nfor i in a:\n  def f(): pass\nelse:\n  x = 1":      "f ; x ",
		"if a:\n  x = 1\nelse:\n  y = 1":                                                        "x ; y ",
		"if TYPE_CHECKING:\n  x = 1\nx = 2":                                                     "x ",
		"if sys.platform == 'a':\n  x = 1\nif sys.platform == 'b':\n  x = 2":                    "x sys.platform == 'a' or sys.platform == 'b'",
		"def f():\n  if TYPE_CHECKING:\n    import a":                                           "f ; [a TYPE_CHECKING]",
	} {
		f := Language{}.Extract(context.Background(), "a.py", []byte(src))
		var got []string
		for _, s := range f.Symbols {
			got = append(got, s.Name+" "+s.Guard)
		}
		var imports []string
		for _, i := range f.Imports {
			imports = append(imports, fmt.Sprintf("[%s %s]", i.Path, i.Guard))
		}
		if len(imports) > 0 {
			got = append(got, strings.Join(imports, " "))
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s\n got %s\nwant %s", src, s, want)
		}
	}
}

package python

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
	"github.com/causaldocs/causal/knowledge/testmode"
)

var update = flag.Bool("update", false, "write the golden files anew")

const fixture = `"""Money."""

import json

LIMIT = 100


# between
def parse(text: str, strict: bool = False) -> int:
    """Parse an amount.

    In cents.
    """
    # inside
    total = json.loads(text)
    print("the  total", total)
    return total


def show(amount: int) -> str:
    return str(amount)


def _check(value): return value


class Amount:
    cents: int = 0

    def add(self, other: "Amount") -> "Amount":
        return Amount(self.cents + other.cents)
`

func TestConformance(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Fixture{
		Language: Language{}, Path: "shop/money.py", Base: fixture,
		Target: "parse", Other: "show", Const: "LIMIT", Hidden: "_check",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "# inside", New: "# elsewhere"},
			"comment between declarations": {Old: "# between\n", New: "# one\n# two\n"},
			"comment at the top":           {Old: `"""Money."""`, New: "# Copyright\n\"\"\"Money.\"\"\""},
			"blank lines":                  {Old: "    total = json", New: "\n\n    total = json"},
			"formatting":                   {Old: "(text: str, strict: bool = False)", New: "(\n    text : str,   # the text\n  strict:bool=False)"},
			"body":                         {Old: "return total\n", New: "return total + 1\n"},
			"string literal":               {Old: "the  total", New: "the total"},
			"doc comment":                  {Old: "In cents.", New: "In cent."},
			"module doc":                   {Old: "Money.", New: "Money and more."},
			"signature":                    {Old: "strict: bool = False", New: "strict: bool = True"},
			"result type":                  {Old: "-> int:\n    \"\"\"Parse", New: "-> float:\n    \"\"\"Parse"},
			"decorator":                    {Old: "def parse", New: "@cache\ndef parse"},
			"constant value":               {Old: "LIMIT = 100", New: "LIMIT = 101"},
			"hidden signature":             {Old: "_check(value)", New: "_check(value, more)"},
			"target hidden":                {Old: "def parse", New: "def _parse"},
			"symbol added":                 {Old: "def show", New: "def added(): pass\n\n\ndef show"},
			"symbols swapped":              {Old: "def _check(value): return value\n", New: ""},
			"import added":                 {Old: "import json\n", New: "import json\nimport csv\n"},
			"environment variable":         {Old: "import json\n", New: "import json\nimport os\nHOME = os.environ['HOME']\n"},
			"syntax error":                 {Old: "-> int:\n    \"\"\"Parse", New: "-> int\n    \"\"\"Parse"},
		},
	})
}

// TestGolden compares the reviewed results for the sample files. It omits digests, which the conformance suite and the property tests
// check.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"shapes.py", "web.py", "broken.py", "package/__init__.py", "test_sample.py"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "golden", filepath.FromSlash(name))
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := Language{}.Extract(context.Background(), name, src)
			sourcetest.CheckFile(t, f)
			f.Content = ""
			for i := range f.Symbols {
				f.Symbols[i].Interface, f.Symbols[i].Content = "", ""
			}
			got, err := json.MarshalIndent(f, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := file + ".golden"
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != string(got)+"\n" {
				t.Errorf("differs from %s; it is now\n%s", golden, got)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"x = (1,\n\ndef f(): pass\n": "line 1: expected ')'",
		"x = [1\nclass A: pass\n":    "line 1: expected ']'",
		"x = {1":                     "line 1: expected '}'",
		"x = (1]\n":                  "line 1: expected ')'",
		"x = 1)\n":                   "line 1: expected no ')' here",
		"\nx = 'a\n":                 "line 2: expected ' at the end of the string",
		"x = \"a":                    "line 1: expected \" at the end of the string",
		"x = '''a\ny = 1\n":          "line 1: expected ''' at the end of the string",
		"x = f'{a'\n":                "line 1: expected ' at the end of the string",
		"x = f'a\n":                  "line 1: expected ' at the end of the string",
		"x = f'{a:b'\n":              "line 1: expected '}'",
		"def f()\n    pass\n":        "line 1: expected ':'",
		"class A\n    x = 1\n":       "line 1: expected ':'",
		"if x\n    pass\n":           "line 1: expected ':'",
		"while x\n    pass\n":        "line 1: expected ':'",
		"async def f()\n    pass\n":  "line 1: expected ':'",
		"if x:\n        a\n    b\n":  "line 3: expected the indentation of an outer block",
		"if x:\npass\n":              "line 2: expected an indented block",
		"x = 1\n    y = 2\n":         "line 2: expected no indentation here",
		"def 1(): pass\n":            "line 1: expected a name",
		"x = $\n":                    "line 1: expected a token, found '$'",
		"x = \x00\n":                 "line 1: expected a token, found 0x00",
		"import\n":                   "line 1: expected a module name",
		"from a\n":                   "line 1: expected 'import'",
	} {
		if f := (Language{}).Extract(context.Background(), "a.py", []byte(src)); f.Problem != want {
			t.Errorf("%q: problem %q, want %q", src, f.Problem, want)
		}
	}
}

func TestValidHasNoProblem(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"", "\n", "#", "\\\n", "\f\nx = 1\n", "x = 1 \\\n  + 2\n", "if x: pass\nelse: pass\n", "match x:\n    case {'a': 1}:\n        pass\n",
		"match = 1\ncase: int = 2\ntype X[T: int] = T\n", "x = f'{a!r:{b}.{c}} {{}} {d[\"k\"]} {e = } {f != g}'\n",
		"x = f\"{x[\"a\"]} {'\\n'.join(y)}\"\n", "x = f'''{\n a  # why\n}'''\n", "x = rf'\\{a}\\'b' f'\\N{DASH}{{'\n", "x = f'{y:%H:%M}' rb'\\'' '\\\n'\n",
		"x = 1if y else 0x1fJ\n" /* odd, but the lexer's business only */, "x = lambda: (yield)\n", "if lambda: x: pass\n",
		"x[lambda: 1:2]\n", "async with a as b, c: pass\n", "try: pass\nexcept* E: pass\nfinally: pass\n", "class A[T]: pass\n", "\ufeffx = 1\n", "if x:\r\n\ty\r\n\tz\r\n",
	} {
		if f := (Language{}).Extract(context.Background(), "a.py", []byte(src)); f.Problem != "" {
			t.Errorf("%q: %s", src, f.Problem)
		}
	}
}

// TestMembers checks the members of module bindings, also of those in strings and f-strings.
func TestMembers(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"import a\na.f(a.g)\n":                       "a[f g]",
		"import a\nh(a)\n":                           "a*",
		"import a\nf(a=1)\n":                         "a[]",
		"import a\nx: 'a.T'\n":                       "a[T]",
		"import a\nprint(f'{a.f()}')\n":              "a[f]",
		"import a\nprint(f'{a=}')\n":                 "a*",
		"import a\nx: a = 1\n":                       "a*",
		"import a.b as c\nc.f\n":                     "a.b[f]",
		"import a.b.c\na.b.c.f\n":                    "a.b.c[f]",
		"import a.b.c\na.b.x\n":                      "a.b.c[] a.b[x]",
		"import a.b.c\na.b\n":                        "a.b.c*",
		"import a, a.b\na.b.f\n":                     "a[b] a.b[f]",
		"from a import b as c, d\nd\n":               "a[b=c d]",
		"from . import x\n":                          ".[x]",
		"from ...a . b import (x,)\n":                "...a.b[x]",
		"from a import *\n":                          "a*",
		"def f():\n    import a; a.g()\n":            "a[g]",
		"if x: import a\nelse: from b import c\n":    "a[] b[c]",
		"import a\n__all__ = ['a']\n":                "a*",
		"try:\n    import a\nexcept E:\n    a = 0\n": "a[]",
	} {
		var got []string
		for _, imp := range (Language{}).Extract(context.Background(), "m.py", []byte(src)).Imports {
			var names []string
			for _, n := range imp.Names {
				if n.As != "" {
					n.Name += "=" + n.As
				}
				names = append(names, n.Name)
			}
			if imp.All {
				got = append(got, imp.Path+"*")
			} else {
				got = append(got, imp.Path+"["+strings.Join(names, " ")+"]")
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", src, s, want)
		}
	}
}

// TestFormattingIsFree changes layout at random and expects nothing but positions to change.
func TestFormattingIsFree(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(filepath.Join("testdata", "golden", "shapes.py"))
	if err != nil {
		t.Fatal(err)
	}
	base := Language{}.Extract(context.Background(), "shapes.py", src)
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]string{" ", "  ", "    ", "\t", "      "}).Draw(t, "indentation")
		var out []string
		for _, l := range strings.Split(string(src), "\n") {
			body := strings.TrimLeft(l, " ")
			depth := (len(l) - len(body)) / 4
			declares := strings.HasPrefix(body, "def ") || strings.HasPrefix(body, "class ") || strings.HasPrefix(body, "@")
			if declares && rapid.Bool().Draw(t, "insert") {
				out = append(out, rapid.SampledFrom([]string{"", "   ", "\f", "    # comment"}).Draw(t, "blank"))
			}
			if depth > 0 && len(out) > 6 {
				l = strings.Repeat(unit, depth) + l[4*depth:]
			}
			if strings.HasSuffix(l, ",") || strings.HasSuffix(l, ":") {
				l += rapid.SampledFrom([]string{"", "  # comment", " "}).Draw(t, "end")
			}
			out = append(out, l)
		}
		got := Language{}.Extract(context.Background(), "shapes.py", []byte(strings.Join(out, "\n")))
		if got.Problem != "" || len(got.Symbols) != len(base.Symbols) {
			t.Fatalf("problem %q, %d symbols, want %d", got.Problem, len(got.Symbols), len(base.Symbols))
		}
		for i, s := range got.Symbols {
			b := base.Symbols[i]
			if s.Name == "area" {
				continue // its docstring is about tabs
			}
			if s.Name != b.Name || s.Signature != b.Signature || s.Interface != b.Interface || s.Content != b.Content || s.Doc != b.Doc {
				t.Fatalf("%s differs:\n%+v\n%+v", b.Name, s, b)
			}
		}
	})
}

// TestHostile holds reading to linear time and bounded stack on input that is made to be bad.
func TestHostile(t *testing.T) {
	t.Parallel()
	n := testmode.Of(20_000, 200_000)
	for name, src := range map[string]string{
		"brackets":     "x = " + strings.Repeat("(", n),
		"closers":      strings.Repeat(")", n),
		"f-strings":    strings.Repeat("f'{", n),
		"specs":        "f'" + strings.Repeat("{x:", n),
		"triple":       strings.Repeat("\"\"\"a\n'''\\", n),
		"indentation":  nested(2000),
		"augmented":    strings.Repeat("x = 1\nx += 1\n", n/10),
		"imports":      strings.Repeat("import a.b\na.c.d\n", n/10),
		"distinct":     numbered("import a.b%\na.c%.d\n", n/10),
		"flags":        strings.Repeat("a.add_argument(", n),
		"decorators":   strings.Repeat("@a.get('/x')\n", n/10),
		"semicolons":   "x" + strings.Repeat(";x=1", n/10),
		"targets":      strings.Repeat("a = ", n) + "1",
		"unpacked":     strings.Repeat("a, ", n) + "= 1",
		"annotation":   "x: a" + strings.Repeat(".a", n),
		"chain":        "import a\na" + strings.Repeat(".a", n),
		"unclosed def": strings.Repeat("def f(\n", n/10),
		"lambdas":      strings.Repeat("lambda:", n),
		"strings":      strings.Repeat("'a' ", n),

		"nested lambdas":        "x = " + strings.Repeat("lambda a: a, b, ", n/4),
		"lambdas in brackets":   "x = " + strings.Repeat("(lambda a: b, ", n/4),
		"defaults of lambdas":   "x = " + strings.Repeat("lambda a=", n/4),
		"nested comprehensions": "x = " + strings.Repeat("[a for a in b for c in ", n/4),
		"nested functions":      blocks("def f(a):\n", 2000),
		"nested classes":        blocks("class C(A):\n", 2000),
		"targets and values":    strings.Repeat("a, ", n/4) + "= " + strings.Repeat("b.c, ", n/4),
		"globals":               "def f():\n  global " + strings.Repeat("a, ", n/4) + "b\n" + strings.Repeat("  a = b\n", n/4),
		"annotations":           "def f(" + strings.Repeat("a: 'm.T[\"U\"]', ", n/8) + "): pass",
		"quotes in annotations": "x: " + strings.Repeat("\"'", n/4),
		"else":                  "if TYPE_CHECKING: pass\n" + strings.Repeat("elif os.name: import a\n", n/100),
		"guards":                guarded(300),
		"cases":                 "match a:\n" + strings.Repeat(" case A(b=c, d=[*e]): f\n", n/10),
		"chains of locals":      "def f(a): a" + strings.Repeat(".a", n),
		"redeclared":            strings.Repeat("def f(a): a.b(c)\n", n/10),
		"statements":            "def f():\n" + strings.Repeat("  a = b.c(d) ; e.f = a\n", n/10),
	} {
		t.Run(name, func(t *testing.T) {
			if f, ok := sourcetest.Hostile(t, Language{}, "a.py", []byte(src)); ok {
				sourcetest.CheckFile(t, f)
				checkBodies(t, src, f)
			}
		})
	}
}

func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "class A:\n")
	}
	return b.String()
}

// blocks opens a block inside a block.
func blocks(header string, depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + header + strings.Repeat(" ", i+1) + "a = b.c\n")
	}
	return b.String()
}

// guarded opens a condition inside a condition.
func guarded(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if os.name:\n" + strings.Repeat(" ", i+1) + "import a\n")
	}
	return b.String()
}

func numbered(pattern string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(pattern, "%", string(rune('a'+i%26))+strings.Repeat("x", i%7)+string(rune('a'+i/26%26))))
	}
	return b.String()
}

func TestTestFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"test_a.py": true, "a/b_test.py": true, "conftest.py": true, "tests/a.py": true, "a/test/b.py": true, "test_a.pyi": true,
		"a.py": false, "contest.py": false, "latest/a.py": false, "testing/a.py": false,
	} {
		if got := (Language{}).Extract(context.Background(), name, nil).Test; got != want {
			t.Errorf("%s: test %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		name, src string
		want      bool
		tests     int
	}{
		{"checks.py", "import pytest\ndef test_a(): pass\n", true, 1},
		{"checks.py", "from unittest.mock import patch\nclass A(unittest.TestCase):\n  def test_a(self): pass\n  def setUp(self): pass\n", true, 1},
		{"checks.py", "from shop.testing import ShopTestCase\nclass A(ShopTestCase):\n  def test_a(self): pass\n", true, 1},
		{"checks.py", "def test_a(): pass\n", false, 0},
		{"case.py", "class TestCase:\n  def testing(self): pass\n", false, 0},
		{"runner.py", "import unittest\nclass Runner(unittest.TextTestRunner): pass\n", false, 0},
		{"shop.py", "import unittest\ndef pay(): pass\ndef sell(): pass\nclass A(unittest.TestCase):\n  def test_a(self): pass\n", false, 1},
		{"ab_test.py", "class Experiment:\n  \"Compares two shops.\"\n", false, 0},
		{"ab_test.py", "class Experiment: pass\n", true, 0},
		{"test_shop.py", "def check():\n  \"Checks.\"\n  assert 1\n", true, 0},
		{"test_shop.py", "import pytest\ndef check(): \"Checks.\"\n", true, 0},
		{"tests/tools.py", "def check(): \"Checks.\"\n", true, 0},
		{"conftest.py", "def shop(): \"A shop.\"\n", true, 0},
	} {
		f := Language{}.Extract(context.Background(), c.name, []byte(c.src))
		if f.Test != c.want || len(f.Tests) != c.tests {
			t.Errorf("%s: %q: test %v, %v, want %v and %d", c.name, c.src, f.Test, f.Tests, c.want, c.tests)
		}
	}
	body := Language{}.Extract(context.Background(), "test_a.py", []byte("def test_a():\n    assert 1\n"))
	other := Language{}.Extract(context.Background(), "test_a.py", []byte("def test_a():\n    assert 2\n"))
	more := Language{}.Extract(context.Background(), "test_a.py", []byte("def test_a():\n    assert 2\ndef test_b(): pass\n"))
	if body.Content != other.Content || body.Content == more.Content {
		t.Error("the content of a test file is its tests and imports")
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	digest := func(src string) source.Digest {
		return Language{}.Extract(context.Background(), "a.py", []byte(src)).Content
	}
	plain := digest("x = 1\n")
	for src, differs := range map[string]bool{
		"#!/usr/bin/python\nx = 1\n":               true,
		"# -*- coding: latin-1 -*-\nx = 1\n":       true,
		"# @generated\nx = 1\n":                    true,
		"# -*- coding: UTF-8 -*-\nx = 1\n":         false,
		"x = 1 # type: ignore\n":                   false,
		"# noqa\nx = 1":                            false,
		"if True:\n  x = 1\n":                      true,
		"x = (1)\n":                                true,
		"\n\n# -*- coding: latin-1 -*-\n\nx = 1\n": false,
	} {
		if got := digest(src) != plain; got != differs {
			t.Errorf("%q: differs %v, want %v", src, got, differs)
		}
	}
}

// TestNothingIsDeclared: that a reader was used before shows in nothing.
func TestNothingIsDeclared(t *testing.T) {
	for range 10 { // a pool may always give a new one
		Language{}.Extract(context.Background(), "a.py", []byte("def f(): pass"))
		if f := (Language{}).Extract(context.Background(), "a.py", []byte("f()")); f.Symbols != nil {
			t.Fatalf("the symbols are %#v", f.Symbols)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(fixture))
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.py"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	for _, s := range []string{"f'{x:{y}}'", "f'{a=}'", "f'{'", "x = (\ndef", "\\", "class A(\n @", "@", "'''", "\xff\x00", "def f(", "from", "import a.b as", "x:=", "def f(a: 'B', b=lambda: c): [d for d in a.e if (g := h)]", "match a:\n case B(c=d): e", "if TYPE_CHECKING:\n import a\nelse: pass", "__all__.append(", "A =", "type A", "A: =", "x: \xff0, \xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, name := range []string{"a.py", "pkg/__init__.py", "test_a.py"} {
			one, _ := sourcetest.Hostile(t, Language{}, name, src)
			two, _ := sourcetest.Hostile(t, Language{}, name, src)
			costtest.Hold(t, src, func(src []byte) { sourcetest.Hostile(t, Language{}, name, src) })
			sourcetest.CheckFile(t, one)
			checkBodies(t, strings.ReplaceAll(string(src), "\r", "\n"), one)
			if !reflect.DeepEqual(one.Body, two.Body) || !reflect.DeepEqual(one.Symbols, two.Symbols) {
				t.Error("two readings find other references")
			}
			if one.Content != two.Content || one.Problem != two.Problem || len(one.Symbols) != len(two.Symbols) {
				t.Error("two readings differ")
			}
		}
	})
}

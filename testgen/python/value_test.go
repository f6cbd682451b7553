package python

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	reader "github.com/causaldocs/causal/knowledge/source/python"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func TestLiterals(t *testing.T) {
	for src, want := range map[string][2]string{
		`12`:                          {`{int: 12}`, `12`},
		`-0x1F`:                       {`{int: -31}`, `-31`},
		`1_000`:                       {`{int: 1000}`, `1000`},
		`1e3`:                         {`{float: 1000.0}`, `1000.0`},
		`1e300`:                       {`{float: 1e+300}`, `1e+300`},
		`.5`:                          {`{float: 0.5}`, `0.5`},
		`8100000000000000000000`:      {`{int: "8100000000000000000000"}`, `8100000000000000000000`},
		`None`:                        {`{None: null}`, `None`},
		`True`:                        {`{bool: true}`, `True`},
		`'it''s'`:                     {`{str: "its"}`, `"its"`},
		`"a\x41\u00e9\101\n"`:         {`{str: "aAéA\n"}`, `"aAéA\n"`},
		`r"\d"`:                       {`{str: "\\d"}`, `"\\d"`},
		`'say "hi"'`:                  {`{str: "say \"hi\""}`, `'say "hi"'`},
		`b"\x00\xff'"`:                {`{bytes: "\x00ÿ'"}`, `b"\x00\xff'"`},
		`[1, 'a', [None]]`:            {`{list: [1, "a", [null]]}`, `[1, "a", [None]]`},
		`(1,)`:                        {`{tuple: [1]}`, `(1,)`},
		`(1)`:                         {`{int: 1}`, `1`},
		`()`:                          {`{tuple: []}`, `()`},
		`{'b': (1, 2), 'a': 1}`:       {`{dict: {a: 1, b: {tuple: [1, 2]}}}`, `{"a": 1, "b": (1, 2)}`},
		`{1: 'x'}`:                    {`{dict: [[1, "x"]]}`, `{1: "x"}`},
		`{'call': 1}`:                 {`{dict: [["call", 1]]}`, `{"call": 1}`},
		`{3, 1}`:                      {`{set: [1, 3]}`, `{1, 3}`},
		`set()`:                       {`{set: []}`, `set()`},
		`frozenset({2})`:              {`{frozenset: [2]}`, `frozenset({2})`},
		"[1,  # one\n 2]":             {`{list: [1, 2]}`, `[1, 2]`},
		`{'dict': {'set': [2, 1]}}`:   {`{dict: {dict: {dict: {set: [2, 1]}}}}`, `{"dict": {"set": [2, 1]}}`},
		`"""a` + "\n" + `b"""`:        {`{str: "a\nb"}`, `"a\nb"`},
		`'\N'`:                        {},
		`f"{x}"`:                      {},
		`"a" f"{x}"`:                  {},
		`x`:                           {},
		`1 + 2`:                       {},
		`[1`:                          {},
		`'open`:                       {},
		`"\ud800"`:                    {},
		strings.Repeat("[", 40) + `]`: {},
	} {
		v, ok := literal(tokens(src), nil)
		if want[0] == "" {
			if ok {
				t.Errorf("%s is read as %s", src, typed(v))
			}
			continue
		}
		got, err := write(typed(v), 0)
		if !ok || err != nil || typed(v).String() != want[0] || got != want[1] {
			t.Errorf("%s is %s in a spec and %s in code (%v), expected %s and %s", src, typed(v), got, err, want[0], want[1])
		}
	}
}

// TestWriteRefuses: what a spec says of a type becomes code only when it is a value of that type.
func TestWriteRefuses(t *testing.T) {
	for _, bad := range []spec.Typed{
		{Type: "int", Value: "1); import os"}, {Type: "int", Value: "-"}, {Type: "os", Value: "x"}, {Type: "str", Value: int64(1)}, {Type: "bytes", Value: "€"},
		{Type: "list", Value: map[string]spec.Value{"a": nil, "b": nil}}, {Type: "dict", Value: []spec.Value{int64(1)}}, {Type: "None", Value: true},
		{Type: "float", Value: "nan"}, {Type: "list", Value: []spec.Value{map[string]spec.Value{"eval": "x"}}},
	} {
		if got, err := write(bad, 0); err == nil {
			t.Errorf("%s is written as %s", bad, got)
		}
	}
}

// FuzzLiteral: whatever is read is written as code that is read as the same.
func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{`{"a": [1, -2.5, (b"\xff",)], 'b': {1, 2}}`, `"\u00e9\n"`, `1e400`, `frozenset()`, `'''x'''`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		v, ok := literal(tokens(src), nil)
		if !ok {
			return
		}
		code, err := write(typed(v), 0)
		if err != nil {
			return // nests too deep, or a number is too long
		}
		again, ok := literal(tokens(code), nil)
		if strings.Contains(code, "float(") {
			return
		}
		if !ok || typed(again).String() != typed(v).String() {
			t.Errorf("%q is %s, written %s and read again as %s", src, typed(v), code, typed(again))
		}
		if strings.Contains(code, "\n") {
			t.Errorf("%q is written on more than one line: %q", src, code)
		}
	})
}

// FuzzDoctests: docstrings and code of strangers are read, whatever they hold.
func FuzzDoctests(f *testing.F) {
	f.Add(">>> f(1)\n2\n>>> x = 'a'\n>>> g(x, k=[1])\nTraceback (most recent call last):\nValueError: no\n")
	f.Add(">>> Point(1,\n...     2).norm()\n5.0")
	f.Fuzz(func(t *testing.T, doc string) {
		for _, one := range doctests(doc) {
			if one.name == "" {
				t.Errorf("an example of nothing in %q", doc)
			}
		}
		uses(tokens(doc), "f")
	})
}

func TestDoctests(t *testing.T) {
	doc := `Does it.

    >>> parse("12")
    1200
    >>> text = 'a b'
    >>> lib.parse(text, strict=True)  # doctest: +SKIP
    >>> lib.parse(text, strict=True)
    Traceback (most recent call last):
      ...
    ValueError: invalid
    >>> print(parse("1"))
    100
    >>> parse(unknown)
    1
    >>> p = Point(1, y=2)
    >>> p.norm()
    <Norm object>
    >>> Point(3, 4).norm(
    ...     scale=2.0)
    10.0
`
	var got []string
	for _, one := range doctests(doc) {
		line := one.name
		if one.class != nil {
			line = one.class.name + "." + line
		}
		for _, a := range one.args {
			line += " " + typed(a).String()
		}
		got = append(got, strings.TrimSpace(line+" = "+one.want.Text()+" "+one.raises))
	}
	want := []string{`parse {str: "12"} = 1200`, `lib.parse {str: "a b"} = error ValueError`, `parse {str: "1"} = 100`, `Point.norm = nothing`, `Point.norm = 10.0`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSignatures(t *testing.T) {
	for src, want := range map[string]string{
		"def f(a, b: int = 2, *, c: str)":                                 "a b:int? c:str!",
		"@staticmethod\ndef f(x: Optional[str] = None, /)":                "x:str | None?/",
		"def f(*args: int, sep: str = ', ', **kw: Any) -> str":            "args:int* sep:str?!",
		"@overload\ndef f(a: int)\ndef f(a: 'int | str', b=(1, 2))":       "a:int | str b:tuple?",
		"async def f(a: list[tuple[int, ...]], b: Dict[str, bool])":       "a:list b:dict",
		"def f(a: Literal['x', 'y'], b: np.ndarray, c: typing.Any = ...)": "a: b:np.ndarray c:any?",
		"def f(a: Name, b: Callable[[int], str])":                         "a:str | int b:Callable",
	} {
		f := reader.Language{}.Extract(t.Context(), "f.py", []byte(strings.ReplaceAll(src, ")\ndef", "): ...\ndef")+": ..."))
		s := signatureOf(&f.Symbols[0])
		r := &resolver{aliases: map[string][]token{"Name": tokens(`Union[str, int]`)}}
		var parts []string
		for _, p := range r.params(s.params) {
			part := p.Name
			if p.Type != nil {
				part += ":" + p.Type.String()
			}
			for mark, on := range map[string]bool{"?": p.Optional, "!": p.Keyword && !p.Optional, "*": p.Rest, "/": p.Positional && !p.Optional} {
				if on {
					part += mark
				}
			}
			if p.Keyword && p.Optional {
				part += "!"
			}
			if p.Positional && p.Optional {
				part += "/"
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, " "); got != want || !s.ok {
			t.Errorf("%s\n is %s, expected %s", src, got, want)
		}
	}
}

func TestEffects(t *testing.T) {
	for _, c := range []struct{ at, name, want string }{
		{"time", "time", "time"}, {"os", "path.join", ""}, {"os.path", "join", ""}, {"os.path", "exists", "os"}, {"os", "getenv", "os"}, {"datetime", "datetime.now", "datetime"},
		{"datetime", "timedelta", ""}, {"random", "Random", "random"}, {"sys", "maxsize", ""}, {"sys", "argv", "sys"}, {"requests", "get", "requests"},
		{"urllib.parse", "quote", ""}, {"urllib.request", "urlopen", "urllib"}, {"re", "compile", ""}, {"uuid", "uuid4", "uuid"}, {"uuid", "UUID", ""},
	} {
		bad, _ := effects.Outside(testgen.Reach{Outside: []testgen.Name{{Path: c.at, Name: c.name}}}, nil)
		if got := strings.Join(bad, " "); got != c.want {
			t.Errorf("%s of %s reaches %q, expected %q", c.name, c.at, got, c.want)
		}
	}
	for src, want := range map[string]string{
		"def f():\n    global seen\n    seen = 1": "changes the variable seen of the module, which later calls see",
		"def f(p):\n    return open(p).read()":    "reaches open()",
		"def f(z):\n    return z.open('a')":       "",
		"def f():\n    \"\"\"open(it)\"\"\"":      "",
		"def open(x):\n    return x":              "",
	} {
		if got := impure(src); got != want {
			t.Errorf("%q: %q, expected %q", src, got, want)
		}
	}
}

// TestChangedVariables: what a function gives has to be the same whatever was called before.
func TestChangedVariables(t *testing.T) {
	for src, want := range map[string]string{
		"def f(x):\n    return seen[x]":                                        "",
		"def f(x):\n    seen[x] = 1":                                           "seen",
		"def f(x):\n    seen[x][0].y += 1":                                     "seen",
		"def f(x):\n    seen.add(x)":                                           "seen",
		"def f(x):\n    seen.get(x).append(x)":                                 "",
		"def f(x):\n    seen.by[x].append(x)":                                  "seen",
		"def f(x):\n    seen.last = x":                                         "seen",
		"def f(x):\n    del seen[x]":                                           "seen",
		"def f(x):\n    return next(seen)":                                     "seen",
		"def f(x):\n    return seen[x] == LIMIT <= seen[0]":                    "",
		"def f(x, seen=()):\n    seen.append(x)":                               "",
		"def f(x, *seen):\n    seen.append(x)":                                 "",
		"def f(x):\n    seen = []\n    seen.append(x)":                         "",
		"def f(x):\n    seen: list = []\n    seen.append(x)":                   "",
		"def f(x):\n    for seen in x:\n        seen.append(1)":                "",
		"def f(x):\n    with x as seen:\n        seen.write(1)":                "",
		"def f(x: dict[str, int]):\n    seen.append(x)":                        "seen",
		"def f(x):\n    return x.seen.append(1)":                               "",
		"def f(x):\n    return '[', seen['['], seen":                           "",
		"def f(x):\n    return [s for s in seen] + g(lambda seen: seen.pop())": "",
		"def f(x):\n    f.calls += 1":                                          "f",
		"def f(x):\n    return Seen.add(x)":                                    "",
		"def f(x):\n    Seen.all.add(x)":                                       "Seen",
		"def f(x):\n    seen[":                                                 "",
	} {
		f := moduleOf("seen = {}\nLIMIT = 3\nclass Seen:\n    all = set()\n" + src)
		if got := changesVariable(f, f.symbols["f"]); got != want {
			t.Errorf("%q changes %q, expected %q", src, got, want)
		}
	}
}

func moduleOf(src string) *file {
	f := &file{lines: strings.Split(src, "\n"), symbols: map[string]*source.Symbol{}}
	f.File = reader.Language{}.Extract(context.Background(), "m.py", []byte(src))
	for i := range f.Symbols {
		f.symbols[f.Symbols[i].Name] = &f.Symbols[i]
	}
	return f
}

// TestLongBodies: what is asked of a name again and again takes as long as the body is, and not as that times itself.
func TestLongBodies(t *testing.T) {
	for _, part := range []string{"seen[", "lambda ", "lambda a,", "for ", "def f(", "seen.", "(seen", "[]", "seen[0]"} {
		f := moduleOf("seen = {}\ndef f():\n    " + strings.Repeat(part, 1<<20/len(part)))
		if got := changesVariable(f, f.symbols["f"]); got != "" {
			t.Errorf("%q changes %q", part, got)
		}
	}
}

// TestCodeFilesDiffer: no two modules have their tests in one file.
func TestCodeFilesDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, module := range []string{"a.b", "a_b", "a__b", "a_.b", "a._b", "a___b", "a.b.c", "a_b.c", "a.b_c", "a_b_c", "money"} {
		file := codeFile("tests", module)
		if seen[file] != "" || !Owns(file) {
			t.Errorf("%s and %s have their tests in %s", module, seen[file], file)
		}
		seen[file] = module
	}
	if got := codeFile("tests", "money"); got != "tests/test_causal_money.py" {
		t.Error(got)
	}
}

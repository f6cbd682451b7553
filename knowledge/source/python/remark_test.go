package python

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestWhatIsAssignedIsDocumented(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"comments above", "#: Is x.\n#:\n#: .. versionadded:: 1\nx = 1\n", []string{"x: Is x.\n\n.. versionadded:: 1"}},
		{"a comment behind", "x = (1,  # no\n     2)  #: Is x.\ny = 1\n", []string{"x: Is x."}},
		{"what is not right above", "#: Is x.\n\nx = 1\n# Is y.\ny = 1\n#: Is z.\n# no\nz = 1\nw = 1 # no\n", nil},
		{"parted comments", "#: No.\n\n#: Is x.\nx = 1\n", []string{"x: Is x."}},
		{"what is no assignment", "#: No.\ndef f(): pass\n#: No.\nf()\n#: No.\nclass C:\n  pass\n", nil},
		{"a class", "class C:\n  #: Is a.\n  a = 1\n  b: int = 2\n  \"\"\"Is b.\"\"\"\n  c = 3\n\n  def f(self): pass\n  \"\"\"No.\"\"\"\n", []string{"C.a: Is a.", "C.b: Is b."}},
		{"a module's strings may be code", "x = 1\n\"\"\"y = 2\"\"\"\n", nil},
		{"instances", "class C:\n  d = 1\n  e: int\n  def __init__(self, a):\n    #: Is a.\n    self.a = a\n    if a:\n      self.b: int = 1  #: Is b.\n    self.c = 3\n    \"\"\"Is c.\"\"\"\n    self.d = 4\n    self.e = 4  #: Is e.\n    self._e = 1  #: No.\n    self.f = 1\n    #: No.\n    a.g = 1\n    #: No.\n    self.a.h = 1\n    def k(self):\n      self.k = 1  #: No.\n  def g(self):\n    self.h = 1  #: Is h.\n",
			[]string{"C.e: Is e.", "C.a: Is a.", "C.b: Is b.", "C.c: Is c.", "C.h: Is h."}},
		{"of a function that is called so", "def __init__(self):\n  self.a = 1  #: No.\n", nil},
		{"several names", "a, b = 1, 2  #: Both.\n", []string{"a: Both.", "b: Both."}},
	} {
		var got []string
		f := Language{}.Extract(context.Background(), "m.py", []byte(test.src))
		for _, s := range f.Symbols {
			if s.Doc != "" {
				got = append(got, s.Name+": "+s.Doc)
			}
		}
		if f.Problem != "" || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q; %s", test.name, got, test.want, f.Problem)
		}
	}
}

// TestRemarksAreContent checks that a remark changes the content of its file and its subject, and that an ordinary comment does not.
func TestRemarksAreContent(t *testing.T) {
	t.Parallel()
	read := func(src string) string {
		f := Language{}.Extract(context.Background(), "m.py", []byte(src))
		return fmt.Sprint(f.Content, f.Symbols[0].Content, f.Symbols[0].Interface)
	}
	const plain = "class C:\n  def __init__(self):\n    %s\n    self.a = 1\n"
	one, two := read(fmt.Sprintf(plain, "#: One.")), read(fmt.Sprintf(plain, "#: Two."))
	if none, other := read(fmt.Sprintf(plain, "# One.")), read(fmt.Sprintf(plain, "# Two.")); one == two || none != other || one == none {
		t.Errorf("%s\n%s\n%s\n%s", one, two, none, other)
	}
}

// TestInstanceAttributes: an attribute that a method assigns is a member, with its type in the code.
func TestInstanceAttributes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"of a parameter", "class C:\n  def __init__(self, url: \"str | None\" = None, *args: int, key=1):\n    self.url = url\n    self.args = args\n    self.key = key\n",
			`url: "str | None"; args; key`},
		{"of literals and classes", "class C:\n  def __init__(self):\n    self.n = 200\n    self.none = None\n    self.h = m.Headers(a)\n    self.s = make(a)\n    self.t = C(a).b\n",
			"n = 200; none = None; h: m.Headers; s; t"},
		{"annotated", "class C:\n  def __init__(self):\n    if x:\n      self.n: int = 1\n", "n: int = 1"},
		{"several", "class C:\n  def __init__(self, b: int):\n    self.a = self.b = b\n", "a: int; b: int"},
		{"declared in the class", "class C:\n  a: int\n  def __init__(self):\n    self.a = 1\n", ""},
		{"in any method", "class C:\n  def __init__(self, b: int):\n    self.b = b\n  def f(self, c: str, b: str):\n    self.c = c\n    self.b = b\n    def g():\n      self.d = 1\n",
			"b: int; c: str"},
		{"private, and of others", "class C:\n  def __init__(self, o):\n    self._a = 1\n    self.__dict__ = {}\n    o.a = 1\n    self.a.b = 1\n    self.a[0] = 1\n", ""},
	} {
		var got []string
		f := Language{}.Extract(context.Background(), "m.py", []byte(test.src))
		for _, s := range f.Symbols {
			if s.Kind == source.Field && s.Name != "C.a" || s.Kind == source.Field && test.name == "several" {
				got = append(got, s.Signature)
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %s, want %s", test.name, strings.Join(got, "; "), test.want)
		}
	}
}

// TestImportsBeforeStandIns: a declaration for a failing import is a stub of the re-exported name.
func TestImportsBeforeStandIns(t *testing.T) {
	t.Parallel()
	const head = "try:\n    from ._m import main, C\nexcept %s:\n    def main(): pass\n    class C:\n        def f(self): pass\n__all__ = [%s]\n"
	for _, test := range []struct{ failure, all, want string }{
		{"ImportError", `"main", "C"`, "C reexport; __all__ var; main reexport"},
		{"(ValueError, ModuleNotFoundError) as e", `"main", "C"`, "C reexport; __all__ var; main reexport"},
		{"ImportError", `"main"`, "C class; C.f method; __all__ var; main reexport"},
		{"ValueError", `"main"`, "C class; C.f method; __all__ var; main func"},
	} {
		var got []string
		f := Language{}.Extract(context.Background(), "m.py", fmt.Appendf(nil, head, test.failure, test.all))
		for _, s := range f.Symbols {
			got = append(got, s.Name+" "+string(s.Kind))
		}
		slices.Sort(got)
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s, %s: %s, want %s", test.failure, test.all, strings.Join(got, "; "), test.want)
		}
	}
}

package python

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestOrderOfCalls checks that calls in arguments precede the function.
func TestOrderOfCalls(t *testing.T) {
	t.Parallel()
	f := Language{}.Extract(t.Context(), "a.py", []byte("def main():\n    a(b(c()))\n    d.e(lambda: f(g))\n    h[i(j())].k(l)\n"))
	body := slices.Clone(f.Symbols[0].Body)
	slices.SortFunc(body, func(a, b source.Reference) int { return cmp.Compare(a.Order, b.Order) })
	var names []string
	for _, r := range body {
		if r.Kind == source.RefCall && !r.Branch.IsApart() {
			names = append(names, r.Name)
		}
	}
	if got := strings.Join(names, " "); got != "c b a d.e j i k" {
		t.Errorf("got %s", got)
	}
}

// TestCourse checks that the course of a function has its own calls, without those in nested functions and in error branches.
func TestCourse(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"a()\n    def g(x=b()):\n        c()\n    d()":                          "a b d",
		"class C:\n        def g(self): a()\n    b()":                           "b",
		"try:\n        a()\n    except E:\n        b()\n    else:\n        c()": "a c",
		"try: a()\n    except E: b()\n    finally: c()":                         "a",
		"x = lambda y, z: a(y, z); b()":                                         "b",
		"g(lambda: a(), b())":                                                   "b g",
		"g(lambda: lambda y: a(), b(lambda: c(d())))":                           "b g",
		"def g():\n        a()\n    a()":                                        "a",
		"if a():\n        raise b()\n    c()":                                   "a c",
		"if a():\n        b()\n        return c()\n    elif d(): return e()\n    else:\n        g()\n    h()":                      "a b c d e g h",
		"if a():\n        if b():\n            return c()\n        d()\n    for e in g():\n        return h()\n    i()":            "a b c d g h i",
		"match a():\n        case 1:\n            return b()\n        case 2:\n            c()\n    d()":                           "a b c d",
		"match a():\n        case 1:\n            return b()\n        case 2: return c()\n        case _:\n            return d()": "a b c d",
		"match a():\n        case 1: return b()\n        case _: c()":                                                              "a b c",
		"if a():\n        b()\n        sys.exit(c())\n    d()":                                                                     "a d",
		"x = {1: lambda: a(), 2: b()}": "b",
	} {
		f := Language{}.Extract(t.Context(), "a.py", []byte("def f():\n    "+body+"\n"))
		refs := slices.Clone(f.Symbols[0].Body)
		slices.SortFunc(refs, func(a, b source.Reference) int { return cmp.Compare(a.Order, b.Order) })
		var names []string
		for _, r := range refs {
			if r.Kind == source.RefCall && !r.Branch.IsApart() {
				names = append(names, r.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q calls %s, want %s", body, got, want)
		}
	}
}

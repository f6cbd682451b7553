package spec_test

import (
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

// TestContradicted: what a documentation states as the result of a case is found where the case has another.
func TestContradicted(t *testing.T) {
	t.Parallel()
	number := func(list ...int64) (out []spec.Typed) {
		for _, n := range list {
			out = append(out, spec.Typed{Type: "int", Value: n})
		}
		return out
	}
	text := func(s string) []spec.Typed { return []spec.Typed{{Type: "string", Value: s}} }
	refused, seven := &spec.Want{Error: true}, "7.00"
	for _, test := range []struct {
		doc  string
		args []spec.Typed
		want *spec.Want
		said string
	}{
		{"the documentation shows Bug(2, 2) is 4.", number(2, 2), &spec.Want{Values: number(6)}, "4"},
		{"the documentation shows Bug(2, 2) is 4.", number(2, 2), &spec.Want{Values: number(4)}, ""},
		{"the documentation shows Bug(2, 2) is 4.", number(2, 3), &spec.Want{Values: number(6)}, ""},
		{"`Bug(2,2)` returns `4`", number(2, 2), &spec.Want{Values: number(6)}, "`4`"},
		{"Bug(2, 2) -> 4\nBug(3, 3) -> 9", number(3, 3), &spec.Want{Values: number(6)}, "9"},
		{"Bug(2, 2) is not 4.", number(2, 2), &spec.Want{Values: number(4)}, ""},
		{"Bug(2, 2) is 4 bytes long.", number(2, 2), &spec.Want{Values: number(6)}, ""},
		{"Bug(2, 2) is 4.5, and Bug(0, 0) is an error.", number(2, 2), &spec.Want{Values: number(4)}, "4.5"},
		{"Bug(2, 2) is 4.5, and Bug(0, 0) is an error.", number(0, 0), &spec.Want{Values: number(4)}, "an error"},
		{"Bug(2, 2) is 4.", number(2, 2), refused, "4"},
		{"DeBug(2, 2) is 4.", number(2, 2), refused, ""},
		{`Bug("a b") is "b a".`, text("a b"), &spec.Want{Values: text("b a")}, ""},
		{`Bug('a b') is 'b a'.`, text("a b"), &spec.Want{Values: text("ba")}, `'b a'`},
		{`Bug("7") is "7.00".`, text("7"), &spec.Want{StringOf: &seven}, ""},
		{`Bug("7") is "7.0".`, text("7"), &spec.Want{StringOf: &seven}, `"7.0"`},
		{`Bug("x") is False.`, text("x"), &spec.Want{Values: []spec.Typed{{Type: "bool", Value: true}}}, "False"},
		{`Bug lower-cases: " Franc" becomes "franc".`, text(" Franc"), &spec.Want{Values: text(" franc")}, `"franc"`},
		{`Bug lower-cases: " Franc" becomes "franc".`, text(" Franc"), &spec.Want{Values: text("franc")}, ""},
		{`Anything else, like "1-" or "x", is an error.`, text("1-"), &spec.Want{Values: number(1)}, "an error"},
		{`Anything else, like "1-" or "x", is an error.`, text("x"), refused, ""},
		{`Others, such as "x", are errors.`, text("x"), &spec.Want{Values: number(0)}, "errors"},
		{`Reads "x".`, text("x"), refused, ""},
	} {
		c := &spec.Case{Args: test.args, Want: test.want}
		if said := spec.Contradicted(test.doc, "p.Bug", c); said != test.said {
			t.Errorf("%q of %s with %s: got %q, want %q", test.doc, spec.ArgsText(c), test.want, said, test.said)
		}
	}
}

package control_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// TestAll: conditions of one verb are joined, and a comparison is inverted only if it is the whole condition.
func TestAll(t *testing.T) {
	t.Parallel()
	for want, conditions := range map[string][]string{
		"if `a` and `b`":                  {"if `a`", "if `b`"},
		"unless `a` or `b`":               {"unless `a`", "unless `b`"},
		"if `a`, unless `b`":              {"if `a`", "unless `b`"},
		"if `a` is `b`, if `c`":           {"if `a` is `b`", "if `c`"},
		"if `a == b` and `c`":             {"unless `a != b`", "if `c`"},
		"if `a.b(c, d).e === f`":          {"unless `a.b(c, d).e !== f`"},
		"unless `a.b(c, d).e`":            {"unless `a.b(c, d).e`"},
		"if `a is None`":                  {"unless `a is not None`"},
		"if `a in b`":                     {"unless `a not in b`"},
		"if `a.b(c) == \"d\"`":            {"unless `a.b(c) != \"d\"`"},
		"unless `a(b != c)`":              {"unless `a(b != c)`"},
		"unless `a(x -> x != c) == d(1)`": {"unless `a(x -> x != c) == d(1)`"},
		"unless `a == \" != \"`":          {"unless `a == \" != \"`"},
		"unless `\"a != b\" == c`":        {"unless `\"a != b\" == c`"},
		"unless `a != b && c`":            {"unless `a != b && c`"},
		"unless `a != b != c`":            {"unless `a != b != c`"},
		"if `a != b`":                     {"if `a != b`"},
		"in some cases, if `a`":           {"in some cases", "if `a`"},
	} {
		if got := control.All(conditions...); got != want {
			t.Errorf("%q: got %s, want %s", conditions, got, want)
		}
	}
}

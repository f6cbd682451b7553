package spec_test

import (
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

// TestTextOfResultsAndCalls: bytes are no text, an omitted argument is no value, and a function may return only an error.
func TestTextOfResultsAndCalls(t *testing.T) {
	t.Parallel()
	bytes := spec.Typed{Type: "bytes", Value: "\u008a\tz\""}
	c := &spec.Case{Args: []spec.Typed{{Type: "float", Value: 1.5}, {Type: "default"}, bytes, {Type: "NoneType"}}}
	for _, test := range []struct{ got, want string }{
		{(&spec.Want{}).Text(), "no error"},
		{(&spec.Want{Values: []spec.Typed{bytes}}).Text(), `b"\x8a\x09z\""`},
		{(&spec.Want{Values: []spec.Typed{{Type: "str", Value: "z"}}}).Text(), "z"},
		{spec.ArgsText(c), `1.5, …, b"\x8a\x09z\"", null`},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	for status, want := range map[spec.Status]int{spec.Pending: 0, spec.Quarantined: 0, spec.Active: 1} {
		s := &spec.Spec{Status: status, Cases: []spec.Case{{ID: "c-1", Law: spec.Idempotent}, {ID: "c-2", Law: spec.Golden}}}
		if got := s.Kept(); got != want {
			t.Errorf("%s: %d cases in the code, want %d", status, got, want)
		}
	}
}

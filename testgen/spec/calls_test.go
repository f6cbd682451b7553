package spec_test

import (
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

func TestCallsReadAsCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{id: c-1, law: golden, args: [{string: "1-"}, {int: 2}]}`: `Parse("1-", 2)`,
		`{id: c-1, law: golden, args: []}`:                         `Parse()`,
		`{id: c-1, law: golden, args: [{Amount: {call: New, args: [{"*Box": {call: Make, args: []}}, {string: "x"}]}}]}`: `Parse(New(Make(), "x"))`,
		`{id: c-1, law: golden, args: [{"[]int": [1, 2]}]}`:                                                              `Parse([1, 2])`,
	} {
		c, err := spec.DecodeCase(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := "Parse(" + spec.ArgsText(c) + ")"; got != want {
			t.Errorf("%s shows %s, want %s", text, got, want)
		}
	}
}

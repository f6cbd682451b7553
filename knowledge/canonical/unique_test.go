package canonical_test

import (
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
)

func TestUnique(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		"a: 1\nb: 2\n":                 "",
		"a: 1\nb: 2\na: 3\n":           `line 3: the key "a" comes twice`,
		"a:\n  b: 1\nb: 2\n":           "",
		"a:\n  - {b: 1, c: 2, b: 3}\n": `line 2: the key "b" comes twice`,
		"1: a\n\"1\": b\n":             "",
		"? [a]\n: 1\n? [a]\n: 2\n":     "",
		"a: &x {b: 1}\nc: *x\n":        "",
	} {
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := canonical.Unique(&root); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

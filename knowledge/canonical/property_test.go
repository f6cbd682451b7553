package canonical_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// TestProperty: quotes and folds are what formatters change.
func TestProperty(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"Go Package":                        "k: Go Package\n",
		"Says \"a\", it's [x] {y} `z` & *b": "k: Says \"a\", it's [x] {y} `z` & *b\n",
		"https://example.com/a#b":           "k: https://example.com/a#b\n",
		"é":                                 "k: é\n",
		strings.Repeat("a", 77):             "k: " + strings.Repeat("a", 77) + "\n",
		strings.Repeat("a", 78):             "k: |-\n  " + strings.Repeat("a", 78) + "\n",
		"a: b":                              "k: |-\n  a: b\n",
		"a:":                                "k: |-\n  a:\n",
		"a #b":                              "k: |-\n  a #b\n",
		"a  b":                              "k: |-\n  a  b\n",
		"Yes":                               "k: |-\n  Yes\n",
		"null":                              "k: |-\n  null\n",
		".":                                 "k: |-\n  .\n",
		"1e3":                               "k: |-\n  1e3\n",
		"'a'":                               "k: |-\n  'a'\n",
		"---":                               "k: |-\n  ---\n",
		"":                                  "k: \"\"\n",
		" a":                                "k: \" a\"\n",
		"a\nb":                              "k: \"a\\nb\"\n",
		"a\u202eb":                          "k: \"a\\u202eb\"\n",
	} {
		if got := canonical.Property("k", value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

// TestEveryPropertyReadsBack writes any text between two other keys: none of the three changes.
func TestEveryPropertyReadsBack(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", ": ", " #", "---", "\n", "  ", "|", "'", "\"", "on", "1", "\u202e", "\u0085", "☃", "\t"}))
	rapid.Check(t, func(rt *rapid.T) {
		want := strings.ToValidUTF8(strings.Join(rapid.SliceOfN(part, 0, 6).Draw(rt, "parts"), ""), "")
		text := canonical.Property("a", "x") + canonical.Property("b", want) + canonical.Property("c", "y")
		var got map[string]any
		if err := yaml.Unmarshal([]byte(text), &got); err != nil {
			rt.Fatalf("%v:\n%s", err, text)
		}
		if got["a"] != "x" || got["b"] != want || got["c"] != "y" {
			rt.Fatalf("got %q from\n%s", got, text)
		}
	})
}

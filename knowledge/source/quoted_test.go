package source_test

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestQuoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                      nil,
		"Words only, and `one name`.":           {"name", "one"},
		"See ``click.echo`` and `$get`.":        {"$get", "click", "echo"},
		"```py\necho(x_1)\n```\nnot this":       {"echo", "x_1"},
		"~~~\nrun\n~~~\n`a` b `c`":              {"a", "c", "run"},
		"Like this::\n\n    group.add()\n\nend": {"add", "group"},
		"- \tnot\n\tindented größe":             {"größe", "indented"},
	} {
		if got := source.Quoted([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

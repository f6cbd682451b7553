package canonical_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/canonical"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1\n":             "",
		"---\na: 1\n...\n":   "",
		"":                   "1: no documents",
		"# nothing\n":        "1: no documents",
		"a: 1\n---\nb: 2\n":  "2: a second document begins here",
		"a: 1\na: 2\n":       `2: the key "a" comes twice`,
		"a: 1\nb: [\n":       "3: did not find expected node content",
		"a: 1\n---\nb: [\n":  "4: did not find expected node content",
		"a: " + deep(40):     "1: exceeded max depth",
		"\n- " + deep(1<<19): "2: more than 262144 values",
	} {
		root, err := canonical.Document([]byte(text))
		got := ""
		if err != nil {
			line, what := canonical.Place(err)
			got = fmt.Sprintf("%d: %s", line, what)
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") || err == nil && len(root.Content) != 1 {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
}

func deep(n int) string { return strings.Repeat("[", n) }

package workspace

import (
	"fmt"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// goMod is a repository with a go.mod of this content at its root, and nothing else.
type goMod string

func (m goMod) Read(f fact.Fact) (any, error) {
	if f == survey.BlobFact("go.mod") {
		return []byte(m), nil
	}
	return []byte(nil), nil
}

func TestVersionLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tags []string
		want string
	}{
		{nil, "[]"},
		{[]string{"v1.2.0", "v1.10.0", "v1.9"}, "[[v1.10.0 v1.9 v1.2.0]]"},
		{[]string{"v2.0.0-rc.1", "v2.0.0-beta2.1", "latest", "v3", "nightly-2024.01"}, "[]"},
		{[]string{"pkg@1.0", "v1.0", "pkg@2.0", "REL_1_2"}, "[[REL_1_2] [pkg@2.0 pkg@1.0] [v1.0]]"},
		{[]string{"v99999999999999999999.1"}, "[]"},
	} {
		if got := fmt.Sprint(versionLines(test.tags)); got != test.want {
			t.Errorf("%v: %s, want %s", test.tags, got, test.want)
		}
	}
}

// TestOfMajor: a Go module with a major version in its path has only the tags of that version.
func TestOfMajor(t *testing.T) {
	t.Parallel()
	lines := versionLines([]string{"v1.35.3", "v2.0.0-rc2", "v2.1.0", "v20.1.0", "pkg/v1.0.0"})
	if got := fmt.Sprint(ofMajor(lines, "2"), ofMajor(lines, "3")); got != "[[v2.1.0]] []" {
		t.Error(got)
	}
	for text, want := range map[string]string{"module x.org/lib/v2\n\ngo 1.22\n": "2", "// a\nmodule gopkg.in/yaml.v3 // b\n": "3", "module x.org/v2/lib\n": ""} {
		if got, err := moduleOf(goMod(text), "a/b.go"); got.major != want || err != nil {
			t.Errorf("%q: %q, %v", text, got.major, err)
		}
	}
}

package source_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/python"
)

// TestShapesDigest checks that the digest of types does not depend on function bodies, and which names types mention.
func TestShapesDigest(t *testing.T) {
	t.Parallel()
	read := func(text string) *source.File {
		f, err := source.Extract(t.Context(), python.Language{}, "a.py", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return &f
	}
	const base = "from b import Base\n\nclass C(Base):\n    def m(self):\n        return 1\n"
	was := read(base)
	for _, c := range []struct {
		name, text string
		same       bool
	}{
		{"a body", "from b import Base\n\nclass C(Base):\n    def m(self):\n        return other()\n", true},
		{"a function", base + "\ndef f():\n    return C()\n", true},
		{"an import", "from b import Base as Other\n\nclass C(Base):\n    def m(self):\n        return 1\n", false},
		{"a base", "from b import Base\n\nclass C(Other):\n    def m(self):\n        return 1\n", false},
		{"a type", base + "\nclass D:\n    pass\n", false},
	} {
		if same := read(c.text).ShapesDigest() == was.ShapesDigest(); same != c.same {
			t.Errorf("%s: the same is %v", c.name, same)
		}
	}
	for name, want := range map[string]bool{"Base": true, "a.Base": true, "f": false, "other": false} {
		if got := was.TypesMention(name); got != want {
			t.Errorf("types mention %s: %v", name, got)
		}
	}
}

package survey

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// kitchen is a package of Python with what shows how it is used.
func kitchen() map[string]string {
	return map[string]string{
		"pyproject.toml":      "[project]\nname = \"cook\"\n",
		"cook/__init__.py":    "from .oven import bake, Oven\nfrom .knife import cut\n",
		"cook/oven.py":        "def bake(what, minutes=1):\n    pass\n\ndef preheat(degrees):\n    \"\"\"Warm up.\n\n    >>> preheat(1)\n    \"\"\"\n\nclass Oven:\n    def clean(self): pass\n",
		"cook/knife.py":       "def cut(what):\n    pass\n",
		"README.md":           "# Cook\n\n```python\nimport cook\n\ncook.bake('bread')\ncook.oven.preheat(2)\n```\n",
		"tests/test_knife.py": "from cook import cut\n\ndef test_cut():\n    what = 1\n    cut(what)\n    assert cut(\"leek\") == 1\n",
	}
}

// TestExamples checks that usage examples of symbols follow every edit, and that exactly the differing facts are reported.
func TestExamples(t *testing.T) {
	t.Parallel()
	tree := newMemoryTree(kitchen())
	nothing, remembered := openIndex(t, t.TempDir()), openIndex(t, t.TempDir())
	observe := func(s *Survey) *Survey {
		if err := s.Observe(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const oven, knife = "oven.bake README.md 4-7 import cook\n\ncook.bake('bread')\ncook.oven.preheat(2)", "knife.cut tests/test_knife.py 6-6 assert cut(\"leek\") == 1"
	var before *Survey
	for _, step := range []struct {
		name, file, text string
		want             []string
		told             bool
	}{
		{"at first", "README.md", tree.files["README.md"], []string{knife, oven}, false},
		{"prose", "README.md", "# Cook\n\nIt cooks.\n\n" + tree.files["README.md"][8:], []string{knife, strings.Replace(oven, "4-7", "6-9", 1)}, false},
		{"a shorter block", "docs/use.md", "```py\ncook.bake('cake')\n```\n", []string{knife, "oven.bake docs/use.md 2-2 cook.bake('cake')"}, true},
		{"what changed", "docs/CHANGES.md", "```py\ncook.cut(1)\n```\n", []string{knife, "oven.bake docs/use.md 2-2 cook.bake('cake')"}, false},
		{"an import that leads elsewhere", "docs/use.md", "```py\nfrom other import cook\ncook.bake('cake')\n```\n", []string{knife, strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"an import of a name", "docs/use.md", "```py\nfrom cook import Oven as O\no = O()\no.clean()\n```\n", []string{knife, "oven.Oven docs/use.md 2-4 from cook import Oven as O\no = O()\no.clean()", strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"no document", "docs/use.md", "", []string{knife, strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"another line of a test", "tests/test_knife.py", "# here\n" + tree.files["tests/test_knife.py"], []string{strings.Replace(knife, "6-6", "7-7", 1), strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"the call of a test", "tests/test_knife.py", "from cook import cut\n\ndef test_cut():\n    cut(2)\n", []string{"knife.cut tests/test_knife.py 4-4 cut(2)", strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"an example", "examples/salad.py", "import cook\n\nfor i in range(2):\n    cook.cut(\n        'tomato',\n    )\n", []string{"knife.cut examples/salad.py 4-6 cook.cut(\n    'tomato',\n)", strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"what does not tell", "examples/salad.py", "import cook\ncook.cut(x)\ncook.cut()\n", []string{"knife.cut tests/test_knife.py 4-4 cut(2)", strings.Replace(oven, "4-7", "6-9", 1)}, true},
		{"the name", "cook/__init__.py", "from .oven import bake as roast\nfrom .knife import cut\n", []string{"knife.cut tests/test_knife.py 4-4 cut(2)"}, true},
	} {
		t.Run(step.name, func(t *testing.T) {
			if tree.files[step.file] = step.text; step.text == "" {
				delete(tree.files, step.file)
			}
			now, grown := observe(surveyOf(tree, nothing)), observe(surveyOf(tree, remembered))
			list, err := now.examples(t.Context(), "cook")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range list {
				got = append(got, fmt.Sprintf("%s %s %d-%d %s", e.Symbol, e.Path, e.Line, e.End, e.Code))
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", step.want) {
				t.Errorf("%q\nwant %q", got, step.want)
			}
			if before != nil {
				compare(t, before, now, grown)
				if told := grown.changed[ExamplesFact("cook")]; told != step.told {
					t.Errorf("told: %t", told)
				}
			}
			before = now
			if err := errors.Join(grown.Save(true), grown.Batch.Commit()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

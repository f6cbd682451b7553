package survey

import (
	"errors"
	"fmt"
	"testing"
)

// library is a package of Python with two modules that declare a Table, whose manual says most of it.
func library() map[string]string {
	return map[string]string{
		"pyproject.toml":   "[project]\nname = \"orm\"\n",
		"orm/__init__.py":  "from .core import *\n",
		"orm/core.py":      "__all__ = ['Model', 'Field', 'Table', 'connect']\n\nclass Model:\n    def save(self): pass\n\n    def load(self):\n        \"\"\"Loads.\"\"\"\n\nclass Field: pass\n\nclass Table: pass\n\ndef connect(): pass\n\nclass Insert:\n    def run(self): pass\n",
		"orm/extra.py":     "class Table: pass\n\ndef dump(): pass\n",
		"orm/tests/t.py":   "class Field: pass\n",
		"docs/api.rst":     ".. class:: Model\n\n   Is one.\n\n   .. method:: save()\n\n      Saves.\n\n   .. method:: load()\n\n      No.\n\n.. class:: Field\n\n   Is two.\n\n.. function:: connect()\n\n   Is three.\n\n.. class:: Table\n\n   Is four.\n\n.. class:: Insert\n\n   Is five.\n\n   .. method:: run()\n\n      Runs.\n",
		"docs/extra.rst":   ".. module:: orm.extra\n\n.. function:: dump()\n\n   Dumps.\n\n.. function:: connect()\n\n   None of it.\n",
		"examples/mine.py": "import orm\n\nclass Insert: pass\n",
	}
}

// TestManual checks that documentation in manuals follows every edit, and that exactly the differing facts are reported.
func TestManual(t *testing.T) {
	t.Parallel()
	tree := newMemoryTree(library())
	nothing, remembered := openIndex(t, t.TempDir()), openIndex(t, t.TempDir())
	observe := func(s *Survey) *Survey {
		if err := s.Observe(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const model, save, field, table, connect, insert, run, dump = "core.Model docs/api.rst 1-11 Is one.", "core.Model.save docs/api.rst 5-7 Saves.", "core.Field docs/api.rst 13-15 Is two.", "core.Table docs/api.rst 21-23 Is four.", "core.connect docs/api.rst 17-19 Is three.", "core.Insert docs/api.rst 25-31 Is five.", "core.Insert.run docs/api.rst 29-31 Runs.", "extra.dump docs/extra.rst 3-5 Dumps."
	const load, also = "core.Model.load docs/api.rst 9-11 also", "core.Insert.run docs/api.rst 29-31 also"
	all := []string{field, insert, run, model, load, save, table, connect, dump}
	var before *Survey
	for _, step := range []struct {
		name, file, text string
		want             []string
		told             bool
	}{
		{"at first", "README.md", "# ORM\n", all, false},
		{"prose", "docs/extra.rst", tree.files["docs/extra.rst"] + "\nText.\n", all, false},
		{"no document of it", "docs/guide.md", ".. function:: dump()\n\n   No.\n", all, false},
		{"what is said", "docs/extra.rst", ".. function:: orm.extra.dump()\n\n   Dumps all.\n", []string{field, insert, run, model, load, save, table, connect, "extra.dump docs/extra.rst 1-3 Dumps all."}, true},
		{"another module", "docs/extra.rst", ".. module:: other.extra\n\n.. function:: dump()\n\n   Dumps.\n", all[:8], true},
		{"its own words", "orm/core.py", tree.files["orm/core.py"][:len(tree.files["orm/core.py"])-5] + "\n        \"\"\"Own.\"\"\"\n", []string{field, insert, also, model, load, save, table, connect}, true},
		{"a name that comes", "orm/more.py", "class Insert: pass\n", []string{field, model, load, save, table, connect}, true},
		{"what callers reach", "orm/core.py", "__all__ = ['Model', 'Table']\n\nclass Model: pass\n\nclass Table: pass\n\ndef connect(): pass\n", []string{model, connect, "more.Insert docs/api.rst 25-31 Is five."}, true},
		{"what says of which module it is", "orm/core.py", "__all__ = ['Table']\n\nclass Field: pass\n\ndef connect(): pass\n", []string{field, connect, "extra.Table docs/api.rst 21-23 Is four.", "more.Insert docs/api.rst 25-31 Is five."}, true},
		{"no document", "docs/api.rst", "", nil, true},
	} {
		t.Run(step.name, func(t *testing.T) {
			if tree.files[step.file] = step.text; step.text == "" {
				delete(tree.files, step.file)
			}
			now, grown := observe(surveyOf(tree, nothing)), observe(surveyOf(tree, remembered))
			list, err := now.Value(t.Context(), ManualFact("orm"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range list.([]Manual) {
				if m.Also {
					m.Text = "also"
				}
				got = append(got, fmt.Sprintf("%s %s %d-%d %s", m.Symbol, m.Path, m.Line, m.End, m.Text))
			}
			for i := range got {
				got[i] = firstLine(got[i])
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", step.want) {
				t.Errorf("%q\nwant %q", got, step.want)
			}
			if before != nil {
				compare(t, before, now, grown)
				if told := grown.changed[ManualFact("orm")]; told != step.told {
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

func firstLine(text string) string {
	for i := range text {
		if text[i] == '\n' {
			return text[:i]
		}
	}
	return text
}

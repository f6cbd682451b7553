package canonical

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// forms are parts of which a document may have any number, each an entry of a list.
var forms = map[string]string{
	"mappings": "- {a: b}\n", "entries": "- a\n", "empty entries": "-\n", "lists in lists": "- - a\n", "questions": "- ? a\n", "tabs": "-\ta\n",
	"line ends of Windows": "-\r\n", "quoted keys": "- {\"a\":b}\n", "pairs": "- [a: b]\n", "texts": "- \"a, b: c\"\n", "notes": "# a\n- b\n",
	"blocks": "- |\n  a, b\n", "anchors": "- &a b\n", "tags": "- !a b\n", "lists": "- [a,b,c]\n", "keys without values": "- {a,b,c}\n",
	"nothing named nothing": "- [: , : ]\n", "texts of two lines": "- \"a\n  b: \", c: \", d\"\n", "texts in texts": "- ': \"', [a, b], ': \"'\n",
}

// TestTooManyValuesTakeNoMemory: whatever a document is made of, it is refused before any value of it takes memory.
func TestTooManyValuesTakeNoMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	for name, form := range forms {
		text := []byte(strings.Repeat(form, mostValues+1))
		var err error
		if n := testing.AllocsPerRun(1, func() { _, err = Reader(text) }); n > 10 || err == nil || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, after %v allocations", name, err, n)
		}
	}
}

// TestTextsAreNoValues: a text counts as one value, however many commas and colons it has.
func TestTextsAreNoValues(t *testing.T) {
	t.Parallel()
	symbol := "- {name: it's,\n  signature: \"func(a: string, b: \\\"x, y\\\", c: [d, e])\", file: a.ts}\n"
	if n, _ := values([]byte(strings.Repeat(symbol, 100)), mostValues); n != 700 {
		t.Errorf("%d values in 100 symbols", n)
	}
}

// TestDepthIsBounded holds what nests in any way to the bound, with the line where it is crossed.
func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"lists": strings.Repeat("[", 60_000), "mappings": strings.Repeat("{a: ", deepest+1), "entries": strings.Repeat("- ", 60_000),
		"questions": strings.Repeat("? ", deepest+1),
	} {
		d, err := Reader([]byte("# a note\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Load(new(yaml.Node)); err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "max depth of 32") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzValues: no document has more than twice as many values as are counted.
func FuzzValues(f *testing.F) {
	for _, form := range forms {
		f.Add([]byte(strings.Repeat(form, 50)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		counted, _ := values(data, len(data))
		d := yaml.NewDecoder(bytes.NewReader(data))
		found := 0
		var root yaml.Node
		for d.Decode(&root) == nil {
			for todo := root.Content; len(todo) > 0; found++ {
				todo = append(todo[1:len(todo):len(todo)], todo[0].Content...)
			}
			root = yaml.Node{}
			found-- // the document's own value
		}
		if found > 2*counted {
			t.Errorf("%d values, of which %d were counted", found, counted)
		}
	})
}

package canonical_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/canonical"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// anyText draws texts that YAML could take for something else, among others.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringMatching("[ \\n\\t#:|>'\"\\\\{}a-e0-9.~-]{0,40}"), rapid.SampledFrom([]string{
		"null", "~", "True", "no", "N", "1", "1e3", "0x1f", ".inf", "2026-02-18", "12:30:45", "<<", "- a", "a: b", "a #b", "!t", "&a", "*a",
		"? a", "---", " lead", "trail ", "a\nb\n", "a\n\n b\n\tc", "a\n \nb", "a\n\u00a0\nb", "a\r\nb", "\u0085", "a\u2028x", "\ufeff", "\x00\x7f", "é\nü",
		"\ufffd", strings.Repeat("long", 400), "it's \\d", "say \"it's\"",
	}))
}

// TestEveryStringReadsBack: in every place where a string can stand, a YAML reader finds that string again.
func TestEveryStringReadsBack(t *testing.T) {
	t.Parallel()
	type document struct {
		Kept, Scalar string
		List, Flow   []string
		Items        []map[string]string
		Names        map[string]string
		Dashes       [][]string
	}
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string { return anyText().Draw(t, label) }
		want := document{
			Kept: text("kept"), Scalar: text("scalar"), List: []string{text("list"), text("list")}, Flow: []string{text("flow"), text("flow")},
			Items: []map[string]string{{"a": text("item"), "b": text("item")}}, Names: map[string]string{text("name"): text("named")},
			Dashes: [][]string{{text("dash")}},
		}
		var w canonical.Writer
		w.Keep(0, "kept", want.Kept)
		w.Raw("scalar: " + canonical.Scalar(want.Scalar) + "\n")
		w.List(0, "list", want.List)
		w.Flow(0, "flow", want.Flow)
		w.Head(0, "items", 1)
		w.Item("a", want.Items[0]["a"])
		w.Keep(2, "b", want.Items[0]["b"])
		w.Section(0, "names", 1)
		for name, value := range want.Names {
			w.Name(2, name)
			w.Value(4, value)
		}
		w.Section(0, "dashes", 1)
		w.Dash(0)
		w.Raw("\n")
		w.Element(2, want.Dashes[0][0])
		var got document
		if err := yaml.Load(w.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, w.Bytes())
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %q\nwant %q\n%s", got, want, w.Bytes())
		}
	})
}

func TestForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":            ` ""`,
		"Parse":       " Parse",
		"a/b_c-d.go":  " a/b_c-d.go",
		"Yes":         ` "Yes"`,
		"1e3":         ` "1e3"`,
		"two words":   ` "two words"`,
		`say "so"`:    ` 'say "so"'`,
		`it's "so"`:   ` "it's \"so\""`,
		"one\n\n\tb":  " |-\n  one\n\n  \tb",
		"one\n":       ` "one\n"`,
		"one \ntwo":   ` "one \ntwo"`, // no line ends in a blank
		"a\u2028b":    ` "a\u2028b"`,
		"bad \xff é":  " \"bad \ufffd é\"",
		"\x1b[1m\tto": ` "\u001b[1m\tto"`,

		"exe.\u202etxt":                        ` "exe.\u202etxt"`,
		"one\n\u2066two":                       ` "one\n\u2066two"`,
		"a\U000e0041\u3164":                    ` "a\U000e0041\u3164"`,
		"@\u200dto \U0001f469\u200d\U0001f467": " \"@\\u200dto \U0001f469\u200d\U0001f467\"",
	} {
		var w canonical.Writer
		w.Value(2, text)
		if got := string(w.Bytes()); got != want+"\n" {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestEmptyLists(t *testing.T) {
	t.Parallel()
	var w canonical.Writer
	w.Text(0, "text", "")
	w.Flow(0, "flow", nil)
	w.Section(0, "section", 0)
	w.List(2, "list", nil)
	if got := string(w.Bytes()); got != "  list: []\n" {
		t.Errorf("got %q", got)
	}
}

// TestPathsAreTexts: each text is one path, and one that YAML can hold.
func TestPathsAreTexts(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b.go": "a/b.go", "a b": "a b", "caf\u00e9": "caf\u00e9", "o\xffdd.go": `"o\xffdd.go"`, `"a"`: `"\"a\""`, `a"`: `a"`, `\xff`: `\xff`,
	} {
		if got := canonical.Path(path); got != want {
			t.Errorf("%q is %s, want %s", path, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		path := string(rapid.SliceOf(rapid.SampledFrom([]byte("a/\"\\x\xc3\xa9\xff"))).Draw(t, "path"))
		text := canonical.Path(path)
		if got, err := canonical.ParsePath(text); err != nil || got != path || !utf8.ValidString(text) {
			t.Fatalf("%q is %q, which is %q, %v", path, text, got, err)
		}
	})
	if got, err := canonical.ParsePath(`"a`); err == nil {
		t.Errorf(`"a is read as %q`, got)
	}
}

package skills

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestALongMessageIsCut: a finding keeps the beginning of its message.
func TestALongMessageIsCut(t *testing.T) {
	t.Parallel()
	s := &session{}
	for _, message := range []string{strings.Repeat("é", 1500), "x" + strings.Repeat("é", 1500)} {
		if _, err := s.find(map[string]any{"path": "a.go", "message": message}); err != nil {
			t.Fatal(err)
		}
		f := s.findings[len(s.findings)-1].Message
		if rest, cut := strings.CutSuffix(f, "…"); !cut || !strings.HasPrefix(message, rest) || len(f) > longestNote || len(f) < longestNote-2 {
			t.Errorf("%d bytes: %s", len(f), f[len(f)-10:])
		}
	}
}

func TestFilterSortGroup(t *testing.T) {
	t.Parallel()
	items := []any{
		map[string]any{"n": 2, "k": "b", "deep": map[string]any{"x": true}}, map[string]any{"n": 10, "k": "a"}, map[string]any{"n": 1.5, "k": "b"}, map[string]any{"k": "a"},
	}
	s := &session{ctx: t.Context()}
	ns := func(out map[string]any, err error) string {
		if err != nil {
			return err.Error()
		}
		text := ""
		for _, i := range out["items"].([]any) {
			text += fmt.Sprint(i.(map[string]any)["n"], " ")
		}
		return text
	}
	for name, c := range map[string]struct{ got, want string }{
		"filter":               {ns(filter(s, map[string]any{"items": items, "where": `item.k == "b" and item.n > 1`})), "2 1.5 "},
		"by what is not":       {ns(filter(s, map[string]any{"items": items, "where": `item.deep?.x == true`})), "2 "},
		"at most":              {ns(filter(s, map[string]any{"items": items, "where": `true`, "most": 1})), "2 "},
		"none":                 {ns(filter(s, map[string]any{"items": items, "where": `false`})), ""},
		"of another type":      {ns(filter(s, map[string]any{"items": items, "where": `item.n > 1`})), "item 3: invalid operation: <nil> > int (1:8)"},
		"sorted":               {ns(sorted(s, map[string]any{"items": items, "by": "n"})), "<nil> 1.5 2 10 "},
		"from the largest":     {ns(sorted(s, map[string]any{"items": items, "by": "n", "descending": true, "most": 2})), "10 2 "},
		"a stable order":       {ns(sorted(s, map[string]any{"items": items, "by": "k"})), "10 <nil> 2 1.5 "},
		"by an item of a list": {ns(sorted(s, map[string]any{"items": []any{map[string]any{"n": 2, "l": []any{"b"}}, map[string]any{"n": 1, "l": []any{"a"}}, map[string]any{"n": 3}}, "by": "l.0"})), "3 1 2 "},
		"the list is whole":    {ns(map[string]any{"items": items}, nil), "2 10 1.5 <nil> "},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	out, err := group(s, map[string]any{"items": items, "by": "k"})
	if err != nil {
		t.Fatal(err)
	}
	var keys []any
	for _, g := range out["groups"].([]any) {
		keys = append(keys, g.(map[string]any)["key"], g.(map[string]any)["count"])
	}
	if !reflect.DeepEqual(keys, []any{"a", 2, "b", 2}) {
		t.Errorf("got %v", keys)
	}
}

func TestPathsOfPages(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"a.md": true, "a/b-c.d_e.md": true, "A1.md": true, "": false, "a": false, "a.txt": false, "../a.md": false, "a/../../b.md": false, "a/../b.md": false,
		"/a.md": false, ".a.md": false, "a/.git/b.md": false, `a\b.md`: false, "a b.md": false, "a//b.md": false, "./a.md": false, "ä.md": false, "-a.md": false, "a/": false,
	} {
		if err := checkPage(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"/README.md": "../../../README.md", "/docs/causal/modules/a.md#b": "../modules/a.md#b", "/docs/causal/reports/x.md": "x.md", "/": "../../../",
		"/docs/?plain=1": "../../?plain=1", "//example.com/x": "//example.com/x", "x.md": "x.md", "#a": "#a", "https://example.com/": "https://example.com/",
		"/../../x": "../../../x",
	} {
		if got := relative("docs/causal/reports", to); got != want {
			t.Errorf("%q: got %q, want %q", to, got, want)
		}
	}
}

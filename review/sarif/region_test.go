package sarif

import (
	"strings"
	"testing"
)

func TestRegions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		region members
		want   Region
	}{
		{members{"startLine": 3}, Region{Line: 3, EndLine: 3}},
		{members{"startLine": 3.0, "endLine": 5}, Region{Line: 3, EndLine: 5}},
		{members{"startLine": 3, "endLine": 2}, Region{Line: 3, EndLine: 3}},
		{members{"startLine": 3, "startColumn": 2, "endColumn": 4}, Region{Line: 3, EndLine: 3, Column: 2, EndColumn: 4}},
		{members{"startLine": 3, "endLine": 5, "startColumn": 1, "endColumn": 1}, Region{Line: 3, EndLine: 4, Column: 1}},
		{members{"startLine": 3, "startColumn": 0, "endColumn": -1}, Region{Line: 3, EndLine: 3}},
	} {
		if got := mustReadOne(t, logOf(nil, res(members{"locations": at("a.go", test.region)}))).Region; got != test.want {
			t.Errorf("%+v of %s, expected %+v", got, encoded(test.region), test.want)
		}
	}
	columns := members{"startLine": 3, "startColumn": 2}
	for kind, want := range map[any]bool{"unicodeCodePoints": true, "utf16CodeUnits": false, 7: false} {
		if got := mustReadOne(t, logOf(members{"columnKind": kind}, res(members{"locations": at("a.go", columns)}))); got.Points != want {
			t.Errorf("%v: %+v", kind, got)
		}
	}
}

func TestFlaggedText(t *testing.T) {
	t.Parallel()
	lines := strings.Split("a := b\nx𝄞yé.z()\n\nend", "\n")
	for _, test := range []struct {
		region Region
		want   string
	}{
		{Region{Line: 1, EndLine: 1}, "a := b"},
		{Region{Line: 1, EndLine: 1, Column: 6, EndColumn: 7}, "b"},
		{Region{Line: 1, EndLine: 1, Column: 6}, "b"},
		{Region{Line: 1, EndLine: 1, EndColumn: 2}, "a"},
		{Region{Line: 1, EndLine: 1, Column: 3, EndColumn: 3}, "a := b"},
		{Region{Line: 1, EndLine: 1, Column: 99, EndColumn: 100}, "a := b"},
		{Region{Line: 1, EndLine: 1, Column: 3, EndColumn: 99}, ":= b"},
		{Region{Line: 2, EndLine: 2, Column: 4, EndColumn: 6}, "yé"},
		{Region{Line: 2, EndLine: 2, Column: 3, EndColumn: 5, Points: true}, "yé"},
		{Region{Line: 2, EndLine: 2, Column: 3, EndColumn: 5}, "y"}, // within the pair
		{Region{Line: 1, EndLine: 2, Column: 3, EndColumn: 2}, ":= b\nx"},
		{Region{Line: 2, EndLine: 4, Column: 6}, ".z()\n\nend"},
		{Region{Line: 3, EndLine: 3, Column: 1, EndColumn: 1}, ""},
		{Region{Line: 4, EndLine: 1 << 30}, "end"},
		{Region{Line: 5, EndLine: 5}, ""},
		{Region{}, ""},
	} {
		if got := test.region.Text(lines); got != test.want {
			t.Errorf("%+v: %q, expected %q", test.region, got, test.want)
		}
	}
}

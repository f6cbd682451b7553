package skill

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/state"
)

// shaped are capabilities whose outputs have known keys.
var shaped = func() Specs {
	out := maps.Clone(specs)
	items := Field{Name: "items", Type: List, Required: true}
	out["list.make"] = Spec{ID: "list.make", Output: []Field{{Name: "rows", Type: List, Keys: []string{"name", "size"}}, {Name: "one", Type: Map, Keys: []string{"title"}}, {Name: "some", Type: List}}}
	out["list.pick"] = Spec{ID: "list.pick", Input: []Field{items, {Name: "by", Type: String, Over: "items", Refers: func(v any) []string { return []string{v.(string)} }}},
		Output: []Field{{Name: "items", Type: List, Over: "items"}}}
	return out
}()

func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	const (
		rows = "{id: a, uses: list.make, output: {rows: vars.a}}"
		mine = "{id: b, uses: list.pick, input: {items: vars.a, by: name}, output: {items: vars.b}}"
	)
	for name, c := range map[string]struct {
		steps []string
		want  string
	}{
		"of the items":             {[]string{rows, "{id: b, uses: list.pick, input: {items: vars.a, by: colour}}"}, `s.yml:7: the input "by": the items of vars.a have no "colour"; they have name, size`},
		"through another step":     {[]string{rows, mine, "{id: c, uses: list.pick, input: {items: vars.b, by: colour}}"}, `s.yml:8: the input "by": the items of vars.b have no "colour"`},
		"deep in a known one":      {[]string{rows, "{id: b, uses: list.pick, input: {items: vars.a, by: name.first}}"}, ""},
		"of a list without keys":   {[]string{"{id: a, uses: list.make, output: {some: vars.a}}", "{id: b, uses: list.pick, input: {items: vars.a, by: colour}}"}, ""},
		"of an input of the skill": {[]string{"{id: b, uses: list.pick, input: {items: inputs.l, by: colour}}"}, ""},
		"of a list in the file":    {[]string{"{id: b, uses: list.pick, input: {items: [{a: 1}], by: colour}}"}, ""},
		"by a reference":           {[]string{rows, "{id: b, uses: list.pick, input: {items: vars.a, by: inputs.l}}"}, ""},
		"of a map":                 {[]string{"{id: a, uses: list.make, output: {one: vars.a}}", "{id: b, uses: text.make, input: {text: vars.a.titel}}"}, `s.yml:7: vars.a.titel: there is no "titel" in vars.a, only title`},
		"in if":                    {[]string{"{id: a, uses: list.make, output: {rows: working.risks}}", "{id: b, uses: text.make, if: 'working.risks[0].colour > 1', input: {text: x}}"}, `s.yml:7: working.risks.0.colour: there is no "colour" in the items of working.risks, only name, size`},
		"known in if":              {[]string{"{id: a, uses: list.make, output: {rows: working.risks}}", "{id: b, uses: text.make, if: 'working.risks[0].name > 1', input: {text: x}}"}, ""},
		"of a path of an output":   {[]string{"{id: a, uses: list.make, output: {one.titel: vars.a}}"}, `s.yml:6: one.titel: there is no "titel" in the output one of list.make, only title`},
		"of an item":               {[]string{"{id: a, uses: list.make, output: {rows.0: vars.a}}", "{id: b, uses: text.make, input: {text: vars.a.colour}}"}, `s.yml:7: vars.a.colour: there is no "colour" in vars.a, only name, size`},
		"of a replaced value": {[]string{rows, "{id: b, uses: list.make, output: {some: vars.a}, config: {merge_strategy: replace}}",
			"{id: c, uses: list.pick, input: {items: vars.a, by: colour}}"}, ""},
		"of an appended list": {[]string{rows, "{id: b, uses: list.make, output: {rows: vars.a}, config: {merge_strategy: append}}",
			"{id: c, uses: list.pick, input: {items: vars.a, by: colour}}"}, `s.yml:8: the input "by": the items of vars.a have no "colour"`},
		"of a map with another value in it": {[]string{"{id: a, uses: list.make, output: {one: vars.a}}", "{id: b, uses: text.make, input: {text: x}, output: {text: vars.a.more}}",
			"{id: c, uses: text.make, input: {text: vars.a.more}}"}, ""},
	} {
		set := Read([]File{skillOf("s", "inputs: {l: {type: any}}\n", c.steps...)}, shaped)
		text := strings.ReplaceAll((&Error{set.Problems}).Error(), Dir+"/s.yml:", "s.yml:")
		if c.want != "" && (len(set.Problems) != 1 || !strings.HasPrefix(text, c.want)) || c.want == "" && text != "" {
			t.Errorf("%s:\n%s\nwant %s", name, text, c.want)
		}
	}
}

// TestErrorsHaveALine: an error names the line of its step, or that of the text which it is about.
func TestErrorsHaveALine(t *testing.T) {
	t.Parallel()
	const head = "id: s\nversion: 1.0.0\ndescription: x\nsteps:\n  - id: a\n    uses: text.make\n    input:\n"
	for text, want := range map[string]string{
		"      data: 1\n      text: |\n        one\n\n        three\n": "s.yml:12: ",
		"      data: 1\n      text: |\n\n        two\n        three\n": "s.yml:12: ",
		"      data: 1\n      text: >\n        one\n\n        three\n": "s.yml:9: ",
		"      data: 1\n      text: \"a\\nb\\nc\"\n":                   "s.yml:9: ",
	} {
		set := Read([]File{{Name: Path("s"), Data: []byte(head + text)}}, specs)
		third := &LineError{Input: "text", Line: 3, Err: errors.New("it is wrong")}
		call := func(context.Context, *Step, map[string]any) (map[string]any, state.Usage, error) {
			return nil, state.Usage{}, third
		}
		r, err := (&Runner{Set: set, Call: call}).Run(t.Context(), "s", nil)
		if err != nil || r.Err.Error() != Dir+"/"+want+"step a: it is wrong" {
			t.Errorf("%q: %v, %v", text, err, r.Err)
		}
	}
}

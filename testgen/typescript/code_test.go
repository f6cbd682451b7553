package typescript

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// sources are the functions that the golden files test.
var sources = repository{
	"package.json": `{"type": "module", "devDependencies": {"vitest": "^3.0.0", "fast-check": "^3.0.0"}}`,
	"src/slug-text.ts": `/** What slugify may be told. */
export interface SlugOptions { separator?: string; mode: "lower" | "keep" }
/** Makes a slug. Of anything. */
export function slugify(title: string, options: SlugOptions = { mode: "lower" }): string { return title }
export async function test(want: number, ...rest: number[]): Promise<number[]> { return rest }
export class Money { static parse(text: string): number { return +text } static format(cents: number): string { return "" + cents } }
export default function (when: Date): string { return when.toISOString() }
`,
}

// coded is a spec of one of the sources with some cases.
func coded(t *testing.T, symbol, rationale string, status spec.Status, cases ...string) testgen.Coded {
	t.Helper()
	plan := planOf(t, sources, "src", "slug-text."+symbol)
	s := &spec.Spec{Target: plan.Spec, Status: status, Rationale: rationale}
	for _, text := range cases {
		c, err := spec.DecodeCase(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Cases = append(s.Cases, *c)
	}
	return testgen.Coded{File: ".causal/specs/src/slug-text." + symbol + ".yml", Spec: s, Target: &plan.Target}
}

func TestCode(t *testing.T) {
	t.Parallel()
	fell := coded(t, "Money.format", "", spec.Invalidated)
	fell.Spec.Fell = &spec.Fell{Because: `body_changed("src", "slug-text.Money.format")`, File: "src/slug-text.ts", Session: "s-1"}
	tests := []struct {
		name    string
		specs   []testgen.Coded
		misfits map[string]string
	}{
		{"tables", []testgen.Coded{
			coded(
				t, "slugify", "The documentation says: Makes a slug.", spec.Active,
				`{id: c-1, law: example, why: "the documentation shows it", args: [{string: "A b"}, {undefined: null}], want: {string: "a-b"}}`,
				`{id: c-2, law: golden, why: "a value at the edge", args: [{string: "A b"}, {SlugOptions: {mode: "keep", separator: "a rather long separator"}}], want: {string: "A_b"}}`,
				`{id: c-3, law: error, why: "it is refused", args: [{string: ""}, {undefined: null}], want: {error: true}}`,
				`{id: c-4, law: idempotent, why: "a second time there is nothing left to do", over: [c-1, c-2]}`,
				`{id: c-5, law: no_panic, why: "takes text", over: [c-1, c-3]}`,
			),
			coded(
				t, "test", "", spec.Active,
				`{id: c-1, law: golden, why: "a", args: [{number: 1}, {"number[]": [1, -0.0, .nan]}], want: {array: [1, -0.0, .nan]}}`,
				`{id: c-2, law: golden, why: "b", args: [{number: 1}, {"number[]": []}], want: {array: []}}`,
				`{id: c-3, law: error, why: "c", args: [{number: 1}, {"number[]": []}], want: {error: true}}`,
			),
			coded(t, "Money.parse", "Reads cents.", spec.Active,
				`{id: c-1, law: golden, why: "one", args: [{string: "1"}], want: {number: 1}}`, `{id: c-2, law: golden, why: "two", args: [{string: "2"}], want: {number: 2}}`,
				`{id: c-3, law: roundtrip, why: "there and back", over: [c-1, c-2], inverse: Money.format}`),
			coded(t, "default", "", spec.Active, `{id: c-1, law: golden, why: "", args: [{Date: {$date: "2020-01-01T00:00:00.000Z"}}], want: {string: "x"}}`),
			fell,
		}, nil},
		{"hostile", []testgen.Coded{
			coded(t, "slugify", "*/ `${process.exit(1)}` \u2028 @vitest-environment evil\n// @ts-nocheck \n eslint-disable "+strings.Repeat("x ", 40)+" @ts-ignore eslint-disable", spec.Active,
				`{id: c-1, law: golden, why: "\"); process.exit(1); //", args: [{string: "\"); process.exit(1); (\""}, {undefined: null}], want: {string: "`+"`${1}` \\u2028 \\\\ '\\\"' @vitest-environment evil"+`"}}`,
				`{id: c-2, law: golden, why: "*/ %s %d $want \n", args: [{string: "</script>"}, {SlugOptions: {mode: "keep", "__proto__": 1, "a\"b": 2}}], want: {object: {"__proto__": {"$bigint": "1"}}}}`,
				`{id: c-3, law: golden, why: "x", args: [{string: "a"}, {undefined: null}], want: {bigint: {"$bigint": "1n); evil("}}}`,
				`{id: c-4, law: golden, why: "x", args: [{string: "a"}, {undefined: null}], want: {RegExp: {"$regexp": ["a", "g); evil("]}}}`,
				`{id: c-5, law: golden, why: "x", args: [{string: 7}, {undefined: null}], want: {string: "a"}}`,
				`{id: c-6, law: golden, why: "x", args: [{string: "a"}, {SlugOptions: {mode: "neither"}}], want: {string: "a"}}`,
				`{id: c-7, law: golden, why: "x", args: [{string: "a"}], want: {string: "a"}}`,
				`{id: c-8, law: roundtrip, why: "x", over: [c-1], inverse: evil}`,
			),
		}, map[string]string{"c-3": "is no value", "c-4": "is no value", "c-5": "is no string", "c-6": "is no SlugOptions", "c-7": "1 arguments are given", "c-8": "nothing says"}},
		{"skipped", []testgen.Coded{fell}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, misfits, err := Language.Code(tt.specs)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name+".ts.golden", code)
			if !Language.Ours(code) || !Owns("src/slug-text.causal.test.ts") {
				t.Error("it is not known as generated")
			}
			found := misfits[tt.specs[0].File]
			for id, want := range tt.misfits {
				if !strings.Contains(found[id], want) {
					t.Errorf("misfit of %s: %q, want %q", id, found[id], want)
				}
			}
			if len(found) != len(tt.misfits) {
				t.Errorf("misfits %v, want %v", found, tt.misfits)
			}
		})
	}
}

func TestNothingIsNoCode(t *testing.T) {
	t.Parallel()
	code, _, err := Language.Code([]testgen.Coded{coded(t, "slugify", "", spec.Active, `{id: c-1, law: golden, why: "", args: [{string: ""}, {undefined: null}]}`)})
	if code != nil || err != nil {
		t.Errorf("%s, %v", code, err)
	}
}

func TestOursAreThoseWithTheHeader(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"// Code generated by causal from .causal/specs/src. DO NOT EDIT.\nx": true, "// Code generated by causal from .causal/specs/src. DO NOT EDIT.": true,
		"\n// Code generated by causal from .causal/specs/src. DO NOT EDIT.\n": false, "// Code generated by causal from x\n. DO NOT EDIT.\n": false, "": false,
	} {
		if Language.Ours([]byte(text)) != want {
			t.Errorf("%q is ours: %v", text, !want)
		}
	}
}

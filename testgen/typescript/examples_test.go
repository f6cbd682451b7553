package typescript

import (
	"fmt"
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

func TestDocExamples(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, doc, want string }{
		{"arrow", "@example\nf(\"a\", 1) // => \"b\"", `["a" 1] {string: "b"}`},
		{"tight arrow, semicolon", "@example\nf('a'); //=> ['b', 2];", `["a"] {array: ["b", 2]}`},
		{"returns", "@example\nf(-1.5) // Returns true.5", `[-1.5] `},
		{"returns a value", "@example\nf(-1.5) // Returns null", `[-1.5] {"null": null}`},
		{"value alone", "@example\nf(`a`) // { a: undefined }", "[\"a\"] {object: {a: {\"$undefined\": true}}}"},
		{"on the next line", "@example\nconst x = f(\"a\")\n//=> \"b\"", `["a"] {string: "b"}`},
		{"logged", "@example\nconsole.log(f(\"a\")) // => \"b\"", `["a"] {string: "b"}`},
		{"throws", "@example\nf(\"\") // throws RangeError", `[""] {error: true}`},
		{"fenced", "Text.\n```ts\nawait f(1n) // => 2n\n```\nf(3) // => 4", `[{"$bigint": "1"}] {bigint: {"$bigint": "2"}}`},
		{"prose is none", "Call f(1) // => 2", ""},
		{"another function", "@example\ng(f(1), x.f(2)) // => 3", ""},
		{"something is done with it", "@example\nf(1).length // => 3", ""},
		{"negated", "@example\n!f(1) // => true", ""},
		{"no literals", "@example\nf(x) // => 3", ""},
		{"behind another tag", "@example\nf(1) // => 2\n@returns\nf(2) // => 3", `[1] {number: 2}`},
		{"a comment within a text", "@example\nf(\"http://a\") // => 1", `["http://a"] {number: 1}`},
		{"properties that specs sort", "@example\nf({ b: 1, a: 2 }) // => \"b=1&a=2\"", `[{a: 2, b: 1}] `},
		{"unterminated", "@example\nf(\"a // => 1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, e := range docExamples(tt.doc, "f") {
				args := make([]string, len(e.args))
				for i, a := range e.args {
					args[i] = spec.Typed{Type: "x", Value: a}.String()[len("{x: "):]
					args[i] = args[i][:len(args[i])-1]
				}
				got += fmt.Sprintf("%v %s", args, e.want)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestValuesAreWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	tests := []struct{ code, again string }{
		{`"a\u2028b\n\x00"`, `"a\u2028b\n\x00"`},
		{`'say "it"'`, `'say "it"'`},
		{"`a${'b'}`", ""},
		{`"@vitest-environment x"`, `"\x40vitest-environment x"`},
		{`"\ud800"`, ""},
		{`"😀"`, `"😀"`},
		{`"\u0041\x42\u{43}\d\/\é"`, `"ABCd/é"`}, {`"\u0041\ud83d\ude00\u{1f600}"`, `"A😀😀"`}, {"'a\\\nb\\0'", `"ab\x00"`},
		{`"\u12"`, ""}, {`"\x4"`, ""}, {`"\u{110000}"`, ""}, {`"\1"`, ""}, {`"\01"`, ""}, {`"\udc00\ud800"`, ""},
		{"0x1f", "31"}, {"1_000", "1000"}, {"-0", "-0"}, {"1e21", "1e21"}, {"1e-7", "1e-7"}, {"123456789012345680000", "123456789012345680000"}, {"0.1", "0.1"}, {"10n", "10n"},
		{"[1, [true, null], undefined]", "[1, [true, null], undefined]"},
		{`{ b: 1, "a-b": 2, 3: { c: NaN } }`, `{ "3": { c: NaN }, "a-b": 2, b: 1 }`},
		{`{ __proto__: 1 }`, ""}, {`{ $date: 1 }`, ""}, {"f()", ""},
		{`new Date("2020-02-03")`, `new Date("2020-02-03T00:00:00.000Z")`},
		{"new Uint8Array([1, 255])", "new Uint8Array([1, 255])"}, {"new Uint8Array([256])", ""},
		{`/a\/b/gi`, `new RegExp("a\\/b", "gi")`},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			t.Parallel()
			got, again := written(t, tt.code)
			if got != tt.again {
				t.Fatalf("got %s, want %s", got, tt.again)
			}
			if again != got && tt.code[0] != '/' {
				t.Errorf("%s is read back as %s", got, again)
			}
		})
	}
}

// written is the code of the literal that some code is, and the code of the literal that this is; empty where it is none.
func written(t *testing.T, source string) (once, twice string) {
	t.Helper()
	next := func(source string) string {
		v, ok := valueOf(source)
		if !ok {
			return ""
		}
		n, err := code(v, 0)
		if err != nil {
			t.Fatalf("%s was read and cannot be written: %v", source, err)
		}
		return n.flat()
	}
	if once = next(source); once != "" {
		twice = next(once)
	}
	return once, twice
}

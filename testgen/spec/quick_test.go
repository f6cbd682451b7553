package spec

import (
	"reflect"
	"strings"
	"testing"
)

// alike reads a text both ways. What is read quickly has to be what the library reads, or it is left to that.
func alike(t testing.TB, file string, text []byte) (quickRead bool) {
	t.Helper()
	root := quickly(text)
	if root == nil {
		return false
	}
	got, err := decoded(&decoder{file: file}, root)
	if err != nil {
		return true // and the library says so
	}
	d := &decoder{file: file}
	want, err := decoded(d, d.root(text))
	if err != nil || string(want.Encode()) != string(got.Encode()) || reflect.TypeOf(want) != reflect.TypeOf(got) {
		t.Errorf("read quickly as\n%s\nand by the library, %v, as\n%s\n%q", got.Encode(), err, want.Encode(), text)
	}
	return true
}

const written = `# Why.
schema: causal.testspec/v1
target: {lang: go, pkg: example.com/shop/money, symbol: Parse}
frame_id: "0123456789abcdef"
status: active
rationale: "Finance \"reads\" it.\n\x85\u2028\U0001f600 é"
provenance: {generator: det/1, seeds: [doc, boundary], llm: none}
depends_on: {iface: "a", body_closure: "b", go: "1.22"}
invalidation_condition: ""
cases:
  - {id: c-1, law: golden, why: "", args: [{string: "7"}, {"[]any": [1, -2, 18446744073709551615, 1.5, -0.0, 1e+21, null, true]}], want: {string_of: "7.00"}}
  - {id: "1", law: error, why: "", by: human, args: [{T: {call: New, args: [{int: 1}]}}], want: {error: true}}
  - {id: c-3, law: roundtrip, why: "", over: [c-1, "1"], inverse: Amount.String}
evidence: {runs: 3, coverage_added: 14, mutants_killed: [], verified: "x"}
`

func TestQuick(t *testing.T) {
	t.Parallel()
	const file = ".causal/specs/money/Parse.yml"
	if !alike(t, file, []byte(written)) {
		t.Error("what Encode writes is not read quickly")
	}
	s, err := Decode(file, []byte(written))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Decode(file, s.Encode()); err != nil || string(again.Encode()) != string(s.Encode()) {
		t.Errorf("read again as %v, %v", again, err)
	}
	for _, edit := range [][2]string{ // what the library has to look at
		{"status: active", "status: active # so far"}, {"status: active", "status:  active"}, {"status: active", "'status': active"}, {"status: active\n", "status: active\nstatus: active\n"}, {"llm: none", "llm: no"},
		{"llm: none", "llm: 'none'"}, {"llm: none", "llm: NULL"}, {"llm: none", "llm: &a none"}, {"llm: none", "llm: !!str none"}, {"1.5", "0x1f"}, {"1.5", "010"}, {"1.5", "2026-01-02"}, {"1.5", "99999999999999999999"},
		{"cases:\n  -", "cases:\n-"}, {"- {id: c-1,", "- id: c-1\n    why: {a: b,"}, {"Finance", "Finance\nreads"}, {`\n`, `\e`}, {`\n`, "\t"}, {"{int: 1}", "{int: 1,}"}, {"{int: 1}", "{int: 1, }"}, {"[], verified", "[,], verified"},
		{"[c-1, \"1\"]", "[c-1 , \"1\"]"}, {"{string: \"7\"}", strings.Repeat("[", 20) + strings.Repeat("]", 20)}, {`\u2028`, `\ud800`}, {"x\"}\n", "x\"}"}, {"x\"}\n", "x\"}\n...\n"}, {"schema:", "---\nschema:"},
	} {
		text := strings.Replace(written, edit[0], edit[1], 1)
		if text == written {
			t.Fatalf("test bug: %q does not stand there", edit[0])
		}
		if alike(t, file, []byte(text)) {
			t.Errorf("%q is read quickly", edit)
		}
	}
}

func FuzzQuick(f *testing.F) {
	f.Add(written)
	f.Add("a: {b: [c, \"d\"]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		const file = ".causal/specs/money/Parse.yml"
		if _, err := Decode(file, []byte(text)); err == nil {
			alike(t, file, []byte(text))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, err := Decode(".causal/specs/money/Parse.yml", []byte(written)); err != nil {
			b.Fatal(err)
		}
	}
}

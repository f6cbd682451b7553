package spec_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/testgen/spec"
)

const file = ".causal/specs/money/Parse.yml"

// good is a spec with everything that one may have.
const good = `schema: causal.testspec/v1
target: {lang: go, pkg: example.com/shop/money, symbol: Parse}
frame_id: "0123456789abcdef"
status: invalidated
rationale: "Finance reads it."
provenance: {generator: det/1, seeds: [doc, boundary], llm: none}
depends_on: {iface: "a", body_closure: "b", go: "1.22"}
invalidated: {because: "body_changed(\"money\", \"Parse\")", file: "money/money.go", session: "s-1"}
observed: {iface: "a", body_closure: "c", go: "1.22"}
invalidation_condition: "symbol_changed(\"money\", \"Parse\")"
cases:
  - {id: c-1, law: golden, why: "the documentation names it", args: [{string: "7"}], want: {string_of: "7.00"}, became: {error: true}}
  - {id: c-2, law: error, why: "no text", by: human, args: [{string: ""}], want: {error: true}}
  - {id: c-3, law: roundtrip, why: "reads back", over: [c-1], inverse: Amount.String}
  - {id: c-4, law: golden, why: "two results", args: [], want: {results: [{int: 1}, {"[]string": ["a"]}]}, quarantined: "it panics"}
evidence: {runs: 3, coverage_added: 14, mutants_killed: [m17], verified: "x"}
`

func TestDecode(t *testing.T) {
	t.Parallel()
	got, err := spec.Decode(file, []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	seven := "7.00"
	want := &spec.Spec{
		Target: spec.Target{Lang: "go", Pkg: "example.com/shop/money", Symbol: "Parse"}, FrameID: "0123456789abcdef", Status: spec.Invalidated,
		Rationale: "Finance reads it.", Provenance: spec.Provenance{Generator: "det/1", Seeds: []string{"doc", "boundary"}, LLM: "none"},
		DependsOn: spec.Depends{Interface: "a", Body: "b", Language: "1.22"}, Observed: spec.Depends{Interface: "a", Body: "c", Language: "1.22"},
		Fell:      &spec.Fell{Because: `body_changed("money", "Parse")`, File: "money/money.go", Session: "s-1"},
		Condition: `symbol_changed("money", "Parse")`,
		Cases: []spec.Case{
			{ID: "c-1", Law: spec.Golden, Why: "the documentation names it", Args: []spec.Typed{{Type: "string", Value: "7"}}, Want: &spec.Want{StringOf: &seven}, Became: &spec.Want{Error: true}},
			{ID: "c-2", Law: spec.Error, Why: "no text", By: spec.Human, Args: []spec.Typed{{Type: "string", Value: ""}}, Want: &spec.Want{Error: true}},
			{ID: "c-3", Law: spec.RoundTrip, Why: "reads back", Over: []string{"c-1"}, Inverse: "Amount.String"},
			{
				ID: "c-4", Law: spec.Golden, Why: "two results", Args: []spec.Typed{}, Quarantined: "it panics",
				Want: &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(1)}, {Type: "[]string", Value: []spec.Value{"a"}}}},
			},
		},
		Evidence: spec.Evidence{Runs: 3, Coverage: 14, Killed: []string{"m17"}, Verified: "x"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if first, rest, _ := strings.Cut(string(got.Encode()), "schema:"); !strings.HasPrefix(first, "# ") || "schema:"+rest != good {
		t.Errorf("encoded as\n%s\nwant\n%s", got.Encode(), good)
	}
}

// TestValues are literals as people may write them, and as what they are read.
func TestValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]spec.Value{
		"null": nil, "~": nil, "true": true, "True": true, "FALSE": false, "7": int64(7), "-7": int64(-7), "0x1f": int64(31), "18446744073709551615": uint64(1<<64 - 1),
		"1.5": 1.5, "-0.0": 0.0, "1e3": 1000.0, "text": "text", `"7"`: "7", "'true'": "true", "2026-01-02": "2026-01-02", "yes": "yes", "[]": []spec.Value{},
		"[1, a]": []spec.Value{int64(1), "a"}, "{a: {b: 1}}": map[string]spec.Value{"a": map[string]spec.Value{"b": int64(1)}},
		"{call: New, args: [{int: 1}]}":   map[string]spec.Value{"call": "New", "args": []spec.Value{spec.Typed{Type: "int", Value: int64(1)}}},
		"{call: New, args: []}":           map[string]spec.Value{"call": "New", "args": []spec.Value{}},
		"{call: 1, args: 2}":              map[string]spec.Value{"call": int64(1), "args": int64(2)}, // what a map of a program may hold
		"{call: 1, args: [{a: 1, b: 2}]}": map[string]spec.Value{"call": int64(1), "args": []spec.Value{map[string]spec.Value{"a": int64(1), "b": int64(2)}}},
	} {
		c, err := spec.DecodeCase("{id: c-1, law: golden, args: [{T: " + text + "}]}")
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(c.Args[0].Value, want) {
			t.Errorf("%s is read as %#v, want %#v", text, c.Args[0].Value, want)
		}
	}
}

// TestRefused are specs that are refused, each with the line where it is wrong.
func TestRefused(t *testing.T) {
	t.Parallel()
	caseLine := func(text string) [2]string {
		return [2]string{"  - {id: c-2, law: error, why: \"no text\", by: human, args: [{string: \"\"}], want: {error: true}}", "  - " + text}
	}
	for name, test := range map[string]struct {
		edit [2]string
		line int // 0: about the file
		says string
	}{
		"an unknown key":             {[2]string{"rationale:", "reason:"}, 5, `a spec has no key "reason"`},
		"an unknown key of a target": {[2]string{"{lang: go,", "{language: go,"}, 2, `target has no key "language"`},
		"an unknown key of a case":   {caseLine(`{id: c-2, law: error, args: [], note: x}`), 13, `a case has no key "note"`},
		"a key that is a list":       {[2]string{"rationale:", "[a]:"}, 5, "has no key"},
		"a merge key":                {caseLine(`{<<: {id: c-2}, law: error, args: []}`), 13, `a case has no key "<<"`},
		"an unknown law":             {[2]string{"law: error", "law: errors"}, 13, `there is no law "errors"; the laws are roundtrip, idempotent`},
		"no law":                     {caseLine(`{id: c-2, args: []}`), 13, "case c-2 has no law"},
		"an anchor":                  {[2]string{"why: \"no text\"", "why: &a \"no text\""}, 13, "no aliases"},
		"an alias":                   {[2]string{"generator: det/1, seeds: [doc, boundary], llm: none", "generator: &a det/1, seeds: [doc], llm: *a"}, 6, "no aliases"},
		"a tag":                      {[2]string{"rationale: ", "rationale: !!binary "}, 5, "no tags, and this is tagged !!binary"},
		"a tag of somebody's":        {[2]string{"{string: \"7\"}", "{string: !go/run \"7\"}"}, 12, "no tags, and this is tagged !go/run"},
		"a key twice":                {[2]string{"frame_id: \"0123456789abcdef\"", "status: active"}, 4, "status"},
		"a case twice":               {caseLine(`{id: c-1, law: error, args: []}`), 13, "two cases are called c-1"},
		"over what is not there":     {[2]string{"over: [c-1]", "over: [c-9]"}, 14, "case c-3 is over c-9, which is not there"},
		"neither args nor over":      {caseLine(`{id: c-2, law: error}`), 13, "args, or else over"},
		"args and over":              {caseLine(`{id: c-2, law: error, args: [], over: [c-1]}`), 13, "args, or else over"},
		"an id that is code":         {caseLine(`{id: "c-1\"); run(); //", law: error, args: []}`), 13, "is none: letters, digits and dashes"},
		"no id":                      {caseLine(`{law: error, args: []}`), 13, "is none"},
		"by a machine":               {caseLine(`{id: c-2, law: error, by: model, args: []}`), 13, `case c-2 is by "model"`},
		"an inverse that is code":    {[2]string{"inverse: Amount.String", `inverse: "f(); g"`}, 14, "is no name"},
		"an argument without a type": {caseLine(`{id: c-2, law: error, args: [7]}`), 13, "a mapping from its type to its value"},
		"an argument of two types":   {caseLine(`{id: c-2, law: error, args: [{int: 1, string: a}]}`), 13, "a mapping from its type to its value"},
		"args that are no list":      {caseLine(`{id: c-2, law: error, args: {int: 1}}`), 13, "has to be a list"},
		"no error":                   {[2]string{"want: {error: true}", "want: {error: false}"}, 13, "error can be true"},
		"two wants":                  {[2]string{"want: {error: true}", "want: {error: true, int: 1}"}, 13, "want is {error: true}"},
		"a want that is a text":      {[2]string{"want: {error: true}", "want: error"}, 13, "want is {error: true}"},
		"a text that is a list":      {[2]string{"rationale: \"Finance reads it.\"", "rationale: [a]"}, 5, "has to be a text"},
		"a number that is a text":    {[2]string{"runs: 3", "runs: many"}, 16, "has to be a number"},
		"a negative number":          {[2]string{"runs: 3", "runs: -3"}, 16, "has to be a number"},
		"a number too large":         {[2]string{"runs: 3", "runs: 99999999999999999999"}, 16, "has to be a number"},
		"a value too large":          {caseLine(`{id: c-2, law: error, args: [{int: 99999999999999999999}]}`), 13, "99999999999999999999 is larger than any number here"},
		"seeds that are code":        {[2]string{"seeds: [doc", "seeds: [\"doc)\""}, 6, "seeds are words"},
		"mutants that are code":      {[2]string{"[m17]", "[\"m 17\"]"}, 16, "names like m12"},
		"a target that is a path":    {[2]string{"symbol: Parse", "symbol: ../../Parse"}, 2, "is no name"},
		"a target that is code":      {[2]string{"symbol: Parse", `symbol: "Parse(); run"`}, 2, "is no name"},
		"another target":             {[2]string{"symbol: Parse", "symbol: Clean"}, 2, "called after another one"},
		"no target":                  {[2]string{"target: {lang: go, pkg: example.com/shop/money, symbol: Parse}", "frame_id: a"}, 3, ""},
		"a language that is none":    {[2]string{"lang: go", "lang: cobol"}, 2, "has to be one of go, python, typescript"},
		"a package outside":          {[2]string{"pkg: example.com/shop/money", "pkg: ../evil"}, 2, "no path of a package"},
		"a package far outside":      {[2]string{"pkg: example.com/shop/money", "pkg: example.com/../../evil"}, 2, "no path of a package"},
		"an absolute package":        {[2]string{"pkg: example.com/shop/money", "pkg: /etc"}, 2, "no path of a package"},
		"a package that is code":     {[2]string{"pkg: example.com/shop/money", `pkg: "a\"; import \"os"`}, 2, "no path of a package"},
		"another schema":             {[2]string{"testspec/v1", "testspec/v2"}, 1, `schema is "causal.testspec/v2" and has to be causal.testspec/v1`},
		"a status that is none":      {[2]string{"status: invalidated", "status: done"}, 1, "it may be pending_record, active, invalidated or quarantined"},
		"no YAML":                    {[2]string{"rationale: \"Finance", "rationale: [\"Finance"}, 6, ""},
		"two documents":              {[2]string{"status:", "---\nstatus:"}, 4, "a second document"},
		"no mapping":                 {[2]string{good, "- a\n- b\n"}, 0, "no list of keys and values"},
		"nothing":                    {[2]string{good, ""}, 1, "no documents"},
		"no UTF-8":                   {[2]string{"Finance", "Finance \xff\xfe"}, 0, "no UTF-8"},
		"more than 1 MiB":            {[2]string{"schema:", "# " + strings.Repeat("x", 1<<20) + "\nschema:"}, 0, "more than 1 MiB"},
		"very deep":                  {caseLine("{id: c-2, law: error, args: [{T: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}]}"), 13, "depth"},
		"very many values":           {caseLine("{id: c-2, law: error, args: [{T: [" + strings.Repeat("1,", 300_000) + "]}]}"), 13, "values"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, test.edit[0], test.edit[1], 1)
			if text == good {
				t.Fatalf("test bug: %q does not stand in the spec", test.edit[0])
			}
			_, err := spec.Decode(file, []byte(text))
			var bad *spec.FileError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v", err)
			}
			if bad.File != file || bad.Line != test.line || !strings.Contains(bad.What, test.says) {
				t.Errorf("got %v, want line %d and %q", err, test.line, test.says)
			}
			if prefix := file + ":"; !strings.HasPrefix(err.Error(), prefix) || test.line > 0 && !strings.HasPrefix(err.Error(), fmt.Sprintf("%s%d: ", prefix, test.line)) {
				t.Errorf("it says %q", err)
			}
		})
	}
}

// TestFileNames: a spec is where the layout of the directory has it, whatever the symbol is called.
func TestFileNames(t *testing.T) {
	t.Parallel()
	for name, symbol := range map[string]string{"_Con": "Con", "Größe": "Größe", "Amount.String": "Amount.String"} {
		text := strings.Replace(good, "symbol: Parse", "symbol: "+symbol, 1)
		if _, err := spec.Decode(".causal/specs/money/"+name+".yml", []byte(text)); err != nil {
			t.Errorf("%s: %v", symbol, err)
		}
	}
}

func TestDecodeCase(t *testing.T) {
	t.Parallel()
	s, err := spec.Decode(file, []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Cases {
		got, err := spec.DecodeCase(s.Cases[i].String())
		if err != nil || !reflect.DeepEqual(*got, s.Cases[i]) {
			t.Errorf("%s is read as %+v, %v", s.Cases[i].String(), got, err)
		}
	}
	for _, text := range []string{"", "null", "[]", "c-1", "{}", "{id: c-1}", "{id: c-1, law: golden}", "{id: c-1, law: golden, args: []}\n---\n{}", "{id: &a c-1, law: golden, args: []}"} {
		if c, err := spec.DecodeCase(text); err == nil {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(good)
	f.Add(strings.Repeat("[", 100))
	f.Add("a: &a [*a]")
	f.Add("? {a: b}\n: !!set {c, d}\n")
	f.Fuzz(func(t *testing.T, text string) {
		costtest.Hold(t, []byte(text), func(text []byte) { _, _ = spec.Decode(file, text) })
		s, err := spec.Decode(file, []byte(text))
		if err != nil {
			return
		}
		once := s.Encode()
		again, err := spec.Decode(file, once)
		if err != nil {
			t.Fatalf("what was read of %q is not read again: %v\n%s", text, err, once)
		}
		if twice := again.Encode(); string(twice) != string(once) {
			t.Errorf("encoded first as\n%s\nthen as\n%s", once, twice)
		}
	})
}

func FuzzDecodeCase(f *testing.F) {
	f.Add("{id: c-1, law: golden, why: x, args: [{T: {call: New, args: [{string: \"a\"}]}}], want: {results: [{int: 1}, {T: [1.5, null]}]}}")
	f.Add("{id: c-3, law: roundtrip, over: [c-1], inverse: Amount.String}")
	f.Fuzz(func(t *testing.T, text string) {
		costtest.Hold(t, []byte(text), func(text []byte) { _, _ = spec.DecodeCase(string(text)) })
		c, err := spec.DecodeCase(text)
		if err != nil {
			return
		}
		again, err := spec.DecodeCase(c.String())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%s is read as %v, %v", c, again, err)
		}
	})
}

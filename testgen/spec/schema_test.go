package spec_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/testgen/spec"
)

// validator holds documents to the schema.
func validator(t testing.TB) func(text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.JSONSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("spec.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(text []byte) error {
		var v any
		if err := yaml.Unmarshal(text, &v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

func TestSchemaAgreesWithTheDecoder(t *testing.T) {
	t.Parallel()
	valid := validator(t)
	if err := valid([]byte(good)); err != nil {
		t.Error(err)
	}
	// What both refuse, and what both take.
	for edit, want := range map[[2]string]bool{
		{"rationale:", "reason:"}: false, {"law: error", "law: errors"}: false, {"lang: go", "lang: cobol"}: false, {"status: invalidated", "status: done"}: false,
		{"by: human", "by: model"}: false, {"args: [{string: \"\"}]", "args: [{string: \"\", int: 1}]"}: false, {"args: [{string: \"\"}]", "args: [7]"}: false,
		{"args: [{string: \"\"}], ", ""}: false, {"args: [{string: \"\"}]", "args: [], over: [c-1]"}: false, {"over: [c-1]", "over: []"}: false,
		{"runs: 3", "runs: -3"}: false, {"runs: 3", "runs: many"}: false, {"testspec/v1", "testspec/v2"}: false, {"id: c-2", "id: \"c 2\""}: false, {"frame_id: ", "frame: "}: false,
		{"want: {error: true}, became", "want: {int: 1, error: true}, became"}: false, {"target: ", "targets: "}: false,
		{"why: \"no text\", ", ""}: true, {"why: \"no text\"", "why:"}: true, {"rationale: \"Finance reads it.\"\n", ""}: true, {"rationale: \"Finance reads it.\"", "rationale:"}: true,
		{", go: \"1.22\"}", ", python: \"3.12\"}"}: true, {", go: \"1.22\"}", ", typescript: \"5\"}"}: true, {"frame_id: \"0123456789abcdef\"\n", ""}: true, {"by: human, ", ""}: true,
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		if edit[0] == "want: {error: true}, became" {
			text = strings.Replace(good, "want: {string_of: \"7.00\"}", "want: {int: 1, error: true}", 1)
		}
		if text == good {
			t.Errorf("test bug: %q does not stand in the spec", edit[0])
		}
		_, err := spec.Decode(file, []byte(text))
		if says := valid([]byte(text)); (err == nil) != want || (says == nil) != want {
			t.Errorf("%q: the decoder says %v, the schema says %v", edit, err, says)
		}
	}
}

// TestWhatIsWrittenIsValid holds whatever may be written to the schema.
func TestWhatIsWrittenIsValid(t *testing.T) {
	t.Parallel()
	valid := validator(t)
	rapid.Check(t, func(t *rapid.T) {
		s := aSpec.Draw(t, "spec")
		for i := range s.Cases { // the library for YAML does not read all numbers that JSON has no place for
			s.Cases[i].Args, s.Cases[i].Want, s.Cases[i].Became = []spec.Typed{{Type: "int", Value: int64(i)}}, nil, nil
			s.Cases[i].Over = nil
		}
		if err := valid(s.Encode()); err != nil {
			t.Errorf("%v\n%s", err, s.Encode())
		}
	})
}

// TestSchemaHasEveryKeyOfTheDecoder, and no other: the keys of the tables in decode.go are those of the schema's objects.
func TestSchemaHasEveryKeyOfTheDecoder(t *testing.T) {
	t.Parallel()
	tree, err := parser.ParseFile(token.NewFileSet(), "decode.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if m, ok := table.Type.(*ast.MapType); ok {
			if _, ok := m.Value.(*ast.FuncType); ok {
				for _, e := range table.Elts {
					name, err := strconv.Unquote(e.(*ast.KeyValueExpr).Key.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					known[name] = true
				}
			}
		}
		return true
	})
	var schema any
	if err := json.Unmarshal(spec.JSONSchema, &schema); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	keysOf(schema, described)
	if got, want := slices.Sorted(maps.Keys(described)), slices.Sorted(maps.Keys(known)); !slices.Equal(got, want) || len(want) < 25 {
		t.Errorf("the schema has %q, the decoder %q", got, want)
	}
}

// keysOf adds the names of all properties that a schema has.
func keysOf(schema any, into map[string]bool) {
	switch node := schema.(type) {
	case []any:
		for _, one := range node {
			keysOf(one, into)
		}
	case map[string]any:
		for name, value := range node {
			if properties, ok := value.(map[string]any); ok && name == "properties" {
				for key := range properties {
					into[key] = true
				}
			}
			keysOf(value, into)
		}
	}
}

package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/config"
)

// property is what the schema says of one key.
type property struct {
	Type        string              `json:"type"`
	Description string              `json:"description"`
	Default     any                 `json:"default"`
	Minimum     *int64              `json:"minimum"`
	Maximum     *int64              `json:"maximum"`
	Properties  map[string]property `json:"properties"`
}

// leaves lists the keys that hold a value, by dotted name.
func leaves(prefix string, p property, out map[string]property) map[string]property {
	for name, child := range p.Properties {
		full := prefix + name
		if len(child.Properties) > 0 {
			leaves(full+".", child, out)
			continue
		}
		out[full] = child
	}
	return out
}

func schema(t *testing.T) map[string]property {
	t.Helper()
	var root property
	if err := json.Unmarshal(config.Schema, &root); err != nil {
		t.Fatal(err)
	}
	keys := leaves("", root, map[string]property{})
	if len(keys) < 5 {
		t.Fatalf("only %d keys in the schema", len(keys))
	}
	return keys
}

var keyHeading = regexp.MustCompile("(?m)^## `([a-z_.]+)`$")

// sections cuts the reference at its headings, one a key.
func sections(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	out := map[string]string{}
	at := keyHeading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		out[text[m[2]:m[3]]] = strings.Join(strings.Fields(text[m[1]:end]), " ")
	}
	return out
}

func TestReferenceHasEveryKeyOfTheSchema(t *testing.T) {
	t.Parallel()
	keys, reference := schema(t), sections(t)
	for name, p := range keys {
		section, ok := reference[name]
		if !ok {
			t.Errorf("docs/configuration.md has no heading ## `%s`", name)
			continue
		}
		value, err := json.Marshal(p.Default)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{p.Description, "Type: " + p.Type, fmt.Sprintf("Default: `%s`", value)}
		for _, bound := range []*int64{p.Minimum, p.Maximum} {
			if bound != nil {
				want = append(want, fmt.Sprintf("`%d`", *bound))
			}
		}
		for _, text := range want {
			if !strings.Contains(section, text) {
				t.Errorf("docs/configuration.md, `%s`: %q is missing", name, text)
			}
		}
	}
	for name := range reference {
		if _, ok := keys[name]; !ok {
			t.Errorf("docs/configuration.md describes `%s`, which the schema does not have", name)
		}
	}
}

func TestSchemaNamesTheDefaultsInForce(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(config.Default().Values())
	if err != nil {
		t.Fatal(err)
	}
	var inForce map[string]any
	if err := json.Unmarshal(data, &inForce); err != nil {
		t.Fatal(err)
	}
	for name, p := range schema(t) {
		var value any = inForce
		for key := range strings.SplitSeq(name, ".") {
			value = value.(map[string]any)[key]
		}
		if !reflect.DeepEqual(value, p.Default) {
			t.Errorf("%s: the schema says %v, in force is %v", name, p.Default, value)
		}
	}
}

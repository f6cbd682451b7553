package config_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/app/config"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string // the whole error, empty for none
	}{
		{"", ""},
		{"# only a comment\n", ""},
		{"version: 1\nrepository: https://github.com/example/shop\nexclude: [\"gen/**\"]\ndocs: {dir: site/docs/, front_matter: false}\n", ""},
		{"verson: 1\n", `c.yml:1: unknown key "verson": did you mean "version"?`},
		{"docs:\n  colour: x\n", `c.yml:2: unknown key "docs.colour": known here are dir, front_matter`},
		{"version: 2\n", "c.yml:1: version 2 is not known: it must be 1"},
		{"\nmax_file_bytes: big\nbranch: [a]\n", "c.yml:2: max_file_bytes must be an integer\nc.yml:3: branch must be a string"},
		{"max_file_bytes: 3\n", "c.yml:1: max_file_bytes 3 must be from 1024 to 1073741824"},
		{"exclude:\n- ok\n- 7\n", "c.yml:3: exclude must be a list of strings"},
		{"exclude:\n- ok\n- \"a[\"\n", `c.yml:3: exclude "a["`},
		{"docs: {dir: ../x}\n", `c.yml:1: docs.dir "../x" must be a directory below the repository's root`},
		{"docs: {dir: /x}\n", `docs.dir "/x" must be`},
		{"docs: {dir: .causal/pages}\n", "docs.dir must not be inside .causal"},
		{"repository: git@host:x/y\n", `repository "git@host:x/y" must be an address`},
		{"a: b: c\n", "c.yml:1: mapping values are not allowed"},
		{"branch: main\nbranch: dev\n", "c.yml:2: "},
		{"- a\n", "c.yml:1: a configuration is a list of keys with values"},
		{"docs: [\n", "c.yml:"},
	} {
		_, err := config.Parse("c.yml", []byte(c.text))
		var broken *config.Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.want != "" && !errors.As(err, &broken):
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		case c.want != "" && !strings.Contains(err.Error(), c.want):
			t.Errorf("%q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	c, err := config.Parse("c.yml", []byte("exclude: [\"gen/**\", \"**/*.pb.go\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"gen/a/b.go": true, "x/y.pb.go": true, "x/y.go": false, "general/a.go": false} {
		if c.Excluded(path) != want {
			t.Errorf("%s excluded: %v", path, !want)
		}
	}
}

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("config.json")
}

// FuzzParse: no input makes Parse panic, and what it accepts the published schema accepts as well.
func FuzzParse(f *testing.F) {
	f.Add("version: 1\ndocs: {dir: a}\n")
	f.Add("exclude: [a, \"b/**\"]\nmax_file_bytes: 4096\n")
	f.Add("? [a]\n: b\n<<: *x\n")
	s := compiled(f)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := config.Parse("c.yml", []byte(text)); err != nil {
			return
		}
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil || value == nil {
			return
		}
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatalf("%q was accepted, and is not JSON: %v", text, err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%q was accepted, the schema says: %v", text, err)
		}
	})
}

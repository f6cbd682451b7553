// Package config reads .causal/config.yml, the one file of causal's directory that people write. Its JSON Schema is
// the reference; what does not match it is an error that says where and what to write instead.
package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/causaldocs/causal/knowledge/condition"
)

// Schema is the JSON Schema of the configuration.
//
//go:embed schema.json
var Schema []byte

// Config is the configuration of one repository.
type Config struct {
	Version      int      `yaml:"version"`
	Repository   string   `yaml:"repository"`
	Branch       string   `yaml:"branch"`
	Exclude      []string `yaml:"exclude"`
	MaxFileBytes int64    `yaml:"max_file_bytes"`
	Docs         Docs     `yaml:"docs"`

	globs []condition.Glob
}

// Docs configures the rendered pages.
type Docs struct {
	Dir         string `yaml:"dir"`
	FrontMatter bool   `yaml:"front_matter"`
}

// Default is the configuration of a repository that has none.
func Default() *Config {
	return &Config{Version: 1, Branch: "main", MaxFileBytes: 2 << 20, Docs: Docs{Dir: "docs/causal", FrontMatter: true}}
}

// Problem is something wrong at a place of the file.
type Problem struct {
	Line int
	What string
}

// Error lists everything that is wrong with a configuration.
type Error struct {
	File     string
	Problems []Problem
}

func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", e.File, p.Line, p.What))
	}
	return strings.Join(lines, "\n")
}

// Parse reads a configuration. file is what errors call it.
func Parse(file string, data []byte) (*Config, error) {
	fail := func(problems ...Problem) (*Config, error) {
		sort.SliceStable(problems, func(i, j int) bool { return problems[i].Line < problems[j].Line })
		return nil, &Error{File: file, Problems: problems}
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return fail(syntaxProblem(err))
	}
	c := Default()
	if len(root.Content) == 0 {
		return c, nil
	}
	var value any
	if err := root.Decode(&value); err != nil {
		return fail(syntaxProblem(err))
	}
	if value == nil {
		return c, nil
	}
	problems, err := validate(value, root.Content[0])
	if err != nil {
		return nil, fmt.Errorf("validate %s: %w", file, err)
	}
	if len(problems) > 0 {
		return fail(problems...)
	}
	if err := root.Decode(c); err != nil {
		return fail(syntaxProblem(err))
	}
	if problems := c.check(root.Content[0]); len(problems) > 0 {
		return fail(problems...)
	}
	return c, nil
}

// check holds the values to what a schema cannot say.
func (c *Config) check(root *yaml.Node) []Problem {
	var out []Problem
	for i, pattern := range c.Exclude {
		g, err := condition.ParseGlob(pattern)
		if err != nil {
			out = append(out, Problem{lineAt(root, []string{"exclude", fmt.Sprint(i)}), fmt.Sprintf("exclude %q: %v", pattern, err)})
		}
		c.globs = append(c.globs, g)
	}
	dir := path.Clean(c.Docs.Dir)
	if path.IsAbs(dir) || dir == "." || dir == ".." || strings.HasPrefix(dir, "../") || strings.Contains(dir, `\`) {
		out = append(out, Problem{lineAt(root, []string{"docs", "dir"}),
			fmt.Sprintf("docs.dir %q must be a directory below the repository's root, such as docs/causal", c.Docs.Dir)})
	}
	for _, s := range strings.Split(dir, "/") {
		if s == ".git" || s == ".causal" {
			out = append(out, Problem{lineAt(root, []string{"docs", "dir"}), fmt.Sprintf("docs.dir must not be inside %s", s)})
		}
	}
	c.Docs.Dir = dir
	return out
}

// Excluded tells whether a path is excluded.
func (c *Config) Excluded(file string) bool {
	for _, g := range c.globs {
		if g.Match(file) {
			return true
		}
	}
	return false
}

// Key identifies everything in the configuration on which what is known depends.
func (c *Config) Key() string {
	data, _ := json.Marshal(c) // strings, numbers and booleans: it cannot fail
	return string(data)
}

// compiled is made when it is first needed: most runs have a valid file or none.
var compiled = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		panic("config schema: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		panic("config schema: " + err.Error())
	}
	return c.MustCompile("config.json")
})

var printer = message.NewPrinter(language.English)

func validate(value any, root *yaml.Node) ([]Problem, error) {
	var broken *jsonschema.ValidationError
	err := compiled().Validate(normal(value))
	if err == nil {
		return nil, nil
	}
	if !errors.As(err, &broken) {
		return nil, err
	}
	var out []Problem
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				walk(c)
			}
			return
		}
		if extra, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
			for _, name := range extra.Properties {
				at := append(slices.Clone(e.InstanceLocation), name)
				out = append(out, Problem{lineAt(root, at), unknownKey(at)})
			}
			return
		}
		what := e.ErrorKind.LocalizedString(printer)
		if len(e.InstanceLocation) > 0 {
			what = strings.Join(e.InstanceLocation, ".") + ": " + what
		}
		out = append(out, Problem{lineAt(root, e.InstanceLocation), what})
	}
	walk(broken)
	return out, nil
}

// normal turns what YAML decodes to into what JSON would: the validator knows only that.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	case map[any]any:
		out := map[string]any{}
		for k := range v {
			out[fmt.Sprint(k)] = normal(v[k])
		}
		return out
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case int:
		return json.Number(fmt.Sprint(v))
	case string, bool, nil:
	default:
		return json.Number(fmt.Sprint(v))
	}
	return v
}

// unknownKey says which key was meant, when one is close.
func unknownKey(at []string) string {
	name := at[len(at)-1]
	known := keysAt(at[:len(at)-1])
	best, bestDistance := "", 3
	for _, k := range known {
		if d := distance(name, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown key %q: did you mean %q?", strings.Join(at, "."), best)
	}
	return fmt.Sprintf("unknown key %q: known here are %s", strings.Join(at, "."), strings.Join(known, ", "))
}

func keysAt(at []string) []string {
	type object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var o object
	if json.Unmarshal(Schema, &o) != nil {
		return nil
	}
	for _, k := range at {
		var next object
		if json.Unmarshal(o.Properties[k], &next) != nil {
			return nil
		}
		o = next
	}
	var out []string
	for k := range o.Properties {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// distance is how many letters have to be changed, added or dropped to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// lineAt is the line of the value at a path of keys, or of the nearest one above it.
func lineAt(n *yaml.Node, at []string) int {
	for _, key := range at {
		next := child(n, key)
		if next == nil {
			break
		}
		n = next
	}
	return n.Line
}

func child(n *yaml.Node, key string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				found := *n.Content[i+1]
				found.Line = n.Content[i].Line
				return &found
			}
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			if fmt.Sprint(i) == key {
				return c
			}
		}
	}
	return nil
}

func syntaxProblem(err error) Problem {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if _, scan := fmt.Sscanf(text, "line %d:", &line); scan == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return Problem{Line: max(line, 1), What: text}
}

// Values returns what is in force, under the names of the file.
func (c *Config) Values() map[string]any {
	return map[string]any{
		"version": c.Version, "repository": c.Repository, "branch": c.Branch, "exclude": append([]string{}, c.Exclude...),
		"max_file_bytes": c.MaxFileBytes, "docs": map[string]any{"dir": c.Docs.Dir, "front_matter": c.Docs.FrontMatter},
	}
}

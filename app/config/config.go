// Package config reads .causal/config.yml, the one file of causal's directory that people write. Its JSON Schema is
// the reference; what does not match it is an error that says where and what to write instead.
package config

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
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
	Review       Review   `yaml:"review"`
	Model        Model    `json:",omitzero"      yaml:"model"`

	Bot Bot `json:"-" yaml:"bot"` // nothing that is known depends on it

	globs []condition.Glob
}

// Docs configures the rendered pages.
type Docs struct {
	Dir         string `yaml:"dir"`
	FrontMatter bool   `yaml:"front_matter"`
	// Given reports whether the file names the directory.
	Given bool `json:"-" yaml:"-"`
	// Site is the file that tells of a site in whose sources pages must not be, where Dir was chosen because of it.
	Site string `json:"-" yaml:"-"`
}

// Bot configures what the server and the Action do with what they brought up to date.
type Bot struct {
	Mode   Mode   `yaml:"mode"`
	Ignore Ignore `yaml:"ignore"`
	// CommitSuffix is appended to the subject of each commit on a branch that is documented.
	CommitSuffix string `yaml:"commit_suffix"`
	Comments     bool   `yaml:"comments"` // whether pull requests are told in a comment, and not in the check run alone
	DryRun       bool   `yaml:"dry_run"`  // whether nothing but check runs is written
}

// longestSuffix is how many bytes CommitSuffix may have: a subject has to fit a line.
const longestSuffix = 60

// Subject is the subject of a commit with the suffix.
func (b Bot) Subject(subject string) string { return strings.TrimSpace(subject + " " + b.CommitSuffix) }

// Mode is how updates are published.
type Mode string

// The modes.
const (
	ModeCommit      Mode = "commit"       // to the branch itself; where that is protected, by a pull request
	ModePullRequest Mode = "pull_request" // by one pull request that follows the branch
	ModeCheck       Mode = "check"        // not at all: the check run tells what is stale
)

var modes = []Mode{ModeCommit, ModePullRequest, ModeCheck}

// Valid reports whether there is such a mode.
func (m Mode) Valid() bool { return slices.Contains(modes, m) }

// Default is the configuration of a repository that has none.
func Default() *Config {
	return &Config{
		Version: 1, Branch: "main", MaxFileBytes: 2 << 20, Docs: Docs{Dir: "docs/causal", FrontMatter: true}, Review: defaultReview(), Model: defaultModel(), Bot: Bot{Mode: ModeCommit, Comments: true},
	}
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

// LargestFile is how many bytes a configuration may have: some hundred times as many as all settings take.
const LargestFile = 64 << 10

// TooLarge is the error for a configuration of more than LargestFile bytes.
func TooLarge(file string) error {
	return &Error{File: file, Problems: []Problem{{1, fmt.Sprintf("the file is larger than %d KB", LargestFile>>10)}}}
}

// Parse reads a configuration. file is what errors call it.
func Parse(file string, data []byte) (*Config, error) {
	fail := func(problems ...Problem) (*Config, error) {
		sort.SliceStable(problems, func(i, j int) bool { return problems[i].Line < problems[j].Line })
		return nil, &Error{File: file, Problems: problems}
	}
	if len(data) > LargestFile {
		return nil, TooLarge(file)
	}
	var root, more yaml.Node
	documents, err := canonical.Reader(data)
	if err != nil {
		return fail(syntaxProblem(err))
	}
	if err := documents.Load(&root); err != nil && !errors.Is(err, io.EOF) {
		return fail(syntaxProblem(err))
	}
	if err := documents.Load(&more); err == nil {
		return fail(Problem{max(more.Line, 1), "a second document begins here, and only the first would count"})
	} else if !errors.Is(err, io.EOF) {
		return fail(syntaxProblem(err))
	}
	c := Default()
	if len(root.Content) == 0 {
		return c, nil
	}
	if root.Content[0].Kind != yaml.MappingNode {
		if root.Content[0].Tag == "!!null" {
			return c, nil
		}
		return fail(Problem{root.Content[0].Line, "a configuration is a list of keys with values"})
	}
	if problems := shape(root.Content[0], nil); len(problems) > 0 {
		return fail(problems...)
	}
	if twice, ok := errors.AsType[*canonical.TwiceError](canonical.Unique(&root)); ok {
		return fail(Problem{twice.Line, twice.What()})
	}
	if err := root.Load(c, yaml.WithUniqueKeys(false)); err != nil {
		return fail(syntaxProblem(err))
	}
	if problems := c.check(root.Content[0]); len(problems) > 0 {
		return fail(problems...)
	}
	return c, nil
}

// address is what a repository's address on the web looks like.
var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^https?://[^\s/]+/\S*[^\s/]$`) })

// Bounds of max_file_bytes.
const (
	leastBytes = 1 << 10
	mostBytes  = 16 << 20
)

// check holds the values to their bounds.
func (c *Config) check(root *yaml.Node) []Problem {
	var out []Problem
	wrong := func(bad bool, what string, at ...string) {
		if bad {
			out = append(out, Problem{lineAt(root, at), what})
		}
	}
	wrong(c.Version != 1, fmt.Sprintf("unknown version %d: it must be 1", c.Version), "version")
	wrong(c.Repository != "" && !address().MatchString(c.Repository),
		fmt.Sprintf("repository %q must be an address such as https://github.com/example/shop, without a slash at its end", c.Repository), "repository")
	wrong(c.MaxFileBytes < leastBytes || c.MaxFileBytes > mostBytes,
		fmt.Sprintf("max_file_bytes %d must be from %d to %d", c.MaxFileBytes, leastBytes, mostBytes), "max_file_bytes")
	wrong(!c.Bot.Mode.Valid(), fmt.Sprintf("bot.mode %q must be commit, pull_request or check", c.Bot.Mode), "bot", "mode")
	wrong(len(c.Bot.CommitSuffix) > longestSuffix || plain.Line(c.Bot.CommitSuffix, longestSuffix) != c.Bot.CommitSuffix,
		fmt.Sprintf("bot.commit_suffix %q must be one line of at most %d bytes", c.Bot.CommitSuffix, longestSuffix), "bot", "commit_suffix")
	for at, what := range c.Bot.Ignore.problems() {
		wrong(true, what, "bot", "ignore", at[0], at[1])
	}
	for i, pattern := range c.Exclude {
		g, err := condition.ParseGlob(pattern)
		if err != nil {
			out = append(out, Problem{lineAt(root, []string{"exclude", fmt.Sprint(i)}), fmt.Sprintf("exclude %q: %v", pattern, err)})
		}
		c.globs = append(c.globs, g)
	}
	for _, p := range c.Review.problems() {
		wrong(true, p.what, append([]string{"review"}, p.at...)...)
	}
	for _, p := range c.Model.problems() {
		wrong(true, p.what, append([]string{"model"}, p.at...)...)
	}
	dir := path.Clean(c.Docs.Dir)
	if path.IsAbs(dir) || dir == "." || dir == ".." || strings.HasPrefix(dir, "../") || strings.Contains(dir, `\`) {
		out = append(out, Problem{lineAt(root, []string{"docs", "dir"}),
			fmt.Sprintf("docs.dir %q must be a directory below the repository's root, such as docs/causal", c.Docs.Dir)})
	}
	for _, s := range strings.Split(dir, "/") {
		if taken := reserved(s); taken != "" {
			out = append(out, Problem{lineAt(root, []string{"docs", "dir"}), fmt.Sprintf("docs.dir must not be inside %s", taken)})
		}
	}
	docs := child(root, "docs")
	c.Docs.Dir, c.Docs.Given = dir, docs != nil && child(docs, "dir") != nil
	return out
}

// reserved is the directory that a name means on some disk, where that is git's or causal's own: disks that ignore case, those
// that drop dots and spaces at the end of a name and what is behind a colon, those that leave out characters which nobody sees,
// and the short names of Windows.
func reserved(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimRight(strings.ToLower(name), ". ")
	switch {
	case name == ".git", name == ".causal":
		return name
	case shortName.MatchString(name) && name[0] == 'c':
		return ".causal"
	case shortName.MatchString(name):
		return ".git"
	}
	return ""
}

// shortName is what Windows may call .git or .causal in eight characters.
var shortName = lazyregexp.New(`^(git|causal|gi[0-9a-f]{4}|ca[0-9a-f]{4})~[0-9]+$`)

// Excluded reports whether a path is excluded.
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

// tags are the YAML tags of the schema's types.
var tags = map[string]string{
	"string": "!!str", "integer": "!!int", "boolean": "!!bool", "array": "!!seq", "object": "!!map",
}

// shape holds keys and types to the schema.
func shape(n *yaml.Node, at []string) []Problem {
	known := keysAt(at)
	var out []Problem
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := append(slices.Clone(at), n.Content[i].Value), n.Content[i+1]
		want, ok := known[n.Content[i].Value]
		switch {
		case !ok:
			out = append(out, Problem{n.Content[i].Line, unknownKey(key)})
		case value.ShortTag() != tags[want.Type]:
			out = append(out, Problem{value.Line, fmt.Sprintf("%s must be %s %s", strings.Join(key, "."), article(want.Type), want.Type)})
		case want.Type == "object":
			out = append(out, shape(value, key)...)
		case want.Type == "array":
			for _, item := range value.Content {
				if item.ShortTag() != "!!str" {
					out = append(out, Problem{item.Line, fmt.Sprintf("%s must be a list of strings", strings.Join(key, "."))})
				}
			}
		}
	}
	return out
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeio") {
		return "an"
	}
	return "a"
}

// unknownKey says which key was meant, when one is close.
func unknownKey(at []string) string {
	if text := elsewhere(at); text != "" {
		return text
	}
	name := at[len(at)-1]
	known := slices.Sorted(maps.Keys(keysAt(at[:len(at)-1])))
	best, bestDistance := "", 3
	for _, k := range known {
		if d := distance(name, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown key %q: did you mean %q?", strings.Join(at, "."), best)
	}
	return fmt.Sprintf("unknown key %q: the keys here are %s", strings.Join(at, "."), strings.Join(known, ", "))
}

// property is one key of the schema.
type property struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
}

var schema = sync.OnceValue(func() property {
	var p property
	if err := json.Unmarshal(Schema, &p); err != nil {
		panic("config schema: " + err.Error())
	}
	return p
})

func keysAt(at []string) map[string]property {
	p := schema()
	for _, k := range at {
		p = p.Properties[k]
	}
	return p.Properties
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

// syntaxProblem takes the place out of an error of the YAML reader.
func syntaxProblem(err error) Problem {
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return Problem{Line: max(one.Mark.Line, one.ContextMark.Line, 1), What: one.Message}
	}
	return Problem{Line: 1, What: strings.TrimPrefix(err.Error(), "yaml: ")}
}

// Values returns what is in force, under the names of the file.
func (c *Config) Values() map[string]any {
	return map[string]any{
		"version": c.Version, "repository": c.Repository, "branch": c.Branch, "exclude": append([]string{}, c.Exclude...),
		"max_file_bytes": c.MaxFileBytes, "docs": map[string]any{"dir": c.Docs.Dir, "front_matter": c.Docs.FrontMatter}, "review": c.Review.values(), "model": c.Model.values(),
		"bot": map[string]any{"mode": string(c.Bot.Mode), "commit_suffix": c.Bot.CommitSuffix, "comments": c.Bot.Comments, "dry_run": c.Bot.DryRun, "ignore": map[string]any{
			"drafts": c.Bot.Ignore.Drafts, "labels": append([]string{}, c.Bot.Ignore.Labels...),
			"paths": append([]string{}, c.Bot.Ignore.Paths...), "authors": append([]string{}, c.Bot.Ignore.Authors...),
		}},
	}
}

// Package config reads .causal/config.yml, the configuration that users write. Its JSON Schema is the reference. Every
// mismatch is an error with its place and a fix.
package config

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/agnivade/levenshtein"
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

	Bot Bot `json:"-" yaml:"bot"` // not part of the key

	globs []condition.Glob
}

// Docs configures the rendered pages.
type Docs struct {
	Dir         string `yaml:"dir"`
	FrontMatter bool   `yaml:"front_matter"`
	// Line is the line of the file that names the directory, or 0.
	Line int `json:"-" yaml:"-"`
	// Former are other directories with pages of causal. Nothing in them is a source or a document.
	Former []string `json:",omitempty" yaml:"-"`
	// Site is the configuration file of a documentation site, if Dir was chosen to keep pages out of its sources.
	Site string `json:"-" yaml:"-"`
}

// Bot configures how the server and the Action publish updates.
type Bot struct {
	Mode   Mode   `yaml:"mode"`
	Ignore Ignore `yaml:"ignore"`
	// CommitSuffix is appended to the subject of each commit on a documented branch.
	CommitSuffix string `yaml:"commit_suffix"`
	Comments     bool   `yaml:"comments"` // comment on pull requests, in addition to the check run
	DryRun       bool   `yaml:"dry_run"`  // write only check runs
}

// longestSuffix bounds the bytes of CommitSuffix: a subject has to fit a line.
const longestSuffix = 60

// Subject returns the subject of a commit with the suffix.
func (b Bot) Subject(subject string) string { return strings.TrimSpace(subject + " " + b.CommitSuffix) }

// Mode is how updates are published.
type Mode string

// The modes.
const (
	ModeCommit      Mode = "commit"       // to the branch, or by a pull request if the branch is protected
	ModePullRequest Mode = "pull_request" // by one pull request that follows the branch
	ModeCheck       Mode = "check"        // not at all: the check run lists stale units
)

var modes = []Mode{ModeCommit, ModePullRequest, ModeCheck}

// Valid reports whether the mode exists.
func (m Mode) Valid() bool { return slices.Contains(modes, m) }

// mostBytes is the default of max_file_bytes.
const mostBytes = 2 << 20

// Default returns the configuration of a repository without a file.
func Default() *Config {
	return &Config{
		Version: 1, Branch: "main", MaxFileBytes: mostBytes, Docs: Docs{Dir: "docs/causal", FrontMatter: true}, Review: defaultReview(), Model: defaultModel(), Bot: Bot{Mode: ModeCommit, Comments: true},
	}
}

// Problem is an error at a place of the file.
type Problem struct {
	Line int
	What string
}

// Error lists all errors of a configuration.
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

// LargestFile bounds the bytes of a configuration, at about a hundred times the size of all settings.
const LargestFile = 64 << 10

// TooLarge returns the error for a configuration of more than LargestFile bytes.
func TooLarge(file string) error {
	return &Error{File: file, Problems: []Problem{{1, fmt.Sprintf("the file is larger than %d KB", LargestFile>>10)}}}
}

// Parse reads a configuration. file is its name in errors.
func Parse(file string, data []byte) (*Config, error) {
	fail := func(problems ...Problem) (*Config, error) {
		sort.SliceStable(problems, func(i, j int) bool { return problems[i].Line < problems[j].Line })
		return nil, &Error{File: file, Problems: problems}
	}
	if len(data) > LargestFile {
		return nil, TooLarge(file)
	}
	c := Default()
	root, err := canonical.Document(data)
	if errors.Is(err, canonical.ErrEmpty) {
		return c, nil
	}
	if err != nil {
		return fail(problemOf(err))
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
	if err := root.Load(c, yaml.WithUniqueKeys(false)); err != nil {
		return fail(problemOf(err))
	}
	if problems := c.check(root.Content[0]); len(problems) > 0 {
		return fail(problems...)
	}
	return c, nil
}

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^https?://[^\s/]+/\S*[^\s/]$`) })

// isAddress reports whether paths of files can follow a text as a web address.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && address().MatchString(text) && !strings.ContainsAny(text, "?#") && u.Hostname() != ""
}

// notInBranch matches what git forbids in the name of a branch.
var notInBranch = lazyregexp.New(`^$|^[-/]|^refs/|^(HEAD|@)$|[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|(^|/)\.|(\.lock|[./])(/|$)`)

func isBranch(name string) bool { return !notInBranch.MatchString(name) }

func (c *Config) check(root *yaml.Node) []Problem {
	var out []Problem
	wrong := func(bad bool, what string, at ...string) {
		if bad {
			out = append(out, Problem{lineAt(root, at), what})
		}
	}
	secret := strings.Contains(c.Repository, "@")
	wrong(secret, "repository must not contain a user name or a password: pages show this address. Remove the part up to the @, and revoke a password that was committed", "repository")
	wrong(c.Repository != "" && !secret && !isAddress(c.Repository),
		fmt.Sprintf("repository %q must be an address such as https://github.com/example/shop, without a slash at its end", c.Repository), "repository")
	wrong(!isBranch(c.Branch), fmt.Sprintf("branch %q must be the short name of a branch, such as main", c.Branch), "branch")
	wrong(len(c.Bot.CommitSuffix) > longestSuffix || plain.Line(c.Bot.CommitSuffix, longestSuffix) != c.Bot.CommitSuffix,
		fmt.Sprintf("bot.commit_suffix %q must be one line of at most %d bytes", c.Bot.CommitSuffix, longestSuffix), "bot", "commit_suffix")
	for _, list := range []struct {
		key      string
		patterns []string
		globs    *[]condition.Glob
	}{
		{"exclude", c.Exclude, &c.globs},
		{"review.ignore", c.Review.Ignore, &c.Review.ignored},
		{"model.exclude", c.Model.Exclude, &c.Model.excluded},
		{"bot.ignore.paths", c.Bot.Ignore.Paths, new([]condition.Glob)},
	} {
		for i, pattern := range list.patterns {
			globs, err := globsOf(pattern)
			wrong(err != nil, fmt.Sprintf("%s %q: %v", list.key, pattern, err), strings.Split(fmt.Sprint(list.key, ".", i), ".")...)
			*list.globs = append(*list.globs, globs...)
		}
	}
	for key, list := range map[string][]string{"labels": c.Bot.Ignore.Labels, "authors": c.Bot.Ignore.Authors} {
		for i, name := range list {
			wrong(strings.TrimSpace(name) == "", fmt.Sprintf("bot.ignore.%s has an empty name", key), "bot", "ignore", key, fmt.Sprint(i))
		}
	}
	dir := path.Clean(c.Docs.Dir)
	if path.IsAbs(dir) || dir == "." || dir == ".." || strings.HasPrefix(dir, "../") || strings.Contains(dir, `\`) {
		wrong(true, fmt.Sprintf("docs.dir %q must be a directory below the repository's root, such as docs/causal", c.Docs.Dir), "docs", "dir")
	}
	for _, s := range strings.Split(dir, "/") {
		if taken := reserved(s); taken != "" {
			wrong(true, "docs.dir must not be inside "+taken, "docs", "dir")
		}
	}
	c.Docs.Dir, c.Docs.Line = dir, 0
	if docs := child(root, "docs"); docs != nil && child(docs, "dir") != nil {
		c.Docs.Line = lineAt(root, []string{"docs", "dir"})
	}
	return out
}

// reserved returns the reserved directory, git's or causal's, that a name means on some file system: one that ignores
// case, drops trailing dots and spaces or the text after a colon, ignores invisible characters, or has Windows short
// names.
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

// shortName matches the Windows short names of .git and .causal.
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

// Key identifies the part of the configuration on which conclusions depend.
func (c *Config) Key() string {
	data, _ := json.Marshal(c) // cannot fail: only strings, numbers and booleans
	return string(data)
}

var tags = map[string]string{
	"string": "!!str", "integer": "!!int", "boolean": "!!bool", "array": "!!seq", "object": "!!map",
}

// shape checks keys and values against the schema.
func shape(n *yaml.Node, at []string) []Problem {
	known := keysAt(at)
	var out []Problem
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := append(slices.Clone(at), n.Content[i].Value), n.Content[i+1]
		want, ok := known[n.Content[i].Value]
		name := strings.Join(key, ".")
		switch {
		case !ok:
			out = append(out, Problem{n.Content[i].Line, unknownKey(key)})
		case value.ShortTag() != tags[want.Type]:
			out = append(out, Problem{value.Line, fmt.Sprintf("%s must be %s %s", name, article(want.Type), want.Type)})
		case want.Type == "object":
			out = append(out, shape(value, key)...)
		case want.Type == "array":
			for _, item := range value.Content {
				if item.ShortTag() != "!!str" {
					out = append(out, Problem{item.Line, name + " must be a list of strings"})
				} else if must := want.Items.must(item); must != "" {
					out = append(out, Problem{item.Line, fmt.Sprintf("%s %q must be %s", name, item.Value, must)})
				}
			}
		default:
			if must := want.must(value); must != "" {
				out = append(out, Problem{n.Content[i].Line, fmt.Sprintf("%s %s must be %s", name, quoted(value), must)})
			}
		}
	}
	return out
}

func quoted(n *yaml.Node) string {
	if n.ShortTag() == "!!str" {
		return strconv.Quote(n.Value)
	}
	return n.Value
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeio") {
		return "an"
	}
	return "a"
}

// unknownKey suggests the closest key.
func unknownKey(at []string) string {
	if text := elsewhere(at); text != "" {
		return text
	}
	name := at[len(at)-1]
	known := slices.Sorted(maps.Keys(keysAt(at[:len(at)-1])))
	best, bestDistance := "", 3
	for _, k := range known {
		if d := levenshtein.ComputeDistance(name, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown key %q: did you mean %q?", strings.Join(at, "."), best)
	}
	return fmt.Sprintf("unknown key %q: the keys here are %s", strings.Join(at, "."), strings.Join(known, ", "))
}

type property struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Items      *property           `json:"items"`
	Enum       []any               `json:"enum"`
	Minimum    int64               `json:"minimum"`
	Maximum    int64               `json:"maximum"` // 0 without bounds
}

// must returns what a value has to be, or "" if it is that.
func (p *property) must(value *yaml.Node) string {
	var words []string
	for _, word := range p.Enum {
		words = append(words, fmt.Sprint(word))
	}
	if most := len(words) - 1; most >= 0 && !slices.Contains(words, value.Value) {
		return strings.TrimPrefix(strings.Join(words[:most], ", ")+" or "+words[most], " or ")
	}
	var n int64
	if p.Maximum > 0 && (value.Load(&n) != nil || n < p.Minimum || n > p.Maximum) {
		return fmt.Sprintf("from %d to %d", p.Minimum, p.Maximum)
	}
	return ""
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

// lineAt returns the line of the value at a path of keys, or of its nearest parent.
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

func problemOf(err error) Problem {
	line, what := canonical.Place(err)
	return Problem{line, what}
}

// Values returns the effective values under their names in the file.
func (c *Config) Values() (out map[string]any) {
	data, _ := yaml.Marshal(c) // cannot fail: only strings, numbers and booleans
	_ = yaml.Unmarshal(data, &out)
	return out
}

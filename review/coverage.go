package review

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/stale"
)

// Coverage counts the files that a review did and did not examine.
type Coverage struct {
	Examined []FileCount `json:"examined"`     // changed files that causal's own checks read, by language
	Missed   []FileCount `json:"not_examined"` // changed files that they did not read: no reader for the language, or listed in not_analysed
	Checks   []string    `json:"checks"`       // rules and tools that ran
	Unplaced int         `json:"unplaced"`     // linter results that match no file of the repository
	Failed   []Failure   `json:"failed"`       // linters and skills without a complete result
}

// Failure is a check that failed. A review without its result is no success.
type Failure struct {
	Check  string `json:"check"` // the tool, or skill/<id>
	Reason string `json:"reason"`
}

func (f Failure) String() string { return f.Check + " failed: " + f.Reason }

// FileCount counts the files of one language.
type FileCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
}

// Checks lists causal's own rules, which every review applies.
var Checks = []string{api.Rule, stale.NameRule, stale.ParameterRule, stale.ReferenceRule, stale.UntestedRule}

type coverage struct {
	Language string `json:"language"`
	Examined bool   `json:"examined"`
}

func (c *Conclusion) cover(in engine.Input, f *change.File) error {
	unit, err := stale.Source(in.Reader, f)
	if err != nil {
		return err
	}
	c.Covered = &coverage{Language: languageOf(f.Path), Examined: change.IsDocument(f.Path)}
	if c.Covered.Language == markdown {
		c.Covered.Language = strings.TrimSpace(change.Excluded(f.Path) + " " + markdown)
	}
	if unit != nil {
		c.Covered.Examined = unit.Opaque == "" && unit.File.Problem == ""
	}
	for _, s := range c.Skipped {
		c.Covered.Examined = c.Covered.Examined && s.Path != f.Path
	}
	return nil
}

func (c *Coverage) add(one *coverage) {
	list := &c.Missed
	if one.Examined {
		list = &c.Examined
	}
	find := func(language string) (int, bool) {
		return slices.BinarySearchFunc(*list, language, func(f FileCount, l string) int { return cmp.Compare(f.Language, l) })
	}
	language := one.Language
	at, known := find(language)
	if !known && len(*list) >= mostLanguages {
		language = other
		at, known = find(language)
	}
	if !known {
		*list = slices.Insert(*list, at, FileCount{Language: language})
	}
	(*list)[at].Files++
}

// Limits of a list: a change may have files with any names.
const (
	mostLanguages = 20
	longestName   = 20 // bytes of an extension or a name
	other         = "other"
	markdown      = "Markdown"
)

// Count returns the total number of files in a list.
func Count(list []FileCount) (n int) {
	for _, f := range list {
		n += f.Files
	}
	return n
}

var endings = lazy.Value[map[string]string]{Make: func() map[string]string {
	byEnding := map[string]string{}
	for name, list := range map[string]string{
		markdown: "md mdx markdown", "reStructuredText": "rst", "Ruby": "rb rake gemspec", "PHP": "php", "C#": "cs", "Kotlin": "kt kts",
		"Swift": "swift", "Scala": "scala", "Shell": "sh bash zsh", "SQL": "sql", "HTML": "html htm", "CSS": "css scss less", "YAML": "yml yaml",
		"JSON": "json", "TOML": "toml", "XML": "xml", "Dart": "dart", "Elixir": "ex exs", "Lua": "lua", "Perl": "pl pm",
		"Objective-C": "m mm", "Terraform": "tf", "Protocol Buffers": "proto",
	} {
		for ending := range strings.FieldsSeq(list) {
			byEnding[ending] = name
		}
	}
	return byEnding
}}

// languageOf returns the display name of a file's language, or, if that is unknown, its extension or name.
func languageOf(file string) string {
	ending := path.Ext(file)
	if t := source.TraitsOfFile(strings.ToLower(ending)); t.Name != "" {
		return cmp.Or(t.Title, strings.ToUpper(t.Name[:1])+t.Name[1:])
	}
	if name, ok := endings.Get()[strings.ToLower(strings.TrimPrefix(ending, "."))]; ok {
		return name
	}
	name := cmp.Or(ending, path.Base(file))
	if len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return other
	}
	return name
}

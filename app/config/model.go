package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// Model configures the use of language models. A repository must not choose the model, its address or its key.
type Model struct {
	Use          []prompt.Use `json:"-"          yaml:"use"`
	Exclude      []string     `json:",omitempty" yaml:"exclude"` // globs of files that no model may see
	TokensPerRun int          `json:"-"          yaml:"tokens_per_run"`

	excluded []condition.Glob
}

// IsZero reports whether no conclusion depends on the values: Config.Key then omits them.
func (m Model) IsZero() bool { return len(m.Exclude) == 0 }

// uses are in the order of the documentation.
var uses = []prompt.Use{prompt.Docs, prompt.Review, prompt.Testgen, prompt.Memory, prompt.Ask, prompt.Skills}

func defaultModel() Model { return Model{Use: slices.Clone(uses), TokensPerRun: 500_000} }

// Allows reports whether a model may be asked for a use.
func (m Model) Allows(u prompt.Use) bool { return slices.Contains(m.Use, u) }

// Excludes reports whether a file is hidden from models.
func (m Model) Excludes(file string) bool {
	return slices.ContainsFunc(m.excluded, func(g condition.Glob) bool { return g.Match(file) })
}

// settingFor lists the environment variables for settings that a repository must not have, by words in the key.
var settingFor = []struct{ words, variable string }{
	{"url base endpoint host address server", "CAUSAL_MODEL_URL"},
	{"key token secret auth", "CAUSAL_MODEL_KEY"},
	{"provider api", "CAUSAL_MODEL_PROVIDER"},
	{"command", "CAUSAL_MODEL_COMMAND"},
	{"name model id", "CAUSAL_MODEL"},
	{"offline", "CAUSAL_OFFLINE"},
}

// elsewhere returns the hint for a key below model that is a user setting; empty for other keys.
func elsewhere(at []string) string {
	if len(at) != 2 || at[0] != "model" {
		return ""
	}
	parts := strings.FieldsFunc(strings.ToLower(at[1]), func(r rune) bool { return r == '_' || r == '-' })
	for _, s := range settingFor {
		for _, word := range strings.Fields(s.words) {
			if slices.Contains(parts, word) {
				return fmt.Sprintf("unknown key %q: a repository must not decide which model is asked and who gets the key; set %s in the environment instead", strings.Join(at, "."), s.variable)
			}
		}
	}
	return ""
}

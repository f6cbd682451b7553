package sarif

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

type topic struct {
	category finding.Category
	words    []string
}

// topics maps words in the tags of rules to categories, the most important first. A word also matches longer tags
// that continue with a separator, as in "CWE-79".
var topics = []topic{
	{finding.Security, []string{"security", "vulnerability", "cwe", "owasp", "malware", "secret", "secrets"}},
	{finding.APIBreak, []string{"api-break"}},
	{finding.Correctness, []string{"correctness", "bug", "bugs", "reliability", "error-prone", "suspicious", "possible-errors", "problem"}},
	{finding.Performance, []string{"performance", "perf", "efficiency"}},
	{finding.Tests, []string{"tests", "test", "testing"}},
	{finding.DocsDrift, []string{"docs-drift", "docs", "documentation", "doc"}},
	{finding.Maintainability, []string{
		"maintainability", "readability", "style", "stylistic", "layout", "complexity", "code-smell", "best-practices", "best-practice",
		"convention", "naming", "design", "refactor", "suggestion", "pedantic", "nursery", "useless-code", "deprecated",
	}},
}

// category returns the category from the tags of a result, or else of its rule. Without tags, an error counts as
// correctness, and anything less as maintainability.
func category(s finding.Severity, all ...properties) finding.Category {
	for _, p := range all {
		for _, t := range topics {
			if bool(p.Severity) && t.category == finding.Security || t.is(string(p.Category)) ||
				slices.ContainsFunc(p.Tags.v, func(tag word) bool { return t.is(string(tag)) }) {
				return t.category
			}
		}
	}
	if s == finding.Error {
		return finding.Correctness
	}
	return finding.Maintainability
}

func (t topic) is(tag string) bool {
	tag = strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(tag), " ", "-"), "external/")
	return slices.ContainsFunc(t.words, func(word string) bool {
		rest, ok := strings.CutPrefix(tag, word)
		return ok && (rest == "" || strings.ContainsRune("-/:_", rune(rest[0])))
	})
}

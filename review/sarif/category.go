package sarif

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// topic is a category with its words.
type topic struct {
	category finding.Category
	words    []string
}

// topics are the words by which tools say what their rules are about, the weightiest topic first. A word stands for what begins with
// it and goes on after a separator as well, as in "CWE-79".
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

// category is what the tags of a result say, else those of its rule. Of a tool that says nothing, an error is taken to be about what the code
// does, and anything less to be about how it reads.
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

// is reports whether a tag is about the topic.
func (t topic) is(tag string) bool {
	tag = strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(tag), " ", "-"), "external/")
	return slices.ContainsFunc(t.words, func(word string) bool {
		rest, ok := strings.CutPrefix(tag, word)
		return ok && (rest == "" || strings.ContainsRune("-/:_", rune(rest[0])))
	})
}

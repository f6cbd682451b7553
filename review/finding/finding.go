// Package finding holds what a review says of a change: one finding, in the form in which it is told, kept with the change, and
// recognised again in the next version.
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Severity is how bad a finding is, in SARIF's words.
type Severity string

// The severities, from the worst.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// severities are all there are, from the least.
var severities = []Severity{Note, Warning, Error}

// Valid reports whether there is such a severity.
func (s Severity) Valid() bool { return slices.Contains(severities, s) }

// Compare orders severities from the least to the worst.
func (s Severity) Compare(other Severity) int {
	return cmp.Compare(slices.Index(severities, s), slices.Index(severities, other))
}

// AtLeast reports whether s is as bad as another severity, or worse.
func (s Severity) AtLeast(other Severity) bool { return s.Compare(other) >= 0 }

// Category is what a finding is about.
type Category string

// The categories.
const (
	Correctness     Category = "correctness"
	Security        Category = "security"
	APIBreak        Category = "api-break"
	DocsDrift       Category = "docs-drift"
	Tests           Category = "tests"
	Performance     Category = "performance"
	Maintainability Category = "maintainability"
)

// categories are all there are.
var categories = []Category{Correctness, Security, APIBreak, DocsDrift, Tests, Performance, Maintainability}

// Valid reports whether there is such a category.
func (c Category) Valid() bool { return slices.Contains(categories, c) }

// Side is the version of a file that a place is in.
type Side string

// The sides of a change.
const (
	Right Side = "right" // the new version
	Left  Side = "left"  // the old one, where only that has the line
)

// Skipped is a file that a check should have read and could not.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Place is where something outside of the finding's own module is concerned by it, in the new version.
type Place struct {
	Module string `json:"module"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
}

// Suggestion is an edit that mends a finding: the replacement, without an end of line, takes the place of the lines from Line to
// EndLine of the new version.
type Suggestion struct {
	Path        string `json:"path"`
	Line        int    `json:"line"`
	EndLine     int    `json:"end_line"`
	Replacement string `json:"replacement"`
}

// Finding is one thing that is wrong at one place of a change. A check makes it without an ID, which it gets when it is compared
// with what was found before.
type Finding struct {
	ID       string   `json:"id"`
	Rule     string   `json:"rule"` // "<tool>/<rule>" of a linter's
	Category Category `json:"category"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // from the repository's root, with forward slashes
	// Line and EndLine are the first and last line, from 1, of the version that Side says.
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Side    Side   `json:"side"`
	Symbol  string `json:"symbol,omitempty"` // the declaration that it is in or about, by its name in the module's node
	Quote   string `json:"quote"`            // the text of those lines, free of indentation and line ends at both ends
	Message string `json:"message"`
	// Pattern identifies what findings of one kind have in common whatever the names in them. Principle is the one that it belongs to.
	Pattern    string  `json:"pattern"`
	Principle  *string `json:"principle"`
	Dependants []Place `json:"dependants,omitempty"`
	// Unsure is set of what may hit somebody, and of which nothing in the repository shows that it does.
	Unsure     bool        `json:"unsure,omitempty"`
	Suggestion *Suggestion `json:"suggestion,omitempty"`
	// Condition says what would make the finding wrong, in the engine's vocabulary.
	Condition string `json:"invalidation_condition"`

	// Anchor and Context are what the finding is recognised by, beside its rule and symbol: the flagged text without white space,
	// and a digest of the lines around it. Neither the message nor the number of a line is.
	Anchor  string `json:"anchor"`
	Context string `json:"context"`
	// Blob is git's id of the content that Line counts in.
	Blob string `json:"blob"`
	// Scope is the heading or declaration that it stands under, by its line, where nobody names a Symbol.
	Scope string `json:"scope,omitempty"`
	// Frame is where it was concluded last, "<session>/<frame>".
	Frame string `json:"frame_id,omitempty"`
	// Flagged is the code that it is about, where whoever found it told that more closely than by lines.
	Flagged string `json:"-"`
	// Change is the kind of change that a rule of causal's own tells of, such as "parameter removed": its pattern is made of that.
	Change string `json:"-"`
}

// Check names what found it: the tool of a linter's finding, otherwise the rule. A finding is fixed when its check ran again and
// did not find it.
func (f Finding) Check() string {
	tool, _, ok := strings.Cut(f.Rule, "/")
	if !ok || tool == "principle" {
		return f.Rule
	}
	return tool
}

// Compare orders findings by path, line, rule and id, as they are told.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.ID, b.ID))
}

// Package finding defines a finding of a review: the form in which it is reported, stored with the change, and
// recognized in the next version.
package finding

import (
	"cmp"
	"slices"
	"strings"
)

// Severity is the severity of a finding, in SARIF's terms.
type Severity string

// The severities, the worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// severities are ordered from the least.
var severities = []Severity{Note, Warning, Error}

// Valid reports whether s is a known severity.
func (s Severity) Valid() bool { return slices.Contains(severities, s) }

// Compare orders severities from the least to the worst.
func (s Severity) Compare(other Severity) int {
	return cmp.Compare(slices.Index(severities, s), slices.Index(severities, other))
}

// AtLeast reports whether s is at least as severe as another severity.
func (s Severity) AtLeast(other Severity) bool { return s.Compare(other) >= 0 }

// Category is the subject of a finding.
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

// Side is a version of a file.
type Side string

// The sides of a change.
const (
	Right Side = "right" // the new version
	Left  Side = "left"  // the old version, if only that has the line
)

// Skipped is a file that a check could not read.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Place is a use in another module or file than the finding, in the new version. It is affected unless the same change
// adapted it.
type Place struct {
	Module  string `json:"module"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Adapted bool   `json:"adapted,omitempty"`
}

// Suggestion is an edit that fixes a finding. Replacement, without a final line end, replaces the lines from Line to
// EndLine of the new version.
type Suggestion struct {
	Path        string `json:"path"`
	Line        int    `json:"line"`
	EndLine     int    `json:"end_line"`
	Replacement string `json:"replacement"`
}

// Finding is one defect at one place of a change. It gets its ID when it is compared with earlier findings.
type Finding struct {
	ID       string   `json:"id"`
	Rule     string   `json:"rule"` // "<tool>/<rule>" for a linter
	Category Category `json:"category"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // from the repository's root, with forward slashes
	// Line and EndLine are the first and last line, from 1, in the version of Side.
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Side    Side   `json:"side"`
	Symbol  string `json:"symbol,omitempty"` // the declaration that it is in or about, as the survey names it
	Quote   string `json:"quote"`            // the text of those lines, trimmed
	Message string `json:"message"`
	// Pattern identifies findings of one kind, whatever the names. Principle is the slug of its principle.
	Pattern    string  `json:"pattern"`
	Principle  *string `json:"principle"`
	Dependants []Place `json:"dependants,omitempty"`
	// Unsure is set if the breakage is possible, but nothing in the repository proves it.
	Unsure     bool        `json:"unsure,omitempty"`
	Suggestion *Suggestion `json:"suggestion,omitempty"`
	// Condition becomes true when the finding is invalid, in the engine's vocabulary.
	Condition string `json:"invalidation_condition"`

	// Anchor and Context identify the finding, with its rule and symbol. Anchor is the flagged text without white
	// space, and Context a digest of the lines around it. The message and the line number do not count.
	Anchor  string `json:"anchor"`
	Context string `json:"context"`
	// Blob is the git object ID of the content that Line refers to.
	Blob string `json:"blob"`
	// Scope is the line of the enclosing heading or declaration, if Symbol is empty.
	Scope string `json:"scope,omitempty"`
	// Frame is the frame of the last conclusion, "<session>/<frame>".
	Frame string `json:"frame_id,omitempty"`
	// Flagged is the flagged code, if the tool reported it more precisely than by lines.
	Flagged string `json:"-"`
	// Change is the kind of change that causal's own rule reports, such as "parameter removed", part of the pattern.
	Change string `json:"-"`
}

// Check returns the name of the check that found it: the tool for a linter's finding, otherwise the rule. A finding
// is fixed when its check ran again without finding it.
func (f Finding) Check() string {
	tool, _, ok := strings.Cut(f.Rule, "/")
	if !ok || tool == "principle" {
		return f.Rule
	}
	return tool
}

// Compare orders findings by path, line, rule and ID.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.ID, b.ID))
}

package review

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// answered is a finding in an answer.
type answered struct {
	Rule     string           `json:"rule"`
	Quote    string           `json:"quote"`
	Message  string           `json:"message"`
	Severity finding.Severity `json:"severity"`
	Category finding.Category `json:"category"`
}

// Bounds of what an answer may say of one file.
const (
	mostAnswered  = 20
	longestAnswer = 2000 // bytes of a message
)

var slug = lazyregexp.New(`^[a-z][a-z0-9-]{0,60}$`)

// add takes findings from an answer. Each must quote what the change added: the line is where the quote is, whatever else is said.
func (c *Conclusion) add(raw, name string, f *change.File) error {
	var answer struct {
		Findings []answered `json:"findings"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		return fmt.Errorf("the answer is no list of findings: %w", err)
	}
	for i, a := range answer.Findings {
		reason := ""
		line, ok := quoted(f, a.Quote)
		switch {
		case i >= mostAnswered:
			reason = fmt.Sprintf("more than %d of one file", mostAnswered)
		case !slug.MatchString(a.Rule), !a.Severity.Valid(), !a.Category.Valid(), a.Message == "", len(a.Message) > longestAnswer:
			reason = "not in the form that was asked for"
		case !ok:
			reason = "the quoted text is not on a changed line"
		}
		rule := "model/" + a.Rule
		if reason != "" {
			c.Dropped = append(c.Dropped, Dropped{Rule: rule, Path: name, Reason: reason})
			continue
		}
		c.Findings = append(c.Findings, finding.Finding{
			Rule: rule, Category: a.Category, Severity: a.Severity, Path: f.Path, Line: line, EndLine: line, Side: finding.Right, Message: a.Message,
		})
	}
	return nil
}

// quoted returns the line that the change added and that holds a quote.
func quoted(f *change.File, quote string) (int, bool) {
	quote = strings.Join(strings.Fields(quote), " ")
	if f == nil || quote == "" {
		return 0, false
	}
	for i, line := range change.Split(f.After) {
		if f.Lines.Added(i+1, i+1) && strings.Contains(strings.Join(strings.Fields(line), " "), quote) {
			return i + 1, true
		}
	}
	return 0, false
}

// modified is the condition that a file is another one.
func modified(path string) string {
	g, err := condition.PathGlob(path)
	if err != nil {
		return "evidence_changed()"
	}
	return vocabulary.Call("modified", g.String()).String()
}

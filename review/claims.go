package review

import (
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Rules of test findings.
const (
	BehaviourRule   = "behaviour-change" // a test recorded another result than the code now has
	InvalidatedRule = "test-invalidated" // a test recorded a result of code that the change edits
)

// Claim is a finding about tests, reported for the file through which the change affects them.
type Claim struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Symbol   string           `json:"symbol"` // under test; it need not be declared in the file
	Message  string           `json:"message"`
}

const claimFacts fact.Family = "claims" // claims <path>: test findings for the file; claims .: the files that have some

func claims(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	list, err := survey.Ask[[]Claim](r, fact.New(claimFacts, name))
	if err != nil || len(list) == 0 || f != nil && (f.Gone || f.Unread != "") {
		return err
	}
	text, err := survey.Blob(r, name)
	if f != nil {
		text = f.After
	}
	if err != nil || len(text) == 0 {
		return err
	}
	module, err := survey.Read(r, path.Dir(name))
	if err != nil {
		return err
	}
	for _, one := range list {
		line, symbol := claimed(module, name, one.Symbol, f)
		c.Findings = append(c.Findings, finding.Finding{
			Rule: one.Rule, Category: finding.Tests, Severity: one.Severity, Path: name, Line: line, EndLine: line, Side: finding.Right, Symbol: symbol,
			Message: one.Message,
		})
	}
	return nil
}

func claimed(module *survey.Module, name, symbol string, f *change.File) (line int, declared string) {
	first, last := 1, 1
	i := slices.IndexFunc(module.Declared, func(d source.Declared) bool { return d.Path == name && d.Name == symbol })
	if i >= 0 {
		first, last, declared = module.Declared[i].Line, module.Declared[i].End, symbol
	} else if f != nil {
		last = f.Lines.Count()
	}
	if f != nil {
		for line := first; line <= last; line++ {
			if f.Lines.Added(line, line) {
				return line, declared
			}
		}
	}
	return first, declared
}

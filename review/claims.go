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

// The rules of what tests say of a change.
const (
	BehaviourRule   = "behaviour-change" // a result is another than the one that a test recorded
	InvalidatedRule = "test-invalidated" // what a test recorded is of code that the change has changed
)

// Claim is what a test says of a change that concerns it. Whoever keeps tests makes it, of the file through which the change does.
type Claim struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Symbol   string           `json:"symbol"` // that is tested; it need not be declared in the file
	Message  string           `json:"message"`
}

const claimFacts fact.Family = "claims" // claims <path>: what tests say of the change in the file

// claimsOf returns what tests say of a file; of ".", the files of which they say something.
func claimsOf[T any](r survey.Reader, name string) (T, error) {
	v, err := r.Read(fact.New(claimFacts, name))
	out, _ := v.(T)
	return out, err
}

// claims takes over what tests say of a file, at the first line that the change touched of what they are about.
func claims(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	list, err := claimsOf[[]Claim](r, name)
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

// claimed is the line of a file that a claim is about, and the symbol where the file declares it.
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

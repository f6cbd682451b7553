package answer

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// testsAnswer describes the tests of a function.
type testsAnswer struct {
	Spec    string           `json:"spec"`
	Status  spec.Status      `json:"status"`
	Why     string           `json:"why"`
	Cases   int              `json:"cases"`
	Kept    int              `json:"kept"` // cases in the test file
	Because string           `json:"because,omitempty"`
	File    string           `json:"file,omitempty"`   // changed file that invalidated it
	Commit  *changeAnswer    `json:"commit,omitempty"` // last commit that changed the file
	Changed []testgen.Change `json:"behaviour_changes,omitempty"`
}

// mendSpec says how to update a spec, by its status.
var mendSpec = map[spec.Status]string{
	spec.Invalidated: "its test is skipped until the next causal testgen --verify", spec.Pending: "causal testgen --verify records results",
}

// explainSpec explains a spec.
func (p place) explainSpec(ctx context.Context, a *Why, m workspace.Meant) error {
	s, err := testgen.ReadSpec(p.Files, m.File)
	var bad *spec.FileError
	if errors.As(err, &bad) {
		a.Name, a.File, a.Page, a.Says, a.From = "the spec of "+testgen.NameOf(m.File), m.File, m.File, bad.Error(), "edit or delete the file"
		return nil
	}
	if err != nil {
		return err
	}
	name := testgen.NameOf(m.File)
	a.Name, a.File, a.Pages = "the spec of "+name, m.File, []string{a.Page}
	a.Says, a.quoted, a.Condition, a.Generator, a.FrameID = s.Rationale, true, s.Condition, s.Provenance.Generator, s.FrameID
	a.Because = []because{
		{What: name, Level: "interface", Hash: s.DependsOn.Interface, How: "its interface"},
		{What: name, Level: "body", Hash: s.DependsOn.Body, How: "its code, with all code that it calls"},
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		how := c.Why
		if c.Quarantined != "" {
			how = "not in the code: " + c.Quarantined
		}
		a.Because = append(a.Because, because{What: spec.CallText(s.Target.Symbol, c), Level: string(c.Law), How: how})
	}
	if err := p.lastChange(ctx, a, []string{m.File}); err != nil {
		return err
	}
	if err := p.explainTests(ctx, a, m.Module, m.Name); err != nil || a.Tests == nil {
		return err
	}
	t := a.Tests
	a.From = string(t.Status) + ", " + summary.Count(t.Kept, "case") + " in the code"
	if a.Fresh = t.Status != spec.Invalidated; !a.Fresh {
		a.Stale = []engine.Reason{{Because: t.Because, File: t.File, Detail: "it changed after the results were recorded"}}
	}
	return nil
}

// explainTests adds the tests of a function, evaluated now instead of as stored. The engine cannot be used
// afterwards.
func (p place) explainTests(ctx context.Context, a *Why, module, symbol string) error {
	file := p.Layout.Spec(module, symbol)
	s, err := testgen.ReadSpec(p.Files, file)
	var bad *spec.FileError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &bad) {
		return nil
	}
	if err != nil {
		return err
	}
	a.Tests = &testsAnswer{Spec: file, Status: s.Status, Why: s.Rationale, Cases: len(s.Cases), Kept: s.Kept()}
	told, err := p.TestsOrProblem(ctx, workspace.SpecsRun{Looks: true})
	if err != nil || told.Tests == nil {
		return err
	}
	at := slices.IndexFunc(told.Tests.Invalidated, func(f testgen.Fallen) bool { return f.Spec == file })
	if at < 0 {
		return nil
	}
	fell := told.Tests.Invalidated[at]
	a.Tests.Status, a.Tests.Because, a.Tests.File, a.Tests.Changed = spec.Invalidated, fell.Because, fell.File, told.Tests.Changed(file)
	if fell.File == "" {
		return nil
	}
	c, ok, err := p.LastChange(ctx, fell.File)
	if ok {
		a.Tests.Commit = change(c)
	}
	return err
}

func (t *whyText) tests() {
	if t.Tests == nil {
		return
	}
	if t.Means != workspace.MeansSpec {
		plain.Add(&t.Builder, "tested\n  %s  %s, %s in the code\n", t.Tests.Spec, t.Tests.Status, summary.Count(t.Tests.Kept, "case"))
		if t.Tests.Why != "" {
			plain.Add(&t.Builder, "  %s\n", quoteText(t.Tests.Why))
		}
		if t.Tests.Because != "" {
			plain.Add(&t.Builder, "  %s through %s\n", t.Tests.Because, t.Tests.File)
		}
	}
	if c := t.Tests.Commit; c != nil {
		plain.Add(&t.Builder, "  %s last changed %s  %s  %s\n", t.Tests.File, c.Date, short(c.Commit), c.Subject)
	}
	for _, c := range t.Tests.Changed {
		plain.Add(&t.Builder, "  %s; to accept it: causal testgen --accept %s#%s\n", c, c.Spec, c.Case)
	}
	if mend := mendSpec[t.Tests.Status]; mend != "" && len(t.Tests.Changed) == 0 {
		plain.Add(&t.Builder, "  %s\n", mend)
	}
}

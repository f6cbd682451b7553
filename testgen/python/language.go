package python

import (
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Name identifies the language in specs.
const Name = "python"

// Language implements testgen.Language for Python.
type Language struct{}

var _ testgen.Language = Language{}

// Name implements testgen.Language.
func (Language) Name() string { return Name }

// Version implements testgen.Language.
func (Language) Version() string { return Version }

// Owns implements testgen.Language.
func (Language) Owns(file string) bool { return Owns(file) }

// Ours implements testgen.Language.
func (Language) Ours(data []byte) bool { return Ours(data) }

// Open implements testgen.Language.
func (Language) Open(r testgen.Repository, dir string) (testgen.Module, error) {
	m, err := open(r, dir)
	if err != nil || m == nil {
		return nil, err
	}
	return m, nil
}

// Target implements testgen.Module.
func (m *module) Target(symbol string) (testgen.Target, error) {
	p, err := m.planOf(symbol)
	if err != nil || p == nil {
		return nil, err
	}
	return target{p}, nil
}

type target struct{ plan *Plan }

// PlanOf returns the plan of a Python target; nil for other languages.
func PlanOf(t testgen.Target) *Plan {
	if t, ok := t.(target); ok {
		return t.plan
	}
	return nil
}

// Spec implements testgen.Target.
func (t target) Spec() spec.Target {
	return spec.Target{Lang: Name, Pkg: t.plan.Module, Symbol: t.plan.Symbol}
}

// Language implements testgen.Target.
func (t target) Language() string { return t.plan.Python }

// File implements testgen.Target.
func (t target) File() string { return t.plan.File }

// CodeFile implements testgen.Target.
func (t target) CodeFile() string { return t.plan.CodeFile }

// Reason implements testgen.Target.
func (t target) Reason() string { return t.plan.Reason }

// Reaches implements testgen.Target.
func (t target) Reaches() []testgen.Name { return t.plan.Reaches }

// Signature implements testgen.Target.
func (t target) Signature() string { return t.plan.Text }

// Doc implements testgen.Target.
func (t target) Doc() string { return t.plan.Doc }

// Digest implements testgen.Target.
func (t target) Digest() string {
	parts := []string{t.plan.File}
	for _, c := range t.plan.Pool {
		parts = append(parts, c.From, spec.KeyOf(c.Args), c.Want.String(), c.Raises)
	}
	return testgen.PlanDigest(Version, t.plan, parts, t.plan.Reaches)
}

// Propose implements testgen.Target.
func (t target) Propose() (rationale string, cases []spec.Case, seeds []string) {
	cases, seeds = propose(t.plan)
	return rationaleOf(t.plan), cases, seeds
}

// Candidates implements testgen.Target.
func (t target) Candidates() []testgen.Candidate { return t.plan.Pool }

// Fits implements testgen.Target.
func (t target) Fits(_ *spec.Spec, c *spec.Case) error {
	if len(c.Args) == 0 && len(c.Over) > 0 {
		return nil // it fits if the cases that it covers do
	}
	if c.Want == nil {
		return t.plan.fitting(c.Args)
	}
	_, _, err := t.plan.row(c)
	return err
}

// Expression returns the call of a case as Python, with the module under the name "module".
func (p *Plan) Expression(args []spec.Typed) (string, error) {
	how, values, err := p.given(args)
	if err != nil {
		return "", err
	}
	c := how.columns(scope{})
	for i := range c.parts {
		c.parts[i].column = values[i]
	}
	return c.call("module." + p.Name), nil
}

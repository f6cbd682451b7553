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
func (m *module) Target(symbol string) (*testgen.Target, error) {
	p, err := m.planOf(symbol)
	if err != nil || p == nil {
		return nil, err
	}
	return p.target(), nil
}

func (p *Plan) target() *testgen.Target {
	return &testgen.Target{
		Plan: p, Spec: spec.Target{Lang: Name, Pkg: p.Module, Symbol: p.Symbol}, Language: p.Python, File: p.File, CodeFile: p.CodeFile,
		Reason: p.Reason, Reaches: p.Reaches, Digest: p.digest(), Signature: p.Text, Doc: p.Doc, Candidates: p.Pool,
	}
}

// PlanOf returns the plan of a Python target; nil for other languages.
func PlanOf(t *testgen.Target) *Plan {
	if t == nil {
		return nil
	}
	p, _ := t.Plan.(*Plan)
	return p
}

func (p *Plan) digest() string {
	parts := []string{p.File}
	for _, c := range p.Pool {
		parts = append(parts, c.From, spec.KeyOf(c.Args), c.Want.String(), c.Raises)
	}
	return testgen.PlanDigest(Version, p, parts, p.Reaches)
}

// Propose implements testgen.Plan.
func (p *Plan) Propose() (rationale string, cases []spec.Case, seeds []string) {
	cases, seeds = propose(p)
	return rationaleOf(p), cases, seeds
}

// Fits implements testgen.Plan.
func (p *Plan) Fits(_ *spec.Spec, c *spec.Case) error {
	if len(c.Args) == 0 && len(c.Over) > 0 {
		return nil // it fits if the cases that it covers do
	}
	if c.Want == nil {
		return p.fitting(c.Args)
	}
	_, _, err := p.row(c)
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

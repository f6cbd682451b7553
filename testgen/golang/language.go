package golang

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Language implements testgen.Language for Go.
type Language struct{}

var _ testgen.Language = Language{}

// Name implements testgen.Language.
func (Language) Name() string { return "go" }

// Version implements testgen.Language.
func (Language) Version() string { return Version }

// Owns implements testgen.Language.
func (Language) Owns(file string) bool { return Owns(file) }

// Ours implements testgen.Language.
func (Language) Ours(data []byte) bool { return Ours(data) }

// Open implements testgen.Language.
func (Language) Open(r testgen.Repository, dir string) (testgen.Module, error) {
	p, err := Load(r, dir)
	if err != nil || p == nil {
		return nil, err
	}
	planner := &Planner{
		Package: p,
		Others: func(at string) (*Package, error) {
			other, ok := r.Dir(dir, at)
			if !ok {
				return nil, nil
			}
			m, err := r.Open(other)
			if o, ok := m.(*Planner); ok && err == nil {
				return o.Package, nil
			}
			return nil, err
		},
		Reach: func(symbol string) (Reach, bool, error) { return r.Reach(dir, symbol) },
	}
	planner.Deep = func(n Name) (string, []Name, error) { return deep(r, n) }
	planner.stems = Stems(planner.Symbols())
	return planner, nil
}

// deep follows a name of another package of the repository transitively. It returns the reason why its results are
// unpredictable, or all names reached.
func deep(r testgen.Repository, first Name) (reason string, all []Name, err error) {
	return testgen.Follow(r, []Name{first}, func(n Name, reach Reach, there bool) (string, []Name, error) {
		m, err := r.Open(n.Dir)
		if err != nil {
			return "", nil, err
		}
		p, ok := m.(*Planner)
		if !ok {
			return "reaches " + n.Dir + ", which is not Go", nil, nil
		}
		if !there {
			return "", nil, nil // a wildcard or a re-exported name
		}
		bad, others := p.reaches(reach)
		return bad, others, nil
	})
}

// Target implements testgen.Module.
func (p *Planner) Target(symbol string) (*testgen.Target, error) {
	plan, err := p.Plan(symbol)
	if err != nil || plan == nil {
		return nil, err
	}
	plan.stem = p.stems[symbol]
	return plan.target(), nil
}

func (p *Plan) target() *testgen.Target {
	return &testgen.Target{
		Plan: p, Spec: spec.Target{Lang: "go", Pkg: p.Path, Symbol: p.Symbol}, Language: p.Go, File: p.File, CodeFile: File(p.Dir, p.stem),
		Reason: p.Reason, Reaches: p.Reaches, Digest: p.digest(), Signature: p.signature(), Doc: p.Doc, Candidates: p.Pool,
	}
}

// PlanOf returns the plan of a Go target; nil for other languages.
func PlanOf(t *testgen.Target) *Plan {
	if t == nil {
		return nil
	}
	p, _ := t.Plan.(*Plan)
	return p
}

func (p *Plan) signature() string {
	var in, out []string
	for _, param := range p.Params {
		in = append(in, strings.TrimSpace(param.Name+" "+param.Type.Text))
	}
	for _, r := range p.Results {
		out = append(out, r.Text)
	}
	if p.Fails {
		out = append(out, "error")
	}
	return fmt.Sprintf("%s(%s) (%s)", p.Symbol, strings.Join(in, ", "), strings.Join(out, ", "))
}

func (p *Plan) digest() string {
	parts := []string{p.stem, p.File}
	for _, c := range p.Pool {
		parts = append(parts, c.From, spec.KeyOf(c.Args), c.Want.String())
	}
	return testgen.PlanDigest(Version, p, parts, p.Reaches)
}

// Propose implements testgen.Plan.
func (p *Plan) Propose() (rationale string, cases []spec.Case, seeds []string) {
	cases, seeds = Propose(p)
	return Rationale(p), cases, seeds
}

// Fits implements testgen.Plan.
func (p *Plan) Fits(s *spec.Spec, c *spec.Case) error {
	if len(c.Args) == 0 && len(c.Over) > 0 {
		return nil // it fits if the cases that it covers do
	}
	g := &generator{plan: p, spec: s, values: newValues(p), misfits: map[string]string{}}
	if _, err := g.args(c); err != nil {
		return err
	}
	if c.Want == nil || c.Want.Error {
		return nil
	}
	_, err := g.want(c.Want)
	return err
}

// Code implements testgen.Language. A file has the tests of one spec.
func (Language) Code(file string, specs []testgen.Coded) ([]byte, map[string]map[string]string, error) {
	if len(specs) != 1 {
		return nil, nil, fmt.Errorf("%s: the tests of %d specs are to be in one file", file, len(specs))
	}
	one := specs[0]
	p := PlanOf(one.Target)
	if p == nil {
		return nil, nil, nil
	}
	if one.Spec.Status == spec.Invalidated {
		return Skipped(one.File, p.Package, p.stem, one.Spec), nil, nil
	}
	code, misfits, err := Code(one.File, p.stem, p, one.Spec)
	if errors.Is(err, ErrNothing) {
		err = nil
	}
	return code, map[string]map[string]string{one.File: misfits}, err
}

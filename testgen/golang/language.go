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
func (p *Planner) Target(symbol string) (testgen.Target, error) {
	plan, err := p.Plan(symbol)
	if err != nil || plan == nil {
		return nil, err
	}
	plan.stem = p.stems[symbol]
	return target{plan}, nil
}

type target struct{ *Plan }

// PlanOf returns the plan of a Go target; nil for other languages.
func PlanOf(t testgen.Target) *Plan {
	if t, ok := t.(target); ok {
		return t.Plan
	}
	return nil
}

// Spec implements testgen.Target.
func (t target) Spec() spec.Target { return spec.Target{Lang: "go", Pkg: t.Path, Symbol: t.Symbol} }

// Language implements testgen.Target.
func (t target) Language() string { return t.Go }

// File implements testgen.Target.
func (t target) File() string { return t.Plan.File }

// CodeFile implements testgen.Target.
func (t target) CodeFile() string { return File(t.Dir, t.stem) }

// Reason implements testgen.Target.
func (t target) Reason() string { return t.Plan.Reason }

// Reaches implements testgen.Target.
func (t target) Reaches() []testgen.Name { return t.Plan.Reaches }

// Doc implements testgen.Target.
func (t target) Doc() string { return t.Plan.Doc }

// Signature implements testgen.Target.
func (t target) Signature() string {
	var in, out []string
	for _, p := range t.Params {
		in = append(in, strings.TrimSpace(p.Name+" "+p.Type.Text))
	}
	for _, r := range t.Results {
		out = append(out, r.Text)
	}
	if t.Fails {
		out = append(out, "error")
	}
	return fmt.Sprintf("%s(%s) (%s)", t.Symbol, strings.Join(in, ", "), strings.Join(out, ", "))
}

// Digest implements testgen.Target.
func (t target) Digest() string {
	parts := []string{t.stem, t.Plan.File}
	for _, c := range t.Pool {
		parts = append(parts, c.From, spec.KeyOf(c.Args), c.Want.String())
	}
	return testgen.PlanDigest(Version, t.Plan, parts, t.Plan.Reaches)
}

// Propose implements testgen.Target.
func (t target) Propose() (rationale string, cases []spec.Case, seeds []string) {
	cases, seeds = Propose(t.Plan)
	return Rationale(t.Plan), cases, seeds
}

// Candidates implements testgen.Target.
func (t target) Candidates() []testgen.Candidate { return t.Pool }

// Fits implements testgen.Target.
func (t target) Fits(s *spec.Spec, c *spec.Case) error {
	if len(c.Args) == 0 && len(c.Over) > 0 {
		return nil // it fits if the cases that it covers do
	}
	g := &generator{plan: t.Plan, spec: s, values: newValues(t.Plan), misfits: map[string]string{}}
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

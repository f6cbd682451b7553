package golang

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Propose returns the first cases of a spec, before any run. Their results are unknown, except those of examples.
func Propose(p *Plan) (cases []spec.Case, seeds []string) {
	seen := map[string]bool{}
	var ids []string
	for _, c := range p.Pool[:min(len(p.Pool), testgen.MostCases-min(len(p.Laws), 2))] {
		law := p.law()
		if c.Want != nil {
			law = spec.Example
		}
		one := spec.Case{ID: spec.ID(law, c.Args, nil), Law: law, Why: c.Why, Args: c.Args, Want: c.Want}
		cases, ids, seen[c.From] = append(cases, one), append(ids, one.ID), true
	}
	if slices.ContainsFunc(cases, func(c spec.Case) bool { return c.Want != nil }) {
		return cases, testgen.Seen(origins, seen) // examples become code at once, while laws are still unverified
	}
	for _, l := range p.Laws[:min(len(p.Laws), 2)] {
		cases = append(cases, spec.Case{ID: spec.ID(l.Law, nil, ids), Law: l.Law, Why: l.Why, Over: ids, Inverse: l.Inverse})
	}
	return cases, testgen.Seen(origins, seen)
}

// Rationale explains why a function is tested.
func Rationale(p *Plan) string {
	var parts []string
	if p.Doc != "" {
		said, _, _ := strings.Cut(p.Doc, ": * ") // the start of a list
		parts = append(parts, "The documentation says: "+strings.TrimRight(said, ".: ")+".")
	}
	for _, l := range p.Laws[:min(len(p.Laws), 2)] {
		if l.Law != spec.NoPanic {
			parts = append(parts, l.evidence(p.Symbol))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "Callers rely on what "+p.Symbol+" gives.")
	}
	return strings.Join(parts, " ")
}

// evidence returns why a law is assumed. A run decides whether it holds.
func (l Law) evidence(symbol string) string {
	switch l.Law {
	case spec.RoundTrip:
		return symbol + " and " + l.Inverse + " are a pair."
	case spec.Idempotent:
		return "By its name, a second time there is nothing left to do."
	}
	return "By its name and its results, it compares."
}

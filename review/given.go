package review

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/sarif"
)

// Given is a review's input besides the two versions: linter results by path, test findings, and the memory of
// earlier changes. It implements engine.Room.
type Given struct {
	Faults map[string][]sarif.Result
	Claims map[string][]Claim // by the file through which the change affects the tests
	Memory *Memory
	force  *principle.Force
	fixed  *record.Fixed
}

// NewGiven prepares the principles in force and the findings fixed earlier.
func NewGiven(faults map[string][]sarif.Result, m *Memory) *Given {
	return &Given{Faults: faults, Memory: m, force: principle.InForce(m.Records, m.Principles), fixed: record.FixedIn(m.Records)}
}

const (
	faultFacts  fact.Family = "faults" // faults <path>: linter results for the file; faults .: the files that have some
	memoryFacts fact.Family = "memory" // memory .: the memory of closed changes
)

func remembered(r survey.Reader) (*Given, error) {
	return survey.Ask[*Given](r, fact.New(memoryFacts, "."))
}

// Families implements engine.Room.
func (*Given) Families() []fact.Family { return []fact.Family{faultFacts, memoryFacts, claimFacts} }

// Digest implements engine.Room.
func (g *Given) Digest(ctx context.Context, f fact.Fact) (string, error) {
	if f.Family == memoryFacts {
		return g.Memory.digest, nil
	}
	v, err := g.Value(ctx, f)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("digest %s: %w", f, err)
	}
	return fact.Digest(string(data)), nil
}

// Value implements engine.Room.
func (g *Given) Value(_ context.Context, f fact.Fact) (any, error) {
	switch {
	case f.Family == memoryFacts:
		return g, nil
	case f.Family == claimFacts && f.Name == ".":
		return slices.Sorted(maps.Keys(g.Claims)), nil
	case f.Family == claimFacts:
		return g.Claims[f.Name], nil
	case f.Name == ".":
		return slices.Sorted(maps.Keys(g.Faults)), nil
	}
	return g.Faults[f.Name], nil
}

// Changed implements engine.Room. The input belongs to one run, so all of it counts as changed.
func (*Given) Changed() (facts []fact.Fact, all bool) { return nil, true }

// Explain implements engine.Room.
func (*Given) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) { c.Detail = "other programs say something else" })
}

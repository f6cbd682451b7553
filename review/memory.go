package review

import (
	"fmt"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// Memory holds a repository's records of closed changes and its principles.
type Memory struct {
	Records    []*record.Record
	Principles map[string][]byte // file contents by path
	digest     string
}

// Remember reads the records and the principles of a repository.
func Remember(files record.Kept) (*Memory, error) {
	records, err := record.All(files)
	if err != nil {
		return nil, err
	}
	principles, err := principle.All(files)
	if err != nil {
		return nil, err
	}
	parts := []string{}
	for _, name := range slices.Sorted(maps.Keys(principles)) {
		parts = append(parts, name, string(principles[name]))
	}
	for _, r := range records {
		parts = append(parts, r.Key)
	}
	return &Memory{records, principles, fact.Digest(parts...)}, nil
}

// Close records a change, unless it is already recorded, and derives the principles again. It returns the new ones.
func (m *Memory) Close(files record.Files, r *record.Record, policy principle.Policy) (promoted []string, err error) {
	known := slices.ContainsFunc(m.Records, func(one *record.Record) bool { return one.Key == r.Key })
	if known {
		return nil, nil
	}
	if _, err := record.Save(files, r); err != nil {
		return nil, err
	}
	derived := principle.Derive(append(slices.Clone(m.Records), r), m.Principles, policy)
	for _, name := range slices.Sorted(maps.Keys(derived.Files)) {
		if _, err := files.Write(name, derived.Files[name]); err != nil {
			return nil, fmt.Errorf("write a principle: %w", err)
		}
	}
	return derived.Promoted, nil
}

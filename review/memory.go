package review

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// Kept is where records and principles lie.
type Kept interface {
	Read(name string) ([]byte, error)
	List(dir string) ([]string, error)
}

// Memory is what a repository remembers of changes that were closed.
type Memory struct {
	Records    []*record.Record
	Principles map[string][]byte // files, by path
	digest     string
}

// Remember reads the records and the principles of a repository. A record that cannot be read is an error: what it tells would be
// forgotten in silence.
func Remember(files Kept) (*Memory, error) {
	m := &Memory{Principles: map[string][]byte{}}
	names, err := files.List(record.Dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		key, ok := record.KeyOf(name)
		if !ok {
			continue
		}
		data, err := files.Read(name)
		if err != nil {
			return nil, err
		}
		r, err := record.Decode(key, data)
		if err != nil {
			return nil, err
		}
		m.Records = append(m.Records, r)
	}
	if names, err = files.List(principle.Dir); err != nil {
		return nil, err
	}
	parts := []string{}
	for _, name := range names {
		data, err := files.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read principles: %w", err)
		}
		m.Principles[name] = data
		parts = append(parts, name, string(data))
	}
	for _, r := range m.Records {
		parts = append(parts, r.Key)
	}
	m.digest = fact.Digest(parts...)
	return m, nil
}

// Close ends a change: it is recorded unless it was before, and principles are derived anew. It returns those that are new.
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

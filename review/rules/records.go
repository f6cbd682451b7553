package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

const (
	recordFacts fact.Family = "records"    // records <slug>: the account of a principle; records .: a problem with the records
	ruleFacts   fact.Family = "principles" // principles .: slugs of existing and new principles
)

// Names of facts about all records: their problem and their contents. No slug equals them.
const (
	whole = "."
	every = "*"
)

// RecordsOf lists the records of closed changes by key. They must not be modified.
func RecordsOf(r survey.Reader) ([]*record.Record, error) {
	return survey.Ask[[]*record.Record](r, fact.New(recordFacts, every))
}

// Records answers facts about the records of closed changes. It implements engine.Room. It reads them on first use.
type Records struct {
	files  record.Kept
	policy principle.Policy
	own    func() []string
	read   func() (*book, error)
}

type book struct {
	*principle.Book
	problem string // why some record cannot be read, which makes all counts unknown
	records []*record.Record
}

// NewRecords returns the room over causal's own files. own lists those that changed since the last run.
func NewRecords(files record.Kept, policy principle.Policy, own func() []string) *Records {
	r := &Records{files: files, policy: policy, own: own}
	r.read = sync.OnceValues(r.open)
	return r
}

func (r *Records) open() (*book, error) {
	principles, err := principle.All(r.files)
	if err != nil {
		return nil, err
	}
	records, err := record.All(r.files)
	b := &book{}
	if err != nil {
		b.problem = err.Error()
		records = nil
	}
	b.records, b.Book = records, principle.Open(records, principles, r.policy)
	return b, nil
}

// Families implements engine.Room.
func (*Records) Families() []fact.Family { return []fact.Family{recordFacts, ruleFacts} }

// Digest implements engine.Room.
func (r *Records) Digest(_ context.Context, f fact.Fact) (string, error) {
	b, err := r.read()
	switch {
	case err != nil:
		return "", err
	case f.Family == ruleFacts:
		return fact.Digest(b.Slugs()...), nil
	case f.Name == whole && b.problem == "":
		return "", nil
	case f.Name == whole:
		return fact.Digest(b.problem), nil
	}
	var said any = b.records
	if f.Name != every {
		a := b.Account(f.Name)
		if a == nil {
			return "", nil
		}
		said = a
	}
	data, err := json.Marshal(said)
	if err != nil {
		return "", fmt.Errorf("digest %s: %w", f, err)
	}
	return fact.Digest(string(data)), nil
}

// Value implements engine.Room.
func (r *Records) Value(_ context.Context, f fact.Fact) (any, error) {
	b, err := r.read()
	switch {
	case err != nil:
		return nil, err
	case f.Family == ruleFacts:
		return b.Slugs(), nil
	case f.Name == whole:
		return b.problem, nil
	case f.Name == every:
		return slices.Clone(b.records), nil
	}
	return b.Account(f.Name), nil
}

// Changed implements engine.Room. A new record affects every principle, because its time counts for all of them.
func (r *Records) Changed() (facts []fact.Fact, all bool) {
	if slices.ContainsFunc(r.own(), func(file string) bool { return path.Dir(file) == record.Dir || path.Dir(file) == principle.Dir }) {
		return []fact.Fact{fact.New(ruleFacts, whole), fact.New(recordFacts, "")}, false
	}
	return nil, false
}

// Explain implements engine.Room.
func (r *Records) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) {
		c.Detail = "the records of closed changes are others"
		if b, err := r.read(); err == nil && c.Change.Fact.Family == recordFacts {
			if a := b.Account(c.Change.Fact.Name); a != nil {
				last := a.Changes[len(a.Changes)-1]
				c.File, c.Detail = record.Path(last.Key), fmt.Sprintf("closed changes had it %s now", times(len(a.Changes)))
				if a.Late {
					c.Detail = "not found since " + last.At
				}
			}
		}
	})
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func accountOf(r survey.Reader, slug string) (*principle.Account, error) {
	return survey.Ask[*principle.Account](r, fact.New(recordFacts, slug))
}

func trouble(r survey.Reader) (string, error) {
	return survey.Ask[string](r, fact.New(recordFacts, whole))
}

func slugs(r engine.Reader) ([]string, error) {
	return survey.Ask[[]string](r, fact.New(ruleFacts, whole))
}

package answers

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/store"
)

// listFacts is the family of the list of answers.
const listFacts fact.Family = "answers"

var listed = fact.New(listFacts, ".")

// Room answers the list of answers. It implements engine.Room.
type Room struct {
	own  func() []string
	list func() ([]string, error)
}

// NewRoom returns the room over causal's own files. own lists the changed ones since the last run.
func NewRoom(files interface {
	List(dir string) ([]string, error)
}, own func() []string) *Room {
	return &Room{own, sync.OnceValues(func() ([]string, error) { return All(files) })}
}

func slugs(r engine.Reader) ([]string, error) {
	v, err := r.Read(listed)
	list, _ := v.([]string)
	return list, err
}

// Families implements engine.Room.
func (*Room) Families() []fact.Family { return []fact.Family{listFacts} }

// Digest implements engine.Room.
func (r *Room) Digest(context.Context, fact.Fact) (string, error) {
	list, err := r.list()
	if len(list) == 0 || err != nil {
		return "", err
	}
	return fact.Digest(list...), nil
}

// Value implements engine.Room.
func (r *Room) Value(context.Context, fact.Fact) (any, error) {
	list, err := r.list()
	return slices.Clone(list), err
}

// Changed implements engine.Room.
func (r *Room) Changed() (facts []fact.Fact, all bool) {
	if slices.ContainsFunc(r.own(), func(file string) bool { return strings.HasPrefix(file, store.Answers+"/") }) {
		return []fact.Fact{listed}, false
	}
	return nil, false
}

// Explain implements engine.Room.
func (*Room) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	return condition.CausesOf(changes, func(c *condition.Cause) { c.Detail = "other answers are kept" })
}

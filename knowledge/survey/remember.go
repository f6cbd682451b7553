package survey

import (
	"errors"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
)

// memory holds values that are expensive to compute. They are stored by fact, and valid until their fact may differ.
type memory struct {
	values  map[fact.Fact]any
	learned map[fact.Fact]bool // computed in this run
}

// valued holds the values of memories, by fact.
const valued index.Bucket = "values"

// rememberedFacts are the families with stored values. The value of baseFacts are all shapes of the module.
var rememberedFacts = map[fact.Family]bool{flowFacts: true, extendFacts: true, baseFacts: true}

func recall[T any](s *Survey, f fact.Fact) (v T, known bool) {
	if found, known := s.values[f]; known {
		return found.(T), true
	}
	if s.full || s.changed[f] || !s.Index.Get(valued, f.String(), &v) {
		return v, false
	}
	s.values[f] = v
	return v, true
}

func (m *memory) learn(f fact.Fact, value any) { m.values[f], m.learned[f] = value, true }

// saveValues stores the values of this run and removes outdated ones.
func (s *Survey) saveValues() (err error) {
	if s.full {
		for _, f := range s.Index.Keys(valued, "") {
			err = errors.Join(err, s.Batch.Put(valued, f, nil))
		}
	}
	for f := range s.changed {
		if rememberedFacts[f.Family] && !s.learned[f] {
			err = errors.Join(err, s.Batch.Put(valued, f.String(), nil))
		}
	}
	for f := range s.learned {
		err = errors.Join(err, s.Batch.Put(valued, f.String(), s.values[f]))
	}
	return err
}

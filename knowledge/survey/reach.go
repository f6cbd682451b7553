package survey

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
)

// Reach holds the relations of one symbol: its references, its referrers and its implementers.
type Reach struct {
	Uses   []source.Referred
	UsedBy []source.Referred // Module and Name are those of the referrer; Name is empty outside of declarations
	// Implementers are the types of the repository that implement or extend it.
	Implementers []source.Implementer
	// Body is the digest of the symbol's content and of everything in its module that it reaches.
	Body source.Digest
}

// Reached holds everything that the body of a symbol reaches, directly or through its module.
type Reached struct {
	Within  []string          // declarations of the module, including the symbol, sorted
	Outside []source.Referred // references to other modules and outside of the repository, sorted
}

// Reached follows the body of a symbol through its module. It returns false if the module has no such symbol.
func (s *Survey) Reached(ctx context.Context, module, symbol string) (r Reached, there bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.around(ctx, module)
	if err != nil || v == nil {
		return Reached{}, false, err
	}
	r.Outside, r.Within, there = v.references.Reached(symbol)
	return r, there, nil
}

// mostFollowed limits the dependent modules searched for an interactive answer. Facts cover all of them.
const mostFollowed = 200

// Reach returns the relations of a symbol in its own module and in those whose imports lead to it. It returns false
// if the module has no such symbol.
func (s *Survey) Reach(ctx context.Context, module, symbol string) (Reach, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.around(ctx, module)
	if err != nil || !v.declares(symbol) {
		return Reach{}, false, err
	}
	near := v.importers(symbol)
	near = near[:min(len(near), mostFollowed)]
	var out Reach
	out.Body, _ = v.references.Body(symbol)
	if out.Uses, err = v.callees(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	if out.UsedBy, err = v.callers(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	if out.Implementers, err = v.implementers(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	return out, true, nil
}

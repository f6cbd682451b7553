package answers

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// Lines finds lines that moved since an answer was given. The zero value moves none.
type Lines struct {
	// Locate returns the fact with the current position of line evidence; false for other evidence.
	Locate func(f fact.Fact) (fact.Fact, bool)
	// Move returns the evidence at its current position, and moves the cites within it. value is that of Locate's fact.
	Move func(f fact.Fact, value any) (now fact.Fact, move func(c grounding.Cite) (grounding.Cite, bool), moved bool)
}

// Moved returns the sentences and the evidence of a valid answer at their current lines.
func Moved(l Lines, sentences []grounding.Sentence, evidence []fact.Observation, read func(f fact.Fact) (any, error)) (*Answer, error) {
	out := &Answer{Sentences: sentences, Evidence: slices.Clone(evidence)}
	if l.Locate == nil {
		return out, nil
	}
	var moves []func(c grounding.Cite) (grounding.Cite, bool)
	for i, o := range evidence {
		at, ok := l.Locate(o.Fact)
		if !ok {
			continue
		}
		value, err := read(at)
		if err != nil {
			return nil, err
		}
		if now, move, moved := l.Move(o.Fact, value); moved {
			out.Evidence[i], moves = now.As(o.Digest), append(moves, move)
		}
	}
	if len(moves) == 0 {
		return out, nil
	}
	out.Sentences = slices.Clone(sentences)
	for i, s := range sentences {
		cites := slices.Clone(s.Cites)
		for j, c := range cites {
			for _, move := range moves {
				if now, ok := move(c); ok {
					cites[j] = now
					break
				}
			}
		}
		out.Sentences[i].Cites = cites
	}
	return out, nil
}

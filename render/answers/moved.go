package answers

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// Lines finds lines that moved since an answer was given. It may be empty: then no lines move.
type Lines struct {
	// Locate is the fact of where the lines of a piece of evidence are now; false for other evidence.
	Locate func(f fact.Fact) (fact.Fact, bool)
	// Move returns the piece of evidence at its place now, and moves the cites within it. value is that of the fact of Locate.
	Move func(f fact.Fact, value any) (now fact.Fact, move func(c grounding.Cite) (grounding.Cite, bool), moved bool)
}

// Moved returns the sentences and the evidence of an answer that holds, with the lines where they are now.
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

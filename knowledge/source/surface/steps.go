package surface

import "github.com/causaldocs/causal/knowledge/source"

// Step counts one step. Each loop over a declaration that other code names counts its steps, because they multiply.
func (in *Input) Step() { in.Steps(1) }

// textOfStep is how many bytes of facts count as a step.
const textOfStep = 2

// count counts the text of a fact: a long name may be part of any number of facts.
func (in *Input) count(fact *source.Fact) {
	n := 0
	for _, text := range fact.Texts() {
		n += len(*text)
	}
	in.Steps(1 + n/textOfStep)
}

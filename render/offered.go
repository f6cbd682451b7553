package render

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Offered lists what a module declares for others, sorted by name, as its page does, but for what only a document tells of.
// It is survey.ErrNoModule if there is no such module.
func Offered(r survey.Reader, module string) ([]*source.Declared, error) {
	k, err := survey.Read(r, module)
	if err != nil {
		return nil, err
	}
	typing, err := survey.TypingOf(r, k)
	if err != nil {
		return nil, err
	}
	var out []*source.Declared
	if kindOf(k) == kindTests {
		return nil, nil
	}
	for _, d := range offered(k, typing, aliasesOf(k), nil) {
		if _, inside := typing.Of(d); !inside {
			out = append(out, d)
		}
	}
	return out, nil
}

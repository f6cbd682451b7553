package render

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Offered lists the public declarations of a module, sorted by name, except those that are public only in a document.
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

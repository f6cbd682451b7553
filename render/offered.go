package render

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Public is a public declaration with the name that callers write.
type Public struct {
	*source.Declared

	Typed string
}

// Offered returns the public declarations of a module, sorted by name, except those that are public only in a document.
// It returns survey.ErrNoModule for an unknown module.
func Offered(r survey.Reader, module string) ([]Public, error) {
	f := &facts{r: r}
	k := ask(f, survey.Read, module)
	typing := ask(f, survey.TypingOf, k)
	if f.err != nil || kindOf(k) == kindTests {
		return nil, f.err
	}
	var out []Public
	for _, d := range offered(k, typing, aliasesOf(k), nil) {
		names, inside := typing.Of(d)
		if inside {
			continue
		}
		p := Public{d, d.Name}
		if len(names.As) > 0 {
			p.Typed = names.As[0]
		}
		out = append(out, p)
	}
	return out, nil
}

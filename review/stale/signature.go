package stale

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// signature holds the parameters of a function. open is set if it accepts others.
type signature struct {
	list []source.Parameter
	open bool
}

func (s signature) has(name string) bool {
	return slices.ContainsFunc(s.list, func(p source.Parameter) bool { return p.Name == name })
}

// signatureOf returns the named parameters of a symbol. It returns false if the symbol is not exactly one function.
func signatureOf(s *source.Symbol) (signature, bool) {
	list := s.Headers()
	if s.Kind != source.Func && s.Kind != source.Method || len(list) != 1 {
		return signature{}, false
	}
	var out signature
	for _, p := range list[0].Params {
		if p.Kind == source.Keywords || p.Kind == source.Variadic && !strings.Contains(p.Type, "...") || p.Type == "..." {
			out.open = true
		}
		if p.Kind != source.Receiver && p.Name != "_" && isName(p.Name) {
			out.list = append(out.list, p)
		}
	}
	return out, true
}

package api

import (
	"go/types"
	"slices"
	"strings"
)

// goBreaks reports whether a call of a Go function certainly fits the old signature and no longer the new one: by the
// number of arguments or results, or by a literal argument.
func goBreaks(was, now *types.Signature) func(use) bool {
	old, new := was.Params(), now.Params()
	return func(u use) bool {
		spread := len(u.arguments) == 1 && old.Len() > 1 || slices.ContainsFunc(u.arguments, func(a string) bool { return strings.HasSuffix(a, "...") })
		if !u.called || spread || was.Variadic() || now.Variadic() || len(u.arguments) != old.Len() {
			return false
		}
		if old.Len() != new.Len() || u.assigned > 0 && u.assigned == was.Results().Len() && u.assigned != now.Results().Len() {
			return true
		}
		for i, a := range u.arguments {
			if literalType(a) != "" && !takesLiteral(new.At(i).Type(), a) {
				return true
			}
		}
		return false
	}
}

// takesLiteral reports whether a literal may be a value of a type.
func takesLiteral(t types.Type, text string) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return true
	}
	switch literalType(text) {
	case "string":
		return b.Info()&(types.IsString|types.IsInteger) != 0 || b.Kind() == types.Invalid // 'a' is an integer
	case "number":
		return b.Info()&types.IsNumeric != 0 || b.Kind() == types.Invalid
	}
	return true
}

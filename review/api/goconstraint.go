package api

import "go/types"

// narrowed returns the first type parameter that accepts fewer types than before, or -1. It ignores type unions.
func narrowed(was, now *types.TypeParamList) int {
	for i := range min(was.Len(), now.Len()) {
		old, isOld := was.At(i).Constraint().Underlying().(*types.Interface)
		new, isNew := now.At(i).Constraint().Underlying().(*types.Interface)
		switch {
		case !isOld || !isNew || !old.IsMethodSet() || unknownMethods(old) || unknownMethods(new):
		case !new.IsMethodSet(), new.NumMethods() > 0 && !hasAll(old, new):
			return i
		}
	}
	return -1
}

func (c *goComparer) constraints(was, now types.Object, old, new *types.TypeParamList) bool {
	i := narrowed(old, new)
	if i >= 0 {
		c.add(breakage{
			symbol: was.Name(), kind: "constraint narrowed", unplaced: true,
			text: "takes fewer types for " + new.At(i).Obj().Name() + ": uses with other types cannot be built any more",
		}, was, now)
	}
	return i >= 0
}

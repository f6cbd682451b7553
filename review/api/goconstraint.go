package api

import "go/types"

// narrowed finds the type parameter that takes fewer types than before, -1 for none. Lists of types are not compared with each other.
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

// constraints compares the constraints of type parameters in two declarations.
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

package survey

// lately is what was found out last, of one module. Who reads a fact is asked for its digest first, and then for its value.
type lately[T any] struct {
	module string
	found  T
	known  bool
}

// of is what was found out of a module, or what find says now.
func (l *lately[T]) of(module string, find func() (T, error)) (T, error) {
	if l.known && l.module == module {
		return l.found, nil
	}
	found, err := find()
	if err == nil {
		*l = lately[T]{module, found, true}
	}
	return found, err
}

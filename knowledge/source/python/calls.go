package python

// calls orders a call after its arguments.
type calls struct {
	*walker

	// closed maps an opening bracket to its closing token, or 0.
	closed []int32
}

func (w *walker) calls() calls {
	c := calls{w, make([]int32, len(w.toks))}
	var open []int32
	for i := range w.toks {
		switch d := w.depth(i); {
		case d > 0:
			open = append(open, int32(i))
		case d < 0 && len(open) > 0:
			c.closed[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
	}
	return c
}

// order returns the execution position of a use at a token.
func (c calls) order(at int32, kind useKind) int {
	if kind != useCall {
		return int(at) + 1
	}
	i := int(at) + 1
	for i < len(c.toks) && (c.toks[i].kind == name || c.is(i, len(c.toks), ".")) {
		i++
	}
	if i < len(c.toks) && c.closed[i] > 0 {
		return int(c.closed[i]) + 1
	}
	return int(at) + 1
}

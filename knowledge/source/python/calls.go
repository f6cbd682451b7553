package python

// calls tells when functions are called: once their arguments are there.
type calls struct {
	*walker

	// closed maps an opening bracket to the token that closes it: 0 where something stands in it that is done later.
	closed []int32
}

func (w *walker) calls() calls {
	c := calls{w, make([]int32, len(w.toks))}
	var open []int32
	later := map[int32]bool{}
	for i := range w.toks {
		switch d := w.depth(i); {
		case d > 0:
			open = append(open, int32(i))
		case d < 0 && len(open) > 0:
			last := open[len(open)-1]
			if open = open[:len(open)-1]; !later[last] {
				c.closed[last] = int32(i)
			}
		case len(open) > 0 && w.toks[i].kind == keyword && w.text(i) == "lambda":
			later[open[len(open)-1]] = true
		}
	}
	return c
}

// order is the place of the use of a name that begins at a token.
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

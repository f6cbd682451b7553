package python

import "github.com/causaldocs/causal/knowledge/lazyregexp"

// course marks tokens off the main control flow of their declaration: nested functions, lambdas and error handling.
type course struct {
	*walker
	apart []bool // by token
	open  []opened
	// defs counts the open functions; fails counts the open exception handlers and exiting branches.
	defs, fails int
	exits       []bool // by line: starts an exiting branch
}

type opened struct {
	level int32
	def   bool
}

func (w *walker) course() []bool {
	c := &course{walker: w, apart: make([]bool, len(w.toks))}
	c.findExits()
	for i, l := range w.lines {
		c.line(l, c.exits[i])
	}
	return c.apart
}

func (c *course) findExits() {
	c.exits = make([]bool, len(c.lines))
	var open []int // header lines of the enclosing blocks, outermost first
	for i, l := range c.lines {
		for len(open) > 0 && c.lines[open[len(open)-1]].level >= l.level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && c.leaves(int(l.first), int(l.end)) {
			c.exits[open[len(open)-1]] = true
		}
		if l.block || c.isWord(int(l.first), "case") {
			open = append(open, i)
			c.exits[i] = l.colon >= 0 && c.leaves(int(l.colon)+1, int(l.end))
		}
	}
	for i, l := range c.lines {
		first, end := int(l.first), int(l.end)
		c.exits[i] = c.exits[i] && (c.is(first, end, "if") || c.is(first, end, "elif") || c.is(first, end, "else") || c.isWord(first, "case"))
	}
	for i, l := range c.lines {
		if l.colon == l.end-1 && c.isWord(int(l.first), "match") {
			c.dispatch(i)
		}
	}
}

// dispatch treats the cases of a match as main control flow if all of them exit, except the default case.
func (c *course) dispatch(match int) {
	var cases []int
	level := int32(-1)
	for i := match + 1; i < len(c.lines) && c.lines[i].level > c.lines[match].level; i++ {
		l := c.lines[i]
		if level < 0 {
			level = l.level
		}
		if l.level != level || int(l.first)+2 < int(l.end) && c.isWord(int(l.first)+1, "_") && c.is(int(l.first)+2, int(l.end), ":") {
			continue
		}
		if !c.exits[i] {
			return
		}
		cases = append(cases, i)
	}
	for _, i := range cases {
		c.exits[i] = len(cases) < 2
	}
}

func (c *course) leaves(from, end int) bool {
	return c.is(from, end, "return") || c.is(from, end, "raise") || from+2 < end && c.isWord(from, "sys") && c.isWord(from+2, "exit")
}

func (c *course) line(l line, exits bool) {
	for len(c.open) > 0 && c.open[len(c.open)-1].level >= l.level {
		c.count(c.open[len(c.open)-1], -1)
		c.open = c.open[:len(c.open)-1]
	}
	first, end := int(l.first), int(l.end)
	if c.is(first, end, "raise") || l.colon < 0 && c.givesUp(first, end) {
		c.fails++
		defer func() { c.fails-- }()
	}
	c.mark(first, end)
	if c.is(first, end, "async") {
		first++
	}
	def := c.is(first, end, "def")
	if def || exits || c.is(first, end, "except") || c.is(first, end, "finally") {
		b := opened{l.level, def}
		c.open = append(c.open, b)
		c.count(b, 1)
		if l.colon >= 0 {
			c.mark(int(l.colon)+1, end) // the rest of the line
		}
	}
	c.lambdas(int(l.first), end)
}

// mishap matches names of constants for failures.
var mishap = lazyregexp.New(`(?:^|_)(?:INVALID|ERR|ERROR|FAIL|FAILED|FAILURE|REFUSED|DENIED|ABORTED|REJECTED|ILLEGAL)(?:_|$)`)

// givesUp reports whether a statement is a call with a failure constant, as in self.close(Reason.INVALID_HOSTNAME).
func (c *course) givesUp(from, to int) bool {
	if from+1 >= to || c.toks[from].kind != name || !c.is(to-1, to, ")") {
		return false
	}
	depth := 0
	for i := from; i < to; i++ {
		if depth += c.depth(i); depth == 0 && (c.is(i, to, "=") || c.is(i, to, ";")) {
			return false
		}
		if depth > 0 && c.toks[i].kind == name && mishap.MatchString(c.text(i)) {
			return true
		}
	}
	return false
}

func (c *course) count(b opened, n int) {
	if b.def {
		c.defs += n
	} else {
		c.fails += n
	}
}

func (c *course) mark(from, to int) {
	if c.defs < 2 && c.fails == 0 {
		return
	}
	for i := from; i < to; i++ {
		c.apart[i] = true
	}
}

func (c *course) lambdas(from, to int) {
	var depths []int // bracket depth at each open lambda, outermost first
	params, depth := 0, 0
	for i := from; i < to; i++ {
		d := c.depth(i)
		for d < 0 && len(depths) > 0 && depths[len(depths)-1] == depth {
			depths = depths[:len(depths)-1]
			params = min(params, len(depths))
		}
		depth += d
		at := len(depths) - 1
		switch {
		case c.toks[i].kind == keyword && c.text(i) == "lambda":
			depths = append(depths, depth)
			params++
		case params > 0 && depths[at] == depth && c.is(i, to, ":"):
			params--
		case params == 0 && at >= 0 && depths[at] == depth && (c.is(i, to, ",") || c.is(i, to, ";")):
			for len(depths) > 0 && depths[len(depths)-1] == depth {
				depths = depths[:len(depths)-1]
			}
		}
		if len(depths) > params {
			c.apart[i] = true
		}
	}
}

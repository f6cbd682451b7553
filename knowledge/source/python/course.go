package python

import (
	"github.com/causaldocs/causal/knowledge/source/control"
)

// course finds the branches of tokens in the control flow of their declaration.
type course struct {
	*walker
	control.Forks

	branches []control.Branch // by token
	open     []opened
	forks    []control.Fork // by level: of the last if or match
	// defs counts the open functions; fails counts the open exception handlers and exiting branches.
	defs, fails int
	exits       []bool // by line: starts an exiting branch
	rest        []int  // by line of an if or elif: the elif or else after it, or 0
}

type opened struct {
	level  int32
	def    bool
	apart  bool
	branch control.Branch // the innermost one in the function
}

func (w *walker) course() []control.Branch {
	c := &course{walker: w, branches: make([]control.Branch, len(w.toks))}
	c.findExits()
	for i := range w.lines {
		c.line(i)
	}
	return c.branches
}

func (c *course) findExits() {
	c.exits, c.rest = make([]bool, len(c.lines)), make([]int, len(c.lines))
	var open []int // header lines of the enclosing blocks, outermost first
	for i, l := range c.lines {
		for len(open) > 0 && c.lines[open[len(open)-1]].level >= l.level {
			if last := open[len(open)-1]; c.lines[last].level == l.level && (c.is(int(l.first), int(l.end), "elif") || c.is(int(l.first), int(l.end), "else")) {
				c.rest[last] = i
			}
			open = open[:len(open)-1]
		}
		if len(open) > 0 && c.leaves(int(l.first), int(l.end)) {
			c.exits[open[len(open)-1]] = true
		}
		if l.block {
			open = append(open, i)
			c.exits[i] = l.colon >= 0 && c.leaves(int(l.colon)+1, int(l.end))
		}
	}
	for i, l := range c.lines {
		first, end := int(l.first), int(l.end)
		c.exits[i] = c.exits[i] && (c.is(first, end, "if") || c.is(first, end, "elif") || c.is(first, end, "else"))
	}
}

func (c *course) leaves(from, end int) bool {
	return c.is(from, end, "return") || c.is(from, end, "raise") || from+2 < end && c.isWord(from, "sys") && c.isWord(from+2, "exit")
}

func (c *course) line(i int) {
	l := c.lines[i]
	for len(c.open) > 0 && c.open[len(c.open)-1].level >= l.level {
		c.count(c.open[len(c.open)-1], -1)
		c.open = c.open[:len(c.open)-1]
	}
	first, end := int(l.first), int(l.end)
	if c.is(first, end, "raise") {
		c.fails++
		defer func() { c.fails-- }()
	}
	c.mark(first, end)
	if c.is(first, end, "elif") && int(l.level) < len(c.forks) {
		c.within(c.forks[l.level].Rest(), first, end)
	}
	if c.is(first, end, "async") {
		first++
	}
	def, apart, branch := c.is(first, end, "def"), c.exits[i] || c.is(first, end, "except") || c.is(first, end, "finally"), c.arm(i)
	if def || apart || branch != 0 {
		if branch == 0 && !def && len(c.open) > 0 {
			branch = c.open[len(c.open)-1].branch
		}
		b := opened{l.level, def, apart, branch}
		c.open = append(c.open, b)
		c.count(b, 1)
		if l.colon >= 0 {
			c.mark(int(l.colon)+1, end) // the rest of the line
		}
	}
	c.lambdas(int(l.first), end)
}

// arm returns the branch of the block that line i begins, if it is an arm of a fork.
func (c *course) arm(i int) control.Branch {
	l := c.lines[i]
	first, end := int(l.first), int(l.end)
	for len(c.forks) <= int(l.level)+1 {
		c.forks = append(c.forks, control.Fork{})
	}
	fork := &c.forks[l.level]
	switch {
	case c.is(first, end, "if"):
		*fork = c.Fork()
	case c.isWord(first, "match") && l.colon == l.end-1:
		c.forks[l.level+1] = c.Fork()
		return 0
	case !c.is(first, end, "elif") && !c.is(first, end, "else") && !c.isWord(first, "case"):
		*fork = control.Fork{}
		return 0
	}
	rest := c.rest[i]
	last := rest > 0 && c.is(int(c.lines[rest].first), int(c.lines[rest].end), "else")
	return fork.Arm(c.exits[i], c.is(first, end, "else") || last && c.exits[rest])
}

func (c *course) count(b opened, n int) {
	if b.def {
		c.defs += n
	}
	if b.apart {
		c.fails += n
	}
}

func (c *course) mark(from, to int) {
	branch := control.Branch(0)
	switch {
	case c.defs > 1 || c.fails > 0:
		branch = control.Apart
	case len(c.open) > 0:
		branch = c.open[len(c.open)-1].branch
	}
	for i := from; i < to; i++ {
		c.branches[i] = branch
	}
}

// within marks tokens of a branch of the current one.
func (c *course) within(branch control.Branch, from, to int) {
	for i := from; i < to && branch != 0; i++ {
		if c.branches[i] != control.Apart {
			c.branches[i] = branch
		}
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
			c.branches[i] = control.Apart
		}
	}
}

package python

import (
	"maps"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// course finds the branches of tokens in the control flow of their declaration.
type course struct {
	execution
	control.Forks

	branches []control.Branch // by token
	open     []opened
	forks    []control.Branch // by level: of the last if or match
	// defs counts the open functions; fails counts the open exception handlers and exiting branches.
	defs, fails int
	left        []control.Branch // by level: the arms of the last if that return a result
	exits       []bool           // by line: starts an exiting branch
	returns     []bool           // by line: starts a branch that returns a result
	operands    []operand
	made        []bool // by token: in what runs when a function is made
}

type opened struct {
	level  int32
	def    bool
	apart  bool
	branch control.Branch // the innermost one in the function
}

func (w *walker) course() *course {
	c := &course{execution: w.execution(), branches: make([]control.Branch, len(w.toks)), made: make([]bool, len(w.toks))}
	c.findExits()
	for i := range w.lines {
		c.line(i)
	}
	return c
}

func (c *course) findExits() {
	c.exits, c.returns = make([]bool, len(c.lines)), make([]bool, len(c.lines))
	var open []int // header lines of the enclosing blocks, outermost first
	for i, l := range c.lines {
		for len(open) > 0 && c.lines[open[len(open)-1]].level >= l.level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && c.leaves(int(l.first), int(l.end)) {
			c.exits[open[len(open)-1]], c.returns[open[len(open)-1]] = true, c.result(int(l.first), int(l.end))
		}
		if l.block || c.isWord(int(l.first), "case") {
			open = append(open, i)
			c.exits[i] = l.colon >= 0 && c.leaves(int(l.colon)+1, int(l.end))
			c.returns[i] = c.exits[i] && c.result(int(l.colon)+1, int(l.end))
		}
	}
	returned := map[int32]bool{} // by level: a case leaves
	for i, l := range c.lines {
		first, end := int(l.first), int(l.end)
		others := c.others(first, end)
		if c.isWord(first, "match") {
			maps.DeleteFunc(returned, func(level int32, _ bool) bool { return level > l.level })
		}
		if !others && c.isWord(first, "case") {
			returned[l.level] = returned[l.level] || c.exits[i]
		}
		c.exits[i] = c.exits[i] && (c.is(first, end, "if") || c.is(first, end, "elif") || c.is(first, end, "else") || others && !returned[l.level] && !c.returns[i])
		if c.returns[i] = c.returns[i] && c.exits[i] && (c.is(first, end, "if") || c.is(first, end, "elif")) && c.expects(first, end); c.returns[i] {
			c.exits[i] = false
		}
	}
}

// result reports whether a line returns a value that is neither missing nor empty.
func (c *course) result(from, end int) bool {
	if i := from + 1; c.is(from, end, "return") && i < end {
		empty := c.depth(i) > 0 && i+1 < end && c.depth(i+1) < 0
		return !empty && !c.is(i, end, "None") && !c.is(i, end, "False") && c.text(i) != "0" && !c.failing(i, end)
	}
	return false
}

// expects reports whether a condition asks for nothing that is missing or has failed.
func (c *course) expects(from, end int) bool {
	for i := from + 1; i < end && !c.is(i, end, ":"); i++ {
		missing := c.is(i, end, "not") && !c.is(i-1, end, "is") || c.is(i, end, "None") && !c.is(i-1, end, "not")
		if missing || c.failing(i, i+1) {
			return false
		}
	}
	return true
}

func (c *course) failing(from, end int) bool {
	for i := from; i < min(end, from+longestOperand); i++ {
		if k := c.toks[i].kind; k != op && k != keyword && control.Fails(c.text(i)) {
			return true
		}
	}
	return false
}

// others reports whether a line is the case of all other values.
func (c *course) others(first, end int) bool {
	return c.isWord(first, "case") && c.isWord(first+1, "_") && c.is(first+2, end, ":")
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
	c.follow(l.level, c.is(first, end, "elif") || c.is(first, end, "else"))
	if c.is(first, end, "raise") {
		c.fails++
		defer func() { c.fails-- }()
	}
	c.mark(first, end)
	made := c.defs == 0
	if c.is(first, end, "elif") && int(l.level) < len(c.forks) {
		c.within(c.Rest(c.forks[l.level]), first, end)
	}
	if c.is(first, end, "async") {
		first++
	}
	def, apart, branch := c.is(first, end, "def"), c.exits[i] || c.is(first, end, "except") || c.is(first, end, "finally"), c.arm(i)
	head := end
	if l.colon >= 0 {
		head = int(l.colon)
	}
	for k := int(l.first); made && (def || c.is(first, end, "@")) && k < head; k++ {
		c.made[k] = true
	}
	if def || apart || branch != 0 {
		if !def && len(c.open) > 0 {
			branch = c.In(branch, c.open[len(c.open)-1].branch)
		}
		b := opened{l.level, def, apart, branch}
		c.open = append(c.open, b)
		c.count(b, 1)
		if l.colon >= 0 {
			c.mark(int(l.colon)+1, end) // the rest of the line
		}
	}
	c.expressions(int(l.first), end)
	c.lambdas(int(l.first), end)
}

// follow begins the other arms after an if that returns a result.
func (c *course) follow(level int32, chained bool) {
	for len(c.left) <= int(level) {
		c.left = append(c.left, 0)
	}
	c.left = c.left[:level+1]
	if left, n := c.left[level], len(c.open); !chained && left != 0 && n > 0 {
		c.open[n-1].branch, c.left[level] = c.In(left.Others(), c.open[n-1].branch), 0
	}
}

// arm returns the branch of the block that line i begins, if it is an arm of a fork.
func (c *course) arm(i int) control.Branch {
	l := c.lines[i]
	first, end := int(l.first), int(l.end)
	for len(c.forks) <= int(l.level)+1 {
		c.forks = append(c.forks, 0)
	}
	fork := &c.forks[l.level]
	switch {
	case c.is(first, end, "if"):
		*fork = c.Fork()
	case c.isWord(first, "match") && l.colon == l.end-1:
		c.forks[l.level+1] = c.Fork()
		return 0
	case !c.is(first, end, "elif") && !c.is(first, end, "else") && !c.isWord(first, "case"):
		*fork = 0
		return 0
	}
	if c.is(first, end, "else") || c.others(first, end) {
		c.Close(*fork)
	}
	arm := c.Arm(*fork, c.exits[i])
	if c.returns[i] {
		c.left[l.level] |= arm
	}
	return arm
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
		c.branches[i] = c.In(branch, c.branches[i])
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

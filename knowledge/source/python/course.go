package python

import (
	"cmp"

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
	rest        []control.Branch // by level: of what follows the last statement, if it is conditional, or its fork
	exits       []bool           // by line: starts an exiting branch
	returns     []bool           // by line: starts a branch that returns a result
	operands    []operand
	made        []bool // by token: in what runs when a function is made
}

type opened struct {
	level   int32
	def     bool
	apart   bool
	branch  control.Branch // the innermost one in the function
	follows int32          // the level of what follows it
	left    bool           // may have returned a result
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
			head := open[len(open)-1]
			c.exits[head], c.returns[head] = true, c.result(c.lines[head], int(l.first), int(l.end))
		}
		if l.block || c.isWord(int(l.first), "case") {
			open = append(open, i)
			c.exits[i] = l.colon >= 0 && c.leaves(int(l.colon)+1, int(l.end))
			c.returns[i] = c.exits[i] && c.result(l, int(l.colon)+1, int(l.end))
		}
	}
	for i, l := range c.lines {
		first, end := int(l.first), int(l.end)
		chain := c.is(first, end, "if") || c.is(first, end, "elif")
		c.returns[i] = c.returns[i] && c.exits[i] && (!chain || c.expects(first, end))
		c.exits[i] = c.exits[i] && !c.returns[i] && (chain || c.is(first, end, "else") || c.others(first, end))
	}
}

// result reports whether a line returns a value that is neither missing nor empty, or ends one of several cases.
func (c *course) result(head line, from, end int) bool {
	if first := int(head.first); c.isWord(first, "case") && !c.others(first, int(head.end)) {
		return c.is(from, end, "return")
	}
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
		b := c.open[len(c.open)-1]
		c.count(b, -1)
		if c.open = c.open[:len(c.open)-1]; b.left && !b.def && !b.apart {
			c.later(b.follows, c.Sometimes())
		}
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
	branch, def := c.arm(i), c.is(first, end, "def")
	apart := c.exits[i] || c.is(first, end, "except") || c.is(first, end, "finally")
	head := end
	if l.colon >= 0 {
		head = int(l.colon)
	}
	for k := int(l.first); made && (def || c.is(first, end, "@")) && k < head; k++ {
		c.made[k] = true
	}
	follows, rest := l.level, c.forks[l.level]
	switch {
	case c.isWord(first, "case"):
		follows = max(0, follows-1)
	case c.is(first, end, "for") || c.is(first, end, "while"):
		branch, rest = c.Loop(), c.Sometimes()
	case c.is(first, end, "try"): // runs only after a failure
		rest = control.Apart
	}
	if c.returns[i] && rest != 0 {
		c.later(follows, rest)
	}
	if def || apart || branch != 0 {
		if !def && len(c.open) > 0 {
			branch = c.In(branch, c.open[len(c.open)-1].branch)
		}
		b := opened{l.level, def, apart, branch, follows, false}
		c.open = append(c.open, b)
		c.count(b, 1)
		if l.colon >= 0 {
			c.mark(int(l.colon)+1, end) // the rest of the line
		}
	}
	c.expressions(int(l.first), end)
	c.lambdas(int(l.first), end)
}

// follow begins what follows a statement that may have returned a result.
func (c *course) follow(level int32, chained bool) {
	for len(c.rest) <= int(level) {
		c.rest = append(c.rest, 0)
	}
	c.rest = c.rest[:level+1]
	rest := c.rest[level]
	if rest == 0 || chained {
		return
	}
	if c.rest[level] = 0; len(c.open) > 0 {
		b := &c.open[len(c.open)-1].branch
		*b = c.In(cmp.Or(c.After(rest), rest), *b)
	}
}

// later states that the current block may have returned a result, and where what follows runs at a level.
func (c *course) later(level int32, rest control.Branch) {
	if n := len(c.open); n > 0 {
		c.open[n-1].left = true
	}
	c.rest[level] = cmp.Or(c.rest[level], rest)
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
		c.exits[i] = c.exits[i] && c.After(*fork) == 0
	}
	return c.Arm(*fork, c.exits[i], c.returns[i])
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

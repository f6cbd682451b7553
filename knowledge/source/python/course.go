package python

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// course finds the branches of tokens in the control flow of their declaration.
type course struct {
	execution
	control.Forks

	branches []control.Branch // by token
	open     []opened
	forks    []control.Branch // by level: of the last if or match
	values   []string         // by level: of the last match around it
	// defs counts the open functions; fails counts the open exception handlers and exiting branches.
	defs, fails int
	rest        []control.Branch // by level: of what follows the last statement, if it is conditional, or its fork
	exits       []control.Exit   // by line: of the block that it begins
	turns       []bool           // by line: that block ends with the next turn of a loop
	operands    []operand
	made        []bool // by token: in what runs when a function is made
}

type opened struct {
	level   int32
	def     bool
	apart   bool
	branch  control.Branch // the innermost one in the function
	follows int32          // the level of what follows it
	loop    bool
	// left are those of what follows its statements that may leave the function, or only the turn of a loop.
	left [2][]control.Branch
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
	c.exits, c.turns = make([]control.Exit, len(c.lines)), make([]bool, len(c.lines))
	var open []int // header lines of the enclosing blocks, outermost first
	for i, l := range c.lines {
		for len(open) > 0 && c.lines[open[len(open)-1]].level >= l.level {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			head := open[len(open)-1]
			c.exits[head] = cmp.Or(c.exit(c.lines[head], int(l.first), int(l.end)), c.exits[head])
		}
		if l.block || c.isWord(int(l.first), "case") {
			open = append(open, i)
			if l.colon >= 0 {
				c.exits[i] = c.exit(l, int(l.colon)+1, int(l.end))
			}
		}
	}
	for i, l := range c.lines {
		first, end := int(l.first), int(l.end)
		chain, exit := c.is(first, end, "if") || c.is(first, end, "elif"), &c.exits[i]
		switch c.turns[i] = *exit == control.Skips; {
		case *exit > control.Failing && chain:
			*exit = c.expects(first, end)
		case *exit == control.Failing && !chain && !c.is(first, end, "else") && !c.others(first, end):
			*exit = control.Goes
		}
	}
}

const mostWords = 64 // that are searched for a failure

// exit returns how the block of a line ends, if it does with the tokens [from, end). A value that is missing or empty is
// no result, except in one of several cases.
func (c *course) exit(head line, from, end int) control.Exit {
	if !c.leaves(from, end) {
		return control.Goes
	}
	first, i := int(head.first), from+1
	switch {
	case c.is(from, end, "continue"):
		return control.Skips
	case c.isWord(from, "sys") && c.text(min(from+4, end-1)) == "0": // as wanted
		return control.Results
	case !c.is(from, end, "return"):
		return control.Failing
	case c.isWord(first, "case") && !c.others(first, int(head.end)):
		return control.Results
	case c.failing(from, end):
		return control.Failing
	}
	empty := i < end && c.depth(i) > 0 && i+1 < end && c.depth(i+1) < 0
	if i >= end || empty || c.is(i, end, "None") || c.is(i, end, "False") || c.text(i) == "0" {
		if c.failing(first, min(end, first+mostWords)) {
			return control.Failing
		}
		return control.Leaves
	}
	return control.Results
}

// expects returns the exit that a condition allows: after a failure, without a result if something is missing, or any.
func (c *course) expects(from, end int) control.Exit {
	exit := control.Results
	for i := from + 1; i < end && !c.is(i, end, ":"); i++ {
		if c.failing(i, i+1) {
			return control.Failing
		}
		if c.is(i, end, "not") && !c.is(i-1, end, "is") || c.is(i, end, "None") && !c.is(i-1, end, "not") {
			exit = control.Leaves
		}
	}
	return exit
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
	return c.is(from, end, "return") || c.is(from, end, "continue") || c.is(from, end, "raise") ||
		from+2 < end && c.isWord(from, "sys") && c.isWord(from+2, "exit")
}

func (c *course) line(i int) {
	l := c.lines[i]
	for len(c.open) > 0 && c.open[len(c.open)-1].level >= l.level {
		b := c.open[len(c.open)-1]
		c.count(b, -1)
		c.open = c.open[:len(c.open)-1]
		for turn, all := range b.left {
			rest := control.Branch(0)
			for _, left := range all {
				rest = c.Either(rest, c.Around(cmp.Or(c.After(left), left)))
			}
			if rest != 0 && !b.def && !b.apart && !(turn > 0 && b.loop) {
				c.later(b.follows, rest, turn)
			}
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
	apart := c.exits[i] == control.Failing || c.is(first, end, "except") || c.is(first, end, "finally")
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
	if c.exits[i] >= control.Leaves && rest != 0 {
		turn := 0
		if c.turns[i] {
			turn = 1
		}
		c.later(follows, rest, turn)
	}
	if def || apart || branch != 0 {
		if !def && len(c.open) > 0 {
			branch = c.In(branch, c.open[len(c.open)-1].branch)
		}
		b := opened{level: l.level, def: def, apart: apart, branch: branch, follows: follows, loop: branch.IsLoop()}
		c.open = append(c.open, b)
		c.count(b, 1)
		if l.colon >= 0 {
			c.mark(int(l.colon)+1, end) // the rest of the line
		}
	}
	c.expressions(int(l.first), end)
	c.lambdas(int(l.first), end)
}

// follow begins what follows a statement that may have left the function.
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

// later states that the current block may have left the function, or only the turn of a loop, and where what follows runs
// at a level.
func (c *course) later(level int32, rest control.Branch, turn int) {
	if n := len(c.open); n > 0 {
		c.open[n-1].left[turn] = append(c.open[n-1].left[turn], rest)
	}
	c.rest[level] = cmp.Or(c.rest[level], rest)
}

// arm returns the branch of the block that line i begins, if it is an arm of a fork.
func (c *course) arm(i int) control.Branch {
	l := c.lines[i]
	first, end := int(l.first), int(l.end)
	for len(c.forks) <= int(l.level)+1 {
		c.forks, c.values = append(c.forks, 0), append(c.values, "")
	}
	fork := &c.forks[l.level]
	switch {
	case c.is(first, end, "if"):
		*fork = c.Fork()
	case c.isWord(first, "match") && l.colon == l.end-1:
		c.forks[l.level+1], c.values[l.level+1] = c.Fork(), c.code(first+1, int(l.colon))
		return 0
	case !c.is(first, end, "elif") && !c.is(first, end, "else") && !c.isWord(first, "case"):
		*fork = 0
		return 0
	}
	if c.is(first, end, "else") || c.others(first, end) {
		c.Close(*fork)
		if exit := &c.exits[i]; c.others(first, end) && (*exit == control.Failing || *exit == control.Leaves) {
			*exit = control.Goes
			if c.After(*fork) == 0 {
				*exit = control.Failing
			}
		}
	}
	arm := c.Arm(*fork, c.exits[i])
	switch code := c.code(first+1, int(l.colon)); {
	case c.isWord(first, "case") && !c.others(first, end):
		c.When(arm, control.Case(c.values[l.level], code))
	case c.is(first, end, "if") || c.is(first, end, "elif"):
		c.When(arm, control.If(code))
	}
	return arm
}

func (c *course) code(from, to int) string {
	if from >= to {
		return ""
	}
	var b strings.Builder
	c.render(&b, from, to)
	return b.String()
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
	case c.fails > 0:
		branch = control.Apart
	case c.defs > 1:
		branch = control.Later
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
			c.branches[i] = c.In(control.Later, c.branches[i])
		}
	}
}

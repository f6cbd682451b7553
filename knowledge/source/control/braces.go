package control

import (
	"cmp"
	"slices"
)

// Braces finds the branches of the control flow in the tokens of a language with braces.
type Braces struct {
	Tokens int
	Word   func(i int) Word // of a token
	Text   func(i int) string
	Code   func(from, to int) string // the tokens [from, to) on one line, whatever their formatting
	After  func(i int) int           // the token after the brackets that open at i, otherwise i+1
	// Begins reports whether a statement begins after a line break; nil if statements end with a semicolon.
	Begins func(i int) bool
	// Bare conditions have no parentheses, and match takes the place of switch.
	Bare bool
	// Codes are returned instead of results.
	Codes bool
	// Parts of a body are compiled only under a condition.
	Parts []Part

	forks  Forks
	arms   []arm
	blocks []arm             // the blocks around the current token
	bodies map[int]*compound // by their first token
}

// Part is a range of tokens with the code of a condition.
type Part struct {
	From, To int
	Code     string
}

// compound is a statement that contains others.
type compound struct {
	next, end int    // the token after it, and the end of the block around it
	around    int    // the first token of the body around it
	rest      Branch // of what follows it, or 0
	loop      bool
	leaves    bool // an arm ends with the declaration
}

// arm is a range of tokens in a branch.
type arm struct {
	from, to int
	branch   Branch
}

func (c *Braces) code(from, to int) string {
	if from < 0 || from >= to || to > min(c.Tokens, from+longestCondition) { // without a space between them
		return ""
	}
	return c.Code(from, to)
}

func (c *Braces) at(i int) Word {
	if i < 0 || i >= c.Tokens {
		return 0
	}
	return c.Word(i)
}

// Branches returns the innermost branch of each token, whichever function contains it, and the forks.
func (c *Braces) Branches() ([]Branch, *Forks) {
	right := 0 // the end of the right side of an operator
	c.blocks, c.bodies = []arm{{from: -1, to: c.Tokens}}, map[int]*compound{}
	for _, p := range c.Parts {
		b := c.forks.Arm(c.forks.Fork(), Goes)
		c.forks.When(b, If(p.Code))
		c.add(p.From, p.To, b)
	}
	for i := range c.Tokens {
		for len(c.blocks) > 1 && c.blocks[len(c.blocks)-1].to <= i {
			c.blocks = c.blocks[:len(c.blocks)-1]
		}
		switch c.Word(i) {
		case '{':
			c.blocks = append(c.blocks, arm{from: i, to: c.After(i) - 1})
		case 'i':
			if c.at(i-1) != 'e' {
				c.ifs(i)
			}
		case 's', 'm':
			if open := c.body(i); c.at(open) == '{' && c.Bare && c.Word(i) == 'm' {
				c.match(i, open)
			} else if first := c.at(open + 1); c.at(open) == '{' && !c.Bare && c.Word(i) == 's' && (first == label || first == others || first == '}') {
				c.cases(i, open)
			}
		case loop, 'o':
			if body := c.body(i); body > 0 && c.isLoop(i) {
				next := c.statement(body)
				c.add(body, next, c.forks.Loop())
				c.single(i, body, next, c.forks.Sometimes())
			}
		case 'e':
			if c.Bare && c.at(i-1) != '}' && c.at(i+1) == '{' { // of a let
				c.add(i+1, c.After(i+1), Apart)
			}
		case 'y':
			if body := max(c.body(i), i+1); c.at(body) == '{' {
				next := c.After(body)
				for c.at(next) == 'k' {
					next = c.statement(max(c.body(next), next+1))
				}
				c.single(i, body, next, Apart) // after a failure
			}
		case 'w':
			if c.at(i+1) != '(' || c.at(c.After(i+1)) != '{' { // not what a function throws
				c.add(i, c.end(i, true), Apart)
			}
		case 'E':
			if c.Bare && c.at(i+1) == '(' {
				c.add(i+1, c.After(i+1), Apart)
			}
		case task:
			name, open := i+2, i+2
			for c.at(open) == 0 && open < min(c.Tokens, i+mostWords) {
				open++
			}
			if c.Bare && c.at(i+1) == '(' && c.at(open) == '(' && c.After(open) == c.After(i+1)-1 { // only a call
				c.add(name, open, c.forks.Background())
			}
		case '@': // runs when the class is made
			if to := i + 2; !c.Bare {
				if c.at(to) == '(' {
					to = c.After(to)
				}
				c.add(i, to, Apart)
			}
		case 'k':
			if c.at(i-1) == '}' {
				body := max(c.body(i), i+1)
				c.add(i, c.statement(body), Apart)
			}
		case either:
			if i >= right {
				right = c.end(i+1, true)
				c.add(i+1, right, c.forks.Sometimes())
			}
		case '?':
			middle := i + 1
			for middle < i+mostTokens && c.at(middle) != ':' && !c.stops(middle, true) {
				middle = c.After(middle)
			}
			if middle > i+1 && c.at(middle) == ':' && !c.Bare {
				fork := c.forks.Fork()
				c.add(i+1, middle, c.forks.Arm(fork, Goes))
				c.add(middle+1, c.end(middle+1, true), c.forks.Arm(fork, Goes))
				c.forks.Close(fork)
			}
		}
	}
	return c.innermost(), &c.forks
}

func (c *Braces) innermost() []Branch {
	slices.SortStableFunc(c.arms, func(a, b arm) int { return cmp.Compare(a.from, b.from) })
	out, next := make([]Branch, c.Tokens), 0
	open := []arm{{to: c.Tokens}}
	for i := range out {
		for open[len(open)-1].to <= i {
			open = open[:len(open)-1]
		}
		for ; next < len(c.arms) && c.arms[next].from <= i; next++ {
			a := c.arms[next]
			outer := open[len(open)-1]
			a.to, a.branch = min(a.to, outer.to), c.forks.Settle(c.forks.In(a.branch, outer.branch))
			open = append(open, a)
		}
		out[i] = open[len(open)-1].branch
	}
	return out
}

func (c *Braces) add(from, to int, b Branch) {
	if b != 0 && from < to {
		c.arms = append(c.arms, arm{from, to, b})
	}
}

// Limits of a statement without braces: its tokens, and the heads before it.
const (
	mostTokens = 1024
	mostHeads  = 8
	mostWords  = 32  // of a result
	mostInside = 256 // tokens of a block that are searched for a result
)

// end returns the end of the statement or expression at i, with its semicolon.
func (c *Braces) end(i int, expression bool) int {
	for from := i; i < from+mostTokens && !c.stops(i, expression) && (i == from || c.Begins == nil || !c.Begins(i)); {
		i = c.After(i)
	}
	if !expression && c.at(i) == ';' {
		i++
	}
	return i
}

func (c *Braces) stops(i int, expression bool) bool {
	switch c.at(i) {
	case ';', end, '}':
		return true
	case ',':
		return expression
	case '{', '=':
		return expression && c.Bare
	}
	return i >= c.Tokens
}

// statement returns the end of the statement at i, without the else of an if without braces.
func (c *Braces) statement(i int) int {
	for range mostHeads {
		switch c.at(i) {
		case '{':
			return c.After(i)
		case 'i', loop, 's':
			if next := c.body(i); next > 0 {
				i = next
			}
		}
	}
	return c.end(i, false)
}

// body returns the token after the condition that follows a word, or -1.
func (c *Braces) body(i int) int {
	i++
	for to := i + mostTokens; i < to && i < c.Tokens; i = c.After(i) {
		switch word := c.at(i); {
		case c.Bare && word == '{' && c.After(i) < c.Tokens && c.Text(c.After(i)) == "in": // a pattern
		case c.Bare && word == '{':
			return i
		case !c.Bare && word == '(':
			return c.After(i)
		case word == '{' || word == '=' || c.stops(i, true):
			return -1
		}
	}
	return -1
}

// exit returns how the statement at i ends, and the token after its jump.
func (c *Braces) exit(i int) Exit {
	at := func(i int) Exit {
		from := i
		for n := 0; c.at(i) == 0 && c.at(i+1) == 0 && n < 2; n++ { // process.exit, std::process::exit
			i += 2
		}
		switch word := c.at(i); {
		case word == exit && i+2 < c.Tokens && c.at(i+1) == '(' && (c.at(i+2) == none || c.Text(i+2) == "0" || c.Text(i) == "exit" && c.isStatus(i+2)): // as wanted
			return Results
		case word == 'w' || word == exit:
			return Failing
		case word == skip && i == from:
			return Skips
		case word != leave:
			return Goes
		case i == from && c.isResult(i+1):
			return Results
		case c.Codes && c.at(i+1) != ';' || c.fails(i, c.end(i, false)):
			return Failing
		}
		return Leaves
	}
	if c.at(i) != '{' {
		return at(i)
	}
	for k, to := i+1, c.After(i)-1; k < to; k = c.After(k) {
		if !c.begins(k) {
			continue
		}
		exit := at(k)
		if (exit == Leaves || exit == Skips) && c.fails(i, k) {
			exit = Failing
		}
		for t := i + 1; exit == Failing && t < min(k, i+mostInside); t++ {
			if c.at(t) == leave && at(t) == Results {
				exit = Results // of a part
			}
		}
		if exit != Goes {
			return exit
		}
	}
	return Goes
}

// fails reports whether one of the first tokens of [i, to) says that something has failed.
func (c *Braces) fails(i, to int) bool {
	for k := i; k < min(to, i+mostWords, c.Tokens); k++ {
		if c.at(k) == 'E' || Fails(c.Text(k)) {
			return true
		}
	}
	return false
}

// begins reports whether a statement begins at i.
func (c *Braces) begins(i int) bool {
	switch c.at(i - 1) {
	case '{', '}', ';', ':', '-', '=':
		return true
	}
	return c.Begins != nil && c.Begins(i)
}

func (c *Braces) compound(i, next int) *compound {
	block := c.blocks[len(c.blocks)-1]
	s := &compound{next: next, end: block.to, around: block.from}
	if c.bodies[i] != nil { // without braces
		s.around = i
	}
	return s
}

// arm adds an arm of a statement.
func (c *Braces) arm(s *compound, fork Branch, from, to int, exit Exit, when Condition) {
	b := c.forks.Arm(fork, exit)
	c.forks.When(b, when)
	if c.add(from, to, b); b != Apart {
		c.bodies[from] = s
		s.leaves = s.leaves || exit >= Leaves
	}
}

// follow states that what follows a statement in its block is in a branch, unless that is 0. What follows the statements
// around it then runs only in some cases, up to the loop if the arms only end its turn.
func (c *Braces) follow(s *compound, rest Branch) {
	hard, leaves := c.forks.guards(rest) == nil, s.leaves
	for n := 0; rest != 0 && s != nil && (hard || n < mostHeads); n++ {
		b := rest
		switch {
		case s.rest != 0 && c.forks.guards(s.rest) == nil:
			return
		case s.rest != 0 && !hard:
			c.forks.Either(s.rest, rest)
			b = 0
		case n > 0:
			b = c.forks.Around(rest)
		}
		if c.add(s.next, s.end, b); b != 0 {
			s.rest = b
		}
		if s = c.bodies[s.around]; s != nil && s.loop && !leaves {
			return
		}
	}
}

// isLoop reports whether a loop begins at i: neither a member of that name, nor a trait or type for something.
func (c *Braces) isLoop(i int) bool {
	if !c.Bare {
		return c.at(i) == loop && (i == 0 || c.Text(i-1) != ".")
	}
	return c.at(i) == 'o' || c.begins(i) && c.Text(i+1) != "<"
}

// single adds a statement with one body. If that returns a result, what follows is in the branch rest.
func (c *Braces) single(i, body, next int, rest Branch) {
	s := c.compound(i, next)
	c.bodies[body] = s
	s.loop = c.at(i) == loop || c.at(i) == 'o'
	if s.leaves = c.exit(body) >= Leaves; s.leaves {
		c.follow(s, rest)
	}
}

// isResult reports whether a value at i is neither missing, empty nor an error.
func (c *Braces) isResult(i int) bool {
	switch c.at(i) {
	case ';', ',', '}', end, none, 'E':
		return false
	}
	for k := i; k < min(i+mostWords, c.Tokens) && c.at(k) != ';' && c.at(k) != '}'; k++ {
		if Fails(c.Text(k)) {
			return false
		}
	}
	k := i
	for c.Bare && c.at(k) == 0 && c.at(k+1) == '(' { // Ok(…)
		k += 2
	}
	return !c.Codes && (c.Begins == nil || !c.Begins(i)) && c.at(k) != none && c.After(k) != k+2
}

// expects returns the exit that the condition [i, to) allows: after a failure, without a result if something is missing,
// or any.
func (c *Braces) expects(i, to int) Exit {
	exit := Results
	for k := i; k < to; k++ {
		macro := c.Bare && c.at(k-1) == 0 && c.at(k+1) == '('
		if Fails(c.Text(k)) {
			return Failing
		}
		if c.at(k) == not && !macro || c.at(k) == none && (k == i || c.at(k-1) == equal) {
			exit = Leaves
		}
	}
	return exit
}

// ifs finds the arms of a chain of conditions. An arm that leaves the function after a failure is apart. If another leaves,
// what follows is in the other arms.
func (c *Braces) ifs(i int) {
	s, fork := c.compound(i, i), c.forks.Fork()
	arm := func(condition, from int, failed bool) {
		exit := c.exit(from)
		leaves := s.leaves || exit >= Leaves
		if failed {
			exit = Failing
		} else if exit > Failing && !c.succeeds(from) {
			exit = c.expects(condition, from)
		}
		c.arm(s, fork, from, s.next, exit, If(c.code(condition, from)))
		s.leaves = leaves
	}
	for more := true; more; i = s.next + 1 {
		body := c.body(i)
		if body < 0 {
			return
		}
		c.add(i, body, c.forks.Rest(fork))
		s.next = c.statement(body)
		arm(i+1, body, c.at(i+1) == 't' && c.at(i+2) == 'E')
		if more = c.at(s.next) == 'e'; more && c.at(s.next+1) != 'i' {
			from := s.next + 1
			s.next, more = c.statement(from), false
			arm(from, from, false)
			c.forks.Close(fork)
		}
	}
	c.follow(s, c.forks.After(fork))
}

// isStatus reports whether the argument at i is a variable that does not name a failure.
func (c *Braces) isStatus(i int) bool {
	return c.at(i) == 0 && c.at(i+1) == end && (c.Text(i)[0] < '0' || c.Text(i)[0] > '9') && !Fails(c.Text(i))
}

// succeeds reports whether the statement at i returns true.
func (c *Braces) succeeds(i int) bool {
	if c.at(i) == '{' {
		i++
	}
	return c.at(i) == leave && c.at(i+1) != end && i+1 < c.Tokens && c.Text(i+1) == "true"
}

package control

import (
	"cmp"
	"slices"
)

// Word is the meaning of a word or mark for the control flow.
type Word byte

const (
	jump   = 'j'
	leave  = 'r'
	exit   = 'x' // ends the program
	loop   = 'l'
	label  = 'c'
	others = 'd' // the label of all other cases
	either = '|' // has a right side that runs only in some cases
	end    = ')'
	none   = 'n' // no value
	not    = '!'
	equal  = '~'
)

var words = map[string]Word{
	"if": 'i', "else": 'e', "switch": 's', "match": 'm', "case": label, "default": others, "for": loop, "while": loop, "let": 't', "Err": 'E', "ok_or": 'E', "@": '@',
	"null": none, "None": none, "undefined": none, "false": none, "0": none, "!": not, "==": equal, "===": equal,
	"return": leave, "throw": 'w', "catch": 'k', "finally": 'k', "goto": leave, "break": jump, "continue": jump, "yield": jump, "exit": exit, "abort": exit, "panic": exit,
	"&&": either, "||": either, "??": either, "&&=": either, "||=": either, "??=": either, "?": '?', ":": ':', "(": '(', "{": '{', ")": end, "]": end, "}": '}', ";": ';', ",": ',', "=>": '=', "->": '-',
}

// WordOf returns the meaning of a token's text.
func WordOf[T ~string | ~[]byte](text T) Word {
	if len(text) > len("undefined") {
		return 0
	}
	return words[string(text)]
}

// Braces finds the branches of the control flow in the tokens of a language with braces.
type Braces struct {
	Tokens int
	Word   func(i int) Word // of a token
	Text   func(i int) string
	After  func(i int) int // the token after the brackets that open at i, otherwise i+1
	// Begins reports whether a statement begins after a line break; nil if statements end with a semicolon.
	Begins func(i int) bool
	// Bare conditions have no parentheses, and match takes the place of switch.
	Bare bool
	// Codes are returned instead of results.
	Codes bool

	forks Forks
	arms  []arm
	rest  arm // what follows the last if that returns a result
}

// arm is a range of tokens in a branch.
type arm struct {
	from, to int
	branch   Branch
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
	for i := range c.Tokens {
		switch c.Word(i) {
		case 'i':
			if c.at(i-1) != 'e' {
				c.ifs(i)
			}
		case 's', 'm':
			if open := c.body(i); c.at(open) == '{' && c.Bare && c.Word(i) == 'm' {
				c.match(open+1, c.After(open)-1)
			} else if first := c.at(open + 1); c.at(open) == '{' && !c.Bare && c.Word(i) == 's' && (first == label || first == others || first == '}') {
				c.cases(open+1, c.After(open)-1)
			}
		case 'w':
			if c.at(i+1) != '(' || c.at(c.After(i+1)) != '{' { // not what a function throws
				c.add(i, c.end(i, true), Apart)
			}
		case 'E':
			if c.Bare && c.at(i+1) == '(' {
				c.add(i+1, c.After(i+1), Apart)
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
				c.add(i+1, right, c.forks.Arm(c.forks.Fork(), false))
			}
		case '?':
			middle := i + 1
			for middle < i+mostTokens && c.at(middle) != ':' && !c.stops(middle, true) {
				middle = c.After(middle)
			}
			if middle > i+1 && c.at(middle) == ':' && !c.Bare {
				fork := c.forks.Fork()
				c.add(i+1, middle, c.forks.Arm(fork, false))
				c.add(middle+1, c.end(middle+1, true), c.forks.Arm(fork, false))
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
			a.branch = c.forks.Settle(c.forks.In(a.branch, open[len(open)-1].branch))
			open = append(open, a)
		}
		out[i] = open[len(open)-1].branch
	}
	return out
}

func (c *Braces) add(from, to int, b Branch) {
	if b != 0 {
		c.arms = append(c.arms, arm{from, to, b})
	}
}

// Limits of a statement without braces: its tokens, and the heads before it.
const (
	mostTokens = 1024
	mostHeads  = 8
	mostWords  = 32 // of a result
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

// leaves reports whether the statement at i leaves the function, and if so, whether it returns a value.
func (c *Braces) leaves(i int) (left, returns bool) {
	at := func(i int) bool {
		returns = c.at(i) == leave && c.isResult(i+1)
		for n := 0; c.at(i) == 0 && c.at(i+1) == 0 && n < 2; n++ { // process.exit, std::process::exit
			i += 2
		}
		return c.at(i) == leave || c.at(i) == 'w' || c.at(i) == exit
	}
	if c.at(i) != '{' {
		return at(i), returns
	}
	for k, to := i+1, c.After(i)-1; k < to; k = c.After(k) {
		before := c.at(k - 1)
		if begins := before == '{' || before == '}' || before == ';' || c.Begins != nil && c.Begins(k); begins && at(k) {
			return true, returns
		}
	}
	return false, false
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

// expects reports whether the condition [i, to) asks for nothing that is missing or has failed.
func (c *Braces) expects(i, to int) bool {
	for ; i < to; i++ {
		macro := c.Bare && c.at(i-1) == 0 && c.at(i+1) == '('
		if Fails(c.Text(i)) || c.at(i) == not && !macro || c.at(i) == equal && c.at(i+1) == none {
			return false
		}
	}
	return true
}

// ifs finds the arms of a chain of conditions. An arm that leaves the function is apart, unless it returns a result: then
// what follows is in the other arms.
func (c *Braces) ifs(i int) {
	begin, fork, returned := i, c.forks.Fork(), Branch(0)
	arm := func(condition, from, to int, failed bool) {
		left, returns := c.leaves(from)
		b := c.forks.Arm(fork, failed || left && !(returns && condition > 0 && c.expects(condition, from)))
		if c.add(from, to, b); left && b != Apart {
			returned |= b
		}
	}
	next := i
	for more := true; more; i = next + 1 {
		body := c.body(i)
		if body < 0 {
			return
		}
		c.add(i, body, c.forks.Rest(fork))
		next = c.statement(body)
		arm(i+1, body, next, c.at(i+1) == 't' && c.at(i+2) == 'E')
		if more = c.at(next) == 'e'; more && c.at(next+1) != 'i' {
			from := next + 1
			next, more = c.statement(from), false
			arm(0, from, next, false)
			c.forks.Close(fork)
		}
	}
	if returned != 0 {
		to := next
		if c.rest.from == begin { // one of many in a row
			to = max(next, c.rest.to)
		}
		for n := 0; n < mostTokens && to < c.Tokens && c.at(to) != '}' && c.at(to) != label && c.at(to) != others; n++ {
			to = c.After(to)
		}
		c.rest.from, c.rest.to = next, to
		c.add(next, to, returned.Others())
	}
}

// cases finds the arms of a switch. A case without a jump continues in the next one. That of all other cases is apart if
// it leaves the function without a result and no case before leaves it.
func (c *Braces) cases(i, to int) {
	fork, from, jumped, returned, left := c.forks.Fork(), i, false, false, false
	for ; i < to; i = c.After(i) {
		switch word := c.at(i); word {
		case label, others:
			if jumped {
				c.add(from, i, c.forks.Arm(fork, left))
				from, left = i, false
			}
			if jumped = false; word == others {
				c.forks.Close(fork)
				failed, result := c.leaves(i + 2)
				left = failed && !result && !returned
			}
		case jump, leave, 'w', '-':
			jumped, returned = true, returned || c.at(i) == leave
		case '{':
			for k := i + 1; k < c.After(i)-1; k = c.After(k) {
				jumped = jumped || c.at(k) == jump || c.at(k) == leave || c.at(k) == 'w'
			}
		}
	}
	c.add(from, to, c.forks.Arm(fork, left))
}

// match finds the arms of a match. Those of an error, and those that leave the function, are apart, unless they return a
// result and expect something.
func (c *Braces) match(i, to int) {
	fork := c.forks.Fork()
	for c.forks.Close(fork); i < to; {
		begin, failed := i, c.at(i) == 'E'
		for i < to && c.at(i) != '=' {
			i = c.After(i)
		}
		from := i + 1
		for i = from; i < to && c.at(i) != ',' && (i == from || c.at(from) != '{'); {
			i = c.After(i)
		}
		left, returns := c.leaves(from)
		apart := failed || left && !(returns && c.at(begin) != none && c.expects(begin, from-1))
		if c.add(from, i, c.forks.Arm(fork, apart)); c.at(i) == ',' {
			i++
		}
	}
}

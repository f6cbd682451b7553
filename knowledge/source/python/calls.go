package python

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// execution is the order of execution of tokens.
type execution struct {
	*walker

	// closed maps an opening bracket to its closing token, or 0.
	closed []int32
	at     []int32 // by token
}

func (w *walker) execution() execution {
	p := execution{w, make([]int32, len(w.toks)), make([]int32, len(w.toks))}
	var open []int32
	for i := range w.toks {
		p.at[i] = int32(i)
		switch d := w.depth(i); {
		case d > 0:
			open = append(open, int32(i))
		case d < 0 && len(open) > 0:
			p.closed[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
	}
	return p
}

// swap moves the tokens [from, middle) behind those up to to.
func (p execution) swap(from, middle, to int) {
	for i := from; i < to; i++ {
		if i < middle {
			p.at[i] += int32(to - middle)
		} else {
			p.at[i] -= int32(middle - from)
		}
	}
}

// order returns the execution position of a use at a token. A call follows its arguments.
func (p execution) order(at int32, call bool) int32 {
	if call {
		i := int(at) + 1
		for i < len(p.toks) && (p.toks[i].kind == name || p.is(i, len(p.toks), ".")) {
			i++
		}
		if i < len(p.toks) && p.closed[i] > 0 {
			at = p.closed[i]
		}
	}
	return p.at[at]
}

const (
	// deepestExpression limits the brackets whose order is known.
	deepestExpression = 32
	// longestOperand limits the tokens of an operand.
	longestOperand = 1024
)

// operand is a token range of an arm.
type operand struct {
	from, to int
	branch   control.Branch
}

// expressions places the tokens [from, to) of a line, and finds the branches of operands that run only in some cases.
func (c *course) expressions(from, to int) {
	c.operands = c.operands[:0]
	c.expression(from, to, 0)
	slices.SortStableFunc(c.operands, func(a, b operand) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	for _, o := range c.operands {
		c.within(o.branch, o.from, o.to)
	}
}

func (c *course) operand(fork control.Branch, from, to int) {
	c.operands = append(c.operands, operand{from, to, c.Arm(fork, control.Goes)})
}

func (c *course) expression(from, to, depth int) {
	start, right, element := from, 0, true
	for i := from; i < to; i++ {
		if end := int(c.closed[i]); end > 0 {
			if depth < deepestExpression {
				c.expression(i+1, min(end, to), depth+1)
			}
			i = end
			continue
		}
		if c.toks[i].kind != keyword && c.toks[i].kind != op {
			continue
		}
		switch word := c.text(i); {
		case (word == "and" || word == "or") && i >= right:
			right = c.end(i+1, to, "if", "else")
			c.operand(c.Fork(), i+1, right)
		case word == "for" && depth > 0 && element:
			element = false
			filter := c.end(i+1, to, "if")
			if loop := c.Loop(); c.is(filter, to, "if") {
				c.operands = append(c.operands, operand{filter, to, loop})
				c.operand(c.Fork(), from, i)
			} else {
				c.operands = append(c.operands, operand{from, i, loop})
			}
			c.swap(from, i, to)
		case word == "if" && (i > from || depth > 0):
			otherwise := c.end(i+1, to, "else")
			if !c.is(otherwise, to, "else") {
				start = i + 1
				continue
			}
			fork := c.Fork()
			c.operand(fork, start, i)
			c.operand(fork, otherwise+1, c.end(otherwise+1, to))
			c.Close(fork)
			c.swap(start, i, otherwise)
		case word == "," || word == ":" || word == "=" || word == ":=" || word == "else":
			start = i + 1
		}
	}
}

// end returns the end of the operand at i, which is also before one of words.
func (c *course) end(i, to int, words ...string) int {
	for to = min(to, i+longestOperand); i < to; i++ {
		if end := int(c.closed[i]); end > 0 {
			i = end
			continue
		}
		if k := c.toks[i].kind; k == keyword || k == op {
			switch word := c.text(i); word {
			case ",", ":", "for", "=", ";":
				return i
			default:
				if slices.Contains(words, word) {
					return i
				}
			}
		}
	}
	return min(i, to)
}

package control

import (
	"slices"
	"strings"
)

// cases finds the arms of a switch. A case without a jump continues in the next one. That of all other cases is apart if
// it leaves the function without a result and no case before leaves it.
func (c *Braces) cases(i, open int) {
	s := c.compound(i, c.After(open))
	c.bodies[open] = s
	fork, from := c.forks.Fork(), open+1
	var jumped, failed, mixed bool // mixed has the code of several labels
	var labels []string
	value, behind := c.code(i+1, open), open+1
	arm := func(to int) {
		exit, when := Goes, Condition{}
		if failed {
			exit = Failing
		} else if c.returns(from, to) {
			exit = Results
		}
		if !mixed {
			when = Case(value, labels...)
		}
		c.arm(s, fork, from, to, exit, when)
	}
	for i = open + 1; i < s.next-1; i = c.After(i) {
		switch word := c.at(i); word {
		case label, others:
			if jumped {
				arm(i)
				from, failed, mixed, behind, labels = i, false, false, i, labels[:0]
			}
			mixed = mixed || word == others || i > behind
			behind = c.label(i + 1)
			labels = append(labels, c.code(i+1, behind-1))
			if jumped = false; word == others {
				c.forks.Close(fork)
				exit := c.exit(i + 2)
				failed = (exit == Failing || exit == Leaves) && c.forks.After(fork) == 0
			}
		case jump, skip, leave, 'w', '-':
			jumped = true
		case '{':
			if before := c.at(i - 1); before == ':' || before == '-' {
				c.bodies[i] = s
			}
			for k := i + 1; k < c.After(i)-1; k = c.After(k) {
				jumped = jumped || slices.Contains([]Word{jump, skip, leave, 'w'}, c.at(k))
			}
		}
	}
	arm(i)
	c.follow(s, c.forks.After(fork))
}

// label returns the token behind the mark that ends the label of a case.
func (c *Braces) label(i int) int {
	for to := i + mostWords; i < to && c.at(i) != ':' && c.at(i) != '-' && !c.stops(i, false); {
		i = c.After(i)
	}
	return i + 1
}

// returns reports whether a return is a statement of a case or of its block.
func (c *Braces) returns(k, to int) bool {
	for ; k < to; k = c.After(k) {
		before := c.at(k - 1)
		block := c.at(k) == '{' && (before == ':' || before == '-')
		if c.at(k) == leave && c.begins(k) || block && c.returns(k+1, c.After(k)-1) {
			return true
		}
	}
	return false
}

// match finds the arms of a match. An arm for an error is apart, and an arm that leaves the function after a failure.
func (c *Braces) match(i, open int) {
	s, fork := c.compound(i, c.After(open)), c.forks.Fork()
	c.forks.Close(fork)
	value, some := c.code(i+1, open), map[string]bool{} // patterns of which an arm has only some values
	for i = open + 1; i < s.next-1; {
		begin, to, failed := i, s.next-1, c.at(i) == 'E'
		for i < to && c.at(i) != '=' {
			i = c.After(i)
		}
		from := i + 1
		for i = from; i < to && c.at(i) != ',' && (i == from || c.at(from) != '{'); {
			i = c.After(i)
		}
		exit := c.exit(from)
		if failed {
			exit = Failing
		} else if exit != Goes {
			exit = min(exit, c.expects(begin, from-1))
		}
		if c.arm(s, fork, from, i, exit, c.matches(value, begin, from-1, some)); c.at(i) == ',' {
			i++
		}
	}
	c.follow(s, c.forks.After(fork))
}

// matches returns the condition that a value has the pattern [i, to) and the guard behind it. It is unknown for the rest of a
// pattern of which an arm before has some values.
func (c *Braces) matches(value string, i, to int, some map[string]bool) Condition {
	for c.Text(i) == "#" { // an attribute
		i = c.After(i + 1)
	}
	guard := i
	for guard < to && c.at(guard) != 'i' {
		guard = c.After(guard)
	}
	pattern := c.pattern(i, guard)
	unknown := some[""]
	for one := range strings.SplitSeq(pattern, "|") {
		kind, _, _ := strings.Cut(strings.TrimSpace(one), "(")
		unknown = unknown || some[kind]
		some[kind] = some[kind] || guard < to
	}
	if unknown {
		return Condition{}
	}
	return Case(value, pattern).and(c.code(guard+1, to))
}

// pattern returns a pattern without the fields of a record, or "" if it is a name, which matches all values.
func (c *Braces) pattern(i, to int) string {
	open := i
	for open < to && c.at(open) != '{' {
		open = c.After(open)
	}
	text := c.code(i, min(open, to))
	switch {
	case open < to && c.After(open) == to && text != "":
		return text + " { .. }"
	case open < to:
		return c.code(i, to)
	case text != "" && text[0] > '9' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_0123456789") == "":
		return ""
	}
	return text
}

package cfamily

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// arm is code that runs only in some cases.
type arm struct {
	span

	branch source.Branch
}

// fork finds the arms of the if or switch at token i.
func (u *uses) fork(i int) {
	if !u.outline.word(i, kwOther) {
		return
	}
	switch u.spell(i) {
	case "if":
		if !u.outline.word(i-1, kwOther) || u.spell(i-1) != "else" {
			u.ifChain(i)
		}
	case "switch":
		if i = u.past(i + 1); u.is(i, '{') {
			u.cases(i)
		}
	}
}

func (u *uses) ifChain(i int) {
	for fork := u.Fork(); ; {
		body := u.afterCondition(i)
		if body < 0 {
			return
		}
		next := u.bodyEnd(body)
		other := u.outline.word(next, kwOther) && u.spell(next) == "else"
		chained := other && u.outline.word(next+1, kwOther) && u.spell(next+1) == "if"
		u.addArm(body, next, fork.Arm(u.exit(i) >= 0, other && !chained && u.exit(next) >= 0))
		switch {
		case !other:
			return
		case !chained:
			u.addArm(next+1, u.bodyEnd(next+1), fork.Arm(u.exit(next) >= 0, true))
			return
		}
		i = next + 1
	}
}

func (u *uses) addArm(from, to int, b source.Branch) {
	if b.Conditional() {
		u.arms = append(u.arms, arm{span{From: from, To: to}, b})
	}
}

// afterCondition returns the start of the body of the if at token i, or -1.
func (u *uses) afterCondition(i int) int {
	for i++; !u.is(i, '('); i++ {
		if !u.name(i) && !u.outline.word(i, kwConstexpr) {
			return -1
		}
	}
	return u.past(i)
}

// maxPrefixes limits the nested statements without braces.
const maxPrefixes = 16

// bodyEnd returns the end of the statement at i, without the else of an if without braces.
func (u *uses) bodyEnd(i int) int {
	for range maxPrefixes {
		if u.is(i, '{') {
			return u.past(i)
		}
		if !u.outline.word(i, kwOther) || !u.is(i+1, '(') || !loops[u.spell(i)] {
			break
		}
		i = u.past(i + 1)
	}
	return u.statementEnd(i) + 1
}

var loops = map[string]bool{"if": true, "for": true, "while": true, "switch": true}

// cases finds the arms of a switch. A case without a jump at its end continues in the next one.
func (u *uses) cases(open int) {
	fork, end, from := u.Fork(), u.past(open)-1, 0
	jumped := true
	close := func(to int) {
		if from > 0 {
			u.addArm(from, to, fork.Arm(false, false))
		}
	}
	for i := open + 1; i < end; i = max(u.past(i), i+1) {
		begins := u.is(i-1, ';') || u.is(i-1, '{') || u.is(i-1, '}') || u.is(i-1, ':')
		switch {
		case !begins:
		case u.outline.word(i, kwOther) && (u.spell(i) == "case" || u.spell(i) == "default"):
			if jumped {
				close(i)
				from = i
			}
			jumped = false
		case u.is(i, '{'):
			jumped = u.jumpsBefore(u.past(i) - 1)
		default:
			jumped = u.jumps(i)
		}
	}
	close(end)
}

func (u *uses) jumps(i int) bool {
	return u.leaves(i) || u.outline.word(i, kwOther) && (u.spell(i) == "break" || u.spell(i) == "continue")
}

// jumpsBefore reports whether the last statement before token end is a jump.
func (u *uses) jumpsBefore(end int) bool {
	for i := end - 2; i > 0 && i > end-maxStatement; i-- {
		if u.is(i, ';') || u.is(i, '{') || u.is(i, '}') {
			return u.jumps(i + 1)
		}
	}
	return false
}

// spread sets the innermost arm of each token of an entry.
func (u *uses) spread(e *entry) {
	u.armsFrom, u.inArm = e.start, u.inArm[:0]
	if len(u.arms) == 0 {
		return
	}
	slices.SortStableFunc(u.arms, func(a, b arm) int { return a.Compare(b.span) })
	var open []arm
	for i, next := e.start, 0; i < e.end; i++ {
		for len(open) > 0 && open[len(open)-1].To <= i {
			open = open[:len(open)-1]
		}
		for ; next < len(u.arms) && u.arms[next].From <= i; next++ {
			open = append(open, u.arms[next])
		}
		b := source.Branch(0)
		if len(open) > 0 {
			b = open[len(open)-1].branch
		}
		u.inArm = append(u.inArm, b)
	}
}

func (u *uses) armAt(i int) source.Branch {
	if i -= u.armsFrom; i < 0 || i >= len(u.inArm) {
		return 0
	}
	return u.inArm[i]
}

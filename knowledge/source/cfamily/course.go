package cfamily

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// course identifies the tokens outside a function's own control flow.
type course struct {
	// later are ranges that run later or conditionally: bodies of lambdas, classes and catch clauses.
	later []span
	// second maps a branch to the innermost enclosing branch that follows another one, or 0. Only one of the two is
	// compiled.
	second []int32
	// home is the value of second for the current function, -1 outside functions.
	home int32
	// arms are the branches of the tokens.
	arms  []control.Branch
	forks *control.Forks
}

// secondBranches finds the branches after another branch that contains code.
func (u *uses) secondBranches() {
	u.second = make([]int32, len(u.branches))
	type conditional struct {
		from int32 // start of its last branch
		code bool  // an earlier branch contains code
	}
	var open []conditional
	for i := range u.directives {
		d := &u.directives[i]
		n := len(open)
		switch {
		case d.name == "endif":
			open = open[:max(0, n-1)]
			continue
		case !d.opens() || d.branch == 0:
			continue
		case d.name != "elif" && d.name != "else":
			open = append(open, conditional{from: d.at})
		case n > 0:
			open[n-1] = conditional{d.at, open[n-1].code || d.at > open[n-1].from}
		}
		u.second[d.branch] = u.second[u.branches[d.branch].parent]
		if n = len(open); n > 0 && open[n-1].code {
			u.second[d.branch] = d.branch
		}
	}
}

func (u *uses) setOut(e *entry) {
	u.later, u.home = u.later[:0], -1
	if e == nil || !e.function {
		return
	}
	u.home = u.second[u.tokens[e.start].branch]
	for i := e.start; i < e.end; i++ {
		if end := int(u.skip[i]); end > i && end <= e.end && i > e.start {
			i = end - 1
			continue
		}
		from := u.startOfLater(i)
		if from < 0 {
			continue
		}
		if to := u.past(from); to <= e.end {
			u.later = append(u.later, span{From: from, To: to})
		}
	}
	u.later = kernel.Merge(u.later)
}

// startOfLater returns the start of the lambda, class or catch body that begins at token i; otherwise -1.
func (u *uses) startOfLater(i int) int {
	t := u.tokens[i]
	brace := -1
	switch {
	case !u.cpp:
	case t.kind == punctuation && t.id == '[':
		brace = u.lambdaBody(i)
	case t.kind != identifier:
	case t.id == kwStruct || t.id == kwClass || t.id == kwUnion:
		brace = u.classBody(i + 1)
	}
	if !u.is(brace, '{') {
		return -1
	}
	return brace
}

// maxLambdaHead limits the tokens and groups between a lambda's parameters and its body.
const maxLambdaHead = 64

// lambdaBody returns the body brace of the lambda at i; -1 if there is none or it is called immediately.
func (u *uses) lambdaBody(i int) int {
	if i == 0 || u.is(i+1, '[') {
		return -1 // an attribute
	}
	if u.tokens[i-1].kind != punctuation && !u.outline.word(i-1, kwOther) || u.is(i-1, ')') || u.is(i-1, ']') || u.is(i-1, '>') {
		return -1 // an index or dimension
	}
	k := u.past(i)
	if !u.is(k, '(') && !u.is(k, '{') && !u.is(k, '<') {
		return -1
	}
	depth := 0 // of type parameters and arguments
	for range maxLambdaHead {
		switch {
		case u.is(k, '{'):
			if u.is(u.past(k), '(') {
				return -1
			}
			return k
		case u.is(k, '('), u.is(k, '['):
			k = u.past(k)
		case k >= len(u.tokens), u.is(k, ';'), u.is(k, ')'), u.is(k, '}'), u.is(k, ']'), depth == 0 && (u.is(k, ',') || u.is(k, '=')):
			return -1
		default:
			if u.is(k, '<') {
				depth++
			} else if u.is(k, '>') {
				depth--
			}
			k++
		}
	}
	return -1
}

// classBody returns the brace of the class definition at i, or -1.
func (u *uses) classBody(i int) int {
	if u.name(i) {
		i++
	}
	if u.outline.word(i, kwTrailing) {
		i++
	}
	for k := i; k < i+maxBases; k++ {
		switch {
		case u.is(k, '{'):
			return k
		case !u.is(i, ':'), k >= len(u.tokens), u.is(k, ';'), u.is(k, '('), u.is(k, ')'):
			return -1
		}
	}
	return -1
}

func (u *uses) branchOf(i int) control.Branch {
	if u.home < 0 {
		return 0
	}
	if u.second[u.tokens[i].branch] > u.home {
		return control.Apart
	}
	n, found := slices.BinarySearchFunc(u.later, i, func(s span, i int) int { return cmp.Compare(s.From, i) })
	if (found || n > 0 && i < u.later[n-1].To) && u.arms[i] != control.Apart {
		return control.Later
	}
	return u.arms[i]
}

// place returns the evaluation position of the name at token i: a call is evaluated after its arguments. In a macro
// definition, bracket pairs are unknown.
func (u *uses) place(how source.How, i int) int32 {
	if how&^source.AsOpen == source.AsCall && u.outline != &u.line.outline && u.is(i+1, '(') {
		return u.match[i+1]
	}
	return int32(i) + 1
}

package condition

// Result is the result of an evaluation.
type Result struct {
	Holds bool
	// Because lists the terms that made the condition true, in order: the true ones of an `or`, all of an `and`, and
	// the false ones of a `not`. It is empty if the condition does not hold.
	Because []Term
}

// Term is one term that determined the result.
type Term struct {
	Expression string // as in the condition, with "not " before a false term
	Word       Word
	Question   Question
	Cause      Cause
}

// Evaluate evaluates c against the facts.
func (c Condition) Evaluate(facts Facts) Result {
	if c.root == nil {
		return Result{}
	}
	var because []Term
	if !c.root.is(true, facts, &because) {
		return Result{}
	}
	return Result{Holds: true, Because: because}
}

// is reports whether n evaluates to want, and appends the determining terms. By De Morgan one rule covers both joins.
func (n *node) is(want bool, facts Facts, because *[]Term) bool {
	switch n.op {
	case opNot:
		return n.children[0].is(!want, facts, because)
	case opOr, opAnd:
		if (n.op == opOr) == want {
			return n.some(want, facts, because)
		}
		return n.every(want, facts, because)
	default:
		return n.term.is(want, facts, because)
	}
}

func (n *node) some(want bool, facts Facts, because *[]Term) bool {
	found := false
	for i := range n.children {
		if n.children[i].is(want, facts, because) {
			found = true
		}
	}
	return found
}

func (n *node) every(want bool, facts Facts, because *[]Term) bool {
	start := len(*because)
	for i := range n.children {
		if !n.children[i].is(want, facts, because) {
			*because = (*because)[:start]
			return false
		}
	}
	return true
}

func (t *term) is(want bool, facts Facts, because *[]Term) bool {
	cause, holds := t.evaluate(facts)
	if holds != want {
		return false
	}
	expression := t.text
	switch {
	case !want && t.word.Numeric:
		expression = "not (" + t.text + ")"
	case !want:
		expression = "not " + t.text
	}
	*because = append(*because, Term{expression, t.word.Word, t.question(), cause})
	return true
}

func (t *term) evaluate(facts Facts) (Cause, bool) {
	a := facts.Answer(t.question())
	if !t.word.Numeric {
		return a.Cause, a.Holds
	}
	return a.Cause, t.comparison.holds(a.Number, t.number)
}

func (t *term) question() Question { return Question{t.word.Name, t.args, t.glob} }

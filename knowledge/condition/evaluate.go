package condition

// Result is the outcome of an evaluation.
type Result struct {
	Holds bool
	// Because lists exactly the terms that made the condition true, in its order: of an `or` all true ones, of an
	// `and` all, of a `not` the negated terms that are false. Empty when it does not hold.
	Because []Term
}

// Term is one term of a condition that counted towards its outcome.
type Term struct {
	Expression string // as in the condition, with "not " before it when it counted by being false
	Word       Word
	Question   Question
	Cause      Cause
}

// Evaluate says whether c holds given the facts, and why.
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

// is reports whether n evaluates to want, and appends the terms that make it so to because, none when it does not. By
// De Morgan an `and` that is wanted false is an `or` of its children being false, so that one rule serves both.
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

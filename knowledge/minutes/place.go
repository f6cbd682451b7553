package minutes

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// placed is a statement with the event that follows from it, and what that is about.
type placed struct {
	*statement
	ledger.Type
	plain                        string // its text, as it is compared with others
	targets, resolves, considers []about
	missing                      string // why it cannot be placed
}

// about is what an event names: an earlier statement, or, where that is -1, a reference to what was recorded before.
type about struct {
	statement int
	ref       string
}

// place says what each statement of a document is about, from what stands before it.
func (d *Document) place() []placed {
	out := make([]placed, len(d.statements))
	for i := range d.statements {
		out[i] = placed{statement: &d.statements[i], Type: d.statements[i].Type, plain: plainly(d.statements[i].text)}
		p := placing{out[:i], &out[i]}
		p.place()
	}
	return out
}

// placing places one statement behind others.
type placing struct {
	before []placed
	*placed
}

func (p placing) place() {
	switch {
	case p.text == "" && !p.acts():
		p.missing = "it says nothing"
	case len(p.refs) > 0:
		p.refer()
	case p.Type == ledger.Proposition:
	case p.Type == ledger.Synthesis:
		for _, i := range p.open() {
			p.targets = append(p.targets, about{i, ""})
		}
	case p.parent >= 0:
		p.link(p.parent)
	case p.acts():
		if i := p.same(); i >= 0 {
			p.link(i)
		} else {
			p.missing = "its target is ambiguous: quote the target before the colon, or make the statement an item below it"
		}
	case p.decides:
		p.decide()
	default:
		if i := p.last(); i >= 0 {
			p.link(i)
		} else {
			p.missing = "its section has no earlier statement that it can refer to"
		}
	}
	if p.decides && p.Type == "" {
		p.Type = ledger.Proposition
	}
}

// refer places a statement that says what it is about.
func (p placing) refer() {
	for _, ref := range p.refs {
		found := p.quoting(ref)
		switch {
		case len(found) > 1:
			p.missing = ref + " is in more than one statement before it"
			return
		case len(found) == 1:
			p.link(found[0])
		default:
			p.linkTo(about{-1, ref})
		}
	}
}

// quoting are the statements before this one that say exactly what is quoted, and where there is none, those in which it stands.
func (p placing) quoting(ref string) (found []int) {
	quote := plainly(strings.Trim(ref, `"`))
	var within []int
	for i := range p.before {
		text := p.before[i].plain
		switch {
		case !strings.HasPrefix(ref, `"`) || !p.before[i].Position() || p.before[i].missing != "":
		case text == quote:
			found = append(found, i)
		case quote != "" && strings.Contains(text, quote):
			within = append(within, i)
		}
	}
	if len(found) == 0 {
		return within
	}
	return found
}

// link makes a statement be about one before it: what takes the place of another answers what was said against that.
func (p placing) link(i int) {
	b := &p.before[i]
	open := p.objections(i)
	switch {
	case b.missing != "":
		p.missing = "its target is not recorded"
	case !b.Position():
		p.missing = "its parent item is not a position"
	case (p.decides || p.Type == ledger.Refinement) && b.Type == ledger.Contradiction:
		p.answer(i)
	case p.decides && len(open) == 0 && p.plain == b.plain:
		p.Type = ledger.Confirm
		p.targets = append(p.targets, about{i, ""})
	case (p.decides || p.Type == ledger.Refinement) && len(open) > 0:
		p.answer(open...)
	default:
		p.linkTo(about{i, ""})
	}
}

// linkTo makes a statement be about something, whatever that is.
func (p placing) linkTo(a about) {
	if p.decides {
		p.Type = ledger.Refinement
	}
	p.targets = append(p.targets, a)
}

// answer makes a statement one that takes the place of what some objections are about.
func (p placing) answer(objections ...int) {
	p.Type = ledger.Refinement
	for _, i := range objections {
		p.resolves = append(p.resolves, about{i, ""})
	}
}

// decide places a decision: where one thing is open in its section, it takes the place of that, and where several are, in the light of them.
func (p placing) decide() {
	if i := p.same(); i >= 0 {
		p.link(i)
		return
	}
	open := p.open()
	if len(open) == 1 {
		p.link(open[0])
		return
	}
	p.Type = ledger.Proposition
	for _, i := range open {
		p.considers = append(p.considers, about{i, ""})
	}
}

// open are the positions before this one in its section that were not decided about, and that nothing took the place of.
func (p placing) open() (out []int) {
	for i := range p.before {
		b := &p.before[i]
		switch {
		case !p.inScope(b) || b.missing != "":
		case b.Type == ledger.Proposition && !b.decides, b.Type == ledger.Synthesis, b.Type == ledger.Refinement && !b.decides:
			if !p.done(i) {
				out = append(out, i)
			}
		}
	}
	return out
}

// done reports whether something between a position and this statement took its place, or put it away.
func (p placing) done(i int) bool {
	against := p.objectionsEver(i)
	return slices.ContainsFunc(p.before[i+1:], func(b placed) bool {
		switch b.Type {
		case ledger.Refinement, ledger.Park, ledger.Withdraw, ledger.Confirm:
			return slices.Contains(b.targets, about{i, ""}) || slices.ContainsFunc(b.resolves, func(a about) bool { return slices.Contains(against, a.statement) })
		}
		return false
	})
}

// objectionsEver are the contradictions before this statement of another before it.
func (p placing) objectionsEver(i int) (out []int) {
	for j := range p.before {
		if b := &p.before[j]; b.Type == ledger.Contradiction && slices.Contains(b.targets, about{i, ""}) {
			out = append(out, j)
		}
	}
	return out
}

// objections are those that nothing answered.
func (p placing) objections(i int) []int {
	return slices.DeleteFunc(p.objectionsEver(i), func(c int) bool {
		return slices.ContainsFunc(p.before[c+1:], func(b placed) bool {
			return slices.Contains(b.resolves, about{c, ""}) || b.Type == ledger.Withdraw && slices.Contains(b.targets, about{c, ""})
		})
	})
}

// last is the nearest position before this one in its section that is no objection; -1 where there is none.
func (p placing) last() int {
	for i := range slices.Backward(p.before) {
		if b := &p.before[i]; p.inScope(b) && b.Position() && b.Type != ledger.Contradiction && b.missing == "" {
			return i
		}
	}
	return -1
}

// same is the newest position before this one with the same words; -1 where there is none.
func (p placing) same() int {
	for i := range slices.Backward(p.before) {
		if b := &p.before[i]; p.text != "" && b.Position() && b.missing == "" && b.plain == p.plain {
			return i
		}
	}
	return -1
}

// inScope reports whether a statement stands in the section of this one, or in one that holds it.
func (p placing) inScope(b *placed) bool {
	return len(b.within) <= len(p.within) && slices.Equal(b.within, p.within[:len(b.within)])
}

var unmarked = strings.NewReplacer("*", "", "_", "", "`", "")

// plainly is a text as it is compared with another.
func plainly(text string) string {
	return strings.ToLower(strings.TrimRight(strings.Join(strings.Fields(unmarked.Replace(text)), " "), ".!;,"))
}

// Position reports whether what follows is a position.
func (p *placed) Position() bool { return p.Type.Position() }

// unplaced is why a statement is not recorded.
func (p *placed) unplaced() *reasoning.DropError {
	if p.missing == "" {
		return nil
	}
	reason := reasoning.NoCandidate
	if p.text == "" && !p.acts() {
		reason = reasoning.InvalidPayload
	}
	return &reasoning.DropError{Reason: reason, Detail: p.missing}
}

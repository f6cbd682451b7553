package minutes

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

type placed struct {
	*statement
	ledger.Type
	plain                        string // text normalized for comparison
	targets, resolves, considers []about
	missing                      string // reason why it has no place
}

// about refers to an earlier statement, or, if that is -1, to a recorded event.
type about struct {
	statement int
	ref       string
}

// place resolves the references of each statement from the statements before it.
func (d *Document) place() []placed {
	out := make([]placed, len(d.statements))
	for i := range d.statements {
		out[i] = placed{statement: &d.statements[i], Type: d.statements[i].Type, plain: plainly(d.statements[i].text)}
		p := placing{out[:i], &out[i]}
		p.place()
	}
	return out
}

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

// quoting lists the earlier statements with exactly the quoted text, or else those that contain it.
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

// link makes a statement refer to an earlier one. A decision or refinement of a position also resolves its open
// objections.
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

func (p placing) linkTo(a about) {
	if p.decides {
		p.Type = ledger.Refinement
	}
	p.targets = append(p.targets, a)
}

func (p placing) answer(objections ...int) {
	p.Type = ledger.Refinement
	for _, i := range objections {
		p.resolves = append(p.resolves, about{i, ""})
	}
}

// decide places a decision. It refines the only open position of its section, or considers several.
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

// open lists the earlier positions of the section that are undecided and not superseded.
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

// done reports whether a later statement superseded, parked, withdrew or confirmed a position.
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

func (p placing) objectionsEver(i int) (out []int) {
	for j := range p.before {
		if b := &p.before[j]; b.Type == ledger.Contradiction && slices.Contains(b.targets, about{i, ""}) {
			out = append(out, j)
		}
	}
	return out
}

func (p placing) objections(i int) []int {
	return slices.DeleteFunc(p.objectionsEver(i), func(c int) bool {
		return slices.ContainsFunc(p.before[c+1:], func(b placed) bool {
			return slices.Contains(b.resolves, about{c, ""}) || b.Type == ledger.Withdraw && slices.Contains(b.targets, about{c, ""})
		})
	})
}

// last returns the nearest earlier position of the section that is no objection, or -1.
func (p placing) last() int {
	for i := range slices.Backward(p.before) {
		if b := &p.before[i]; p.inScope(b) && b.Position() && b.Type != ledger.Contradiction && b.missing == "" {
			return i
		}
	}
	return -1
}

func (p placing) same() int {
	for i := range slices.Backward(p.before) {
		if b := &p.before[i]; p.text != "" && b.Position() && b.missing == "" && b.plain == p.plain {
			return i
		}
	}
	return -1
}

// inScope reports whether a statement is in the section of this one or in an enclosing one.
func (p placing) inScope(b *placed) bool {
	return len(b.within) <= len(p.within) && slices.Equal(b.within, p.within[:len(b.within)])
}

var unmarked = strings.NewReplacer("*", "", "_", "", "`", "")

func plainly(text string) string {
	return strings.ToLower(strings.TrimRight(strings.Join(strings.Fields(unmarked.Replace(text)), " "), ".!;,"))
}

// Position reports whether the event is a position.
func (p *placed) Position() bool { return p.Type.Position() }

func (p *placed) unplaced() error {
	if p.missing == "" {
		return nil
	}
	reason := reasoning.NoCandidate
	if p.text == "" && !p.acts() {
		reason = reasoning.InvalidPayload
	}
	return &reasoning.DropError{Reason: reason, Detail: p.missing}
}

package cfamily

import (
	"bytes"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// dropAlternatives removes the branches of conditionals that cannot be read in sequence. Here, both branches open a
// block:
//
//	#if A
//	int f(int a) {
//	#else
//	int f(long a) {
//	#endif
//
// In such a case, or with a partial declaration in each branch, one branch is kept. Complete branches all stay. The
// canonical bytes keep everything.
func (f *file) dropAlternatives() {
	p := &pruner{file: f, assumed: map[string]bool{}, levels: []level{{}}}
	at := 0
	for i := range f.directives {
		d := &f.directives[i]
		p.running().add(f.tokens[at:d.at])
		at = int(d.at)
		p.directive(d)
	}
	if len(p.dropped) > 0 {
		p.remove()
	}
}

// effect is the change in nesting over a range of tokens.
type effect struct {
	brace, paren       int
	minBrace, minParen int  // the lowest values reached
	finished           bool // a top-level declaration or statement ends in the range
	last               token
	some               bool
}

func (e *effect) unbalanced() bool {
	return e.brace != 0 || e.paren != 0 || e.minBrace < 0 || e.minParen < 0
}

// fragment reports whether the range is part of a declaration only.
func (e *effect) fragment() bool {
	if !e.some || e.finished || e.last.kind == punctuation && bytes.IndexByte([]byte(";{},:"), e.last.id) >= 0 {
		return false
	}
	return true
}

func (e *effect) then(next effect) {
	if !next.some {
		return
	}
	e.minBrace = min(e.minBrace, e.brace+next.minBrace)
	e.minParen = min(e.minParen, e.paren+next.minParen)
	e.brace, e.paren = e.brace+next.brace, e.paren+next.paren
	e.finished = e.finished || next.finished
	e.last, e.some = next.last, true
}

func (e *effect) add(tokens []token) {
	if len(tokens) == 0 {
		return
	}
	e.last, e.some = tokens[len(tokens)-1], true
	for i := range tokens {
		if tokens[i].kind != punctuation {
			continue
		}
		switch tokens[i].id {
		case '{':
			e.brace++
		case '}':
			e.brace--
			e.minBrace = min(e.minBrace, e.brace)
			e.finished = e.finished || e.brace <= 0
		case '(', '[':
			e.paren++
		case ')', ']':
			e.paren--
			e.minParen = min(e.minParen, e.paren)
		case ';':
			e.finished = e.finished || e.brace <= 0
		}
	}
}

// alternative is one branch of a conditional.
type alternative struct {
	from, to int
	key      string
	negated  bool
	effect   effect
}

// level is an open conditional; its last branch is the current one.
type level struct{ alternatives []alternative }

type span = kernel.Span[int]

type pruner struct {
	*file
	levels  []level
	root    effect
	assumed map[string]bool // the assumed truth of conditions
	dropped []span
}

func (p *pruner) running() *effect {
	top := &p.levels[len(p.levels)-1]
	if len(top.alternatives) == 0 {
		return &p.root
	}
	return &top.alternatives[len(top.alternatives)-1].effect
}

func (p *pruner) directive(d *directive) {
	top := &p.levels[len(p.levels)-1]
	switch d.name {
	case "if", "ifdef", "ifndef":
		p.levels = append(p.levels, level{alternatives: []alternative{p.begin(d)}})
	case "elif", "else":
		if len(p.levels) > 1 {
			top.alternatives[len(top.alternatives)-1].to = int(d.at)
			top.alternatives = append(top.alternatives, p.begin(d))
		}
	case "endif":
		if len(p.levels) > 1 {
			top.alternatives[len(top.alternatives)-1].to = int(d.at)
			p.levels = p.levels[:len(p.levels)-1]
			p.running().then(p.decide(top.alternatives))
		}
	}
}

// begin opens a branch. The key is the condition without negation, which gives `#ifdef A`, `#if !defined(A)` and
// `#ifndef A` the same key.
func (p *pruner) begin(d *directive) alternative {
	a := alternative{from: int(d.at), negated: d.name == "ifndef"}
	if d.name == "else" {
		return a
	}
	var key []byte
	for i, w := range p.words[d.from:d.to] {
		s := p.spelling(w)
		switch {
		case i == 0 && string(s) == "!":
			a.negated = true
		case string(s) == "defined" || string(s) == "(" || string(s) == ")":
		default:
			key = append(append(key, s...), ' ')
		}
	}
	a.key = string(key)
	return a
}

// decide drops branches that conflict with the taken one, and returns the remaining effect.
func (p *pruner) decide(list []alternative) effect {
	taken := -1
	broken := false
	for i := range list {
		e := &list[i].effect
		broken = broken || e.unbalanced() || i > 0 && e.fragment() && list[0].effect.fragment()
	}
	if broken {
		taken = p.take(list)
	}
	var sum effect
	for i := range list {
		e := &list[i].effect
		if broken && i != taken && (e.unbalanced() || e.fragment()) {
			if list[i].to > list[i].from {
				p.dropped = append(p.dropped, span{From: list[i].from, To: list[i].to})
			}
			continue
		}
		sum.then(*e)
	}
	return sum
}

// take returns the branch to keep, consistent with earlier assumptions, or -1.
func (p *pruner) take(list []alternative) int {
	for i, a := range list {
		if a.key == "" {
			return i
		}
		holds, known := p.assumed[a.key]
		if !known {
			holds = !a.negated
			p.assumed[a.key] = holds
			p.guessed = p.guessed || a.key != "__cplusplus "
		}
		if holds != a.negated {
			return i
		}
	}
	return -1
}

func (p *pruner) remove() {
	dropped := kernel.Merge(p.dropped)
	moved := make([]int32, len(p.tokens)+1)
	kept := p.tokens[:0]
	for i, t := range p.tokens {
		moved[i] = int32(len(kept))
		if len(dropped) > 0 && i == dropped[0].To {
			dropped = dropped[1:]
		}
		if len(dropped) == 0 || i < dropped[0].From {
			kept = append(kept, t)
		}
	}
	moved[len(p.tokens)] = int32(len(kept))
	p.tokens = kept
	for i := range p.directives {
		p.directives[i].at = moved[p.directives[i].at]
	}
	for i := range p.comments {
		p.comments[i].at = moved[p.comments[i].at]
	}
}

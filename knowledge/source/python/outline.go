package python

import (
	"encoding/binary"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type place uint8

const (
	inModule place = iota
	inClass
	inFunction // local
)

type scope struct {
	level    int32 // of its header line
	place    place
	noVars   bool // a loop: its assignments declare nothing
	standsIn bool // fallback for a failed import
	prefix   string
	symbol   int  // symbol whose body it is, or -1
	start    int  // start of the symbol's tokens in canon
	needDoc  bool // still empty: a string is the docstring
	suite    bool // body of a unittest or pytest class
	members  *members
}

// members collects the parts of a class body that are in the class's interface.
type members struct {
	parts []string
	refs  []string
}

// Marks in the canonical token stream. A token is prefixed with its length, which is never 0, so a mark begins with 0.
const (
	markNewline = 'n'
	markIndent  = 'i'
	markDedent  = 'd'
	markDoc     = 's'
	markRemark  = 'r'
)

// outline walks the logical lines, builds the canonical token stream, and collects declarations and imports.
func (x *reader) outline() {
	if n := len(x.src) + len(x.src)/2; cap(x.canon) < n {
		x.canon = make([]byte, 0, n)
	}
	x.scopes = append(x.scopes, scope{level: -1, symbol: -1, needDoc: true})
	decorators, start := -1, 0 // line of the first decorator, and its start in canon
	for i := range x.lines {
		l := x.lines[i]
		x.leave(l.level)
		x.indent(i)
		if decorators < 0 {
			start = len(x.canon)
		}
		doc, isDoc := x.lone(int(l.first), int(l.end))
		x.appendLine(l, doc, isDoc)
		remark := x.remarked(l)
		if isDoc {
			if b := x.bound; x.top().needDoc || x.top().place == inModule || b.level != l.level || !x.document(doc) {
				x.setDoc(doc)
			}
			x.bound = assigning{given: len(x.given)}
			continue
		}
		x.bound = assigning{level: l.level, symbols: len(x.symbols), given: len(x.given)}
		if x.is(int(l.first), int(l.end), "@") {
			if decorators < 0 {
				decorators = i
			}
			x.top().needDoc = false
			continue
		}
		x.statement(i, decorators, start)
		decorators = -1
		if x.bound.end = len(x.symbols); l.block || x.opensBlock(i) {
			x.bound = assigning{given: len(x.given)}
		} else if x.document(remark) {
			x.canon = append(x.canon, 0, markRemark)
			x.canon = source.AppendPart(x.canon, remark)
			x.bound = assigning{given: len(x.given)}
		}
	}
	x.leave(0)
}

func (x *reader) top() *scope { return &x.scopes[len(x.scopes)-1] }

func (x *reader) leave(level int32) {
	for len(x.scopes) > 1 && x.top().level >= level {
		s := *x.top()
		x.scopes = x.scopes[:len(x.scopes)-1]
		if s.symbol >= 0 {
			x.complete(s)
		}
	}
}

// complete sets the fields known only at the end of a symbol's body. It runs before the next line is appended.
func (x *reader) complete(s scope) {
	sym := &x.symbols[s.symbol]
	sym.Content = x.digest(x.canon[s.start:])
	if bare := x.undocumented(x.canon[s.start:]); bare != nil {
		sym.Code = x.digest(bare)
	}
	sym.End = max(sym.Line, int(x.lastLine))
	if s.members != nil {
		sym.Interface = x.digestOf(append([]string{string(sym.Interface)}, s.members.parts...)...)
		sym.Refs = sortedNames(append(sym.Refs, s.members.refs...))
	}
}

// undocumented returns canon without documentation; nil if it has none.
func (x *reader) undocumented(canon []byte) []byte {
	out, kept := x.bare[:0], 0
	for i := 0; i < len(canon); {
		n, size := binary.Uvarint(canon[i:])
		switch {
		case size <= 0:
			i = len(canon)
		case n > 0:
			i += size + int(n)
		case i+1 < len(canon) && (canon[i+1] == markDoc || canon[i+1] == markRemark):
			n, size := binary.Uvarint(canon[i+2:])
			out = append(out, canon[kept:i]...)
			doc := canon[i+1] == markDoc
			i += 2 + max(size, 0) + int(n)
			if doc && i+1 < len(canon) && canon[i+1] == markNewline {
				i += 2 // its level
			}
			kept = i
		default:
			i += 2
		}
	}
	x.bare = out
	if kept == 0 {
		return nil
	}
	return append(out, canon[min(kept, len(canon)):]...)
}

// indent appends the change in level, and checks it against the previous line.
func (x *reader) indent(i int) {
	level, before := x.lines[i].level, int32(0)
	opened := false
	if i > 0 {
		before = x.lines[i-1].level
		opened = x.opensBlock(i - 1)
	}
	switch {
	case opened && level <= before:
		x.problem.Report(x.lines[i].start, "expected an indented block")
	case !opened && level > before:
		x.problem.Report(x.lines[i].start, "expected no indentation here")
	}
	for ; before < level; before++ {
		x.canon = append(x.canon, 0, markIndent)
	}
	for ; before > level; before-- {
		x.canon = append(x.canon, 0, markDedent)
	}
}

func (x *reader) opensBlock(i int) bool {
	l := &x.lines[i]
	return l.colon == l.end-1 || l.colon < 0 && l.block
}

func (x *reader) beginsBlock(l line) bool {
	first := int(l.first)
	if x.is(first, int(l.end), "async") {
		first++
	}
	return first < int(l.end) && x.toks[first].kind == keyword && startsBlock(x.text(first))
}

func (x *reader) appendLine(l line, doc string, isDoc bool) {
	if isDoc {
		x.canon = append(x.canon, 0, markDoc)
		x.canon = source.AppendPart(x.canon, doc)
	} else {
		x.canon = x.appendTokens(x.canon, int(l.first), int(l.end))
	}
	x.canon = append(x.canon, 0, markNewline)
	x.lastLine = l.last
}

func (x *reader) appendTokens(canon []byte, from, to int) []byte {
	for _, t := range x.toks[from:to] {
		canon = source.AppendPart(canon, x.src[t.start:t.end])
	}
	return canon
}

// setDoc records an expression statement string as the documentation of its block.
func (x *reader) setDoc(doc string) {
	s := x.top()
	if !s.needDoc {
		return
	}
	s.needDoc = false
	switch {
	case s.place == inModule && s.symbol < 0:
		x.doc = doc
	case s.symbol >= 0:
		sym := &x.symbols[s.symbol]
		if sym.Doc != "" {
			doc = strings.TrimSpace(doc + "\n\n" + sym.Doc) // parameter documentation
		}
		sym.Doc = doc
		if sym.Deprecated == "" {
			sym.Deprecated = deprecatedIn(doc)
		}
	}
}

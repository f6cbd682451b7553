package python

import (
	"encoding/binary"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// place says whose declarations a block holds.
type place uint8

const (
	inModule place = iota
	inClass
	inFunction // local: not declared for anybody else
)

// scope is a block that is open.
type scope struct {
	level    int32 // of the line that opens it
	place    place
	noVars   bool   // a loop: its assignments declare nothing
	standsIn bool   // for what could not be imported
	prefix   string // of the names declared inside
	symbol   int    // the symbol whose body it is, -1 when there is none
	start    int    // of that symbol's tokens in canon
	needDoc  bool   // nothing was read of it yet: a string is its docstring
	suite    bool   // the body is that of a unittest or pytest class
	members  *members
}

// members collects what of a class body belongs to the class's own interface.
type members struct {
	parts []string
	refs  []string
}

// Marks in the canonical token stream. A token is framed by its length, which is never 0: a mark begins with a 0.
const (
	markNewline = 'n'
	markIndent  = 'i'
	markDedent  = 'd'
	markDoc     = 's'
	markRemark  = 'r'
)

// outline walks the logical lines: it builds the canonical token stream and collects declarations and imports.
func (x *reader) outline() {
	if n := len(x.src) + len(x.src)/2; cap(x.canon) < n {
		x.canon = make([]byte, 0, n)
	}
	x.scopes = append(x.scopes, scope{level: -1, symbol: -1, needDoc: true})
	decorators, start := -1, 0 // the line of the first decorator, and where it stands in canon
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

// leave closes the blocks that a line at the given level is not part of.
func (x *reader) leave(level int32) {
	for len(x.scopes) > 1 && x.top().level >= level {
		s := *x.top()
		x.scopes = x.scopes[:len(x.scopes)-1]
		if s.symbol >= 0 {
			x.complete(s)
		}
	}
}

// complete sets what is known of a symbol only behind its body. It is called before the next line is appended.
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

// undocumented is canon without documentation; nil where it has none.
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
				i += 2 // of the line that it is
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

// indent appends the difference in level to the line before, and holds it to what that line asks for.
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

// opensBlock reports whether a line is the header of a block that follows on lines of its own.
func (x *reader) opensBlock(i int) bool {
	l := &x.lines[i]
	return l.colon == l.end-1 || l.colon < 0 && l.block
}

// beginsBlock reports whether a line begins a compound statement.
func (x *reader) beginsBlock(l line) bool {
	first := int(l.first)
	if x.is(first, int(l.end), "async") {
		first++
	}
	return first < int(l.end) && x.toks[first].kind == keyword && startsBlock(x.text(first))
}

// appendLine adds a line to the canonical token stream.
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

// setDoc takes a string that stands alone as the documentation of the block that it begins.
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
			doc = strings.TrimSpace(doc + "\n\n" + sym.Doc) // of its parameters
		}
		sym.Doc = doc
		if sym.Deprecated == "" {
			sym.Deprecated = deprecatedIn(doc)
		}
	}
}

package cfamily

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// angles marks the '<' and '>' in [from:to) that enclose template arguments.
func (o *outline) angles(from, to int) map[int]bool {
	marks := map[int]bool{}
	var open []int
	for i := from; i < to; i++ {
		switch {
		case o.is(i, '<') && (o.name(i-1) || o.word(i-1, kwTemplate)):
			open = append(open, i)
		case o.is(i, '>') && len(open) > 0:
			marks[open[len(open)-1]], marks[i] = true, true
			open = open[:len(open)-1]
		case o.is(i, opAnd) && i+1 < to && len(open) == 0, o.is(i, ';'), o.is(i, '{'):
			open = open[:0]
		}
	}
	return marks
}

type renderer struct {
	*file
	angles map[int]bool
	value  bool // in an expression, where a name is an operand
}

func render(f *file, angles map[int]bool, value bool, spans ...span) string {
	r := renderer{f, angles, value}
	out := f.scratch[:0]
	previous := -1
	for _, s := range spans {
		for i := s.From; i < s.To && i < len(f.tokens); i++ {
			if previous >= 0 && r.spaced(previous, i) {
				out = append(out, ' ')
			}
			t := f.tokens[i]
			spelling := f.spelling(t)
			if (t.kind == text || t.kind == character) && bytes.Contains(spelling, []byte("\\\n")) {
				spelling = bytes.ReplaceAll(spelling, []byte("\\\n"), nil)
			}
			out = append(out, spelling...)
			previous = i
			if t.kind == punctuation && !value {
				switch t.id {
				case '=', '[':
					r.value = true
				case ',', ';', ']':
					r.value = false
				}
			}
		}
	}
	f.scratch = out
	return valid(string(out))
}

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "�")
}

func (r *renderer) spaced(a, b int) bool {
	x, y := r.tokens[a], r.tokens[b]
	if x.kind == identifier && x.id == kwOperator {
		return y.kind == identifier
	}
	if x.kind == text && a > 0 && r.tokens[a-1].id == kwOperator && r.tokens[a-1].kind == identifier {
		return false // a literal suffix
	}
	if r.value && (x.kind == punctuation && x.id == opArrow || y.kind == punctuation && y.id == opArrow) {
		return false
	}
	if y.kind == punctuation {
		switch y.id {
		case ',', ';', ')', ']', opEllipsis:
			return y.id == opEllipsis && x.kind == punctuation && x.id == ','
		case '[':
			return x.kind == punctuation && x.id == ',' || x.kind == identifier && recordKinds.Get()[x.id] != ""
		case opScope:
			return x.kind == identifier && x.id != none || x.kind == punctuation && x.id == ','
		case '(':
			return r.parenthesised(a, b)
		case '>':
			return !r.angles[b] && !afterOperator(r.file, a)
		case '<':
			return !r.angles[b] || x.kind == identifier && x.id == kwTemplate
		}
	}
	if x.kind == punctuation {
		switch x.id {
		case '(', '[', '~', '!', opScope:
			return false
		case '<':
			return !r.angles[a]
		case '*', '&', opAnd, '-', '+':
			return r.infix(a)
		case opEllipsis:
			return y.kind == identifier
		}
	}
	return !(y.kind == punctuation && y.id == '.') && !(x.kind == punctuation && x.id == '.')
}

func (r *renderer) parenthesised(a, b int) bool {
	f, angles := r.file, r.angles
	x := f.tokens[a]
	if b+1 < len(f.tokens) && f.tokens[b+1].kind == punctuation {
		if id := f.tokens[b+1].id; (id == '*' || id == '^') && (x.kind == identifier && x.id != kwAttribute || angles[a]) {
			return true
		}
	}
	if x.kind == identifier {
		return x.id == kwConst || x.id == kwRequires || x.id == kwType && b+1 < len(f.tokens) && f.tokens[b+1].kind == identifier &&
			f.tokens[b+1].id == none && f.tokens[min(b+2, len(f.tokens)-1)].id == ')'
	}
	if x.kind == punctuation && (x.id == '*' || x.id == '&' || x.id == opAnd || x.id == '-' || x.id == '+') {
		return r.infix(a) && !afterOperator(f, a)
	}
	if x.kind == punctuation && x.id >= opEqual {
		return !afterOperator(f, a)
	}
	return x.kind == punctuation && strings.IndexByte(",=/%<>?:|", x.id) >= 0 && !angles[a] && !afterOperator(f, a)
}

func afterOperator(f *file, a int) bool {
	for i := a; i >= 0 && i > a-4; i-- {
		if f.tokens[i].kind == identifier {
			return f.tokens[i].id == kwOperator
		}
	}
	return false
}

// infix reports whether the operator at a is binary.
func (r *renderer) infix(a int) bool {
	if a == 0 {
		return false
	}
	x, before := r.tokens[a], r.tokens[a-1]
	if operand(before) || r.value && before.kind == identifier && before.id == none {
		return true
	}
	return (x.id == '-' || x.id == '+') && (before.kind == identifier || r.angles[a-1])
}

// operand reports whether a token can only end an expression; a name may also be a type.
func operand(t token) bool {
	return t.kind == number || t.kind == character || t.kind == punctuation && (t.id == ')' || t.id == ']' || t.id == '}')
}

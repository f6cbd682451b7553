package cfamily

import "slices"

// matchBrackets fills match: for an opening bracket the index of the token that ends it, for a closing one its
// opening one. A bracket that nothing closes ends at the first token that shows it to be over, or at the end.
// The memory of match is used where it is large enough.
func (f *file) matchBrackets(match []int32) []int32 {
	match = slices.Grow(match[:0], len(f.tokens))[:len(f.tokens)]
	clear(match)
	if f.pair(match, false) {
		return match
	}
	f.pair(match, true)
	return match
}

var closers = [128]uint8{'(': ')', '[': ']', '{': '}'}

func (f *file) pair(match []int32, recover bool) bool {
	var open []int32
	for i := range f.tokens {
		t := &f.tokens[i]
		if recover && t.margin && len(open) > 0 {
			open = f.outermost(match, open, i)
		}
		if t.kind != punctuation {
			continue
		}
		switch t.id {
		case '(', '[', '{':
			match[i] = int32(len(f.tokens))
			open = append(open, int32(i))
		case ')', ']', '}':
			match[i] = int32(i)
			if len(open) > 0 && closers[f.tokens[open[len(open)-1]].id] == t.id {
				match[i], match[open[len(open)-1]] = open[len(open)-1], int32(i)
				open = open[:len(open)-1]
				continue
			}
			f.mismatch(open, t)
			if !recover {
				return false
			}
			open = f.unwind(match, open, i)
		}
	}
	if len(open) > 0 {
		f.unmatched(f.tokens[len(f.tokens)-1].line, "expected %c for the one of line %d",
			closers[f.tokens[open[0]].id], f.tokens[open[0]].line)
		return false
	}
	return true
}

// unmatched reports brackets that do not match, unless conditionals may be the reason.
func (f *file) unmatched(line int32, format string, args ...any) {
	if !f.guessed {
		f.fail(line, format, args...)
	}
}

func (f *file) mismatch(open []int32, t *token) {
	if len(open) == 0 {
		f.unmatched(t.line, "expected no %c", t.id)
		return
	}
	o := f.tokens[open[len(open)-1]]
	f.unmatched(t.line, "expected %c for the one of line %d", closers[o.id], o.line)
}

// unwind answers a closing bracket that does not fit: parentheses end at a brace that closes what is around them; any
// other one is passed over.
func (f *file) unwind(match []int32, open []int32, at int) []int32 {
	if f.tokens[at].id != '}' {
		return open
	}
	for j := len(open) - 1; j >= 0; j-- {
		if f.tokens[open[j]].id != '{' {
			continue
		}
		for _, o := range open[j:] {
			match[o] = int32(at)
		}
		match[at] = open[j]
		return open[:j]
	}
	return open
}

// maxIndented is how many namespaces around a declaration are looked through; nobody nests more.
const maxIndented = 32

// outermost ends the blocks that a token in the first column shows to be over: a closing brace there belongs to the
// outermost block, and anything after a finished statement begins a new declaration.
func (f *file) outermost(match []int32, open []int32, at int) []int32 {
	t, before := f.tokens[at], f.tokens[at-1]
	keep := 0
	for keep < min(len(open), maxIndented) && f.transparent(int(open[keep])) {
		keep++
	}
	if keep == len(open) {
		return open
	}
	if t.kind == punctuation && t.id == '}' {
		keep++
	} else if t.kind != identifier || t.id == kwAccess || before.kind != punctuation || before.id != ';' && before.id != '}' && before.id != '{' ||
		at+1 < len(f.tokens) && f.tokens[at+1].kind == punctuation && f.tokens[at+1].id == ':' {
		return open
	}
	for _, o := range open[min(keep, len(open)):] {
		match[o] = int32(at)
	}
	return open[:min(keep, len(open))]
}

// transparent reports whether the brace opens a namespace or a linkage block, whose content is often not indented.
func (f *file) transparent(at int) bool {
	if f.tokens[at].id != '{' {
		return false
	}
	for i := at - 1; i >= 0 && i > at-16; i-- {
		switch t := f.tokens[i]; {
		case t.kind == identifier && (t.id == kwNamespace || t.id == kwExtern):
			return true
		case t.kind == identifier && t.id == none, t.kind == text, t.kind == punctuation && t.id == opScope:
		default:
			return false
		}
	}
	return false
}

// after is the index behind the bracket that opens at i.
func (o *outline) after(i int) int {
	end := int(o.match[i])
	if end < len(o.match) && int(o.match[end]) == i {
		return end + 1
	}
	return max(end, i+1)
}

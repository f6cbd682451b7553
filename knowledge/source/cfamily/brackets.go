package cfamily

import (
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// matchBrackets fills match: an opening bracket maps to the token that ends it, a closing one to its opener. An
// unclosed bracket ends at the first token that cannot be inside it, or at the end.
func (f *file) matchBrackets() []int32 {
	match := make([]int32, len(f.tokens))
	if f.pair(match, false) {
		return match
	}
	f.pair(match, true)
	return match
}

type nest = kernel.Nest[struct{}]

func (f *file) pair(match []int32, recover bool) bool {
	var open nest
	for i := range f.tokens {
		t := &f.tokens[i]
		if recover && t.margin && open.Len() > 0 {
			f.shut(match, open.Cut(f.outermost(open.All(), i)), i)
		}
		if t.kind != punctuation {
			continue
		}
		switch t.id {
		case '(', '[', '{':
			match[i] = int32(len(f.tokens))
			open.Push(i, t.id)
		case ')', ']', '}':
			if open.Fits(t.id) {
				match[i] = open.Pop().At
				match[match[i]] = int32(i)
				continue
			}
			f.mismatch(&open, t)
			if !recover {
				return false
			}
			match[i] = int32(i)
			if closed := open.Close(t.id); len(closed) > 0 {
				match[i] = closed[0].At
				f.shut(match, closed, i)
			}
		}
	}
	if open.Len() > 0 {
		first := open.All()[0]
		f.unmatched(f.tokens[len(f.tokens)-1].line, "expected %c for the one of line %d",
			kernel.Closer(first.Bracket), f.tokens[first.At].line)
		return false
	}
	return true
}

func (f *file) shut(match []int32, open []kernel.Open[struct{}], at int) {
	for _, o := range open {
		match[o.At] = int32(at)
	}
}

// unmatched reports unbalanced brackets, unless conditionals may explain them.
func (f *file) unmatched(line int32, format string, args ...any) {
	if !f.guessed {
		f.fail(line, format, args...)
	}
}

func (f *file) mismatch(open *nest, t *token) {
	if open.Len() == 0 {
		f.unmatched(t.line, "expected no %c", t.id)
		return
	}
	o := open.Top()
	f.unmatched(t.line, "expected %c for the one of line %d", kernel.Closer(o.Bracket), f.tokens[o.At].line)
}

// maxIndented limits the enclosing namespaces considered; real code has fewer.
const maxIndented = 32

// outermost returns how many open brackets a first-column token leaves open: a closing brace there ends the outermost
// block, and a token after a finished statement begins a new declaration.
func (f *file) outermost(open []kernel.Open[struct{}], at int) int {
	t, before := f.tokens[at], f.tokens[at-1]
	keep := 0
	for keep < min(len(open), maxIndented) && f.transparent(int(open[keep].At)) {
		keep++
	}
	if keep == len(open) {
		return keep
	}
	if t.kind == punctuation && t.id == '}' {
		return min(keep+1, len(open))
	}
	if t.kind != identifier || t.id == kwAccess || before.kind != punctuation || before.id != ';' && before.id != '}' && before.id != '{' ||
		at+1 < len(f.tokens) && f.tokens[at+1].kind == punctuation && f.tokens[at+1].id == ':' {
		return len(open)
	}
	return keep
}

// transparent reports whether the brace opens a namespace or linkage block, whose content is often not indented.
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

// after returns the index after the bracket pair at i.
func (o *outline) after(i int) int {
	o.meter.Step()
	end := int(o.match[i])
	if end < len(o.match) && int(o.match[end]) == i {
		return end + 1
	}
	return max(end, i+1)
}

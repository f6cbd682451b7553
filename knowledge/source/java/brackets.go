package java

import kernel "github.com/causaldocs/causal/knowledge/source/token"

// match fills ends. In files with unbalanced braces it matches by indentation, which finds the declarations after the
// error.
func (u *unit) match() {
	u.ends = make([]int32, len(u.toks)+1)
	if !u.matchBrackets() {
		clear(u.ends)
		u.matchByIndentation()
	}
	u.matchAngles()
}

func (u *unit) matchBrackets() bool {
	balanced := true
	var open kernel.Nest[struct{}]
	for i, t := range u.toks {
		k := int32(i)
		switch t.kind {
		case '{', '(', '[':
			open.Push(i, t.kind)
		case '}', ')', ']':
			if open.Fits(t.kind) {
				u.ends[open.Pop().At] = k + 1
				continue
			}
			u.mismatch(&open, t)
			closed := open.Close(t.kind)
			for _, o := range closed {
				u.ends[o.At] = k
			}
			if len(closed) > 0 {
				u.ends[closed[0].At] = k + 1
			} else {
				balanced = balanced && t.kind != '}'
			}
		}
	}
	if open.Len() > 0 {
		u.problem.Report(u.lines, "expected '%c'", kernel.Closer(open.Top().Bracket))
		return false
	}
	return balanced
}

// mismatch reports an unexpected closing bracket: before a brace, another bracket is missing; any other bracket is
// stray.
func (u *unit) mismatch(open *kernel.Nest[struct{}], t token) {
	if t.kind == '}' && open.Len() > 0 {
		u.problem.Report(t.line, "expected '%c'", kernel.Closer(open.Top().Bracket))
		return
	}
	u.problem.Report(t.line, "unexpected '%c'", t.kind)
}

// matchByIndentation ends a bracket at the first line that is indented no more than the declaration that opened it.
func (u *unit) matchByIndentation() {
	var open kernel.Nest[int32] // the note is the column of the enclosing statement
	closeTo := func(n int, end int32) {
		for _, o := range open.Cut(n) {
			u.ends[o.At] = end
		}
	}
	column, statement := int32(0), int32(0)
	fresh := true // the token starts a statement or declaration
	for i, t := range u.toks {
		k := int32(i)
		first := i == 0 || u.toks[i-1].line < t.line
		if first {
			column = u.column(t)
		}
		if fresh {
			statement = column
		}
		fresh = t.kind == '{' || t.kind == '}' || t.kind == ';'
		around := open.All()
		n := len(around)
		switch t.kind {
		case '{', '(', '[':
			*open.Push(i, t.kind) = statement
		case '}':
			for n > 0 && (around[n-1].Bracket != '{' || first && around[n-1].Note > column) {
				n--
			}
			closeTo(n, k)
			if n > 0 && !(first && around[n-1].Note < column) {
				closeTo(n-1, k+1)
			}
		case ')', ']':
			if open.Fits(t.kind) {
				closeTo(n-1, k+1)
			}
		case word, '@':
			for first && n > 0 && around[n-1].Note >= column {
				n--
			}
			closeTo(n, k)
		}
	}
	closeTo(0, int32(len(u.toks)))
}

// column returns the byte offset of t in its line; t must be the line's first token.
func (u *unit) column(t token) int32 {
	n := int32(0)
	for t.start-n > 0 && u.src[t.start-n-1] != '\n' {
		n++
	}
	return n
}

// matchAngles pairs < and > if only tokens of type arguments are between them.
func (u *unit) matchAngles() {
	var open []int32
	for i := int32(0); int(i) < len(u.toks); i++ {
		switch u.toks[i].kind {
		case '<':
			open = append(open, i)
		case '>':
			if n := len(open); n > 0 {
				u.ends[open[n-1]], u.ends[i] = i+1, i
				open = open[:n-1]
			}
		case '@':
			if len(open) > 0 {
				i = u.annotationEnd(i) - 1
			}
		case word, '.', ',', '?', '&', '[', ']':
		default:
			open = open[:0]
		}
	}
}

func (u *unit) annotationEnd(i int32) int32 {
	i++
	if u.kind(i) == word {
		i++
	}
	for u.kind(i) == '.' && u.kind(i+1) == word {
		i += 2
	}
	if u.kind(i) == '(' {
		return u.ends[i]
	}
	return i
}

package java

import "fmt"

var closers = [256]uint8{'{': '}', '(': ')', '[': ']'}

// match fills ends. Files whose braces do not pair up are matched again by their indentation, so that the
// declarations after the place of the mistake are still found.
func (u *unit) match() {
	u.ends = make([]int32, len(u.toks)+1)
	if !u.matchBrackets() {
		clear(u.ends)
		u.matchByIndentation()
	}
	u.matchAngles()
}

// matchBrackets pairs (), [] and {} and reports whether the braces are balanced.
func (u *unit) matchBrackets() bool {
	balanced := true
	var open []int32
	for i, t := range u.toks {
		k := int32(i)
		switch t.kind {
		case '{', '(', '[':
			open = append(open, k)
		case '}', ')', ']':
			for t.kind == '}' && len(open) > 0 && u.toks[open[len(open)-1]].kind != '{' {
				top := open[len(open)-1]
				u.report(t.line, fmt.Sprintf("expected '%c'", closers[u.toks[top].kind]))
				u.ends[top] = k
				open = open[:len(open)-1]
			}
			if len(open) == 0 || closers[u.toks[open[len(open)-1]].kind] != t.kind {
				u.report(t.line, fmt.Sprintf("unexpected '%c'", t.kind))
				balanced = balanced && t.kind != '}'
				continue
			}
			u.ends[open[len(open)-1]] = k + 1
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		top := u.toks[open[len(open)-1]].kind
		u.report(u.lines, fmt.Sprintf("expected '%c'", closers[top]))
		return false
	}
	return balanced
}

type openBracket struct {
	token, indent int32
}

// matchByIndentation takes a line that starts no further right than the declaration that opened a bracket as the end
// of that bracket, closed or not.
func (u *unit) matchByIndentation() {
	var open []openBracket
	closeTo := func(n int, end int32) {
		for ; len(open) > n; open = open[:len(open)-1] {
			u.ends[open[len(open)-1].token] = end
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
		n := len(open)
		switch t.kind {
		case '{', '(', '[':
			open = append(open, openBracket{token: k, indent: statement})
		case '}':
			for n > 0 && (u.toks[open[n-1].token].kind != '{' || first && open[n-1].indent > column) {
				n--
			}
			closeTo(n, k)
			if n > 0 && !(first && open[n-1].indent < column) {
				closeTo(n-1, k+1)
			}
		case ')', ']':
			if n > 0 && closers[u.toks[open[n-1].token].kind] == t.kind {
				closeTo(n-1, k+1)
			}
		case word, '@':
			for first && n > 0 && open[n-1].indent >= column {
				n--
			}
			closeTo(n, k)
		}
	}
	closeTo(0, int32(len(u.toks)))
}

// column is the number of bytes between t, the first token of its line, and the start of that line.
func (u *unit) column(t token) int32 {
	n := int32(0)
	for t.start-n > 0 && u.src[t.start-n-1] != '\n' {
		n++
	}
	return n
}

// matchAngles pairs < and > where nothing stands between them but what type arguments can hold.
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

// annotationEnd is the index after the annotation whose @ is token i.
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

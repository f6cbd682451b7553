package rust

// open is a bracket that waits for its other side.
type open struct {
	at     int
	commas int
	macro  bool // within the tokens of a macro, where a comma may mean anything
}

// balance links every bracket with its other side, so that whatever reads the tokens can step over groups. Where the
// brackets of the file do not match, they are made to.
func balance(src []byte, toks []token, p *problem) []token {
	if !link(src, toks, p) {
		toks = repair(src, toks)
		link(src, toks, p)
	}
	return toks
}

var closing = [256]byte{'(': ')', '[': ']', '{': '}'}

// link sets mate and takes out commas before a closing bracket; false when the brackets do not match.
func link(src []byte, toks []token, p *problem) bool {
	stack := []open{{at: -1}}
	for i := range toks {
		t := &toks[i]
		top := &stack[len(stack)-1]
		switch t.class {
		case opener:
			stack = append(stack, open{at: i, macro: top.macro || opensMacro(src, toks, i)})
		case closer:
			if len(stack) == 1 {
				p.report(int(t.line), "expected no %q", src[t.start:t.end])
				return false
			}
			if !closes(src, toks[top.at], *t) {
				p.report(int(t.line), "expected %q", closing[src[toks[top.at].start]])
				return false
			}
			t.mate, toks[top.at].mate = int32(top.at), int32(i)
			dropComma(src, toks, *top, i)
			stack = stack[:len(stack)-1]
		case punct:
			switch src[t.start] {
			case ',':
				top.commas++
			case '>':
				if !top.macro && i > 0 && isComma(src, toks[i-1]) {
					toks[i-1].skip = true
				}
			}
		}
	}
	if len(stack) > 1 {
		t := toks[stack[len(stack)-1].at]
		p.report(int(t.line), "expected %q to close this %q", closing[src[t.start]], src[t.start])
		return false
	}
	return true
}

// closes reports whether c is the other side of o. A bracket that repair put in has no bytes and fits.
func closes(src []byte, o, c token) bool {
	return c.start == c.end || src[c.start] == closing[src[o.start]]
}

func isComma(src []byte, t token) bool { return t.class == punct && src[t.start] == ',' }

// opensMacro reports whether the bracket at i opens the arguments of a macro or the body of macro_rules.
func opensMacro(src []byte, toks []token, i int) bool {
	if i > 1 && toks[i-1].class == word {
		i--
	}
	return i > 1 && toks[i-1].class == punct && src[toks[i-1].start] == '!' && toks[i-1].end-toks[i-1].start == 1 && toks[i-2].class == word
}

// dropComma takes out the comma before the closing bracket at i where it means nothing: everywhere but in a tuple of
// one and in the arguments of macros.
func dropComma(src []byte, toks []token, o open, i int) {
	if o.macro || i == 0 || !isComma(src, toks[i-1]) {
		return
	}
	if src[toks[o.at].start] == '(' && o.commas < 2 && !isCall(src, toks, o.at) {
		return
	}
	toks[i-1].skip = true
}

// isCall reports whether the parenthesis at i lists arguments or parameters, and is not a tuple.
func isCall(src []byte, toks []token, i int) bool {
	if i == 0 {
		return false
	}
	before := toks[i-1]
	return before.class == word && !keywords[string(src[before.start:before.end])]
}

// repair returns the tokens with brackets that match: those without another side are dropped, those that are missing
// are put in as tokens without bytes. What starts an item in the first column closes everything that is open.
func repair(src []byte, toks []token) []token {
	out := make([]token, 0, len(toks)+16)
	var stack []byte
	braces := 0
	shut := func(n int) {
		for ; len(stack) > n; stack = stack[:len(stack)-1] {
			if stack[len(stack)-1] == '{' {
				braces--
			}
			out = append(out, missing(out))
		}
	}
	for i := range toks {
		t := toks[i]
		t.mate, t.skip = -1, false
		if len(stack) > 0 && startsItem(src, t) {
			shut(0)
		}
		switch t.class {
		case opener:
			stack = append(stack, src[t.start])
			if src[t.start] == '{' {
				braces++
			}
		case closer:
			c := src[t.start]
			if c == '}' && braces > 0 {
				for stack[len(stack)-1] != '{' {
					shut(len(stack) - 1)
				}
			}
			if len(stack) == 0 || c != '}' && stack[len(stack)-1] == '{' || c == '}' && braces == 0 {
				continue
			}
			if closing[stack[len(stack)-1]] != c {
				shut(len(stack) - 1)
				continue
			}
			if c == '}' {
				braces--
			}
			stack = stack[:len(stack)-1]
		}
		out = append(out, t)
	}
	shut(0)
	return out
}

// missing is a closing bracket without bytes behind the last of toks.
func missing(toks []token) token {
	last := toks[len(toks)-1]
	return token{start: last.end, end: last.end, line: last.line, mate: -1, class: closer}
}

// startsItem reports whether t is in the first column and, in code laid out as usual, starts an item.
func startsItem(src []byte, t token) bool {
	if t.start > 0 && src[t.start-1] != '\n' {
		return false
	}
	switch t.class {
	case outerDoc:
		return true
	case punct:
		return src[t.start] == '#'
	case word:
		return itemStarts[string(src[t.start:t.end])]
	}
	return false
}

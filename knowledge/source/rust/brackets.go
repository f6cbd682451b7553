package rust

import kernel "github.com/causaldocs/causal/knowledge/source/token"

// list counts the commas in an open bracket.
type list struct {
	commas int
	macro  bool // inside macro tokens, where a comma may mean anything
}

// balance links each bracket with its counterpart, which lets readers skip groups. It repairs unbalanced brackets.
func balance(src []byte, toks []token, p *problem) []token {
	if !link(src, toks, p) {
		toks = repair(src, toks)
		link(src, toks, p)
	}
	return toks
}

// link sets mate and marks trailing commas to be skipped; false if the brackets are unbalanced.
func link(src []byte, toks []token, p *problem) bool {
	var open kernel.Nest[list]
	for i := range toks {
		t := &toks[i]
		switch t.class {
		case opener:
			macro := open.Len() > 0 && open.Top().Note.macro || opensMacro(src, toks, i)
			open.Push(i, src[t.start]).macro = macro
		case closer:
			if open.Len() == 0 {
				p.Report(int32(t.line), "expected no %q", src[t.start:t.end])
				return false
			}
			if t.start != t.end && !open.Fits(src[t.start]) { // brackets added by repair are empty and fit
				p.Report(int32(t.line), "expected %q", kernel.Closer(open.Top().Bracket))
				return false
			}
			o := open.Pop()
			t.mate, toks[o.At].mate = o.At, int32(i)
			dropComma(src, toks, o, i)
		case punct:
			switch src[t.start] {
			case ',':
				if open.Len() > 0 {
					open.Top().Note.commas++
				}
			case '>':
				if i > 0 && isComma(src, toks[i-1]) && !(open.Len() > 0 && open.Top().Note.macro) {
					toks[i-1].skip = true
				}
			}
		}
	}
	if open.Len() > 0 {
		o := open.Top()
		p.Report(int32(toks[o.At].line), "expected %q to close this %q", kernel.Closer(o.Bracket), o.Bracket)
		return false
	}
	return true
}

func isComma(src []byte, t token) bool { return t.class == punct && src[t.start] == ',' }

// opensMacro reports whether the bracket at i opens a macro's arguments or the body of macro_rules.
func opensMacro(src []byte, toks []token, i int) bool {
	if i > 1 && toks[i-1].class == word {
		i--
	}
	return i > 1 && toks[i-1].class == punct && src[toks[i-1].start] == '!' && toks[i-1].end-toks[i-1].start == 1 && toks[i-2].class == word
}

// dropComma skips an insignificant trailing comma: any except those in one-element tuples and macro arguments.
func dropComma(src []byte, toks []token, o kernel.Open[list], i int) {
	if o.Note.macro || i == 0 || !isComma(src, toks[i-1]) {
		return
	}
	if o.Bracket == '(' && o.Note.commas < 2 && !isCall(src, toks, int(o.At)) {
		return
	}
	toks[i-1].skip = true
}

func isCall(src []byte, toks []token, i int) bool {
	if i == 0 {
		return false
	}
	before := toks[i-1]
	return before.class == word && !keywords[string(src[before.start:before.end])]
}

// repair returns balanced tokens: it drops unmatched closing brackets and adds missing ones as empty tokens. An item
// in the first column closes all open brackets.
func repair(src []byte, toks []token) []token {
	out := make([]token, 0, len(toks)+16)
	var open kernel.Nest[struct{}]
	shut := func(open []kernel.Open[struct{}]) {
		for range open {
			out = append(out, missing(out))
		}
	}
	for i := range toks {
		t := toks[i]
		t.mate, t.skip = -1, false
		if open.Len() > 0 && startsItem(src, t) {
			shut(open.Cut(0))
		}
		switch t.class {
		case opener:
			open.Push(i, src[t.start])
		case closer:
			c := src[t.start]
			if c != '}' && open.Len() > 0 && open.Top().Bracket != '{' && !open.Fits(c) {
				shut(open.Cut(open.Len() - 1)) // a mismatched closer ends the bracket that it was meant for
				continue
			}
			closed := open.Close(c)
			if len(closed) == 0 {
				continue
			}
			shut(closed[1:])
		}
		out = append(out, t)
	}
	shut(open.Cut(0))
	return out
}

func missing(toks []token) token {
	last := toks[len(toks)-1]
	return token{start: last.end, end: last.end, line: last.line, mate: -1, class: closer}
}

// startsItem reports whether t is in the first column and, in conventional layout, starts an item.
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

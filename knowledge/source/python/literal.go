package python

import "strings"

// frame is an f-string interrupted by a replacement field.
type frame struct {
	quote  byte
	triple bool
	raw    bool
	base   int // brackets opened before it
	line   int32
}

func stringPrefix(s string) bool {
	switch strings.ToLower(s) {
	case "r", "b", "u", "f", "t", "rb", "br", "fr", "rf", "tr", "rt":
		return true
	}
	return false
}

// literal reads a string with the given positions of prefix and opening quote.
func (x *reader) literal(start, quote int) {
	c := x.src[quote]
	raw, fields := false, false
	for _, p := range []byte(x.src[start:quote]) {
		raw = raw || p|0x20 == 'r'
		fields = fields || p|0x20 == 'f' || p|0x20 == 't'
	}
	triple := strings.HasPrefix(x.src[quote+1:], x.src[quote:quote+1]+x.src[quote:quote+1])
	x.pos = quote + 1
	if triple {
		x.pos += 2
	}
	if fields {
		x.frames = append(x.frames, frame{quote: c, triple: triple, raw: raw, base: x.brackets.Len(), line: x.line})
		x.pieces(start, false)
		return
	}
	from := x.line
	if triple {
		x.tripleString(c)
	} else {
		x.singleString(c)
	}
	x.emit(str, start, from)
}

func (x *reader) singleString(quote byte) {
	for x.pos < len(x.src) {
		switch x.src[x.pos] {
		case quote:
			x.pos++
			return
		case '\n':
			x.problem.Report(x.line, "expected %c at the end of the string", quote)
			return
		case '\\':
			x.escape()
		default:
			x.pos++
		}
	}
	x.problem.Report(x.line, "expected %c at the end of the string", quote)
}

func (x *reader) escape() {
	x.pos++
	if x.pos < len(x.src) {
		if x.src[x.pos] == '\n' {
			x.line++
		}
		x.pos++
	}
}

func (x *reader) tripleString(quote byte) {
	end := x.findTriple(quote)
	if end < 0 {
		x.endlessString(quote)
		return
	}
	x.line += int32(strings.Count(x.src[x.pos:end], "\n"))
	x.pos = end
}

func (x *reader) findTriple(quote byte) int {
	mark := strings.Repeat(string(quote), 3)
	if x.endless[mark] {
		return -1
	}
	for i := x.pos; i < len(x.src); i++ {
		switch x.src[i] {
		case '\\':
			i++
		case quote:
			if strings.HasPrefix(x.src[i:], mark) {
				return i + 3
			}
		}
	}
	return -1
}

// endlessString reports an unterminated triple-quoted string and continues on the next line. It remembers that no such
// quote follows, to avoid repeated searches.
func (x *reader) endlessString(quote byte) {
	mark := strings.Repeat(string(quote), 3)
	x.problem.Report(x.line, "expected %s at the end of the string", mark)
	if x.endless == nil {
		x.endless = map[string]bool{}
	}
	x.endless[mark] = true
	if i := strings.IndexByte(x.src[x.pos:], '\n'); i >= 0 {
		x.pos += i
	} else {
		x.pos = len(x.src)
	}
}

// pieces reads the text of the innermost f-string up to the next replacement field or the string's end. inSpec means
// that the text is a format specification.
func (x *reader) pieces(start int, inSpec bool) {
	f := x.frames[len(x.frames)-1]
	from := x.line
	for x.pos < len(x.src) {
		c := x.src[x.pos]
		switch {
		case c == f.quote && (!f.triple || strings.HasPrefix(x.src[x.pos:], strings.Repeat(string(c), 3))):
			x.pos++
			if f.triple {
				x.pos += 2
			}
			x.closeFrame(f)
			x.emit(fpart, start, from)
			return
		case c == '\n':
			if !f.triple {
				x.problem.Report(f.line, "expected %c at the end of the string", f.quote)
				x.closeFrame(f)
				x.emit(fpart, start, from)
				return
			}
			x.line++
			x.pos++
		case c == '\\':
			x.fieldEscape(f)
		case c == '{' && !inSpec && strings.HasPrefix(x.src[x.pos:], "{{"):
			x.pos += 2
		case c == '{':
			*x.brackets.Push(len(x.toks), '{') = bracket{field: true, inSpec: inSpec, line: x.line, start: int32(x.pos + 1)}
			x.pos++
			x.emit(fpart, start, from)
			return
		case c == '}' && inSpec:
			inSpec = x.leaveField()
		default:
			x.pos++
		}
	}
	x.problem.Report(f.line, "expected the end of the string")
	x.closeFrame(f)
	x.emit(fpart, start, from)
}

// leaveField closes the innermost field and reports whether a format specification continues after it.
func (x *reader) leaveField() bool {
	x.pos++
	return x.brackets.Pop().Note.inSpec
}

func (x *reader) closeFrame(f frame) {
	if x.brackets.Len() > f.base {
		x.problem.Report(x.line, "expected '}'")
		x.brackets.Cut(f.base)
	}
	x.frames = x.frames[:len(x.frames)-1]
}

// fieldEscape skips a backslash in f-string text. It does not escape a brace, except in \N{NAME}.
func (x *reader) fieldEscape(f frame) {
	rest := x.src[x.pos+1:]
	switch {
	case strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "}"):
		x.pos++
	case !f.raw && strings.HasPrefix(rest, "N{"):
		if end := strings.IndexAny(rest, "}\n\"'"); end >= 0 && rest[end] == '}' {
			x.pos += end + 2
		} else {
			x.pos += 2
		}
	default:
		x.escape()
	}
}

// fieldOperator handles operators that are special directly inside a replacement field; false for ordinary ones.
func (x *reader) fieldOperator(c byte, n int) bool {
	start := x.pos
	switch {
	case c == '}':
		x.pieces(start, x.leaveField())
	case c == ':':
		x.pos++
		x.pieces(start, true)
	case c == '!' && n == 0:
		x.pos++
		x.emit(op, start, x.line)
	case c == '=' && n == 1:
		end := start + 1
		for end < len(x.src) && (x.src[end] == ' ' || x.src[end] == '\t') {
			end++
		}
		if end >= len(x.src) || strings.IndexByte("}!:", x.src[end]) < 0 {
			return false
		}
		x.pos = end
		x.emit(fdebug, int(x.brackets.Top().Note.start), x.line)
	default:
		return false
	}
	return true
}

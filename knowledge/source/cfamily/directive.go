package cfamily

import (
	"bytes"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// directive is one preprocessor line. Its words are file.words[from:to].
type directive struct {
	name     string // "include", "define", …; "" if unknown
	line     int32
	last     int32
	at       int32 // it precedes tokens[at]
	from, to int32
	// start and end are positions in the source, canon and canonEnd in the canonical bytes.
	start, end      int32
	canon, canonEnd int32
	branch          int32 // the branch that a conditional opens or closes
	system          bool  // #include <…>
	path            string
}

// branch is one branch of a conditional. Branch 0 is the file itself.
type branch struct {
	parent int32
	// canon[from:to] is the condition; negated marks its #else.
	from, to int32
	negated  bool
	// cplusplus marks C++-only code; guard marks the include guard.
	cplusplus, guard bool
	// always marks the literal condition 1; dead marks a branch that is never compiled and need not contain valid
	// tokens.
	always, dead bool
}

func (d *directive) opens() bool {
	switch d.name {
	case "if", "ifdef", "ifndef", "elif", "else":
		return true
	}
	return false
}

var directiveNames = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"include": "include", "include_next": "include", "import": "include", "define": "define", "undef": "undef",
		"if": "if", "ifdef": "ifdef", "ifndef": "ifndef", "elif": "elif", "elifdef": "elif", "elifndef": "elif",
		"else": "else", "endif": "endif",
	}
}}

func (l *lexer) directive() {
	d := directive{line: l.line, at: int32(len(l.tokens)), from: int32(len(l.words)), start: int32(l.pos),
		canon: int32(len(l.canon)), branch: l.branch}
	l.inside = true
	l.pos++
	l.blanks()
	start := l.pos
	for l.pos < len(l.src) && classes[l.src[l.pos]]&classWord != 0 {
		l.pos++
	}
	spelled := l.src[start:l.pos]
	d.name = directiveNames.Get()[string(spelled)]
	l.addCanon([]byte{'#'}, false)
	l.addCanon(spelled, false)
	switch d.name {
	case "":
		l.rest()
	case "include":
		l.include(&d)
	}
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		l.step()
	}
	l.addCanon([]byte{'\n'}, false)
	l.inside = false
	d.to, d.end, d.last, d.canonEnd = int32(len(l.words)), int32(l.pos), l.line, int32(len(l.canon))
	l.conditional(&d)
	l.directives = append(l.directives, d)
	if d.opens() && l.branches[d.branch].dead {
		l.skip()
	}
}

func (l *lexer) blanks() {
	for l.pos < len(l.src) {
		switch {
		case classes[l.src[l.pos]] == classBlank:
			l.pos++
		case l.src[l.pos] == '/' && l.peek(1) == '*':
			l.comment()
		case l.splice() > 0:
			l.pos += l.splice()
			l.line++
		default:
			return
		}
	}
}

// rest adds the remaining line as text: #error, #pragma and others need not contain valid tokens.
func (l *lexer) rest() {
	l.blanks()
	start := l.pos
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		if l.src[l.pos] == '/' && (l.peek(1) == '/' || l.peek(1) == '*') {
			break
		}
		if n := l.splice(); n > 0 {
			l.pos += n
			l.line++
			continue
		}
		l.pos++
	}
	for _, field := range bytes.Fields(l.src[start:l.pos]) {
		l.addCanon(field, false)
	}
}

// include reads an #include path; a path from a macro stays empty.
func (l *lexer) include(d *directive) {
	l.blanks()
	closing := byte('"')
	switch l.peek(0) {
	case '"':
	case '<':
		closing, d.system = '>', true
	default:
		return
	}
	line := l.src[l.pos:]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	n := bytes.IndexByte(line[1:], closing)
	if n < 0 {
		return
	}
	d.path = string(line[1 : n+1])
	l.addCanon(line[:n+2], false)
	l.pos += n + 2
}

func (l *lexer) conditional(d *directive) {
	switch d.name {
	case "if", "ifdef", "ifndef":
		l.enter(d, l.branch)
	case "elif", "else":
		if len(l.open) == 0 {
			return
		}
		old := l.branch
		l.branch = l.branches[old].parent
		l.open = l.open[:len(l.open)-1]
		l.enter(d, l.branch)
		if d.name == "else" {
			b := &l.branches[l.branch]
			b.from, b.to, b.negated = l.branches[old].from, l.branches[old].to, true
			b.dead = l.branches[old].always
		}
	case "endif":
		if len(l.open) == 0 {
			return
		}
		l.branch = l.branches[l.branch].parent
		l.open = l.open[:len(l.open)-1]
	}
}

func (l *lexer) enter(d *directive, parent int32) {
	b := branch{parent: parent, from: d.canon, to: d.canonEnd}
	words := l.words[d.from:d.to]
	if d.name != "ifndef" && d.name != "else" {
		negated := false
		for _, w := range words {
			negated = negated || w.kind == punctuation && w.id == '!'
			if w.kind == identifier && string(l.spelling(w)) == "__cplusplus" && !negated {
				b.cplusplus = true
			}
		}
	}
	b.cplusplus = b.cplusplus || l.branches[parent].cplusplus
	b.guard = d.name == "ifndef" && len(l.tokens) == 0 && parent == 0 && len(words) == 1
	if (d.name == "if" || d.name == "elif") && len(words) == 1 {
		b.always, b.dead = string(l.spelling(words[0])) == "1", string(l.spelling(words[0])) == "0"
	}
	l.branch = int32(len(l.branches))
	l.branches = append(l.branches, b)
	l.open = append(l.open, l.branch)
	d.branch = l.branch
}

// skip skips the lines of a dead branch.
func (l *lexer) skip() {
	depth := 0
	for l.pos < len(l.src) {
		end := bytes.IndexByte(l.src[l.pos:], '\n')
		if end < 0 {
			end = len(l.src) - l.pos
		}
		line := bytes.TrimLeft(l.src[l.pos:l.pos+end], " \t\r\f\v")
		if len(line) > 0 && line[0] == '#' {
			switch word := bytes.TrimLeft(line[1:], " \t"); {
			case bytes.HasPrefix(word, []byte("if")):
				depth++
			case bytes.HasPrefix(word, []byte("endif")):
				if depth == 0 {
					l.fresh = true
					return
				}
				depth--
			case depth == 0 && bytes.HasPrefix(word, []byte("el")):
				l.fresh = true
				return
			}
		}
		l.pos = min(l.pos+end+1, len(l.src))
		l.line++
	}
}

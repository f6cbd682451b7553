package python

// kind tells tokens apart.
type kind uint8

const (
	name kind = iota
	keyword
	number
	str    // a string or bytes literal without replacement fields
	fpart  // a piece of an f-string, with the quotes and braces that bound it
	fdebug // a whole replacement field up to its closing brace, where its text is part of the result: {x = }
	op
	junk     // what no Python token begins with
	imported // a token of an import statement, once that has been read
)

// token is a span of the source.
type token struct {
	start, end int32
	line       int32
	kind       kind
}

// line is a logical line: its tokens, and where it stands among the blocks.
type line struct {
	first, end int32 // tokens [first, end)
	colon      int32 // the first ':' outside brackets and lambdas, -1 when there is none
	level      int32 // depth of indentation, 0 for the outermost
	start      int32 // first and last physical line
	last       int32
	semicolons bool // it holds several simple statements
	block      bool // it begins a compound statement
}

// maxKeyword is the length of the longest reserved word.
const maxKeyword = len("continue")

// isKeyword tells the reserved words of Python 3.
func isKeyword(s string) bool {
	switch s {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
		"elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
		"not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// startsStatement tells the keywords that can only stand at the start of a statement: inside brackets they prove
// that a bracket was not closed.
func startsStatement(s string) bool {
	switch s {
	case "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import",
		"nonlocal", "pass", "raise", "return", "try", "while", "with":
		return true
	}
	return false
}

// startsBlock tells the keywords whose statement needs a colon.
func startsBlock(s string) bool {
	switch s {
	case "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with":
		return true
	}
	return false
}

// operatorLength returns the length of the operator at the start of s, 0 when there is none. The longest one wins.
func operatorLength(s string) int {
	if len(s) >= 3 {
		switch s[:3] {
		case "**=", "//=", ">>=", "<<=", "...":
			return 3
		}
	}
	if len(s) >= 2 {
		switch s[:2] {
		case "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", ":=":
			return 2
		}
	}
	switch s[0] {
	case '+', '-', '*', '/', '%', '@', '&', '|', '^', '~', '<', '>', '=', '.', ',', ':', ';', '(', ')', '[', ']', '{', '}':
		return 1
	}
	return 0
}

package python

type kind uint8

const (
	name kind = iota
	keyword
	number
	str    // string or bytes literal without replacement fields
	fpart  // f-string piece, with its quotes and braces
	fdebug // replacement field through its closing brace if its text is part of the result: {x = }
	op
	junk     // bytes that begin no Python token
	imported // token of an import statement that was read
)

type token struct {
	start, end int32
	line       int32
	kind       kind
}

type line struct {
	first, end int32 // tokens [first, end)
	colon      int32 // first ':' outside brackets and lambdas, or -1
	level      int32 // indentation depth, 0 for the outermost
	start      int32 // first and last physical line
	last       int32
	semicolons bool // has several simple statements
	block      bool // begins a compound statement
}

const maxKeyword = len("continue")

func isKeyword(s string) bool {
	switch s {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
		"elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
		"not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// startsStatement recognises keywords that only begin statements: inside brackets they prove that a bracket is
// unclosed.
func startsStatement(s string) bool {
	switch s {
	case "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import",
		"nonlocal", "pass", "raise", "return", "try", "while", "with":
		return true
	}
	return false
}

// startsBlock recognises the keywords whose statement needs a colon.
func startsBlock(s string) bool {
	switch s {
	case "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with":
		return true
	}
	return false
}

// operatorLength returns the length of the longest operator at the start of s, or 0.
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

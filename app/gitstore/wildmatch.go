package gitstore

import "strings"

// matchPath matches a path against a pattern, both cut at the slashes: "**" stands for any number of parts, at the
// end for at least one. Time is bounded by the product of the lengths.
func matchPath(pattern, path []string) bool {
	p, at := 0, 0
	star, resume := -1, 0
	for at < len(path) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true
			}
			star, resume = p, at
			p++
		case p < len(pattern) && matchName(pattern[p], path[at]):
			p, at = p+1, at+1
		case star >= 0:
			resume++
			p, at = star+1, resume
		default:
			return false
		}
	}
	return p == len(pattern)
}

// splitPattern cuts a pattern at its slashes, but not at those inside a bracket expression.
func splitPattern(pattern string) []string {
	var parts []string
	start := 0
	for at := 0; at < len(pattern); {
		switch {
		case pattern[at] == '/':
			parts = append(parts, pattern[start:at])
			at++
			start = at
		case strings.HasPrefix(pattern[at:], `\/`):
			parts = append(parts, pattern[start:at])
			at += 2
			start = at
		case pattern[at] == '\\':
			at += 2
		case pattern[at] == '[':
			size, _ := matchClass(pattern[at:], 0)
			if size == 0 {
				return append(parts, pattern[start:])
			}
			at += size
		default:
			at++
		}
	}
	return append(parts, pattern[start:])
}

// matchName matches one part of a path: "*", "?", "[a-z]", "[!x]", "[[:alpha:]]" and "\" before a character that
// stands for itself.
func matchName(pattern, name string) bool {
	p, at := 0, 0
	star, resume := -1, 0
	for at < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, resume = p, at
			p++
			continue
		}
		if size, ok := matchByte(pattern[p:], name[at]); ok {
			p, at = p+size, at+1
			continue
		}
		if star < 0 {
			return false
		}
		resume++
		p, at = star+1, resume
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchByte matches one byte against the first element of a pattern, and tells how long that is.
func matchByte(pattern string, c byte) (int, bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return matchClass(pattern, c)
	case '\\':
		if len(pattern) == 1 {
			return 0, false
		}
		return 2, pattern[1] == c
	}
	return 1, pattern[0] == c
}

// matchClass matches one byte against a bracket expression. One that does not end matches nothing.
func matchClass(pattern string, c byte) (int, bool) {
	at := 1
	negated := at < len(pattern) && (pattern[at] == '!' || pattern[at] == '^')
	if negated {
		at++
	}
	matched, end := false, -1
	for first := true; ; first = false {
		if at >= len(pattern) {
			return 0, false
		}
		if pattern[at] == ']' && !first {
			return at + 1, matched != negated
		}
		if end < at { // the next bracket, which is looked for once
			if end = strings.IndexByte(pattern[at:], ']'); end < 0 {
				return 0, false
			}
			end += at
		}
		if name, ok := className(pattern[at:end]); ok {
			test, known := classes[name]
			if !known {
				return 0, false
			}
			matched = matched || test(c)
			at += len(name) + len("[::]")
			continue
		}
		low, next, ok := classByte(pattern, at)
		if !ok {
			return 0, false
		}
		high := low
		if next+1 < len(pattern) && pattern[next] == '-' && pattern[next+1] != ']' {
			if high, next, ok = classByte(pattern, next+1); !ok {
				return 0, false
			}
		}
		matched = matched || c == low || low <= c && c <= high // the first of a range counts even where the range is empty
		at = next
	}
}

// classByte reads one byte of a bracket expression, which a backslash may precede.
func classByte(pattern string, at int) (byte, int, bool) {
	if pattern[at] == '\\' {
		at++
	}
	if at >= len(pattern) {
		return 0, 0, false
	}
	return pattern[at], at + 1, true
}

// className reads the name in "[:name:]", without the bracket at its end.
func className(text string) (string, bool) {
	if !strings.HasPrefix(text, "[:") || !strings.HasSuffix(text, ":") {
		return "", false
	}
	return strings.CutSuffix(text[len("[:"):], ":")
}

// classes are the named sets of POSIX, for ASCII as in git.
var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  isLower,
	"print":  func(c byte) bool { return c == ' ' || isGraph(c) },
	"punct":  func(c byte) bool { return isGraph(c) && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' },
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isGraph(c byte) bool { return c > 0x20 && c < 0x7f }

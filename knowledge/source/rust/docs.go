package rust

import (
	"strings"
)

// doc joins the doc comments and doc attributes of one kind between i and end.
func (o *outline) doc(i, end int, kind class) string {
	var lines []string
	for i < end {
		switch {
		case o.toks[i].class == kind:
			lines = appendDoc(lines, string(o.text(i)))
			i++
		case o.is(i, "#"):
			j, inner := i+1, false
			if o.is(j, "!") {
				j, inner = j+1, true
			}
			if o.is(j, "[") && o.is(j+1, "doc") && o.is(j+2, "=") && o.class(j+3) == text && inner == (kind == innerDoc) {
				lines = appendDoc(lines, "/// "+strings.ReplaceAll(o.unquote(j+3), "\n", "\n "))
			}
			i = o.after(min(j, end-1))
		default:
			i = o.after(i)
		}
	}
	return tidy(lines)
}

// appendDoc adds the lines of one doc comment, markers taken off.
func appendDoc(lines []string, comment string) []string {
	if !strings.HasPrefix(comment, "/*") {
		return append(lines, strings.Split(comment[3:], "\n")...)
	}
	inner := strings.Split(strings.TrimSuffix(comment[3:], "*/"), "\n")
	if starred(inner[1:]) {
		for i := range inner[1:] {
			_, inner[i+1], _ = strings.Cut(inner[i+1], "*")
		}
	}
	return append(lines, inner...)
}

// starred reports whether every line that is not blank starts with the column of stars that block comments often have.
func starred(lines []string) bool {
	found := false
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "*") {
			found = true
		} else if line != "" || i < len(lines)-1 {
			return false
		}
	}
	return found
}

// tidy removes common indentation, trailing blanks, and blank lines at both ends.
func tidy(lines []string) string {
	indent := -1
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r\f\v\n")
		lines[i] = line
		if blank := len(line) - len(strings.TrimLeft(line, " \t")); line != "" && (indent < 0 || blank < indent) {
			indent = blank
		}
	}
	for i, line := range lines {
		if line != "" && indent > 0 {
			lines[i] = line[indent:]
		}
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return toValid(strings.Join(lines, "\n"))
}

package markdown

import "strings"

// The indentation of unfenced code. The smaller one applies after a colon, or if the first line can only be code.
const (
	codeIndent = 4
	leastCode  = 2
)

// fenceIndented fences code-like indented text after a blank line, outside of lists. Indentation alone is not enough:
// authors indent prose too, and tags always indent their text.
func fenceIndented(lines []string, lang string) []string {
	if !hasIndented(lines) {
		return lines
	}
	var out []string
	var guard codeGuard
	listed, ofTag := false, false
	above := "" // last non-blank line
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch in := indentOf(line); {
		case guard.inside(line), line == "":
		case isBullet(line):
			listed = true
		case in == 0 && (i == 0 || lines[i-1] == ""):
			listed = false
		}
		if name, _, ok := cutTag(line, false); ok {
			kind := sections[strings.ToLower(name)].kind
			ofTag, listed = kind != mainText && kind != gist && kind != modifier && kind != naming, false
		}
		end := i
		if !ofTag && !listed && guard == (codeGuard{}) && (i == 0 || lines[i-1] == "") && indentOf(above) < leastCode {
			end = codeEnd(lines, i, above)
		}
		if line != "" {
			above = line
		}
		if end == i || !isCode(lines[i:end]) {
			out = append(out, line)
			continue
		}
		mark := strings.Repeat("~", len("~~~~~~~~"))
		out = append(out, mark+lang)
		out = append(out, dedentAll(lines[i:end])...)
		out = append(out, mark)
		i = end - 1
	}
	return out
}

func hasIndented(lines []string) bool {
	for i, line := range lines {
		if (i == 0 || lines[i-1] == "") && indentOf(line) >= leastCode {
			return true
		}
	}
	return false
}

func codeEnd(lines []string, i int, above string) int {
	in := indentOf(lines[i])
	begins := strings.HasSuffix(lines[i], "{") || strings.HasSuffix(lines[i], ";") || strings.HasSuffix(lines[i], "(")
	if in < leastCode || in < codeIndent && !begins && !strings.HasSuffix(above, ":") {
		return i
	}
	end := i
	for n := i; n < len(lines) && (lines[n] == "" || indentOf(lines[n]) >= min(in, codeIndent)); n++ {
		if lines[n] != "" {
			end = n + 1
		}
	}
	return end
}

// isCode reports lines unlike prose: each kind has brackets, assignments or statement ends.
func isCode(lines []string) bool {
	for _, line := range lines {
		body := strings.TrimSpace(line)
		if fenceMark(line) != "" || isBullet(line) || strings.HasPrefix(body, "@") || strings.HasPrefix(body, "|") {
			return false
		}
	}
	for _, line := range lines {
		if strings.ContainsAny(line, "{}=;") || strings.Contains(line, "()") || strings.HasPrefix(strings.TrimSpace(line), "$ ") ||
			strings.Contains(line, "//") && !strings.Contains(line, "://") || strings.HasSuffix(line, ")") && !strings.Contains(line, " (") {
			return true
		}
	}
	return false
}

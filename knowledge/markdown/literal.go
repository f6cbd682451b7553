package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	// definition matches where the destination of a reference link is said: `[0]: /advanced/timeouts`.
	definition   = lazyregexp.New(`^ *\[([^\[\]]{1,99})\]:\s+<?([^\s<>]+)>?(?:\s+["'(].*)?$`)
	toDefinition = lazyregexp.New(`\[([^\[\]]+)\]\[([^\[\]]*)\]`)
	statement    = lazyregexp.New(`^(?:(?:assert|await|del|raise|return|yield) .*[=()\[\].]|import [\w.]+(?: as \w+)?(?:, .*)?$|from [\w.]+ import |(?:async )?(?:with|for|while|if|def|class) .*:$|(?:await )?[\w.]+\((?:.*\))?$|[A-Za-z_][\w.]*(?:\[[^\]]*\])? [-+*/|]?= \S)`)
	// gap matches the blanks by which a drawing puts things below each other: those behind a sentence are none.
	gap = lazyregexp.New(`[^\s.?!:,]  +\S`)
)

// mostLiteral is how many lines without a blank one are looked at: a text may be asked about each line of it.
const mostLiteral = 200

// withoutDefinitions makes inline links of reference links whose definitions a text has, and removes these.
func withoutDefinitions(lines []string) []string {
	places := map[string]string{}
	for _, line := range lines {
		if m := definition.FindStringSubmatch(line); m != nil && strings.Contains(line, "]:") {
			places[strings.ToLower(m[1])] = m[2]
		}
	}
	if len(places) == 0 {
		return lines
	}
	var out []string
	for _, line := range lines {
		if definition.MatchString(line) {
			continue
		}
		out = append(out, toDefinition.ReplaceAllStringFunc(line, func(link string) string {
			m := toDefinition.FindStringSubmatch(link)
			name := m[2]
			if name == "" {
				name = m[1]
			}
			if to, ok := places[strings.ToLower(name)]; ok {
				return "[" + m[1] + "](" + to + ")"
			}
			return link
		}))
	}
	return out
}

// literal reads the statements or the drawing at line i without markup, and in the paragraphs below; next is i where
// there are none.
func literal(lines []string, i int) (code block, next int) {
	var parts []string
	lang := "python"
	for next = i; next < len(lines); {
		end := next
		for end < len(lines) && lines[end] != "" {
			end++
		}
		run := lines[next:end]
		if end == next || end-next > mostLiteral || !isStatements(run) && !isDrawing(run) {
			break
		}
		if !isStatements(run) {
			lang = "text"
		}
		parts = append(parts, strings.Join(run, "\n"))
		i = end
		if next = end; next < len(lines) {
			next++
		}
	}
	if len(parts) == 0 {
		return block{}, i
	}
	return block{kind: codeBlock, lang: lang, code: strings.Join(dedentAll(splitLines(strings.Join(parts, "\n\n"))), "\n")}, i
}

// isStatements reports whether each line is a statement of code, or goes on with one whose brackets are open.
func isStatements(lines []string) bool {
	open := 0
	for _, line := range lines {
		body := strings.TrimSpace(line)
		if open == 0 && (!statement.MatchString(body) && indentOf(line) == indentOf(lines[0]) || strings.HasSuffix(body, ".") || isBullet(line)) {
			return false
		}
		open = max(open+strings.Count(body, "(")+strings.Count(body, "[")-strings.Count(body, ")")-strings.Count(body, "]"), 0)
	}
	return open == 0
}

// isDrawing reports lines that put things below each other.
func isDrawing(lines []string) bool {
	apart := 0
	for _, line := range lines {
		body := strings.TrimSpace(line)
		if isBullet(line) || strings.HasPrefix(body, "|") || strings.HasPrefix(body, ":") || strings.HasPrefix(body, ">>>") {
			return false
		}
		if gap.MatchString(body) {
			apart++
		}
	}
	return apart >= 2 && 2*apart >= len(lines)
}

// isExample reports indented lines that are code: behind a line that leads to them.
func isExample(above string, body []string) bool {
	if !strings.HasSuffix(above, ":") || !isCode(body) {
		return false
	}
	for _, line := range body {
		if strings.HasSuffix(line, ".") && strings.Count(line, " ") > 3 {
			return false
		}
	}
	return true
}

// fenceDeep puts fences around text that is indented like code, after a blank line of an item.
func fenceDeep(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		if i == 0 || lines[i-1] != "" || indentOf(lines[i]) < codeIndent || isBullet(lines[i]) {
			out = append(out, lines[i])
			continue
		}
		end := i
		for n := i; n < len(lines) && (lines[n] == "" || indentOf(lines[n]) >= codeIndent); n++ {
			if lines[n] != "" {
				end = n + 1
			}
		}
		out = append(append(append(out, "~~~~~~~~python"), dedentAll(lines[i:end])...), "~~~~~~~~")
		i = end - 1
	}
	return out
}

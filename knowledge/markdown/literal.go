package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	definition   = lazyregexp.New(`^ *\[([^\[\]]{1,99})\]:\s+<?([^\s<>]+)>?(?:\s+["'(].*)?$`)
	toDefinition = lazyregexp.New(`\[([^\[\]]+)\]\[([^\[\]]*)\]`)
	statement    = lazyregexp.New(`^(?:(?:assert|await|del|raise|return|yield) .*[=()\[\].]|import [\w.]+(?: as \w+)?(?:, .*)?$|from [\w.]+ import |(?:async )?(?:with|for|while|if|def|class) .*:$|(?:await )?[\w.]+\((?:.*\))?$|[A-Za-z_][\w.]*(?:\[[^\]]*\])? [-+*/|]?= \S)`)
	gap          = lazyregexp.New(`[^\s.?!:,]  +\S`)
)

// mostLiteral limits the lines examined without a blank one, because the check may run for each line of a text.
const mostLiteral = 200

// withoutDefinitions converts reference links to inline links and removes the definitions.
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

// isExample reports indented code after a line that introduces it.
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

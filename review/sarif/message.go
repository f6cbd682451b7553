package sarif

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// said returns the message of a result: its text, the text with its ID, or the Markdown. Without these it returns the
// description of the rule, or "".
func said(found *result, rule *descriptor, component *toolComponent) string {
	m := found.Message
	if m.Text == "" && m.ID != "" {
		named, ok := rule.Messages[string(m.ID)]
		if !ok {
			named = component.messages[string(m.ID)]
		}
		m.Text = named.Text
		if m.Markdown == "" {
			m.Markdown = named.Markdown
		}
	}
	for _, template := range []text{m.Text, m.Markdown} {
		if s := strings.TrimSpace(unlink(substitute(string(template), m.Arguments), found.related)); s != "" {
			return s
		}
	}
	for _, about := range []text{rule.Full.Text, rule.Short.Text} {
		if s := strings.TrimSpace(string(about)); s != "" {
			return s
		}
	}
	return ""
}

// substitute replaces {0}, {1} and so on by arguments. In a text with arguments, doubled braces are literal. Other
// texts are unchanged, because tools do not double braces there.
func substitute(template string, arguments []text) string {
	if len(arguments) == 0 {
		return template
	}
	var b strings.Builder
	for at := 0; at < len(template) && b.Len() <= longestMessage; {
		c := template[at]
		if c != '{' && c != '}' {
			end := at + 1
			for end < len(template) && template[end] != '{' && template[end] != '}' {
				end++
			}
			b.WriteString(template[at:end])
			at = end
			continue
		}
		if n, size := placeholder(template[at:]); size > 0 && n < len(arguments) {
			b.WriteString(string(arguments[n]))
			at += size
			continue
		}
		b.WriteByte(c)
		if at++; at < len(template) && template[at] == c {
			at++
		}
	}
	return clip(b.String(), longestMessage)
}

func placeholder(s string) (n, size int) {
	const digits = 3
	end := strings.IndexByte(s[:min(len(s), digits+2)], '}')
	if end < 2 {
		return 0, 0
	}
	n, err := strconv.Atoi(s[1:end])
	if err != nil || n < 0 || s[1] == '+' || s[1] == '-' {
		return 0, 0
	}
	return n, end + 1
}

var link = lazyregexp.New(`\[([^\[\]]*)\]\(([0-9]{1,9})\)`)

func unlink(s string, related map[int]bool) string {
	if len(related) == 0 {
		return s
	}
	return link.ReplaceAllStringFunc(s, func(found string) string {
		parts := link.FindStringSubmatch(found)
		if n, err := strconv.Atoi(parts[2]); err != nil || !related[n] {
			return found
		}
		return parts[1]
	})
}

func clip(s string, most int) string {
	const cut = "…"
	if len(s) <= most {
		return s
	}
	end := most - len(cut)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.Clone(s[:end]) + cut
}

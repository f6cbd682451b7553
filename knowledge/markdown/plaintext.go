package markdown

import "strings"

// Sentence writes a line of text with code names in backticks: those are code, everything else is escaped.
func Sentence(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		switch {
		case i%2 == 1 && part != "":
			b.WriteString(Code(part))
		case i%2 == 0:
			b.WriteString(escapeBetween(part))
		}
	}
	return b.String()
}

func escapeBetween(part string) string {
	words := strings.TrimSpace(part)
	if words == "" {
		return part
	}
	before, after, _ := strings.Cut(part, words)
	return before + Escape(words) + after
}

// FirstSentence returns the first sentence of a text in one line, without its full stop.
func FirstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	return strings.TrimSuffix(text[:sentenceEnd(text)], ".")
}

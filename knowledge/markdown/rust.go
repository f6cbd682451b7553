package markdown

import (
	"slices"
	"strings"
)

// readRust reads rustdoc's Markdown. Headings become bold.
func readRust(doc string) []block {
	r := blockReader{
		manner: emphasis | indented | headings, named: true, fence: "rust", tidy: tidyRust,
	}
	return r.read(translate(doc, dialect{}))
}

var rustFlags = []string{"rust", "no_run", "ignore", "should_panic", "compile_fail", "no-run", "standalone", "standalone_crate", "test_harness"}

func tidyRust(lang string, lines []string) (string, []string) {
	words := strings.FieldsFunc(lang, func(r rune) bool { return r == ',' || r == ' ' || r == '{' || r == '}' })
	for _, w := range words {
		flag := strings.ToLower(w)
		known := slices.Contains(rustFlags, flag) || strings.HasPrefix(flag, "ignore-") || strings.HasPrefix(flag, "edition20") ||
			len(flag) == 5 && flag[0] == 'e' && isDigit(flag[1])
		if !known {
			return w, lines
		}
	}
	shown := make([]string, 0, len(lines))
	for _, line := range lines {
		body := strings.TrimLeft(line, " ")
		switch {
		case body == "#" || strings.HasPrefix(body, "# "):
		case strings.HasPrefix(body, "##"):
			shown = append(shown, line[:indentOf(line)]+body[1:])
		default:
			shown = append(shown, line)
		}
	}
	return "rust", shown
}

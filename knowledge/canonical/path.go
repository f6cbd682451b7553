package canonical

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path is a path as text. A path is bytes, and neither YAML nor Markdown has such: one that is no UTF-8 is written as a Go
// string literal. So is one that begins with a quote, so that no two paths are one text.
func Path(p string) string {
	if !utf8.ValidString(p) || strings.HasPrefix(p, `"`) {
		return strconv.Quote(p)
	}
	return p
}

// ParsePath reads what Path wrote.
func ParsePath(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	p, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("path %s: its quotes do not match", text)
	}
	return p, nil
}

package canonical

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path encodes a path as text. Neither YAML nor Markdown can hold arbitrary bytes: a path that is not UTF-8 becomes a
// Go string literal. So does one that begins with a quote, to keep the encoding unambiguous.
func Path(p string) string {
	if !utf8.ValidString(p) || strings.HasPrefix(p, `"`) {
		return strconv.Quote(p)
	}
	return p
}

// ParsePath decodes the result of Path.
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

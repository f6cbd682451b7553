package markdown

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// Link returns a link to a web page, a path or an anchor. label is Markdown made by Escape or Code. For other
// destinations it returns the label alone.
func Link(label, dest string) string {
	dest = clean(dest)
	if dest == "" || strings.HasPrefix(dest, "//") || isForeign(dest) {
		return label
	}
	return "[" + label + "](" + destination(dest) + ")"
}

func isForeign(dest string) bool {
	if !strings.Contains(dest, ":") || !scheme.MatchString(dest) {
		return false
	}
	lower := strings.ToLower(dest)
	return !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://")
}

// Path percent-encodes a repository path for a destination, before an anchor is added. It keeps every byte, including
// invalid UTF-8, because the link must stay exact.
func Path(path string) string { return encode(path, "-._~/!',;=@+") }

// destination encodes the characters that a link destination cannot contain, without encoding twice.
func destination(s string) string {
	if isPlainPath(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b.WriteByte(c)
		case c == '&' && i+1 < len(s) && (s[i+1] == '#' || isWordByte(s[i+1])):
			b.WriteString("&amp;")
		default:
			b.WriteString(encode(s[i:i+1], "-._~:/?#@!&'+,;="))
		}
	}
	return b.String()
}

func isPlainPath(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != '/' && s[i] != '.' && s[i] != '-' && s[i] != '#' && s[i] != ':' {
			return false
		}
	}
	return true
}

func encode(s, safe string) string {
	if isPlainPath(s) && !strings.ContainsAny(s, "#:") {
		return s
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if isWordByte(c) || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// MermaidText returns s as a message or participant name of a sequence diagram. These are not quoted; all characters
// except letters, digits and a few signs are written as numbers.
func MermaidText(s string) string {
	s = strings.TrimSpace(squeeze(disarm(clean(s))))
	if s == "" {
		return "#32;"
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" ._/", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

var mermaidEntities = strings.NewReplacer(
	`"`, "#quot;", "#", "#35;", "`", "#96;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "%%", "#37;#37;", "*", "#42;", `\`, "#92;",
)

var (
	mermaidList = lazyregexp.New(`^([0-9]+)\.( |$)|^([-+])( |$)`)
	mermaidMark = strings.NewReplacer(".", "#46;", "-", "#45;", "+", "#43;")
)

// MermaidLabel returns s as the quoted label of a diagram's node or edge.
func MermaidLabel(s string) string {
	s = strings.TrimSpace(squeeze(disarm(clean(s))))
	if s == "" {
		return `" "`
	}
	s = mermaidEntities.Replace(s)
	// Mermaid rejects a label that opens like a list.
	if first := s[0]; isDigit(first) || first == '-' || first == '+' {
		s = mermaidList.ReplaceAllStringFunc(s, mermaidMark.Replace)
	}
	return `"` + s + `"`
}

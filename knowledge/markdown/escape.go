package markdown

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Escape returns plain words as one line of Markdown that shows exactly them. Words that a renderer would turn into a
// mention, a reference, an address or a formula become code spans: GitHub detects those after parsing Markdown, which
// makes backslashes useless.
func Escape(s string) string {
	return printInlines(text(clean(s)), linePlace)
}

// around describes the surroundings of a run of text, which decide whether a bare address is allowed.
type around struct {
	start  bool // the run starts a block
	before bool // not white space on the left
	after  bool // not white space on the right
}

// escapeRun writes text with single spaces only.
func escapeRun(b *strings.Builder, s string, at around) {
	plain := 0 // start of the words not written yet
	for i := 0; i <= len(s); {
		end := wordEnd(s, i)
		word, first, last := s[i:end], i == 0, end == len(s)
		if starts := at.start && first; starts || !isHarmless(word) {
			b.WriteString(s[plain:i])
			open := (!first || !at.before) && (!last || !at.after)
			escapeWord(b, word, starts, open)
			plain = end
		}
		i = end + 1
	}
	b.WriteString(s[plain:])
}

func wordEnd(s string, from int) int {
	if n := strings.IndexByte(s[from:], ' '); n >= 0 {
		return from + n
	}
	return len(s)
}

// isHarmless reports whether no character of a word has a meaning in Markdown, the usual case.
func isHarmless(word string) bool {
	for i := range len(word) {
		if acts[word[i]] && !(word[i] == '.' && (i == 0 || word[i-1]|0x20 != 'w')) {
			return false
		}
	}
	return true
}

// acts lists the characters that can make a word risky or need escaping. A full stop counts only after www.
var acts = bytesOf(markChars + `@$#:.0123456789<~&_!`)

func bytesOf(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

func escapeWord(b *strings.Builder, word string, start, open bool) {
	if start && (word == "import" || word == "export") {
		writeCode(b, word)
		return
	}
	if !risky(word) {
		escapeChars(b, word, start)
		return
	}
	head, core, tail := trimWord(word)
	escapeChars(b, head, start)
	if address, ok := webAddress(core); ok {
		writeAddress(b, core, address, open && bareEnds(head, tail))
	} else {
		writeCode(b, core)
	}
	escapeChars(b, tail, false)
}

// shortcode and commit match text that GitHub turns into pictures and links.
var (
	shortcode = lazyregexp.New(`:[A-Za-z0-9_+-]+:`)
	commit    = lazyregexp.New(`(?i)(^|[^0-9A-Za-z])[0-9a-f]{7,64}($|[^0-9A-Za-z])`)
)

func risky(word string) bool {
	if len(word) < 2 {
		return word == "$"
	}
	// Cheap checks first, for characters that the patterns require.
	switch {
	case strings.ContainsAny(word, "@$"), hasIssue(word), hasAddress(word):
		return true
	case strings.Count(word, ":") > 1 && shortcode.MatchString(word):
		return true
	}
	return len(word) >= 7 && strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdefABCDEF") && commit.MatchString(word)
}

func hasIssue(word string) bool {
	for i := 1; i < len(word); i++ {
		if isDigit(word[i]) && (word[i-1] == '#' || word[i-1] == '-' && endsFold(word[:i-1], "gh")) {
			return true
		}
	}
	return false
}

// hasAddress reports a possible bare address.
func hasAddress(word string) bool {
	for i := range len(word) {
		switch word[i] {
		case '.':
			if endsFold(word[:i], "www") {
				return true
			}
		case ':':
			if strings.HasPrefix(word[i:], "://") || endsFold(word[:i], "mailto") || endsFold(word[:i], "xmpp") || endsFold(word[:i], "tel") {
				return true
			}
		}
	}
	return false
}

func endsFold(s, end string) bool {
	return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end)
}

const (
	openers = "([{<\"'“‘«*_~|"
	closers = ")]}>\"'”’».,;:!?*_~|"
)

// trimWord cuts sentence punctuation off a word, but not brackets that the word itself opens and closes.
func trimWord(word string) (head, core, tail string) {
	core = strings.TrimLeft(word, openers)
	for _, pair := range []string{"[]", "{}"} {
		at := len(word) - len(core) - 1
		if closed := strings.IndexByte(core, pair[1]); at >= 0 && word[at] == pair[0] && closed >= 0 && strings.Contains(core[closed:], "/") && strings.IndexByte(core[:closed], pair[0]) < 0 {
			core = word[at:]
		}
	}
	head = word[:len(word)-len(core)]
	whole := core
	core = strings.TrimRight(core, closers)
	for _, pair := range []string{"()", "[]", "{}", "<>"} {
		rest := whole[len(core):]
		if rest == "" || rest[0] != pair[1] {
			continue
		}
		if strings.Count(core, pair[:1]) > strings.Count(core, pair[1:]) {
			core = whole[:len(core)+1]
		}
	}
	if core == "" {
		return "", word, ""
	}
	return head, core, whole[len(core):]
}

// bareEnds reports that no Markdown parser takes the punctuation around an address as part of it.
func bareEnds(head, tail string) bool {
	switch head + "x" + tail {
	case "x", "x.", "x,", "x:", "x!", "x?", "(x)", "(x).", "(x),":
		return true
	}
	return false
}

var (
	bareAddress = lazyregexp.New(`^https?://[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(/[A-Za-z0-9/._=?%+-]*)?$`)
	// crossReference matches addresses that GitHub shows as a reference and records in the target thread.
	crossReference = lazyregexp.New(`(?i)^https?://([a-z0-9-]+\.)*github\.[^/]+/[^/]+/[^/]+/(issues|pull|discussions|commit|compare|milestone|releases)\b`)
)

// webAddress returns the destination for a plain http(s) address that may be linked.
func webAddress(word string) (string, bool) {
	if len(word) < 8 || !strings.EqualFold(word[:4], "http") {
		return "", false
	}
	u, err := url.Parse(word)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return "", false
	}
	if strings.ContainsAny(word, "<>\"\\^`{|}@$") || crossReference.MatchString(word) || !utf8.ValidString(u.Host) {
		return "", false
	}
	return destination(word), true
}

func writeAddress(b *strings.Builder, shown, dest string, bare bool) {
	last := shown[len(shown)-1]
	if bare && bareAddress.MatchString(shown) && (last == '/' || isWordByte(last) && last != '_') {
		b.WriteString(shown)
		return
	}
	b.WriteByte('[')
	escapeChars(b, shown, false)
	b.WriteString("](" + dest + ")")
}

// names maps the characters that some Markdown parsers do not let a backslash escape.
var names = map[byte]string{'<': "&lt;", '&': "&amp;", '~': "&#126;", '=': "&#61;", ':': "&#58;"}

// markChars are always escaped with a backslash.
const markChars = "\\`*[]{|"

var marks = bytesOf(markChars)

// escapeChars escapes characters only; start says that the word is the first of a block.
func escapeChars(b *strings.Builder, word string, start bool) {
	if start {
		word = escapeStart(b, word)
	}
	plain := 0                 // start of the characters not written yet
	behind, inside := 0, false // of the last run of underscores
	for i := range len(word) {
		c := word[i]
		if c == '_' && i >= behind {
			n := runLength(word[i:], '_')
			behind, inside = i+n, n == 1 && insideWord(word, i) // Prettier 2 takes two inside words for strong emphasis
		}
		switch {
		case !acts[c]:
		case c == '<', c == '~', c == '&' && i+1 < len(word) && (word[i+1] == '#' || isWordByte(word[i+1])):
			b.WriteString(word[plain:i])
			b.WriteString(names[c])
			plain = i + 1
		case marks[c], c == '_' && !inside, c == '!' && i+1 < len(word) && word[i+1] == '[':
			b.WriteString(word[plain:i])
			b.WriteByte('\\')
			plain = i
		}
	}
	b.WriteString(word[plain:])
}

// escapeStart prevents a word from opening a heading, list, quote, rule, table or directive, and returns the
// unwritten rest.
func escapeStart(b *strings.Builder, word string) string {
	switch {
	case word == "":
	case names[word[0]] != "" && (isRuleMark(word) || strings.HasPrefix(word, "::")):
		b.WriteString(names[word[0]])
		return word[1:]
	case word[0] == '#' || word[0] == '>' || isRuleMark(word):
		b.WriteString(`\` + word[:1])
		return word[1:]
	case isOrderedMark(word):
		b.WriteString(word[:len(word)-1] + `\`)
		return word[len(word)-1:]
	}
	return word
}

func isRuleMark(word string) bool { return strings.Trim(word, "-+=:") == "" }

func isOrderedMark(word string) bool {
	const most = len("123456789)")
	last := len(word) - 1
	return last > 0 && len(word) <= most && (word[last] == '.' || word[last] == ')') && strings.Trim(word[:last], "0123456789") == ""
}

// insideWord reports that the run of underscores at i has letters or digits on both sides: such a run never
// emphasises.
func insideWord(word string, i int) bool {
	left := strings.TrimRight(word[:i], "_")
	right := strings.TrimLeft(word[i:], "_")
	before, _ := utf8.DecodeLastRuneInString(left)
	after, _ := utf8.DecodeRuneInString(right)
	return left != "" && right != "" && isWordRune(before) && isWordRune(after)
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

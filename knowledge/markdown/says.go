package markdown

import (
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	webAddressIn = lazyregexp.New(`[(<]*https?://[^\s)>]+[)>]*`)
	announcement = lazyregexp.New(`^(?:NEW|New|News|NEWS|Announcing|ANNOUNCEMENT|Announcement|BREAKING|Breaking|UPDATE|Update|Notice|NOTICE)\s*[:!–—]|^(?i:what['’]s new)\b|^(?i:sponsor (?:the|this|us|me)|support (?:the project|us|me))\b`)
	released     = lazyregexp.New(`^(?i:(?:\S+ ){0,4}v?\d+(?:\.\d+)+ (?:is|has been|was) (?:out|released|available|here))\b`)
	pointing     = lazyregexp.New(`(?i)^(?:documentation|docs|website|web site|home ?page|source(?: code)?|repository|demo|downloads?|changelog|licen[sc]e|translations?|api reference)\b(?:\s*:|\s*\(|\s*$)`)
)

// Word counts below which a text only names the target of a link.
const (
	linkWords   = 3 // beside one address
	headlineLen = 6 // after a picture such as a rocket
	entryWords  = 4 // of a row of links
)

// Says reports whether a paragraph is informative about its subject, unlike a reference, an announcement or a
// command.
func Says(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "$ ") || strings.HasPrefix(text, "> ") || strings.HasPrefix(text, "`$ ") {
		return false
	}
	addresses := 0
	if strings.Contains(text, "://") {
		text = webAddressIn.ReplaceAllStringFunc(text, func(string) string { addresses++; return "" })
	}
	text = strings.ReplaceAll(text, "**", "")
	bare := strings.TrimLeftFunc(text, isOrnament)
	drawn := strings.IndexFunc(text[:len(text)-len(bare)], isPictograph) >= 0
	words := len(strings.Fields(bare))
	whole := endsSentence(strings.TrimRight(text, " *_"))
	switch {
	case words == 0, announcement.MatchString(bare), strings.ContainsAny(bare, "0123456789") && released.MatchString(bare):
		return false
	case addresses > 0 && !whole && (words <= linkWords*addresses || strings.HasSuffix(strings.TrimSpace(text), ":")):
		return false
	case drawn && !whole && words <= headlineLen:
		return false
	case !whole && pointing.MatchString(bare):
		return false
	}
	return !isRow(text)
}

// defining matches a definition: "A library for amounts", "Shop is the fastest shop".
var defining = lazyregexp.New(`^(?:An?|The)\s|^This (?:\S+ ){0,3}is\s|\b(?:is|are)\s+(?:an?|the|one)\s`)

var emphasisMarks = strings.NewReplacer("*", "", "_", "", "`", "")

// Defines reports whether a text defines its subject.
func Defines(text string) bool { return defining.MatchString(emphasisMarks.Replace(text)) }

func isOrnament(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("`.-", r)
}

func isPictograph(r rune) bool { return r >= 0x2190 && unicode.Is(unicode.So, r) }

func isRow(text string) bool {
	entries := strings.FieldsFunc(text, func(r rune) bool { return r == '•' || r == '·' || r == '|' })
	for _, entry := range entries {
		if len(strings.Fields(entry)) > entryWords {
			return false
		}
	}
	return len(entries) > 2
}

package source

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// Readme reads from a README what it says the directory is for: its first paragraph of prose that says so. Titles, badges, HTML
// and tables are not prose, and rows of links, announcements and pointers to other documents say nothing. The title of the README at the root is the repository's name; below, the directory has one.
func Readme(name string, src []byte) File {
	text := unlinked(strings.ToValidUTF8(string(src), "�"))
	if path.Ext(name) == ".rst" {
		text = rstTarget.ReplaceAllString(rstLink.ReplaceAllString(text, "$1"), "$1$2")
	}
	lines := strings.Split(text, "\n")
	title, below := readmeTitle(lines)
	switch {
	case path.Dir(name) != ".":
		title = ""
	case title == "":
		title = askedFor(lines)
	}
	if name, _, found := strings.Cut(title, " ("); found && strings.HasSuffix(title, ")") {
		title = name // and what it is short for
	}
	doc := unbold(firstParagraph(lines[below:]))
	return File{Language: "readme", Package: title, Doc: doc, Content: DigestOf("readme", title, doc)}
}

// rstLink and rstTarget match the links of reStructuredText, with and without an address.
var (
	rstLink   = lazyregexp.New("`([^`<]+?)\\s*<[^`>]*>`__?")
	rstTarget = lazyregexp.New(`\b([A-Za-z][\w.-]*[A-Za-z0-9])_([\s.,;:)]|$)`)
)

var entity = lazyregexp.New(`&[a-z]+;`)

// unbold takes the emphasis off a paragraph that is emphasised as a whole.
func unbold(s string) string {
	if len(s) > 4 && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") && strings.Count(s, "**") == 2 {
		return s[2 : len(s)-2]
	}
	return s
}

const (
	// beforeTitle is how far down a README its title can stand.
	beforeTitle = 60
	// longTitle is what is no name any more.
	longTitle = 60
)

// firstLevel matches a heading of the first level, in Markdown and in HTML.
var (
	firstLevel = lazyregexp.New(`^# +(.+?) *#*$|^<h1[^>]*>(.*)</h1>`)
	tag        = lazyregexp.New(`<[^>]*>`)
)

// readmeTitle finds a README's title and the line after it: the first heading of the first level. Where text stands
// above it and more such headings follow, it is a section's.
func readmeTitle(lines []string) (title string, below int) {
	text, fence, headings := false, "", 0
	for i, line := range lines {
		t := strings.TrimSpace(line)
		if fence = fenceAfter(fence, t); fence != "" {
			continue
		}
		words, next := firstLevelHeading(lines, i)
		switch {
		case next > 0 && headings == 0 && i < beforeTitle:
			headings, title, below = 1, words, next
		case next > 0:
			headings++
		case headings == 0 && prose(line, t) && !underlined(lines, i):
			text = true
		}
	}
	if text && headings > 1 {
		return "", 0
	}
	if name := tagline.FindStringSubmatch(title); name != nil {
		title = name[1]
	}
	if len(title) > longTitle {
		title = ""
	}
	return title, below
}

// tagline matches a title with what the project says of itself behind its name: "Shop - sells things".
var tagline = lazyregexp.New(`^(\S+(?: \S+)?)(?: [-–—]|:) +\S+(?: \S+){2,}$`)

var (
	anyHeading = lazyregexp.New(`^#{1,6} +(.+?) *#*$`)
	question   = lazyregexp.New(`(?i)^what(?: is|'s|’s) ([^ ?]+(?: [^ ?]+){0,2})\?$`)
)

// askedFor is what the first heading asks for, in a README whose title is a picture: "What is Shop?". It is a name when
// the text goes on to use it as one.
func askedFor(lines []string) string {
	const used = 3 // times, the heading included
	fence := ""
	for i, line := range lines {
		t := strings.TrimSpace(line)
		if fence = fenceAfter(fence, t); fence != "" {
			continue
		}
		words := ""
		if m := anyHeading.FindStringSubmatch(t); m != nil {
			words = m[1]
		} else if t != "" && underlined(lines, i) {
			words = t
		}
		if words == "" {
			continue
		}
		m := question.FindStringSubmatch(words)
		if m == nil || strings.ToLower(m[1][:1]) == m[1][:1] || strings.Count(strings.Join(lines, "\n"), m[1]) < used {
			return ""
		}
		return m[1]
	}
	return ""
}

// firstLevelHeading returns the words of the heading that begins at line i, and the line after it; 0 for none. A line
// of dashes makes a heading of the first level of the first line only.
func firstLevelHeading(lines []string, i int) (words string, next int) {
	if m := firstLevel.FindStringSubmatch(strings.TrimSpace(lines[i])); m != nil {
		return strings.TrimSpace(tag.ReplaceAllString(entity.ReplaceAllString(m[1]+m[2], " "), "")), i + 1
	}
	if !underlined(lines, i) || strings.TrimSpace(lines[i]) == "" {
		return "", 0
	}
	if strings.HasPrefix(strings.TrimSpace(lines[i+1]), "=") || i == 0 {
		return strings.TrimSpace(lines[i]), i + 2
	}
	return "", 0
}

// fenceAfter is the fence that is open after a line, "" for none.
func fenceAfter(open, line string) string {
	marked := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	switch {
	case open == "" && marked:
		return line[:3]
	case open != "" && strings.HasPrefix(line, open):
		return ""
	}
	return open
}

// introducing matches the headings of sections that say what the whole is for.
var introducing = lazyregexp.New(`(?i)^(about|description|overview|introduction|summary|synopsis|what|why)\b`)

// pointer matches what leads elsewhere, or speaks of something else.
var pointer = lazyregexp.New(`(?i)^(?:see|for (?:(?:more|further|full|usage|general|other|any) |(?:documentation|questions|help|support|details|information|examples)\b)|please|when (?:committing|contributing|reporting|upgrading)|if you (?:find|want|like|have|need|use)|contributions? |thanks?\b|read more|check out|visit|note that|my other|(?:building|installing|running) (?:it )?(?:requires|needs)|to (?:build|compile|install)|requires)\b`)

// begging matches what asks for support.
var begging = lazyregexp.New(`(?i)\bconsider (?:supporting|sponsoring|donating|starring|giving|a donation|becoming)|\bbuy (?:me|us) a\b|\bsupport (?:the|this) project\b`)

// introduced reports whether a paragraph says what a directory is for.
func introduced(paragraph []string) bool {
	text := strings.Join(paragraph, " ")
	label := len(strings.Fields(text)) == 1 && !strings.ContainsAny(text, ".!。！") // a link to a translation, say
	return markdown.Says(text) && !label && !pointer.MatchString(text) && !begging.MatchString(text)
}

// firstParagraph is the first paragraph that says something, of the text itself or of a section that introduces the whole.
func firstParagraph(lines []string) string {
	var out []string
	fence, introduces, begins := "", true, true
	for i, line := range lines {
		t := strings.TrimSpace(line)
		closes := fence != ""
		if fence = fenceAfter(fence, t); fence != "" || closes {
			continue
		}
		quote, quoted := strings.CutPrefix(t, "> ")
		if quoted = quoted && begins && !strings.HasPrefix(strings.TrimPrefix(quote, "["), "!"); quoted { // a slogan below the title
			line, t = quote, strings.TrimSpace(quote)
		}
		begins = begins && (t == "" || quoted || strings.HasPrefix(t, "[!") || strings.HasPrefix(t, "![") || strings.HasPrefix(t, "<"))
		heading := strings.HasPrefix(t, "#") || t != "" && underlined(lines, i)
		switch {
		case ruled(lines, i) && len(out) == 0 && i < beforeTitle:
			introduces = true // the section above ends there
		case heading && len(out) == 0:
			introduces = introducing.MatchString(strings.TrimLeft(t, "# "))
		case !heading && introduces && prose(line, t):
			out = append(out, t)
		case len(out) > 0 && introduced(out):
			return strings.Join(out, "\n")
		default:
			out = nil
		}
	}
	if !introduced(out) {
		return ""
	}
	return strings.Join(out, "\n")
}

// prose tells a line of a paragraph from markup.
func prose(line, trimmed string) bool {
	if trimmed == "" || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return false
	}
	for _, p := range []string{"#", "<", "![", "[![", "[!", "|", ">", "---", "===", "***", "- ", "* ", "+ ", "..", ":", "{", "=", "1. "} {
		if strings.HasPrefix(trimmed, p) {
			return false
		}
	}
	return !strings.HasPrefix(trimmed, "[") || !strings.Contains(trimmed, "]:") && !strings.HasSuffix(trimmed, "]") // which led to a translation, say
}

// ruled reports whether a line parts what stands above it from what stands below.
func ruled(lines []string, i int) bool {
	t := strings.TrimSpace(lines[i])
	return i > 0 && len(t) >= 3 && (strings.Trim(t, "-") == "" || strings.Trim(t, "*") == "") && strings.TrimSpace(lines[i-1]) == ""
}

// underlined reports whether a line is a heading by the line of dashes or equal signs below it.
func underlined(lines []string, i int) bool {
	if i+1 >= len(lines) {
		return false
	}
	t := strings.TrimSpace(lines[i+1])
	return len(t) >= 3 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "")
}

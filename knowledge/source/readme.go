package source

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// Readme reads a directory's description from its README: the first informative paragraph of prose. Titles, badges and
// tables are not prose, HTML is read as Markdown. Rows of links, announcements and pointers to other documents are not
// informative.
// The title of the root README is the repository's name.
func Readme(name string, src []byte) File {
	text := htmlComment.ReplaceAllString(strings.ReplaceAll(strings.ToValidUTF8(string(src), "�"), "\r\n", "\n"), "")
	text = unlinked(withoutRows(readmeMarkdown(withoutDefinitions(text))))
	if path.Ext(name) == ".rst" {
		text = rstTarget.ReplaceAllString(rstLink.ReplaceAllString(text, "$1"), "$1$2")
	}
	lines := strings.Split(text, "\n")
	title, below := readmeTitle(lines)
	above := title
	switch {
	case path.Dir(name) != ".":
		title = ""
	case title == "", strings.HasSuffix(title, "?"), section.MatchString(withoutOrnament(title)):
		title = askedFor(lines)
	}
	if name, _, found := strings.Cut(title, " ("); found && strings.HasSuffix(title, ")") {
		title = name // an acronym's expansion in parentheses
	}
	doc := unbold(firstParagraph(lines[below:], above, below > 0))
	return File{Language: "readme", Package: title, Doc: doc, Content: DigestOf("readme", title, doc)}
}

// htmlComment matches a comment of several lines.
var htmlComment = lazyregexp.New(`(?s)<!--.*?-->`)

// rstLink and rstTarget match reStructuredText links with and without an address.
var (
	rstLink   = lazyregexp.New("`([^`<]+?)(?:\\s*<[^`>]*>)?`__?")
	rstTarget = lazyregexp.New(`\b([A-Za-z][\w.-]*[A-Za-z0-9])_([\s.,;:)]|$)`)
)

var entity = lazyregexp.New(`&[a-z]+;`)

func unbold(s string) string {
	if len(s) > 4 && strings.HasPrefix(s, "**") && strings.HasSuffix(s, "**") && strings.Count(s, "**") == 2 {
		return s[2 : len(s)-2]
	}
	return s
}

const (
	beforeTitle = 60
	// longTitle is the maximum length of a name.
	longTitle = 60
	// labelWords is the maximum number of words of a label.
	labelWords = 3
	// fewWords is the number of words of a text; fewer are a label.
	fewWords = 6
)

var (
	firstLevel = lazyregexp.New(`^# +(.+?) *#*$|^<h1[^>]*>(.*)</h1>`)
	tag        = lazyregexp.New(`<[^>]*>`)
)

// readmeTitle returns the README's title, which is the first first-level heading, and the next line. If text precedes
// it and more such headings follow, it is a section heading.
func readmeTitle(lines []string) (title string, below int) {
	text, fence, headings := false, "", 0
	for i, line := range lines {
		t := strings.TrimSpace(line)
		if fence = fenceAfter(fence, t); fence != "" {
			continue
		}
		words, next := firstLevelHeading(lines, i)
		switch {
		case next > 0 && warning.MatchString(words):
		case next > 0 && headings == 0 && i < beforeTitle:
			headings, title, below = 1, words, next
		case next > 0:
			headings++
		case headings == 0 && prose(line, t) && !underlined(lines, i):
			text = text || len(strings.Fields(t)) >= fewWords || endsWith(t, ".!")
		}
	}
	if text && (headings > 1 || closing.MatchString(title) || section.MatchString(withoutOrnament(title))) {
		return "", 0
	}
	if m := emphasis.FindStringSubmatch(title); m != nil {
		title = m[1]
	}
	if name := tagline.FindStringSubmatch(title); name != nil {
		title = name[1]
	}
	if len(title) > longTitle {
		title = ""
	}
	return title, below
}

// section matches generic headings, which are no name of a project.
var section = lazyregexp.New(`^(?i:introduction|overview|read ?me|about(?: the project)?|documentation|docs|(?:getting|get) started|welcome|(?:table of )?contents|description|installation|install|usage|features|quick ?start|examples?|api|requirements|prerequisites|summary|status|what is (?:this|it)\??)$`)

// warning matches headings of remarks above the title.
var warning = lazyregexp.New(`^(?i:\W*(?:security )?(?:warning|notice|attention|important|announcement|deprecated|archived)\W*)$`)

// closing matches the headings of last sections.
var closing = lazyregexp.New(`(?i)^(?:licen[cs]e|licensing|contribut|credits|authors|acknowledg|sponsors|support|change ?log|contact|thanks)`)

// emphasis matches a title that is emphasized as a whole.
var emphasis = lazyregexp.New(`^\*{1,3}([^*]+)\*{1,3}$`)

// tagline matches a title with a description: "Shop - sells things".
var tagline = lazyregexp.New(`^(\S+(?: \S+)?)(?: [-–—]|:) +\S+(?: \S+){2,}$`)

var (
	anyHeading = lazyregexp.New(`^#{1,6} +(.+?) *#*$`)
	question   = lazyregexp.New(`(?i)^what(?: is|'s|’s) ([^ ?]+(?: [^ ?]+){0,2})\?$`)
)

// askedFor returns the name in a question as first heading, "What is Shop?", for READMEs with a picture as title. The
// text must use the name again.
func askedFor(lines []string) string {
	const used = 3 // occurrences, including the heading
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
		m := question.FindStringSubmatch(withoutOrnament(words))
		if m == nil || strings.ToLower(m[1][:1]) == m[1][:1] || strings.Count(strings.Join(lines, "\n"), m[1]) < used {
			return ""
		}
		return m[1]
	}
	return ""
}

// firstLevelHeading returns the text of the heading at line i, and the line after it; 0 for none. A line of dashes
// makes a first-level heading only at the top.
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

func fenceAfter(open, line string) string {
	marked := strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "```") && !strings.Contains(strings.TrimLeft(line, "`"), "`")
	switch {
	case open == "" && marked:
		return line[:3]
	case open != "" && strings.HasPrefix(line, open):
		return ""
	}
	return open
}

var introducing = lazyregexp.New(`(?i)^(about|description|overview|intro|introduction|summary|synopsis|what|why)\b`)

// pointer matches pointers to other documents and side remarks.
var pointer = lazyregexp.New(`(?i)^(?:see|for (?:(?:more|further|full|usage|general|other|any) |(?:documentation|questions|help|support|details|information|examples)\b)|please|when (?:committing|contributing|reporting|upgrading)|if you (?:find|want|like|have|need|use)|contributions? |thanks?\b|read more|check out|visit|click here|to see|get started|status:|note that|my other|(?:building|installing|running) (?:it )?(?:requires|needs)|to (?:build|compile|install)|requires)\b`)

var begging = lazyregexp.New(`(?i)^\W*(?:special thanks|sponsor|image credit|disclaimer)|\bsupported by (?:the|our) (?:community|sponsors)|\b(?:no longer|not) (?:actively )?maintained\b|\bbecome a sponsor|\bcan be found (?:in|at|on)\b|\bwelcome!|\b(?:excited|happy|pleased|proud) to announce\b|\bconsider (?:supporting|sponsoring|donating|starring|giving|a donation|becoming)|\bbuy (?:me|us) a\b|\bsupport (?:the|this) project\b|\bstar (?:us|me|this|our)\b`)

// thanking matches the beginning of a list of sponsors.
var thanking = lazyregexp.New(`(?i)\bspecial thanks\b|\bsponsored by\b|\b(?:our|gold|silver|bronze|platinum|generous) (?:sponsors?|backers)\b|\bsupported by (?:the|our) (?:community|sponsors)\b`)

func introduced(paragraph []string) bool {
	text := strings.Join(paragraph, " ")
	words := len(strings.Fields(text))
	label := words == 1 && !strings.ContainsAny(text, ".!。！") || words <= labelWords && strings.HasSuffix(text, ":") // for example a link to a translation
	return markdown.Says(text) && !label && !pointer.MatchString(strings.TrimLeft(text, "*_")) && !begging.MatchString(text)
}

// definition matches the subject of a definition: "FetchFox is a scraper".
var definition = lazyregexp.New(`^((?:\S+ ){0,3}\S+) (?:is|are) (?:an?|the|one) `)

// ofAnother reports whether a text defines something that does not have the title as its name, such as a sponsor's product.
func ofAnother(text, title string) bool {
	m := definition.FindStringSubmatch(text)
	if m == nil || title == "" || !unicode.IsUpper([]rune(m[1])[0]) || pronoun.MatchString(m[1]) {
		return false
	}
	subject, named := letters(m[1]), letters(title)
	return !strings.Contains(subject, named) && !strings.Contains(named, subject)
}

var pronoun = lazyregexp.New(`^(?i:an?|the|this|these|it|we|our|here|there)\b`)

// letters returns the letters and digits of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// firstParagraph returns the first paragraph that says something about the project, or the one that defines it if the
// first is only a slogan. It reads up to the first heading that does not introduce the project. What follows thanks is
// not about the project, up to the next rule or heading.
func firstParagraph(lines []string, title string, titled bool) string {
	var first, out []string
	fence, introduces, begins, item := "", true, true, false
	thanked := false
	label := true // first is only a label
	lines = append(slices.Clip(lines), "")
	for i, line := range lines {
		t := strings.TrimSpace(line)
		closes := fence != ""
		if fence = fenceAfter(fence, t); fence != "" || closes {
			continue
		}
		quote, quoted := strings.CutPrefix(t, "> ")
		if quoted = quoted && begins && !strings.HasPrefix(strings.TrimPrefix(quote, "["), "!"); quoted {
			line, t = quote, strings.TrimSpace(quote)
		}
		begins = begins && (t == "" || quoted || strings.HasPrefix(t, "[!") || strings.HasPrefix(t, "![") || strings.HasPrefix(t, "<"))
		words := strings.TrimLeft(t, "# ")
		heading := strings.HasPrefix(t, "#") && words != "" || t != "" && underlined(lines, i)
		item = isItem(t) || item && t != "" && !heading
		if !heading && !item && introduces && prose(line, t) {
			out = append(out, t)
			continue
		}
		thanked = thanked || thanking.MatchString(strings.Join(out, " "))
		if len(out) > 0 && introduced(out) && !(ofAnother(strings.Join(out, " "), title) && (thanked || first != nil)) {
			out = withItems(out, lines[i:])
			if text := strings.Join(out, " "); first == nil && !isSlogan(text) || !thanked && markdown.Defines(text) && !strings.HasPrefix(text, "It ") {
				return strings.Join(out, "\n")
			}
			if label {
				first, label = out, len(strings.Fields(strings.Join(out, " "))) <= labelWords
			}
		}
		if out = nil; heading || ruled(lines, i) {
			thanked = false
		}
		switch {
		case ruled(lines, i) && first == nil && i < beforeTitle:
			introduces = true
		case heading:
			introduces = introducing.MatchString(withoutOrnament(words)) || !titled && len(strings.Fields(words)) >= tagWords
			titled = true
			if !introduces && first != nil {
				return strings.Join(first, "\n")
			}
		}
	}
	return strings.Join(first, "\n")
}

// withItems appends the items of the list below a paragraph that ends with a colon, or an ellipsis if they are many or
// long.
func withItems(paragraph, below []string) []string {
	const most, longest = 6, 12 // items, words of one
	text, introduces := strings.CutSuffix(strings.Join(paragraph, "\n"), ":")
	if !introduces {
		return paragraph
	}
	var list []string
	for _, line := range below {
		t := strings.TrimSpace(line)
		if t == "" {
			continue
		}
		if !isItem(t) {
			break
		}
		list = append(list, strings.TrimRight(strings.TrimSpace(t[1:]), ",;."))
		if len(list) > most || len(strings.Fields(t)) > longest {
			return []string{text + "…"}
		}
	}
	if len(list) == 0 {
		return paragraph
	}
	if !clause.MatchString(text) {
		text += ":"
	}
	return []string{text, strings.Join(list, ", ") + "."}
}

// clause matches the beginning of a clause that each item continues: "that:".
var clause = lazyregexp.New(`(?i)\b(?:that|which|to|can|lets you|allows you to|helps you)$`)

func isItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// isSlogan reports a short text, or a question.
func isSlogan(text string) bool {
	const most = 7 // words
	return len(strings.Fields(text)) <= most || strings.HasSuffix(text, "?")
}

// withoutOrnament drops pictures before the words of a heading.
func withoutOrnament(words string) string {
	return strings.TrimLeftFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func prose(line, trimmed string) bool {
	if trimmed == "" || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return false
	}
	for _, p := range []string{"#", "<", "![", "[![", "[!", "|", ">", "---", "===", "***", "- ", "* ", "+ ", "..", ":", "{", "=", "1. ", "``"} {
		if strings.HasPrefix(trimmed, p) {
			return false
		}
	}
	return !strings.HasPrefix(trimmed, "[") || !strings.Contains(trimmed, "]:") && !strings.HasSuffix(trimmed, "]") // for example a link to a translation
}

func ruled(lines []string, i int) bool {
	t := strings.TrimSpace(lines[i])
	return i > 0 && len(t) >= 3 && (strings.Trim(t, "-") == "" || strings.Trim(t, "*") == "") && strings.TrimSpace(lines[i-1]) == ""
}

func underlined(lines []string, i int) bool {
	if i+1 >= len(lines) {
		return false
	}
	t := strings.TrimSpace(lines[i+1])
	return len(t) >= 3 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "")
}

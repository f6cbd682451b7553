// Package markdown turns text from code into safe, readable Markdown: documentation comments into blocks and one-line
// summaries, names and code into spans and fences, paths into links, headings into anchors.
//
// Text from code is not trusted. The result never has raw HTML, a heading, a link other than plain http(s), a
// mention, an issue reference outside code, or a marker of this program. It also compiles as MDX. Each language's
// reader only builds a small tree of blocks; one printer escapes them, which keeps the guarantee in one place.
package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Doc is a parsed documentation comment, for callers that render it in several ways.
type Doc struct{ blocks []block }

// Read parses a documentation comment without comment markers. lang is the language's name in lower case; comments in
// unknown languages are plain text.
func Read(doc, lang string) Doc {
	doc = clean(doc)
	if reader, known := readers[lang]; known {
		return Doc{gather(reader(doc))}
	}
	return Doc{readPlain(doc)}
}

// Text returns the comment as Markdown blocks, with no blank line at either end.
func (d Doc) Text() string { return printBlocks(d.blocks) }

// Summary returns the first sentence of the comment as one line of Markdown that fits a table cell.
func (d Doc) Summary() string { return printInlines(firstSentence(lead(d.blocks)), cellPlace) }

// Text returns the text of Read(doc, lang).
func Text(doc, lang string) string { return Read(doc, lang).Text() }

// Summary returns the summary of Read(doc, lang).
func Summary(doc, lang string) string { return Read(annotated(doc), lang).Summary() }

// annotated returns the summary of a documentation that only has annotations, from which tools generate the description of an
// HTTP interface: "list godoc\n@Summary List carts".
func annotated(doc string) string {
	if m := annotation.FindStringSubmatch(doc); m != nil {
		return m[1]
	}
	if annotations.MatchString(doc) {
		return ""
	}
	return doc
}

// annotations matches a documentation of such annotations without a summary.
var annotations = lazyregexp.New(`^(?:@(?i:securitydefinitions|basepath|host|schemes|contact|license|termsofservice|version|query|tag|x-)\b.*\s*)+$`)

var annotation = lazyregexp.New(`^(?:\S+(?: godoc)?\n+)?(?i:@\S+ .*\n)*?@(?i:summary|title|description)[ \t]+(.+)`)

// Plain returns the first sentence of a documentation comment without any markup, for places that are not Markdown.
func Plain(doc, lang string) string {
	return rawText(firstSentence(lead(Read(annotated(doc), lang).blocks)))
}

// Purpose is Plain for the purpose of a whole module. It is empty for a few words that only introduce code ("Run
// with") or only refer to other documents; a longer introduction is kept without the code.
func Purpose(doc, lang string) string {
	said, led := standing(Read(annotated(doc), lang).blocks)
	if !Says(rawText(said)) {
		return ""
	}
	s := rawText(firstSentence(said))
	switch few := len(strings.Fields(s)) < fewWords; {
	case led == paragraph || few && led != codeBlock:
		return s
	case few:
		return ""
	}
	return strings.TrimRight(s, ":,; ") + "…"
}

const fewWords = 5

// Setting is Purpose for a setting, with a later sentence that says what holds without it.
func Setting(doc, lang string) string {
	help := Purpose(doc, lang)
	said, _ := standing(Read(annotated(doc), lang).blocks)
	_, rest, ok := strings.Cut(rawText(said), strings.TrimRight(help, "."))
	if m := otherwise.FindStringSubmatch(strings.TrimLeft(rest, ".")); ok && help != "" && m != nil {
		return strings.TrimRight(help, ".") + ". " + m[1]
	}
	return help
}

// otherwise matches a sentence about a setting that is not made.
var otherwise = lazyregexp.New(`(?:^|\.)\s+((?:[Ii]f (?:it is |this is )?(?:not (?:specified|set|given|provided|defined)|unset|omitted|empty)|[Dd]efaults? |The default |By default)[^\n]*?)(?:\. [^\n]*|\.?\s*)$`)

// ReStructuredText is the language whose documentation is reStructuredText.
const ReStructuredText = "python"

var readers = map[string]func(string) []block{
	"go":         readGo,
	"python":     readPython,
	"typescript": readTSDoc("ts"),
	"javascript": readTSDoc("js"),
	"tsx":        readTSDoc("tsx"),
	"jsx":        readTSDoc("jsx"),
	"java":       readJavadoc,
	"kotlin":     readJavadoc,
	"rust":       readRust,
	"c":          readDoxygen("c"),
	"cpp":        readDoxygen("cpp"),
	"c++":        readDoxygen("cpp"),
	"markdown":   readMarkdown,
}

// Package markdown turns text from code into safe, readable Markdown: documentation comments into blocks and
// one-line summaries, names and code into spans and fences, paths into links, headings into anchors.
//
// Text from code is not trusted. Whatever a comment holds, the result has no raw HTML, no heading, no link but a plain
// http(s) one, no mention, no issue reference outside code, and no marker that could be taken for one of this
// program's own. It also compiles as MDX. Each language's reader only builds a small tree of blocks; one printer
// escapes them, so the promise is kept in one place.
package markdown

import "strings"

// Doc is a documentation comment that has been read, for those who show it in more than one way.
type Doc struct{ blocks []block }

// Read reads a documentation comment (markers already removed). lang is the language's name in lower case; one that is
// not known is read as plain text.
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

// Text is that of the comment once read.
func Text(doc, lang string) string { return Read(doc, lang).Text() }

// Summary is that of the comment once read.
func Summary(doc, lang string) string { return Read(doc, lang).Summary() }

// Plain returns the first sentence of a documentation comment without any markup, for places that are not Markdown.
func Plain(doc, lang string) string { return rawText(firstSentence(lead(Read(doc, lang).blocks))) }

// Purpose is Plain for what a whole module is for. A few words that only lead to code ("Run with") say nothing of that, and
// neither does where to read of it; where there are more words, what they lead to is left open.
func Purpose(doc, lang string) string {
	said, led := standing(Read(doc, lang).blocks)
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

// fewWords is how many words say something by themselves.
const fewWords = 5

// readers holds the reader of each language that has rules of its own.
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

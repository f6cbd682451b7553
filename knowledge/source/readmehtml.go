package source

import (
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// htmlInReadme matches a tag. It also matches a code span, which keeps its tags.
var htmlInReadme = lazyregexp.New("`[^`\n]+`" + `|<(/?)([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>`)

// Markdown that replaces a tag; unknown tags stay.
var (
	breaks = map[string]string{
		"br": "\n", "hr": "\n\n---\n\n", "li": "\n- ", "p": "\n\n", "div": "\n\n", "center": "\n\n", "section": "\n\n", "header": "\n\n",
		"details": "\n\n", "summary": "\n\n", "table": "\n\n", "tr": "\n\n", "td": "\n\n", "th": "\n\n", "ul": "\n\n", "ol": "\n\n",
	}
	inlineTags = lazy.Set("img picture source b strong i em span sub sup small big font u s q nobr samp")
)

// readmeMarkdown replaces the HTML of a README, which usually holds its title and first sentence, by Markdown.
func readmeMarkdown(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	h := htmlReader{}
	done, fenced := 0, codeBlocks{text: text}
	for _, m := range htmlInReadme.FindAllStringSubmatchIndex(text, -1) {
		if m[4] < 0 || fenced.contain(m[0]) || m[0] > 0 && isLetterOrDigit(rune(text[m[0]-1])) && unicode.IsUpper(rune(text[m[4]])) { // Option<B>
			continue
		}
		h.write(text[done:m[0]])
		if !h.tag(strings.ToLower(text[m[4]:m[5]]), m[3] > m[2]) {
			h.write(text[m[0]:m[1]])
		}
		done = m[1]
	}
	h.write(text[done:])
	h.endHeading()
	return h.out.String()
}

// codeBlocks finds the code blocks of a text, from front to back.
type codeBlocks struct {
	text, open string
	at, seen   int // the start of the line, and the position that it was searched to for its end
}

// contain reports whether a position is in a code block. Positions must not decrease.
func (f *codeBlocks) contain(position int) bool {
	for {
		i := strings.IndexByte(f.text[f.seen:position], '\n')
		if i < 0 {
			f.seen = position
			return f.open != ""
		}
		f.seen += i + 1
		f.open = fenceAfter(f.open, strings.TrimSpace(f.text[f.at:f.seen]))
		f.at = f.seen
	}
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// htmlLink ends a link of HTML.
const htmlLink = "](#)"

// htmlReader writes the Markdown of a README up to a tag.
type htmlReader struct {
	out     strings.Builder
	depth   int             // open elements, whose lines may be indented
	broken  bool            // a <br> was last
	link    bool            // in a link
	level   int             // of the open heading, or 0
	heading strings.Builder // its text
}

func (h *htmlReader) write(s string) {
	if h.broken && s != "" {
		s = strings.TrimPrefix(strings.TrimLeft(s, " \t"), "\n")
		h.broken = false
	}
	switch {
	case h.level > 0:
		line, rest, ends := strings.Cut(s, "\n\n")
		h.heading.WriteString(line)
		switch {
		case !ends:
		case strings.TrimSpace(h.heading.String()) == "":
			h.heading.Reset()
			h.heading.WriteString(rest)
		default: // there is no end tag
			h.endHeading()
			h.write("\n\n" + rest)
		}
	case h.depth > 0:
		for line := range strings.Lines(s) {
			if h.out.Len() == 0 || strings.HasSuffix(h.out.String(), "\n") {
				line = strings.TrimLeft(line, " \t")
			}
			h.out.WriteString(line)
		}
	default:
		h.out.WriteString(s)
	}
}

// tag writes the Markdown of a tag, and reports whether the tag is known.
func (h *htmlReader) tag(name string, closing bool) bool {
	replacement, isBreak := breaks[name]
	switch {
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		h.headingTag(int(name[1]-'0'), closing)
	case name == "a":
		if h.link == closing {
			h.write(map[bool]string{false: "[", true: htmlLink}[closing])
		}
		h.link = !closing
	case name == "code", name == "kbd", name == "tt":
		h.write("`")
	case isBreak && (h.level > 0 || h.link || h.inHeadingLine()):
		h.write(" ")
	case isBreak:
		if replacement == "\n\n" {
			h.depth = max(h.depth+map[bool]int{false: 1, true: -1}[closing], 0)
		}
		h.write(replacement)
		h.broken = name == "br"
	default:
		return inlineTags[name]
	}
	return true
}

// longestHeading bounds the bytes of a heading.
const longestHeading = 1000

// inHeadingLine reports whether the last line is a heading of Markdown.
func (h *htmlReader) inHeadingLine() bool {
	written := h.out.String()
	written = written[max(len(written)-longestHeading, 0):]
	return strings.HasPrefix(strings.TrimSpace(written[strings.LastIndexByte(written, '\n')+1:]), "#")
}

// tagWords is the number of words that make a heading below the first level a description of the project.
const tagWords = 4

func (h *htmlReader) headingTag(level int, closing bool) {
	open := h.level
	h.endHeading()
	if !closing && open == 0 { // a second tag of that name without a slash is a mistake for the end tag
		h.level = level
	}
}

// endHeading writes the open heading, also one without an end tag.
func (h *htmlReader) endHeading() {
	if h.level == 0 {
		return
	}
	words := strings.Join(strings.Fields(h.heading.String()), " ")
	if words != "" {
		if h.level == 1 || len(strings.Fields(unlinked(words))) < tagWords {
			words = strings.Repeat("#", h.level) + " " + words
		}
		h.out.WriteString("\n\n" + words + "\n\n")
	}
	h.level = 0
	h.heading.Reset()
}

// withoutRows drops the paragraphs of a README that only link to something, and such lines at the end of a paragraph.
func withoutRows(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if isLinkRow(p) {
			paragraphs[i] = ""
			continue
		}
		lines := strings.Split(p, "\n")
		end := len(lines)
		for end > 1 && isLinkRow(lines[end-1]) && endsWith(lines[end-2], ".!…") {
			end--
		}
		paragraphs[i] = strings.Join(lines[:end], "\n")
	}
	return strings.Join(paragraphs, "\n\n")
}

func endsWith(line, marks string) bool {
	line = strings.TrimRight(line, " \t")
	return line != "" && strings.ContainsAny(line[len(line)-1:], marks)
}

// isLinkRow reports whether a paragraph consists of links, such as badges and "Website · Documentation".
func isLinkRow(p string) bool {
	const few = 5 // words of one link
	if !strings.Contains(p, "[") {
		return false
	}
	rest, links := withoutLinks(p)
	if links == 0 || strings.ContainsFunc(rest, isLetterOrDigit) {
		return false
	}
	title := strings.HasPrefix(strings.TrimSpace(rest), "#") || strings.Contains(rest, "\n==") || strings.Contains(rest, "\n--")
	return links > 1 || strings.Contains(p, htmlLink) || !title && len(strings.Fields(unlinked(p))) < few
}

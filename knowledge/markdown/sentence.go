package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazy"
)

const summaryRunes = 200

// lead returns the words that describe the subject: the first informative paragraph, or else the first words of any
// block, under their label.
func lead(blocks []block) []inline {
	if said, _ := leader(blocks); said != nil {
		return said
	}
	return leadWithin(blocks, 0)
}

// leader returns the first informative paragraph and its position, or else the first paragraph: text after a heading,
// a list or code has another subject.
func leader(blocks []block) (said []inline, at int) {
	for i, b := range blocks {
		switch found := told(b); {
		case b.aside, found == nil && b.kind == label && said == nil:
		case found == nil:
			return said, at
		case Says(rawText(found)):
			return found, i
		case said == nil:
			said, at = found, i
		}
	}
	return said, at
}

// standing returns the result of lead, and the kind of the block that it introduces if it is not a complete sentence,
// otherwise paragraph.
func standing(blocks []block) (said []inline, led blockKind) {
	said, at := leader(blocks)
	if said == nil {
		return lead(blocks), paragraph
	}
	if whole := legible(said); at+1 == len(blocks) || sentenceEnd(whole) < len(whole) || endsSentence(whole) {
		return said, paragraph
	}
	switch next := blocks[at+1].kind; next {
	case codeBlock, list, table:
		return said, next
	}
	return said, paragraph
}

func endsSentence(s string) bool {
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?")
}

// told returns the text of a paragraph without pictures, or nil if it is only the label of the next block.
func told(b block) []inline {
	if b.kind != paragraph || b.aside {
		return nil
	}
	in := b.text
	if slices.ContainsFunc(in, isPicture) {
		in = slices.DeleteFunc(slices.Clone(in), isPicture)
	}
	in = normalise(in)
	if len(in) == 0 || in[0].kind == strongText && isWord(strings.TrimSpace(joined(in[1:]))) { // at most a type: "**Returns:** Promise"
		return nil
	}
	return in
}

func isWord(s string) bool { return !strings.Contains(s, " ") }

func isPicture(piece inline) bool { return piece.kind == pictureText }

func leadWithin(blocks []block, depth int) []inline {
	for _, b := range blocks {
		if b.aside {
			continue
		}
		if said := told(b); said != nil {
			return said
		}
		if depth > maxDepth {
			continue
		}
		for _, inner := range b.items {
			if found := leadWithin(inner, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// firstSentence cuts inlines after their first sentence, and after summaryRunes at the latest.
func firstSentence(in []inline) []inline {
	in = normalise(in)
	whole := legible(in)
	end := sentenceEnd(whole)
	if short, cut := wordCut(whole[:end]); cut {
		return normalise(append(cutInlines(in, short), inline{plainText, "…"}))
	}
	if end == len(whole) {
		return in
	}
	return cutInlines(in, end)
}

// legible returns the words of inlines, with a placeholder for code that ends no sentence.
func legible(in []inline) string {
	if len(in) == 1 && in[0].kind != codeText {
		return in[0].s
	}
	var b strings.Builder
	for _, piece := range in {
		if piece.kind == codeText {
			b.WriteString(strings.Repeat("x", len(piece.s)))
		} else {
			b.WriteString(piece.s)
		}
	}
	return b.String()
}

func wordCut(s string) (int, bool) {
	if utf8.RuneCountInString(s) <= summaryRunes {
		return len(s), false
	}
	count, end, space := 0, 0, 0
	for i := range s {
		if count++; count > summaryRunes-1 {
			break
		}
		end = i
		if s[i] == ' ' {
			space = i
		}
	}
	if space > end/2 {
		end = space
	}
	return end, true
}

// cutInlines keeps the first n bytes; a code span that does not fit is left out unless it is the only piece.
func cutInlines(in []inline, n int) []inline {
	var out []inline
	for _, piece := range in {
		if len(piece.s) > n {
			if piece.kind != codeText || len(out) == 0 {
				piece.s = strings.ToValidUTF8(piece.s[:n], "")
				out = append(out, piece)
			}
			break
		}
		out = append(out, piece)
		n -= len(piece.s)
	}
	return out
}

func sentenceEnd(s string) int {
	for i, r := range s {
		if r == '。' || r == '！' || r == '？' {
			return i + utf8.RuneLen(r)
		}
		if r != '.' && r != '!' && r != '?' {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte(`.!?)"'`, s[end]) >= 0 {
			end++
		}
		if end == len(s) {
			return end
		}
		if s[end] == ' ' && !(r == '.' && continues(s[:i], s[end+1:])) {
			return end
		}
	}
	return len(s)
}

// shortened lists the words that take a full stop without ending a sentence; openEnded ones do end it before a
// capital.
var (
	shortened = lazy.Set("e.g i.e eg ie vs cf al fig eq sec no nos p pp vol ch approx incl resp esp ca mr mrs ms dr prof st viz def max min ref inc ltd")
	openEnded = lazy.Set("etc al inc ltd no st max min def ref sec p pp ch ie eg")
)

// continues reports that the full stop between before and after does not end a sentence.
func continues(before, after string) bool {
	word := before[strings.LastIndexByte(before, ' ')+1:]
	word = strings.TrimLeft(word, "([{\"'")
	next, _ := utf8.DecodeRuneInString(after)
	if strings.HasSuffix(word, ".") {
		return unicode.IsLower(next)
	}
	lowered := strings.ToLower(word)
	if openEnded[lowered] {
		return unicode.IsLower(next) || unicode.IsDigit(next)
	}
	if shortened[lowered] || lowered == "" {
		return true
	}
	initial, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(initial)
}

package source

import "strings"

// unlinked replaces Markdown links by their text and removes images and link definitions. Each pass is linear, even
// with unclosed brackets.
func unlinked(text string) string {
	if strings.IndexByte(text, '[') < 0 {
		return text
	}
	text = withoutDefinitions(text)
	text = replace(text, "![", (*brackets).image)
	text = replace(text, "[", (*brackets).emptyLink)
	return replace(text, "[", (*brackets).link)
}

// withoutLinks removes links with their words, and pictures, and counts them.
func withoutLinks(text string) (rest string, links int) {
	removed := func(match func(b *brackets, at int) (int, string)) func(*brackets, int) (int, string) {
		return func(b *brackets, at int) (int, string) {
			end, _ := match(b, at)
			if end > 0 {
				links++
			}
			return end, ""
		}
	}
	text = replace(text, "![", removed((*brackets).image))
	text = replace(text, "[", removed((*brackets).emptyLink))
	return replace(text, "[", removed((*brackets).link)), links
}

func withoutDefinitions(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if isDefinition(line) {
			line = line[len(strings.TrimSuffix(line, "\n")):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// isDefinition matches `[name]: target`, indented by at most three spaces.
func isDefinition(line string) bool {
	name := strings.TrimLeft(line, " ")
	if len(line)-len(name) > 3 || !strings.HasPrefix(name, "[") {
		return false
	}
	end := strings.IndexByte(name, ']')
	return end > 1 && strings.HasPrefix(name[end:], "]:")
}

func replace(text, lead string, match func(b *brackets, at int) (end int, words string)) string {
	b := &brackets{text: text}
	var out strings.Builder
	done := 0
	for at := strings.Index(text, lead); at >= 0; {
		end, words := match(b, at)
		if end > 0 {
			out.WriteString(text[done:at])
			out.WriteString(words)
			done = end
		}
		next := max(end, at+1)
		if at = strings.Index(text[next:], lead); at >= 0 {
			at += next
		}
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// brackets finds the ends of links. Queries must go from front to back.
type brackets struct {
	text string
	next [256]int // position plus one
}

// find returns the next position of a byte, or len(text). It caches the result per byte, which makes all queries
// together linear.
func (b *brackets) find(c byte, from int) int {
	if b.next[c] <= from {
		at := strings.IndexByte(b.text[min(from, len(b.text)):], c)
		if at < 0 {
			at = len(b.text)
		}
		b.next[c] = min(from+at, len(b.text)) + 1
	}
	return b.next[c] - 1
}

func (b *brackets) target(at int) int {
	if at >= len(b.text) {
		return at
	}
	end := len(b.text)
	switch b.text[at] {
	case '(':
		end = b.find(')', at+1)
	case '[':
		end = b.find(']', at+1)
	}
	if end == len(b.text) {
		return at
	}
	return end + 1
}

func (b *brackets) image(at int) (end int, words string) {
	if end = b.find(']', at+2); end == len(b.text) {
		return 0, ""
	}
	return b.target(end + 1), ""
}

// emptyLink matches a link without text, left after removing its picture.
func (b *brackets) emptyLink(at int) (end int, words string) {
	rest := strings.TrimLeft(b.text[at+1:], " \t\n\f\r")
	if !strings.HasPrefix(rest, "]") {
		return 0, ""
	}
	behind := len(b.text) - len(rest) + 1
	if end = b.target(behind); end == behind {
		return 0, ""
	}
	return end, ""
}

func (b *brackets) link(at int) (end int, words string) {
	closes := b.find(']', at+1)
	if closes == len(b.text) || closes == at+1 || b.find('[', at+1) < closes {
		return 0, ""
	}
	return b.target(closes + 1), b.text[at+1 : closes]
}

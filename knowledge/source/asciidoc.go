package source

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// IsASCIIDoc reports whether a file is an AsciiDoc document.
func IsASCIIDoc(name string) bool { return slices.Contains(asciiDoc, strings.ToLower(path.Ext(name))) }

var (
	asciiDoc = []string{".adoc", ".asciidoc"}

	asciiHeading = lazyregexp.New(`^(={1,6})[ \t]+(\S.*?)(?:[ \t]+=+)?[ \t]*$`)
	// asciiBlock matches the line around a listing, a literal block, a comment or a passthrough.
	asciiBlock = lazyregexp.New("^(-{4,}|\\.{4,}|/{4,}|\\+{4,}|`{3})")
	asciiID    = lazyregexp.New(`^\[(?:\[|#)([\w:.-]+)[^\]]*\]{1,2}[ \t]*$`)
	asciiLink  = lazyregexp.New(`(?:(?:link:|xref:|https?://)[^\s\[]*\[|<<[^,>]*,)([^\]>]*)(?:\]|>>)`)
	// asciiNoID matches what an anchor is without.
	asciiNoID  = lazyregexp.New(`[^\pL\pM\pN\p{Pc} .-]`)
	asciiSpace = lazyregexp.New(`[ .-]+`)
)

// asciiMarks are the lines under a heading, by level.
const asciiMarks = "=-~^+"

// asciiHeadings lists the headings of an AsciiDoc document: marked with =, or underlined.
func asciiHeadings(lines []string) (out []Heading) {
	taken, repeated, open, id := map[string]bool{}, map[string]int{}, "", ""
	add := func(written string, level, line, next int) {
		text := markdown.HeadingText(asciiLink.ReplaceAllString(written, "$1"))
		base := id
		if base == "" {
			base = asciiAnchor(text)
		}
		anchor := base
		for ; taken[anchor]; repeated[base]++ {
			anchor = base + "-" + strconv.Itoa(repeated[base]+2)
		}
		taken[anchor], id = true, ""
		out = append(out, Heading{written, text, anchor, level, line, next})
	}
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t")
		mark := asciiBlock.FindString(line)
		switch {
		case open != "":
			if line == open {
				open = ""
			}
			continue
		case mark == "```" || mark != "" && mark == line:
			open = mark
			continue
		}
		if m := asciiID.FindStringSubmatch(line); m != nil {
			id = m[1]
		} else if m := asciiHeading.FindStringSubmatch(line); m != nil {
			add(m[2], len(m[1]), i, i+1)
		} else if i+1 < len(lines) && asciiUnderlined(line, strings.TrimRight(lines[i+1], " \t")) {
			add(line, strings.IndexByte(asciiMarks, lines[i+1][0])+1, i, i+2)
			i++
		} else if line != "" && !strings.HasPrefix(line, "[") {
			id = ""
		}
	}
	return out
}

// asciiUnderlined reports whether a line is a heading with the line below, which is about as long.
func asciiUnderlined(line, under string) bool {
	apart := utf8.RuneCountInString(line) - len(under)
	return isUnderlined(line, under, asciiMarks, false) && line[0] != '[' && line[0] != '.' && apart >= -1 && apart <= 1
}

// asciiAnchor returns the anchor of a heading as GitHub makes it in AsciiDoc.
func asciiAnchor(heading string) string {
	return strings.Trim(asciiSpace.ReplaceAllString(asciiNoID.ReplaceAllString(strings.ToLower(heading), ""), "-"), "-")
}

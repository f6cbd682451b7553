package source

import (
	"regexp"
	"strings"
)

// Readme reads from a README what it says the directory is for: its first paragraph of prose. Titles, badges, HTML
// and tables are not prose.
func Readme(src []byte) File {
	doc := strings.TrimSpace(Unlinked(firstParagraph(strings.ToValidUTF8(string(src), "�"))))
	return File{Language: "readme", Doc: doc, Content: DigestOf("readme", doc)}
}

// beforeTitle is how far down a README its title can stand.
const beforeTitle = 2000

var (
	title = regexp.MustCompile(`(?m)^# .*$|^\S.*\n={3,}$`)
	image = regexp.MustCompile(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])`)
	link  = regexp.MustCompile(`\[([^\]\[]+)\](\([^)]*\)|\[[^\]]*\])?`)
)

// Unlinked is Markdown with the words of its links in place of the links, and without its images.
func Unlinked(text string) string {
	return link.ReplaceAllString(image.ReplaceAllString(text, ""), "$1")
}

func firstParagraph(text string) string {
	var out []string
	fence := ""
	if at := title.FindStringIndex(text); at != nil && at[0] < beforeTitle {
		text = text[at[1]:] // what stands above the title is about the README
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		t := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fence = t[:3]
		case prose(line, t) && !underlined(lines, i):
			out = append(out, t)
			continue
		}
		if len(out) > 0 {
			break
		}
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
	return !strings.HasPrefix(trimmed, "[") || !strings.Contains(trimmed, "]:")
}

// underlined tells whether a line is a heading by the line of dashes or equal signs below it.
func underlined(lines []string, i int) bool {
	if i+1 >= len(lines) {
		return false
	}
	t := strings.TrimSpace(lines[i+1])
	return len(t) >= 3 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "")
}

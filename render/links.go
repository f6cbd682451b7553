package render

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// relative returns the relative path from one file to another, both relative to the root.
func relative(from, to string) string {
	left := ""
	if dir := path.Dir(from); dir != "." {
		left = dir + "/"
	}
	for {
		end := strings.IndexByte(left, '/') + 1
		if end == 0 || !strings.HasPrefix(to, left[:end]) {
			return strings.Repeat("../", strings.Count(left, "/")) + markdown.Path(to)
		}
		left, to = left[end:], to[end:]
	}
}

// fileLink links to a file: permanently if a published commit is known, otherwise relatively. lines are right only at
// the commit.
func (c Config) fileLink(from, file, commit, lines string) string {
	if c.Repository == "" || commit == "" {
		return relative(from, file)
	}
	link := c.Repository + "/blob/" + commit + "/" + markdown.Path(file)
	if first, last, ok := strings.Cut(lines, "-"); ok {
		link += "#L" + first
		if last != first {
			link += "-L" + last
		}
	}
	return link
}

// head returns the front matter of a page in the Open Knowledge Format, or its substitute. It has no date: two branches that
// change the page would conflict on that line.
func (c Config) head(kind, title string) string {
	if !c.FrontMatter {
		return keep.Mark + "\n"
	}
	text := "---\n"
	for _, p := range [][2]string{{"type", kind}, {"title", title}} {
		if p[1] != "" {
			text += canonical.Property(p[0], p[1])
		}
	}
	return text + keep.By + "---\n\n"
}

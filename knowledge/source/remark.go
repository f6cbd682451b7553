package source

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var settingWords = []string{"config", "configuration", "default", "defaults", "settings", "example", "sample"}

// HoldsDefaults reports whether the name of a file says that it has the default settings of a program.
func HoldsDefaults(name string) bool {
	base, _, _ := strings.Cut(path.Base(name), ".")
	words := strings.FieldsFunc(Separated(base, '-'), func(r rune) bool { return !unicode.IsLetter(r) })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(settingWords, w) })
}

// Remark is the text of the comments above a key in a literal, without a title.
type Remark []string

// noProse matches a line of a comment that is a key with its value, or an instruction for a tool.
var noProse = lazyregexp.New("^(?:[\\w.\"'-]+: .*[,{]$|@?\\w+(?:[-:]\\s?(?:disable|enable|ignore|expect)\\b| ignore (?:next|file)\\b))")

// RemarkIn returns the remark in the text between a key and what precedes it.
func RemarkIn(between string) (out Remark) {
	_, between, _ = strings.Cut(between, "\n") // the rest of the line may be about what precedes it
	for line := range strings.SplitSeq(between, "\n") {
		marked := strings.TrimLeft(strings.TrimSpace(line), "/*")
		if marked != "" && marked == strings.TrimSpace(line) {
			continue // the end of what precedes it
		}
		line = strings.TrimSpace(strings.TrimSuffix(marked, "*/"))
		switch {
		case strings.HasPrefix(line, "#"):
			out = nil
		case !noProse.MatchString(line):
			out = append(out, line)
		}
	}
	return out
}

// Of returns the first paragraph that describes a key: an item of a list that begins with its name, or the first one.
func (r Remark) Of(key string) string {
	if text := r.Item(key); text != "" {
		return text
	}
	first := slices.IndexFunc(r, func(line string) bool { return line != "" })
	if first < 0 || strings.HasPrefix(r[first], "- `") {
		return ""
	}
	if text := r[first:].paragraph(); strings.Count(text, " ") > 1 {
		return text
	}
	return "" // a title
}

// Item returns the item of a list that begins with a key: - `size`: The size.
func (r Remark) Item(key string) string {
	for i, line := range r {
		if text, ok := strings.CutPrefix(line, "- `"+key+"`: "); ok {
			return strings.TrimSpace(text + " " + r[i+1:].paragraph())
		}
	}
	return ""
}

var link = lazyregexp.New(`\[([^][]+)\]\([^()]*\)`)

// paragraph returns the first lines as one, with the texts of links.
func (r Remark) paragraph() string {
	end := slices.IndexFunc(r, func(line string) bool { return line == "" || strings.HasPrefix(line, "- ") })
	if end < 0 {
		end = len(r)
	}
	return link.ReplaceAllString(strings.Join(r[:end], " "), "$1")
}

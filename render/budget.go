package render

import (
	"fmt"
	"strings"
)

// Every part of a page has its own budget: an edit of one symbol must not rewrite the sections of others. The sum stays
// below half a megabyte, up to which GitHub renders a page.
const (
	// overviewBytes bounds a module's own documentation on a page, docBytes a symbol's.
	overviewBytes = 10 << 10
	docBytes      = 16 << 10
	// signatureBytes bounds one declaration.
	signatureBytes = 6 << 10
	// overloadBytes bounds the documentation of a symbol's overloads.
	overloadBytes = 16 << 10
	// memberBytes bounds the member list of one type.
	memberBytes = 8 << 10
	// memberSectionsBytes bounds the member sections of one type.
	memberSectionsBytes = 20 << 10
	// exampleBytes bounds the examples of one symbol, and those of the module as a whole.
	exampleBytes = 8 << 10
	mostExamples = 2
	// symbolsBytes bounds the API lists of one page. An undivided module or part fits.
	symbolsBytes = 96 << 10
	// dividedBytes bounds all lists on the page of a divided module.
	dividedBytes = 160 << 10
	// insideBytes bounds the internal symbols.
	insideBytes = 48 << 10
	// sectionsBytes bounds the sections of all symbols, partSectionsBytes those of a part, briefBytes the short ones behind them.
	sectionsBytes     = 56 << 10
	partSectionsBytes = 128 << 10
	briefBytes        = 24 << 10
	// listBytes bounds any other list.
	listBytes = 5 << 10
)

// linkBytes is the weight of a link outside the page.
const linkBytes = 100

// weight returns the bytes of a text, with a fixed weight for links: a permanent link or other line numbers must not
// change what fits.
func weight(text string) int {
	sum := 0
	for {
		before, after, found := strings.Cut(text, "](")
		sum += len(before)
		if !found {
			return sum
		}
		end := strings.IndexByte(after, ')')
		if end < 0 {
			return sum + len(after)
		}
		if strings.HasPrefix(after, "#") {
			sum += end
		} else {
			sum += linkBytes
		}
		text = after[end:]
	}
}

// few returns the elements that fit by bytes, and how many are left out.
func few(all []string, room int) (shown []string, more int) {
	for i, s := range all {
		if room -= len(s); room < 0 {
			return all[:i], len(all) - i
		}
	}
	return all, 0
}

// first returns the first names, and says that there are others.
func first(names []string, most int) []string {
	if len(names) > most {
		return append(names[:most:most], "others")
	}
	return names
}

// firstOf lists the first names, and how many more there are.
func firstOf(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// opening cuts a long text at the last occurrence of the first separator that it contains, and reports whether it cut.
func opening(text string, most int, separators ...string) (start string, cut bool) {
	if len(text) <= most {
		return text, false
	}
	text = text[:most]
	for _, s := range separators {
		if i := strings.LastIndex(text, s); i > 0 {
			return text[:i], true
		}
	}
	return strings.ToValidUTF8(text, ""), true
}

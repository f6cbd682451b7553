package render

import (
	"strings"

	"github.com/causaldocs/causal/render/node"
)

// A page is long when its module is. Each part has a room of its own, and what a list leaves out is decided by what stands before it:
// an edit of one symbol must not rewrite the sections of others. All of it together stays below the half megabyte up to which
// GitHub shows a page.
const (
	// overviewBytes is how much of a module's own documentation a page shows, docBytes how much of a symbol's.
	overviewBytes = 10 << 10
	docBytes      = 16 << 10
	// signatureBytes is how much of one declaration a page shows.
	signatureBytes = 6 << 10
	// overloadBytes is the room for what is said of further declarations of a symbol's name.
	overloadBytes = 16 << 10
	// memberBytes is the room for the list of one type's members.
	memberBytes = 8 << 10
	// memberSectionsBytes is the room for the sections of one type's members.
	memberSectionsBytes = 20 << 10
	// exampleBytes is the room for the examples of one symbol, and for those of the module as a whole.
	exampleBytes = 8 << 10
	// mostExamples is how many examples a symbol is shown with.
	mostExamples = 2
	// symbolsBytes is the room for the lists of the API on one page. A module or part that is not divided further fits in.
	symbolsBytes = 96 << 10
	// dividedBytes is the room for all lists on the page of a module whose symbols have pages of their own.
	dividedBytes = 160 << 10
	// insideBytes is the room for what callers do not reach.
	insideBytes = 48 << 10
	// sectionsBytes is the room for the sections of all symbols.
	sectionsBytes = 44 << 10
	// listBytes is the room for any other list.
	listBytes = 5 << 10
)

// linkBytes is what a link outside the page counts for.
const linkBytes = 100

// weight is how many bytes a text has, wherever its links lead: a link to a file may have become a permanent one, or
// lead to other lines of it, and no page may say more or less for that.
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

// fit is how many elements of a list there is room for by their weight, and how much room is left then.
func fit(all []string, room int) (n, left int) {
	for n < len(all) && weight(all[n]) <= room {
		room -= weight(all[n])
		n++
	}
	return n, room
}

// few is as much of a list as there is room for by its bytes, and how many elements are left out.
func few(all []string, room int) (shown []string, more int) {
	for i, s := range all {
		if room -= len(s); room < 0 {
			return all[:i], len(all) - i
		}
	}
	return all, 0
}

// opening is the beginning of a text that is too long, up to the last of the first separator that it has, and tells
// whether anything is left out.
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

// pageSize is about how many bytes the page of a module takes.
func pageSize(n *node.Node) int {
	const frame, file = 4 << 10, 150
	return frame + min(len(n.Doc), overviewBytes) + len(n.Sources)*file + partSize(len(n.PublicAPI)) + sectionsSize(n.PublicAPI)
}

// partSize is about how many bytes a list of so many symbols takes.
func partSize(symbols int) int {
	const row = 160
	return min(symbols*row, symbolsBytes)
}

// sectionsSize is about how many bytes the sections of symbols take.
func sectionsSize(api []node.Symbol) int {
	const frame = 120
	n := 0
	for i := range api {
		n += len(api[i].Signature) + len(api[i].Doc) + frame
	}
	return min(n, sectionsBytes)
}

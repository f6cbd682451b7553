package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
)

func (x *reader) data() {
	if ddl.Mentions(func(text string) bool { return strings.Contains(x.src, text) }) {
		x.statements()
	}
}

// statements returns the strings of the file, except documentation and functions that revert a migration.
func (x *reader) statements() {
	var s ddl.Schema
	skip := int32(-1) // indentation level of a skipped function
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if skip >= 0 && l.level > skip {
			continue
		}
		skip = -1
		if x.is(first, end, "def") && x.isName(first+1, end) && (ddl.TakesBack(x.text(first+1)) || x.text(first+1) == "downgrade") {
			skip = l.level
			continue
		}
		for i := first; i < end; i++ {
			if x.toks[i].kind != str || i == first {
				continue
			}
			var all strings.Builder
			from := i
			for ; i < end && (x.toks[i].kind == str || x.is(i, end, "+")); i++ {
				if x.toks[i].kind == str {
					text, _ := stringValue(x.text(i))
					all.WriteString(text)
				}
			}
			s.SQL("", int(x.toks[from].line), valid(all.String()))
		}
	}
	x.facts = append(x.facts, s.Facts()...)
}

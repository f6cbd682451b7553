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

// statements returns the strings of the file, except documentation, functions that revert a migration, and what probes run.
func (x *reader) statements() {
	var s ddl.Schema
	skip := int32(-1) // indentation level of a skipped function
	probe, level := "", int32(0)
	for at, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if l.level < level {
			probe = ""
		}
		if name := x.probe(at); name != "" {
			probe, level = name, l.level
		}
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
			if probe != "" && from > first+3 && x.is(from-1, end, "(") && x.isName(from-2, end) && x.is(from-3, end, ".") && x.text(from-4) == probe {
				continue
			}
			s.SQL("", int(x.toks[from].line), valid(all.String()))
		}
	}
	x.facts = append(x.facts, s.Facts()...)
}

const (
	mostProbeLines  = 100 // behind the connection of a probe
	mostProbeTokens = 8   // before its argument
)

// probe returns the variable to which a line assigns a new database in memory, if the function uses it only to call its
// methods. Tables in such a database last no longer than the call.
func (x *reader) probe(at int) string {
	l := x.lines[at]
	first, end := int(l.first), int(l.end)
	if l.level == 0 || !x.isName(first, end) || !x.is(first+1, end, "=") {
		return ""
	}
	i := first + 2
	for i < min(end, first+mostProbeTokens) && !x.is(i, end, "(") {
		i++
	}
	if i+1 >= end || x.text(i-1) != "connect" || x.toks[i+1].kind != str {
		return ""
	}
	if text, _ := stringValue(x.text(i + 1)); text != ":memory:" {
		return ""
	}
	name := x.text(first)
	for n, next := range x.lines[at+1:] {
		if next.level == 0 || next.level < l.level && (x.is(int(next.first), int(next.end), "def") || x.is(int(next.first), int(next.end), "class")) {
			break
		}
		for k := int(next.first); k < int(next.end); k++ {
			if n == mostProbeLines || x.text(k) == name && !x.is(k-1, k, ".") && !x.is(k+1, int(next.end), ".") {
				return ""
			}
		}
	}
	return name
}

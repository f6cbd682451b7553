package markdown

import (
	"slices"
	"strings"
)

// member is what a comment says of one parameter, attribute or other part of a whole.
type member struct {
	names    string // several are separated by commas
	kind     string // its type
	optional bool
	fallback string // what it is when nobody says what
	about    []block
}

// the tables that members stand in, by what heads them.
const (
	parameters = "Parameter"
	attributes = "Attribute"
	properties = "Property"
	methods    = "Method"
	results    = "Return value"
)

func membersOf(title string, of ...member) block {
	return block{kind: table, title: title, members: of}
}

// gather makes one table of all that have the same title, where the first of them stands: a comment speaks of its parameters
// tag by tag.
func gather(blocks []block) []block {
	if !slices.ContainsFunc(blocks, func(b block) bool { return len(b.members) > 0 }) {
		return blocks
	}
	first := map[string]int{}
	out := blocks[:0:0]
	for _, b := range blocks {
		at, seen := first[b.title]
		switch {
		case len(b.members) == 0:
			out = append(out, b)
		case seen:
			out[at].members = append(out[at].members, b.members...)
		default:
			first[b.title] = len(out)
			b.members = slices.Clip(b.members)
			out = append(out, b)
		}
	}
	return out
}

// head is the name of a member with its type.
func (m member) head() []inline { return append(nameHead(m.names, ""), m.ofKind()...) }

// ofKind is the type of a member in parentheses.
func (m member) ofKind() []inline {
	kind := strings.ReplaceAll(strings.TrimSpace(m.kind), "`", "")
	switch {
	case kind == "" && m.optional:
		return []inline{{plainText, " (optional)"}}
	case kind == "":
		return nil
	}
	after := ")"
	if m.optional {
		after = ", optional)"
	}
	return []inline{{plainText, " ("}, {codeText, kind}, {plainText, after}}
}

// said is as much of what is said of a member as a cell of a table can hold, and the rest: code and lists.
func (m member) said() (in []inline, rest []block) {
	n := 0
	for ; n < len(m.about) && m.about[n].kind == paragraph; n++ {
		if len(in) > 0 {
			in = append(in, inline{plainText, " "})
		}
		in = append(in, m.about[n].text...)
	}
	if m.fallback != "" {
		before, after := "Default ", "."
		if len(in) > 0 {
			before, after = " (default ", ")"
		}
		in = append(in, inline{plainText, before}, inline{codeText, m.fallback}, inline{plainText, after})
	}
	return in, m.about[n:]
}

func printMembers(b block) string {
	rows := [][][]inline{{text(b.title), nil}}
	var below []block
	for _, m := range b.members {
		said, rest := m.said()
		rows = append(rows, [][]inline{m.head(), said})
		if len(rest) > 0 {
			below = append(below, item(nameHead(m.names, ""), nil)...)
			last := &below[len(below)-1]
			last.text = append(last.text, inline{plainText, ":"})
			below = append(below, rest...)
		}
	}
	shown := printTable(rows)
	if len(below) > 0 {
		shown += "\n\n" + printBlocks(below)
	}
	return shown
}

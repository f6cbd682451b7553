package markdown

import (
	"slices"
	"strings"
)

type member struct {
	names    string // separated by commas
	kind     string // type
	optional bool
	fallback string // default value
	about    []block
}

// The tables of members, by the head of their first column.
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

// gather merges the tables with the same title at the position of the first, because comments document parameters tag
// by tag.
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

func (m member) head() []inline { return append(nameHead(m.names, ""), m.ofKind()...) }

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

// said splits the documentation of a member into the text for a table cell and the rest: code and lists.
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

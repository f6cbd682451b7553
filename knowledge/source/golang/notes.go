package golang

import (
	"slices"
	"sort"
)

// notes is information from the tokens of valid source other than the digest. In a broken file the tokens and the
// syntax tree may disagree, and only the tree counts.
type notes struct {
	members members
	types   bool // there is a type or function literal, whose fields may have documentation
	iota    bool // iota may be used
}

func (l last) dot() last {
	switch l {
	case name:
		return nameDot
	case number:
		return fraction
	case nameDot, operandDot, ellipsis:
		return ellipsis
	}
	return operandDot
}

func (t *tokens) noteWord(before last, word []byte) last {
	if classes[word[0]] == digit {
		if before == fraction {
			return operand
		}
		return number
	}
	t.iota = t.iota || string(word) == "iota"
	switch before {
	case nameDot:
		t.members.add(t.word, word)
		return member
	case operandDot, fraction:
		return member
	}
	switch string(word) {
	case "struct", "interface", "func":
		t.types = true
	}
	return name
}

// members are the names that a file selects from each imported package.
type members struct {
	index map[string]int
	names [][]string
}

func (n *notes) release() {
	clear(n.members.index)
	clear(n.members.names)
	n.members.names = n.members.names[:0]
}

func (m *members) declare(pkg string) {
	if _, ok := m.index[pkg]; !ok {
		m.index[pkg] = len(m.names)
		m.names = append(m.names, nil)
	}
}

// forget clears the names and keeps the packages.
func (m *members) forget() { clear(m.names) }

func (m *members) add(pkg, member []byte) {
	i, ok := m.index[string(pkg)]
	if !ok {
		return
	}
	names := m.names[i]
	at := sort.Search(len(names), func(k int) bool { return names[k] >= string(member) })
	if at == len(names) || names[at] != string(member) {
		m.names[i] = slices.Insert(names, at, string(member))
	}
}

func (m *members) of(pkg string) []string {
	if i, ok := m.index[pkg]; ok {
		return m.names[i]
	}
	return nil
}

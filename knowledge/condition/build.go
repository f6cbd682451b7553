package condition

import (
	"cmp"
	"slices"
)

// Modified is the condition modified(glob).
func Modified(glob Glob) Condition {
	if glob.segments == nil {
		glob = Glob{pattern: everything, segments: []segment{{text: everything, kind: anyDepth}}}
	}
	return call("modified", glob, glob.pattern)
}

// SymbolChanged is the condition symbol_changed(module, name). Bytes that are not valid UTF-8 become U+FFFD, here and
// in the other builders.
func SymbolChanged(module, name string) Condition {
	return call("symbol_changed", Glob{}, validText(module), validText(name))
}

// InterfaceChanged is the condition interface_changed(module).
func InterfaceChanged(module string) Condition {
	return call("interface_changed", Glob{}, validText(module))
}

// ConclusionChanged is the condition conclusion_changed(frame).
func ConclusionChanged(frame string) Condition {
	return call("conclusion_changed", Glob{}, validText(frame))
}

// Resolved is the condition resolved(finding).
func Resolved(finding string) Condition {
	return call("resolved", Glob{}, validText(finding))
}

// GeneratorChanged is the condition generator_changed().
func GeneratorChanged() Condition {
	return call("generator_changed", Glob{})
}

func call(name string, glob Glob, args ...string) Condition {
	t := &term{word: words[name], args: args, glob: glob}
	t.spell()
	return Condition{root: &node{op: opCall, term: t}}
}

// Any is the condition that holds when one of the terms does. It is the same whatever the order of its arguments:
// each term once, sorted by word in the order of the vocabulary (modified, symbol_changed, interface_changed, ...),
// then by text; compound terms last. Any of nothing is the zero Condition.
func Any(terms ...Condition) Condition {
	type entry struct {
		node node
		text string
		rank int
	}
	var entries []entry
	for _, c := range terms {
		for _, n := range alternatives(c) {
			entries = append(entries, entry{n, Condition{root: &n}.String(), n.rank()})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.text, b.text))
	})
	entries = slices.CompactFunc(entries, func(a, b entry) bool { return a.text == b.text })
	switch len(entries) {
	case 0:
		return Condition{}
	case 1:
		return Condition{root: &entries[0].node}
	}
	root := node{op: opOr, children: make([]node, len(entries))}
	for i := range entries {
		root.children[i] = entries[i].node
	}
	return Condition{root: &root}
}

func alternatives(c Condition) []node {
	switch {
	case c.root == nil:
		return nil
	case c.root.op == opOr:
		return c.root.children
	default:
		return []node{*c.root}
	}
}

func (n *node) rank() int {
	if n.term == nil {
		return len(vocabulary)
	}
	return n.term.word.rank
}

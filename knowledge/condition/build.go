package condition

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Call returns the condition that a word is true for its arguments. It panics on an unknown word or wrong arguments.
func (v *Vocabulary) Call(name string, args ...string) Condition {
	w := v.words[name]
	if w == nil || w.Numeric || len(args) != len(w.Params) {
		panic(fmt.Sprintf("condition: %s%q is not in the vocabulary", name, args))
	}
	t := &term{word: w}
	for _, arg := range args {
		t.args = append(t.args, validText(arg))
	}
	if len(args) > 0 && w.Params[0] == GlobParam {
		glob, err := ParseGlob(t.args[0])
		if err != nil {
			panic(fmt.Sprintf("condition: %s(%q): %v", name, args[0], err))
		}
		t.glob = glob
	}
	t.spell()
	return Condition{root: &node{op: opCall, term: t}}
}

// Any returns the condition that one of the terms holds, without duplicates and in canonical order. All terms must
// have the same vocabulary. Without terms it returns the zero Condition.
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
		return math.MaxInt
	}
	return n.term.word.rank
}

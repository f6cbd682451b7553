package node

import (
	"cmp"
	"path"
	"reflect"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// DifferingFiles lists the files whose symbols, operations or file entries differ between two nodes of a module. ok is
// false if anything else differs.
func DifferingFiles(a, b *Node) (files map[string]bool, ok bool) {
	restA, rowsA := a.rows()
	restB, rowsB := b.rows()
	files = map[string]bool{}
	for _, pair := range [][2]map[string]string{{rowsA, rowsB}, {rowsB, rowsA}} {
		for row, file := range pair[0] {
			if _, same := pair[1][row]; !same {
				files[file] = true
			}
		}
	}
	return files, restA == restB && len(files) > 0
}

// rows maps each line about a declaration of the node's module to its file. rest is everything else.
func (n *Node) rows() (rest string, rows map[string]string) {
	w, rows := new(canonical.Writer), map[string]string{}
	add := func(of any, file string) {
		record(w, reflect.ValueOf(of).Elem(), placeless)
		rows[string(w.Bytes())] = file
		w.Reset()
	}
	for i := range n.PublicAPI {
		add(&n.PublicAPI[i], cmp.Or(n.PublicAPI[i].Source, path.Join(n.Path, n.PublicAPI[i].File)))
	}
	for i := range n.Behaviour {
		add(&n.Behaviour[i], path.Join(n.Path, n.Behaviour[i].File))
	}
	for i := range n.Sources {
		add(&n.Sources[i], n.Sources[i].Path)
	}
	other := *n
	other.PublicAPI, other.Behaviour, other.Sources = nil, nil, nil
	// these follow from the code of declarations
	other.Flows, other.Dependencies, other.External, other.Brings, other.InvalidationCondition = nil, nil, nil, nil, ""
	if other.PurposeFrom == FromDerived {
		other.Purpose = ""
	}
	other.content(w, placeless)
	return string(w.Bytes()), rows
}

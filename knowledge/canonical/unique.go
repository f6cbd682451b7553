package canonical

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Unique reports the first key that a mapping of a document has twice. It takes the place of the library's own check, which
// compares each key with each other one: a file of a megabyte would keep it busy for a minute.
func Unique(root *yaml.Node) error {
	type key struct{ tag, value string }
	for todo := []*yaml.Node{root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Content...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		seen := make(map[key]bool, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode {
				continue
			}
			k := key{name.ShortTag(), name.Value}
			if seen[k] {
				return fmt.Errorf("line %d: the key %q comes twice", name.Line, name.Value)
			}
			seen[k] = true
		}
	}
	return nil
}

package canonical

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// TwiceError says which key a mapping has twice.
type TwiceError struct {
	Line int // of the second
	Key  string
}

// Error names the line as well.
func (e *TwiceError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What()) }

// What is the error without the line.
func (e *TwiceError) What() string { return fmt.Sprintf("the key %q comes twice", e.Key) }

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
				return &TwiceError{name.Line, name.Value}
			}
			seen[k] = true
		}
	}
	return nil
}

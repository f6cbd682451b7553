package canonical

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// TwiceError reports a duplicate key of a mapping.
type TwiceError struct {
	Line int // of the second occurrence
	Key  string
}

// Error returns the message with the line.
func (e *TwiceError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What()) }

// What returns the message without the line.
func (e *TwiceError) What() string { return fmt.Sprintf("the key %q comes twice", e.Key) }

// Unique reports the first duplicate key in a mapping of a document. It replaces the library's quadratic check, which
// takes a minute for a file of a megabyte.
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

package node

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"
)

// Decode reads a node file. Unknown keys, a second document and a missing path are errors: a node that is not
// understood must not pass for knowledge.
func Decode(data []byte) (*Node, error) {
	if line, ok := conflict(data); ok {
		return nil, fmt.Errorf("line %d: conflict markers of a merge", line)
	}
	if n, ok := read(data); ok && n.Path != "" {
		return n, nil
	}
	n, err := load(data)
	if err != nil {
		return nil, err
	}
	if n.Path == "" {
		return nil, fmt.Errorf("no path: which module is this about?")
	}
	return n, nil
}

// load reads a node as any YAML.
func load(data []byte) (*Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var n Node
	if err := d.Decode(&n); err != nil {
		return nil, err
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than one document")
	}
	return &n, nil
}

func conflict(data []byte) (int, bool) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return number, true
		}
	}
	return 0, false
}

package node

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// Decode reads a node file. Unknown keys, a second document and a missing path are errors: a node that is not
// understood must not be used.
func Decode(data []byte) (*Node, error) {
	if line, ok := conflict(data); ok {
		return nil, fmt.Errorf("line %d: conflict markers of a merge", line)
	}
	n, err := load(data)
	if err != nil {
		return nil, err
	}
	if n.Path == "" {
		return nil, fmt.Errorf("no path: which module is this about?")
	}
	if err := errors.Join(parsePaths(reflect.ValueOf(n).Elem()), checkProse(n.Prose, n.ProseEvidence)); err != nil {
		return nil, err
	}
	n.InvalidationCondition = oneLine(n.InvalidationCondition)
	n.Seal()
	return n, nil
}

func load(data []byte) (*Node, error) {
	root, err := canonical.Document(data)
	if err != nil {
		return nil, err
	}
	outdated := dropRetired(root, "")
	n := Node{Outdated: outdated || !bytes.HasPrefix(data, []byte(strings.TrimSpace(header)))}
	if err := root.Load(&n, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)); err != nil {
		return nil, err
	}
	return &n, nil
}

// retired lists the keys of earlier formats by list. Their nodes are still readable.
var retired = map[string][]string{
	"":           {"interface", "digest", "last_verified", "commit", "frame_id", "tests", "uses", "generator"},
	"public_api": {"interface", "content"},
	"flows":      {"content"},
	"manual":     {"content"},
	"sources":    {"hash", "fingerprint", "published"},
}

func dropRetired(n *yaml.Node, list string) (dropped bool) {
	switch n.Kind {
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, child := range n.Content {
			dropped = dropRetired(child, list) || dropped
		}
	case yaml.MappingNode:
		kept := n.Content[:0]
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if slices.Contains(retired[list], key.Value) {
				dropped = true
				continue
			}
			if list == "" && value.Kind == yaml.SequenceNode {
				dropped = dropRetired(value, key.Value) || dropped
			}
			kept = append(kept, key, value)
		}
		n.Content = kept
	}
	return dropped
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

// Ours returns the current branch's side of a file with conflict markers, to keep its prose.
func Ours(data []byte) []byte {
	var out []byte
	theirs := false
	for line := range bytes.Lines(data) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
		case bytes.HasPrefix(line, []byte("||||||| ")), bytes.HasPrefix(line, []byte("=======")):
			theirs = true
		case bytes.HasPrefix(line, []byte(">>>>>>> ")):
			theirs = false
		case !theirs:
			out = append(out, line...)
		}
	}
	return out
}

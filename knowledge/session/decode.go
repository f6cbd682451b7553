package session

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/frame"
	"go.yaml.in/yaml/v4"
)

type document struct {
	Artifacts `yaml:",inline"`
	// each a frame, a digest and a unit, with a blank between: thousands of them are read and merged as lines
	Concluded []string      `yaml:"concluded,omitempty"`
	Frames    []frame.Frame `yaml:"frames,omitempty"`
}

// Decode reads what Encode wrote. Keys that it does not know are errors, as are frames that do not form a call tree.
// Errors name the line where there is one.
func Decode(data []byte) (Record, error) {
	documents, err := canonical.Reader(data)
	if err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	var root yaml.Node
	if err := documents.Load(&root); errors.Is(err, io.EOF) {
		return Record{}, errors.New("decode session: no documents")
	} else if err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	if err := documents.Load(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return Record{}, errors.New("decode session: more than one document")
	}
	if err := canonical.Unique(&root); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	var doc document
	if err := root.Load(&doc, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	for path, record := range doc.Files {
		record.Path = path
		doc.Files[path] = record
	}
	for _, line := range doc.Concluded {
		c := Conclusion{}
		c.Frame, line, _ = strings.Cut(line, " ")
		c.Digest, c.Unit, _ = strings.Cut(line, " ")
		doc.Artifacts.Concluded = append(doc.Artifacts.Concluded, c)
	}
	tree, err := frame.Load(doc.SessionID, doc.Frames)
	if err != nil {
		return Record{}, fmt.Errorf("decode session: %w", atLine(&root, err))
	}
	r := Record{Artifacts: doc.Artifacts, Tree: tree}
	if err := r.check(); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	return r, nil
}

// atLine adds the line of the frame that is broken.
func atLine(root *yaml.Node, err error) error {
	var broken *frame.LoadError
	if !errors.As(err, &broken) {
		return err
	}
	list := lookup(root, "frames")
	if list == nil || broken.Position >= len(list.Content) {
		return err
	}
	return fmt.Errorf("line %d: %w", list.Content[broken.Position].Line, err)
}

// lookup finds a key of the document's mapping.
func lookup(root *yaml.Node, key string) *yaml.Node {
	for root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return root.Content[i+1]
		}
	}
	return nil
}

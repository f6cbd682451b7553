package session

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

type document struct {
	Artifacts `yaml:",inline"`
	// Session and Files hold space-separated fields of a session without a call tree.
	Session string    `yaml:"session,omitempty"`
	Files   yaml.Node `yaml:"files,omitempty"`
	// Concluded has a frame, a digest, a unit and its evidence on each line, for merges by line.
	Concluded []string      `yaml:"concluded,omitempty"`
	Frames    []frame.Frame `yaml:"frames,omitempty"`
}

// Decode reads the output of Encode. Unknown keys and invalid call trees are errors, with the line if known.
func Decode(data []byte) (Record, error) {
	root, err := canonical.Document(data)
	if err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	var doc document
	if err := root.Load(&doc, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	if err := doc.take(); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	tree, err := frame.Load(doc.SessionID, doc.Frames)
	if err != nil {
		return Record{}, fmt.Errorf("decode session: %w", atLine(root, err))
	}
	r := Record{Artifacts: doc.Artifacts, Tree: tree}
	if err := r.check(); err != nil {
		return Record{}, fmt.Errorf("decode session: %w", err)
	}
	return r, nil
}

func (d *document) take() error {
	if d.Session != "" {
		words, _, err := cutFields(d.Session, 5)
		if err != nil {
			return fmt.Errorf("session: %w", err)
		}
		d.SessionID, d.RootFrameID, d.Date, d.Commit, d.InitialPrompt = words[0], words[1], words[2], words[3], words[4]
	}
	if d.Files.Kind == yaml.ScalarNode {
		d.Artifacts.Files = map[string]FileRecord{}
		for rest := d.Files.Value; rest != ""; {
			words, tail, err := cutFields(rest, 3)
			if err != nil {
				return fmt.Errorf("files: %w", err)
			}
			d.Artifacts.Files[words[2]] = FileRecord{Role: Role(words[0]), Hash: words[1]}
			rest = tail
		}
	} else if d.Files.Kind != 0 {
		if err := d.Files.Load(&d.Artifacts.Files, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)); err != nil {
			return err
		}
	}
	for path, record := range d.Artifacts.Files {
		record.Path = path
		d.Artifacts.Files[path] = record
	}
	for _, line := range d.Concluded {
		words, tail, err := cutFields(line, 3)
		if err != nil {
			return fmt.Errorf("concluded: %w", err)
		}
		c := Conclusion{Frame: words[0], Digest: words[1], Unit: words[2]}
		if c.Evidence, err = fact.ParseAll(tail); err != nil {
			return fmt.Errorf("concluded %s: %w", c.Unit, err)
		}
		d.Artifacts.Concluded = append(d.Artifacts.Concluded, c)
	}
	return nil
}

func cutFields(line string, n int) (words []string, tail string, err error) {
	words = make([]string, n)
	for i := range words {
		if words[i], line, err = fact.CutField(line); err != nil {
			return nil, "", fmt.Errorf("field %d: %w", i+1, err)
		}
		if words[i] == missing {
			words[i] = ""
		}
		line = strings.TrimPrefix(line, " ")
	}
	return words, line, nil
}

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

package canonical

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// ErrEmpty means that a file has no document.
var ErrEmpty = errors.New("no documents")

// Document reads the only document of an untrusted file, whose keys must be unique.
func Document(data []byte) (*yaml.Node, error) {
	documents, err := Reader(data)
	if err != nil {
		return nil, err
	}
	var root, more yaml.Node
	if err := documents.Load(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, ErrEmpty
	}
	if err := documents.Load(&more); err == nil {
		return nil, fmt.Errorf("line %d: a second document begins here; a file has one", more.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &root, Unique(&root)
}

// Place splits an error about a file into its line and its message. The line is 1 if it is unknown.
func Place(err error) (line int, what string) {
	if one, ok := errors.AsType[*yaml.LoadError](err); ok {
		return max(one.Mark.Line, one.ContextMark.Line, 1), one.Message
	}
	what = strings.TrimPrefix(err.Error(), "yaml: ")
	if _, scanErr := fmt.Sscanf(what, "line %d:", &line); scanErr == nil {
		_, what, _ = strings.Cut(what, ": ")
	}
	return max(line, 1), what
}

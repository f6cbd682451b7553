package sandbox

import (
	"fmt"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

// Files are causal's own files as a child left them, for publish.Publish. Their content is not validated.
type Files struct {
	dir    *store.Dir
	result *Result
	read   int64
}

// NewFiles returns the files of a result in a scratch directory.
func NewFiles(dir *store.Dir, r *Result) *Files { return &Files{dir: dir, result: r} }

// Touched implements publish.Files.
func (f *Files) Touched() (written, removed []string, err error) {
	return f.result.Write, f.result.Remove, nil
}

// mostPublished limits the bytes that one run may publish: a first run over 50,000 modules has half of it.
const mostPublished = 256 << 20

// Read implements publish.Files.
func (f *Files) Read(name string) ([]byte, error) {
	data, err := f.dir.Read(name)
	if f.read += int64(len(data)); f.read > mostPublished {
		return nil, &RefusedError{fmt.Sprintf("there are more than %d MB to publish", mostPublished>>20)}
	}
	if err == nil && ledger.IsFile(name) && !ledger.Named(name, data) {
		return nil, fmt.Errorf("%w: %s is another file of the log than it is called", errMessage, name)
	}
	return data, err
}

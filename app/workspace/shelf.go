package workspace

import (
	"slices"
	"sync"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// shelf caches the specs of a run, which are read several times. A write invalidates the entry. It implements
// testgen.Shelf.
type shelf struct {
	testFiles

	mu   sync.Mutex
	read map[string]*spec.Spec
}

var _ testgen.Shelf = (*shelf)(nil)

func newShelf(files testFiles) *shelf { return &shelf{testFiles: files, read: map[string]*spec.Spec{}} }

// Spec implements testgen.Shelf. The caller may change the spec.
func (s *shelf) Spec(name string) (*spec.Spec, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.read[name]
	if one == nil {
		var err error
		if one, err = testgen.ReadSpec(s.testFiles, name); err != nil {
			return nil, err
		}
		s.read[name] = one
	}
	out := *one
	out.Cases = slices.Clone(one.Cases)
	return &out, nil
}

func (s *shelf) Write(name string, data []byte) (changed bool, err error) {
	defer s.forget(name)
	return s.testFiles.Write(name, data)
}

func (s *shelf) Remove(name, upTo string) error {
	defer s.forget(name)
	return s.testFiles.Remove(name, upTo)
}

func (s *shelf) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.read, name)
}

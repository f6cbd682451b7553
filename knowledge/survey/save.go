package survey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
)

// Save adds the data for the next run to the batch. done means that the run completed its work, so pending changes
// are cleared.
func (s *Survey) Save(done bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if done {
		s.update.undone = undone{}
	}
	err := errors.Join(s.writing.Wait(), s.Batch.Put(wholes, keySummaries, s.modules), s.Batch.Put(wholes, keyState, s.state),
		s.Batch.Put(wholes, keyUndone, s.update.undone))
	if s.pathsChanged {
		err = errors.Join(err, s.Batch.Put(wholes, keyPaths, s.paths))
	}
	switch {
	case !s.full:
		s.grown += s.scan.filesRead
	case !s.Index.Fresh(): // nothing to forget
		s.Batch.KeepBlobs(s.scan.seen)
	}
	err = errors.Join(err, s.Batch.Put(wholes, keyGrown, s.grown))
	err = errors.Join(err, s.publisher.save(), s.describer.save(), s.documentation.save())
	err = errors.Join(err, s.saveValues())
	for m, r := range s.records {
		switch {
		case s.modules[m] == nil:
			err = errors.Join(err, s.Batch.Put(usesOfModule, m, nil), s.Batch.Put(records, m, nil))
		case r != nil && (s.full || s.update.visits[m] != nil):
			err = errors.Join(err, s.Batch.Put(usesOfModule, m, encodeUses(r.Uses)), s.Batch.Put(records, m, r))
		}
	}
	return err
}

// Wrote updates the state for files that the run wrote or removed; before holds their previous content, nil for new
// files.
func (s *Survey) Wrote(ctx context.Context, before map[string][]byte) error {
	var err error
	if s.state, err = s.Tree.Wrote(ctx, s.state, before); err != nil {
		return fmt.Errorf("read the written files: %w", err)
	}
	return nil
}

// Wait waits for background writes. Call it before closing the index.
func (s *Survey) Wait() error { return s.writing.Wait() }

// Release drops the loaded modules of facts that are not expected to be read again, to save memory.
func (s *Survey) Release(facts []fact.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range facts {
		if f.Family == fact.Listings {
			delete(s.known, f.Name)
		}
	}
}

// FilesRead returns the number of files read.
func (s *Survey) FilesRead() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scan.filesRead
}

// Base returns the commit of the last remembered run.
func (s *Survey) Base() string { return s.earlier.Commit }

// Commit returns the surveyed commit, or "" before the first.
func (s *Survey) Commit() string { return s.state.Commit }

// State identifies the surveyed files: equal states have the same content under the same names.
func (s *Survey) State() string {
	parts := []string{s.state.Commit}
	for _, d := range s.state.Dirty {
		parts = append(parts, d.Path, d.ID, fmt.Sprint(d.Mode))
	}
	return string(source.DigestOf(parts...))
}

// Origin returns the time of the surveyed commit, and whether links to it are permanent, that is, it is known to be
// on the branch for permanent links.
func (s *Survey) Origin(ctx context.Context) (when time.Time, permanent bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Commit == "" {
		return time.Time{}, false, nil
	}
	var head Commit
	if !s.Index.Get(wholes, keyHead, &head) || head.ID != s.state.Commit { // a commit never changes, so git is asked once
		if head, err = s.Tree.Head(ctx); err != nil {
			return time.Time{}, false, fmt.Errorf("read the commit: %w", err)
		}
		if err := s.Batch.Put(wholes, keyHead, head); err != nil {
			return time.Time{}, false, err
		}
	}
	if permanent, err = s.Tree.Published(ctx, s.state.Commit); err != nil {
		return time.Time{}, false, fmt.Errorf("look for the commit on the default branch: %w", err)
	}
	return head.When, permanent, nil
}

// Clean reports whether the file is committed and unmodified.
func (s *Survey) Clean(file string) bool {
	if s.state.Commit == "" {
		return false
	}
	_, dirty := slices.BinarySearchFunc(s.state.Dirty, file, func(d Dirty, file string) int { return strings.Compare(d.Path, file) })
	return !dirty
}

// LastChange returns the last commit that changed a file, or "" if the file has uncommitted changes.
func (s *Survey) LastChange(ctx context.Context, file string) (string, error) {
	if !s.Clean(file) || s.Owned(file) {
		return "", nil
	}
	commit, err := s.Tree.LastChange(ctx, file)
	if err != nil {
		return "", fmt.Errorf("look for the commit that changed %s: %w", file, err)
	}
	return commit, nil
}

// Has reports whether the repository has such a file, or a directory with files in it.
func (s *Survey) Has(name string) (file, dir bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files := s.files()
	return files.Has(name), files.HasDir(name)
}

// Modules lists all modules by path.
func (s *Survey) Modules() []string { return slices.Sorted(maps.Keys(s.modules)) }

// Introducers returns the root's README, or "", and the manifests, which also affect import resolution.
func (s *Survey) Introducers() (readme string, manifests []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files() // updates the path lists
	for _, p := range slices.Sorted(maps.Keys(s.paths.Manifests)) {
		if moduleOf(p) == "." {
			manifests = append(manifests, p)
		}
	}
	return s.readme("."), manifests
}

// LeftOut reports whether a module is missing because the configuration excludes its source.
func (s *Survey) LeftOut(module string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.files(), func(p string) bool {
		return moduleOf(p) == module && s.Excluded(p) && s.classes.Classify(p).Language != ""
	})
}

// memory holds values that are expensive to compute. They are stored by fact, and valid until their fact may differ.
type memory struct {
	values  map[fact.Fact]any
	learned map[fact.Fact]bool // computed in this run
}

// valued holds the values of memories, by fact.
const valued index.Bucket = "values"

// rememberedFacts are the families with stored values. The value of baseFacts are all shapes of the module.
var rememberedFacts = map[fact.Family]bool{flowFacts: true, extendFacts: true, baseFacts: true}

func recall[T any](s *Survey, f fact.Fact) (v T, known bool) {
	if found, known := s.values[f]; known {
		return found.(T), true
	}
	if s.full || s.changed[f] || !s.Index.Get(valued, f.String(), &v) {
		return v, false
	}
	s.values[f] = v
	return v, true
}

func (m *memory) learn(f fact.Fact, value any) { m.values[f], m.learned[f] = value, true }

// saveValues stores the values of this run and removes outdated ones.
func (s *Survey) saveValues() (err error) {
	if s.full {
		for _, f := range s.Index.Keys(valued, "") {
			err = errors.Join(err, s.Batch.Put(valued, f, nil))
		}
	}
	for f := range s.changed {
		if rememberedFacts[f.Family] && !s.learned[f] {
			err = errors.Join(err, s.Batch.Put(valued, f.String(), nil))
		}
	}
	for f := range s.learned {
		err = errors.Join(err, s.Batch.Put(valued, f.String(), s.values[f]))
	}
	return err
}

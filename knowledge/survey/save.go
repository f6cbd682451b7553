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
	"github.com/causaldocs/causal/knowledge/source"
)

// Save puts what the next run needs into the batch. done says that nothing was left undone: what changed is settled then.
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
	case !s.Index.Fresh(): // or there is nothing to forget
		s.Batch.KeepBlobs(s.scan.seen)
	}
	err = errors.Join(err, s.Batch.Put(wholes, keyGrown, s.grown))
	err = errors.Join(err, s.publisher.save(), s.describer.save(), s.documentation.save())
	err = errors.Join(err, s.saveImplemented())
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

// Wrote takes files into account that the run wrote or removed itself; before is what they held, nil for files that are new.
func (s *Survey) Wrote(ctx context.Context, before map[string][]byte) error {
	var err error
	if s.state, err = s.Tree.Wrote(ctx, s.state, before); err != nil {
		return fmt.Errorf("read the written files: %w", err)
	}
	return nil
}

// Wait waits for what is written beside the run. It is called before the index is closed.
func (s *Survey) Wait() error { return s.writing.Wait() }

// Release forgets what it takes long to read of facts that nobody is expected to ask for again: large repositories need the
// room.
func (s *Survey) Release(facts []fact.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range facts {
		if f.Family == fact.Listings {
			delete(s.known, f.Name)
		}
	}
}

// FilesRead is how many files were read.
func (s *Survey) FilesRead() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scan.filesRead
}

// Base is the commit of the last run that is remembered, Commit the one that is surveyed.
func (s *Survey) Base() string { return s.earlier.Commit }

// Commit is the commit that the tree is based on, empty before the first.
func (s *Survey) Commit() string { return s.state.Commit }

// State identifies the files that are surveyed: two runs that see the same content under the same names have the same.
func (s *Survey) State() string {
	parts := []string{s.state.Commit}
	for _, d := range s.state.Dirty {
		parts = append(parts, d.Path, d.ID, fmt.Sprint(d.Mode))
	}
	return string(source.DigestOf(parts...))
}

// Origin tells when the commit that the tree is based on was made, and whether links to it will keep working: it is known to
// be on the branch that such links lead to.
func (s *Survey) Origin(ctx context.Context) (when time.Time, permanent bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Commit == "" {
		return time.Time{}, false, nil
	}
	var head Commit
	if !s.Index.Get(wholes, keyHead, &head) || head.ID != s.state.Commit { // it never changes, so git is asked once
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

// Clean reports whether a file is in the commit as it is here.
func (s *Survey) Clean(file string) bool {
	if s.state.Commit == "" {
		return false
	}
	_, dirty := slices.BinarySearchFunc(s.state.Dirty, file, func(d Dirty, file string) int { return strings.Compare(d.Path, file) })
	return !dirty
}

// LastChange names the commit that changed a file last; empty where it is not committed as it is.
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

// Dependants lists the modules that would be looked at when the interface of a module changes.
func (s *Survey) Dependants(module string) []string { return s.dependants(module) }

// Introducers are the files of the root that say what the repository is: the README, empty when there is none, and the
// manifests, which also say where imports lead.
func (s *Survey) Introducers() (readme string, manifests []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files() // brings the lists of paths along
	for _, p := range slices.Sorted(maps.Keys(s.paths.Manifests)) {
		if moduleOf(p) == "." {
			manifests = append(manifests, p)
		}
	}
	return s.readme("."), manifests
}

// LeftOut reports whether the source of a module that is not there was left out by the configuration.
func (s *Survey) LeftOut(module string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.files(), func(p string) bool {
		return moduleOf(p) == module && s.Excluded(p) && s.classes.Classify(p).Language != ""
	})
}

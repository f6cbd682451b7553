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
)

// Save puts what the next run needs into the batch. done says that nothing was left undone: what changed is settled then.
func (w *Survey) Save(done bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if done {
		w.undone = undone{}
	}
	err := errors.Join(w.writing.Wait(), w.batch.Put(wholes, keySummaries, w.modules), w.batch.Put(wholes, keyState, w.state),
		w.batch.Put(wholes, keyUndone, w.undone))
	if w.pathsChanged {
		err = errors.Join(err, w.batch.Put(wholes, keyPaths, w.paths))
	}
	switch {
	case !w.full:
		w.grown += w.scan.filesRead
	case !w.Index.Fresh(): // or there is nothing to forget
		w.batch.KeepBlobs(w.scan.seen)
	}
	err = errors.Join(err, w.batch.Put(wholes, keyGrown, w.grown))
	for m, r := range w.records {
		switch {
		case w.modules[m] == nil:
			err = errors.Join(err, w.batch.Put(usesOfModule, m, nil), w.batch.Put(records, m, nil))
		case r != nil && (w.full || w.touched[m] || w.relinked[m] || w.reshaped[m] != nil):
			err = errors.Join(err, w.batch.Put(usesOfModule, m, encodeUses(r.Uses)), w.batch.Put(records, m, r))
		}
	}
	return err
}

// Wrote takes files into account that the run wrote or removed itself; before is what they held, nil for files that are new.
func (w *Survey) Wrote(ctx context.Context, before map[string][]byte) error {
	var err error
	if w.state, err = w.Tree.Wrote(ctx, w.state, before); err != nil {
		return fmt.Errorf("look at what was written: %w", err)
	}
	return nil
}

// Wait waits for what is written beside the run. It is called before the index is closed.
func (w *Survey) Wait() error { return w.writing.Wait() }

// Release forgets what it takes long to read of facts that nobody is expected to ask for again: large repositories need the
// room.
func (w *Survey) Release(facts []fact.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range facts {
		if f.Family == fact.Listings {
			delete(w.known, f.Name)
		}
	}
}

// FilesRead is how many files were read.
func (w *Survey) FilesRead() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scan.filesRead
}

// Base is the commit of the last run that is remembered, Commit the one that is surveyed.
func (w *Survey) Base() string { return w.earlier.Commit }

// Commit is the commit that the tree is based on, empty before the first.
func (w *Survey) Commit() string { return w.state.Commit }

// Origin tells when the commit that the tree is based on was made, and whether links to it will keep working: it is known to
// be on the branch that such links lead to.
func (w *Survey) Origin(ctx context.Context) (when time.Time, permanent bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state.Commit == "" {
		return time.Time{}, false, nil
	}
	var head Commit
	if !w.Index.Get(wholes, keyHead, &head) || head.ID != w.state.Commit { // it never changes, so git is asked once
		if head, err = w.Tree.Head(ctx); err != nil {
			return time.Time{}, false, fmt.Errorf("read the commit: %w", err)
		}
		if err := w.batch.Put(wholes, keyHead, head); err != nil {
			return time.Time{}, false, err
		}
	}
	if permanent, err = w.Tree.Published(ctx, w.state.Commit); err != nil {
		return time.Time{}, false, fmt.Errorf("look for the commit on the default branch: %w", err)
	}
	return head.When, permanent, nil
}

// Clean reports whether a file is in the commit as it is here.
func (w *Survey) Clean(file string) bool {
	if w.state.Commit == "" {
		return false
	}
	_, dirty := slices.BinarySearchFunc(w.state.Dirty, file, func(d Dirty, file string) int { return strings.Compare(d.Path, file) })
	return !dirty
}

// LastChange names the commit that changed a file last; empty where it is not committed as it is.
func (w *Survey) LastChange(ctx context.Context, file string) (string, error) {
	if !w.Clean(file) || w.Owned(file) {
		return "", nil
	}
	commit, err := w.Tree.LastChange(ctx, file)
	if err != nil {
		return "", fmt.Errorf("look for the commit that changed %s: %w", file, err)
	}
	return commit, nil
}

// Has reports whether the repository has such a file, or a directory with files in it.
func (w *Survey) Has(name string) (file, dir bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	files := w.files()
	return files.Has(name), files.HasDir(name)
}

// Modules lists all modules by path.
func (w *Survey) Modules() []string { return slices.Sorted(maps.Keys(w.modules)) }

// Dependants lists the modules that would be looked at when the interface of a module changes.
func (w *Survey) Dependants(module string) []string { return w.dependants(module) }

// Introducers are the files of the root that say what the repository is: the README, empty when there is none, and the
// manifests, which also say where imports lead.
func (w *Survey) Introducers() (readme string, manifests []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files() // brings the lists of paths along
	for _, p := range slices.Sorted(maps.Keys(w.paths.Manifests)) {
		if moduleOf(p) == "." {
			manifests = append(manifests, p)
		}
	}
	return w.readme("."), manifests
}

// LeftOut reports whether the source of a module that is not there was left out by the configuration.
func (w *Survey) LeftOut(module string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.files(), func(p string) bool {
		return moduleOf(p) == module && w.Excluded(p) && w.classes.Classify(p).Language != ""
	})
}

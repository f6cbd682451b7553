package gitstore

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// WorkTree lists all files of the work tree: HEAD's tree with the changed files hashed from disk.
func (r *Repo) WorkTree(ctx context.Context) (Snapshot, error) {
	status, err := r.Status(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	var base []Entry
	if status.Head != "" {
		if base, err = r.Tree(ctx, status.Head); err != nil {
			return Snapshot{}, err
		}
	}
	failures, err := r.hashChanges(ctx, status.Changes)
	if err != nil {
		return Snapshot{}, err
	}
	snapshot := Snapshot{Status: status}
	for i, failure := range failures {
		if failure != nil && !gone(failure) {
			snapshot.Unreadable = append(snapshot.Unreadable, Unreadable{Path: status.Changes[i].Path, Err: failure})
		}
	}
	snapshot.Entries = patch(base, status.Changes)
	return snapshot, nil
}

// hashChanges fills in New for what is on disk, on all processors, and returns what went wrong with each change. The
// error is only ever the context's.
func (r *Repo) hashChanges(ctx context.Context, changes []Change) ([]error, error) {
	failures := make([]error, len(changes))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(changes)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(changes) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if c := &changes[i]; c.Mode != "" && c.Mode != Submodule {
					c.New, _, failures[i] = r.tree.hashFile(ctx, c.Path)
				}
			}
		})
	}
	workers.Wait()
	return failures, ctx.Err()
}

// patch applies changes to a listing; a change without a New id leaves no entry.
func patch(base []Entry, changes []Change) []Entry {
	entries := make([]Entry, 0, len(base)+len(changes))
	for _, c := range changes {
		for len(base) > 0 && base[0].Path < c.Path {
			entries, base = append(entries, base[0]), base[1:]
		}
		if len(base) > 0 && base[0].Path == c.Path {
			base = base[1:]
		}
		if c.New != "" {
			entries = append(entries, Entry{Path: c.Path, ID: c.New, Mode: c.Mode})
		}
	}
	return slices.Concat(entries, base)
}

package engine

import (
	"errors"
	"maps"
	"slices"
)

// leaveUndone keeps for the next run what this one saw and did not mend.
func (w *world) leaveUndone() {
	w.pending = pending{Repaint: slices.Sorted(maps.Keys(w.repaint)), Orphans: w.orphans, Index: w.recount || w.ownPages[w.layout.Index()]}
}

// save remembers the world for the next run, and whether it is at rest.
func (w *world) save(r *Report, atRest bool) error {
	err := errors.Join(w.writing.Wait(), w.batch.PutMeta(metaSummaries, w.summaries), w.batch.PutMeta(metaState, w.state), w.batch.PutMeta(metaPending, w.pending),
		w.putRest(r, atRest))
	if w.pathsChanged {
		err = errors.Join(err, w.batch.PutMeta(metaPaths, w.paths))
	}
	switch {
	case !w.full:
		w.grown += w.scan.filesRead
	case !w.index.Fresh(): // or there is nothing to forget
		w.batch.KeepBlobs(w.scan.seen)
	}
	err = errors.Join(err, w.batch.PutMeta(metaGrown, w.grown))
	for m, r := range w.records {
		if w.summaries[m] == nil {
			w.batch.PutUses(m, nil)
			err = errors.Join(err, w.batch.PutModule(m, nil))
		} else if r != nil && (w.known[m] != nil || w.judged[m]) {
			w.batch.PutUses(m, encodeUses(r.Uses))
			err = errors.Join(err, w.batch.PutModule(m, r))
		}
	}
	return errors.Join(err, w.batch.Commit())
}

// putRest remembers what there is to say when nothing is to be done, and forgets it otherwise.
func (w *world) putRest(r *Report, atRest bool) error {
	if !atRest {
		return w.batch.PutMeta(metaRest, nil)
	}
	return w.batch.PutMeta(metaRest, rest{len(w.summaries), r.Partial, r.Suspended, r.Resumable, r.Compared})
}

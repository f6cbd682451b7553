package workspace

import (
	"maps"
	"path"
	"slices"
	"sync"
)

// unfit has files whose directory names are too long for causal's file names. They are skipped, so the rest can be
// documented.
type unfit struct {
	mu    sync.Mutex
	files map[string]bool
}

func (u *unfit) add(file string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = map[string]bool{}
	}
	u.files[file] = true
}

func (w *Workspace) excluded(file string) bool {
	if w.Config.Excluded(file) {
		return true
	}
	if w.Layout.Fits(path.Dir(file)) {
		return false
	}
	w.unfit.add(file)
	return true
}

// Unfit lists the skipped files whose directory names are too long.
func (w *Workspace) Unfit() []string {
	w.unfit.mu.Lock()
	defer w.unfit.mu.Unlock()
	return slices.Sorted(maps.Keys(w.unfit.files))
}

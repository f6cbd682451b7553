package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// advance takes the survey from what is remembered to the present state: only modules that the changes concern are looked
// at.
func (w *Survey) advance(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	if !w.Index.Get(wholes, keyPaths, &w.paths) {
		return w.beginAnew(ctx)
	}
	came := w.sortChanges(changes)
	groups := map[string][]Entry{}
	for m := range w.touched {
		w.before[m] = w.formerly(m)
		groups[m] = w.filesOf(m)
	}
	if err := w.scanModules(ctx, groups); err != nil {
		return err
	}
	w.dropModules()
	concerned, err := w.toLink(ctx, came)
	if err != nil {
		return err
	}
	if err := w.link(ctx, concerned); err != nil {
		return err
	}
	w.noteChanges(came)
	return nil
}

// arrivals are the paths that are there now and were not, or the other way round, and whether a manifest changed.
type arrivals struct {
	paths     []string
	before    pathSet // all that were there
	manifests bool
}

// sortChanges sorts the changes by what they concern.
func (w *Survey) sortChanges(changes []Change) arrivals {
	listed := w.files()
	came := arrivals{before: listed}
	for _, c := range changes {
		if w.Owned(c.Path) {
			w.own = append(w.own, c.Path)
			continue
		}
		isFile := c.ID != "" && c.Mode == Regular
		wasFile := listed.Has(c.Path)
		if !isFile { // what is no file, as a symbolic link, is not there
			c.ID = ""
		}
		if !wasFile {
			c.Was = ""
		}
		if c.ID == c.Was {
			continue // only its permissions changed
		}
		if isFile != wasFile {
			came.paths = append(came.paths, c.Path)
		}
		manifest, isSource := w.classes.IsManifest(c.Path), w.isSource(c.Path)
		if manifest {
			came.manifests = true
			w.listID(&w.paths.Manifests, c, isFile)
		}
		if w.classes.Classify(c.Path).Readme {
			w.listID(&w.paths.Readmes, c, isFile)
			w.note(ReadmeFact(moduleOf(c.Path)))
		}
		w.note(BlobFact(c.Path))
		if isSource {
			w.changes = append(w.changes, c)
			w.touched[moduleOf(c.Path)] = true
		}
		if isSource || manifest {
			w.undone.leave(c)
		}
	}
	if len(came.paths) > 0 {
		w.paths.All, w.pathsChanged = patch(w.paths.All, came.paths, changes), true
	}
	return came
}

// undone is what changed of sources and manifests since the last run that left nothing undone.
type undone struct {
	// All: everything counts, what was there then is not known.
	All     bool              `json:"a,omitempty"`
	Changes map[string]Change `json:"c,omitempty"` // by path
}

// leave adds a change. One that is taken back is none.
func (u *undone) leave(c Change) {
	if u.All {
		return
	}
	if u.Changes == nil {
		u.Changes = map[string]Change{}
	}
	if earlier, ok := u.Changes[c.Path]; ok {
		c.Was = earlier.Was
	}
	if u.Changes[c.Path] = c; c.Was == c.ID {
		delete(u.Changes, c.Path)
	}
}

// listID keeps a list of blob ids by path up to date.
func (w *Survey) listID(list *map[string]string, c Change, isFile bool) {
	w.pathsChanged = true
	if *list == nil {
		*list = map[string]string{}
	}
	delete(*list, c.Path)
	if isFile {
		(*list)[c.Path] = c.ID
	}
}

// separator stands behind each path of a list: the one character that no path can hold.
const separator = "\x00"

// patch adds and removes paths of a sorted list.
func patch(list string, came []string, changes []Change) string {
	there, moved := map[string]bool{}, map[string]bool{}
	for _, c := range changes {
		there[c.Path] = c.ID != "" && c.Mode == Regular
	}
	for _, p := range came {
		moved[p] = true
	}
	all := strings.Split(strings.TrimSuffix(list, separator), separator)
	all = slices.DeleteFunc(all, func(p string) bool { return moved[p] || p == "" })
	for _, p := range came {
		if there[p] {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return strings.Join(all, separator) + separator
}

// filesOf lists the source files of a module now: what is remembered, with the changes.
func (w *Survey) filesOf(module string) []Entry {
	files := map[string]Entry{}
	if r := w.record(module); r != nil {
		for _, f := range r.Files {
			files[f.Path] = Entry{Path: f.Path, ID: f.Hash, Mode: Regular}
		}
	}
	for _, c := range w.changes {
		if moduleOf(c.Path) != module {
			continue
		}
		delete(files, c.Path)
		if c.ID != "" && c.Mode == Regular {
			files[c.Path] = Entry{Path: c.Path, ID: c.ID, Mode: Regular}
		}
	}
	for p, id := range w.paths.Readmes {
		if moduleOf(p) == module && !w.Excluded(p) {
			files[p] = Entry{Path: p, ID: id, Mode: Regular}
		}
	}
	out := slices.Collect(maps.Values(files))
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// dropModules removes the touched modules that have no source any more.
func (w *Survey) dropModules() {
	for m := range w.touched {
		s := w.modules[m]
		if w.known[m] != nil || s == nil {
			continue
		}
		w.reshaped[m] = &reshaping{whole: true}
		w.edgesChanged(s, nil, nil)
		delete(w.modules, m)
		w.records[m] = nil
	}
}

// know loads what there is to know of a module that no change touched.
func (w *Survey) know(ctx context.Context, module string) (*Module, error) {
	if k := w.known[module]; k != nil {
		return k, nil
	}
	r := w.record(module)
	if r == nil {
		return nil, fmt.Errorf("module %s: nothing is remembered of it", module)
	}
	var entries []Entry
	for _, f := range r.Files {
		entries = append(entries, Entry{Path: f.Path, ID: f.Hash, Mode: Regular})
	}
	if err := w.scanModules(ctx, map[string][]Entry{module: entries}); err != nil {
		return nil, err
	}
	k := w.known[module]
	k.Table, k.External = r.Table, r.External
	w.join(k, r.Uses)
	return k, nil
}

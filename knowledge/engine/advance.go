package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// advance takes the world from what is remembered to the present state: only modules that the changes concern are
// looked at.
func (w *world) advance(ctx context.Context, changes []Change) error {
	if len(changes) == 0 && w.idle() {
		return nil
	}
	if !w.index.Meta(metaPaths, &w.paths) {
		return w.beginAnew(ctx)
	}
	came := w.sortChanges(changes)
	groups := map[string][]Entry{}
	for m := range w.touched {
		groups[m] = w.filesOf(m)
	}
	if err := w.scanModules(ctx, groups); err != nil {
		return err
	}
	w.dropModules()
	if err := w.link(ctx, w.toLink(came)); err != nil {
		return err
	}
	return w.judgeAll()
}

// idle reports whether the last run left nothing undone.
func (w *world) idle() bool {
	if len(w.pending.Repaint) > 0 || len(w.pending.Orphans) > 0 || w.pending.Index {
		return false
	}
	for _, s := range w.summaries {
		if len(s.Stale) > 0 {
			return false
		}
	}
	return true
}

// arrivals are the paths that are there now and were not, or the other way round, and whether a manifest changed.
type arrivals struct {
	paths     []string
	manifests bool
}

// sortChanges sorts the changes by what they concern.
func (w *world) sortChanges(changes []Change) arrivals {
	var came arrivals
	listed := w.files()
	for _, c := range changes {
		if w.layout.Owns(c.Path) {
			w.ownChanged(c)
			continue
		}
		isFile := c.ID != "" && c.Mode == Regular
		wasFile := listed.Has(c.Path)
		if isFile == wasFile && c.ID == c.Was {
			continue // only its permissions changed
		}
		if isFile != wasFile {
			came.paths = append(came.paths, c.Path)
		}
		if w.classes.IsManifest(c.Path) {
			came.manifests = true
			w.note(&w.paths.Manifests, c, isFile)
			w.recount = w.recount || moduleOf(c.Path) == "." // it may name the repository
		}
		if w.classes.Classify(c.Path).Readme {
			w.note(&w.paths.Readmes, c, isFile)
		}
		if w.isSource(c.Path) {
			w.changes = append(w.changes, c)
			w.touched[moduleOf(c.Path)] = true
			if moduleOf(c.Path) == "." && w.classes.Classify(c.Path).Readme {
				w.recount = true // the index page introduces the repository with it
			}
		}
	}
	if len(came.paths) > 0 {
		w.paths.All, w.pathsChanged = patch(w.paths.All, came.paths, changes), true
	}
	return came
}

// note keeps a list of blob ids by path up to date.
func (w *world) note(list *map[string]string, c Change, isFile bool) {
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

// ownChanged notes an owned file that somebody changed: a node is judged anew, and so are those that were concluded in
// a call tree; a page is compared with what it should be.
func (w *world) ownChanged(c Change) {
	module, about := w.layout.ModuleOf(c.Path)
	switch {
	case about && w.layout.IsNode(c.Path):
		w.judged[module], w.reread[module] = false, true
	case w.layout.IsPage(c.Path):
		w.ownPages[c.Path] = true
	case w.layout.IsFrames(c.Path):
		for m, s := range w.summaries {
			if s.Frame == "" || strings.HasPrefix(s.Frame, w.layout.SessionOf(c.Path)+"/") {
				w.judged[m], w.reread[m] = false, true
			}
		}
	}
	if about && w.summaries[module] == nil && c.ID != "" {
		w.orphans = append(w.orphans, c.Path)
	}
}

// filesOf lists the source files of a module now: what is remembered, with the changes.
func (w *world) filesOf(module string) []Entry {
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
		if moduleOf(p) == module && !w.excluded(p) {
			files[p] = Entry{Path: p, ID: id, Mode: Regular}
		}
	}
	out := slices.Collect(maps.Values(files))
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// dropModules removes the touched modules that have no source any more.
func (w *world) dropModules() {
	for m := range w.touched {
		if w.known[m] != nil {
			if w.summaries[m] == nil {
				w.recount = true
			}
			continue
		}
		if s := w.summaries[m]; s != nil {
			w.reshaped[m], w.recount = &reshaping{whole: true}, true
			for _, d := range append(slices.Clip(s.Deps), s.TestDeps...) {
				w.repaint[d] = true
			}
			for _, d := range w.dependants(m) {
				w.repaint[d] = true
			}
			delete(w.summaries, m)
			w.records[m] = nil
			w.orphans = append(w.orphans, w.layout.Node(m), w.layout.Page(m))
		}
	}
	w.orphans = slices.DeleteFunc(w.orphans, func(p string) bool {
		m, _ := w.layout.ModuleOf(p)
		return w.summaries[m] != nil || w.known[m] != nil
	})
	slices.Sort(w.orphans)
	w.orphans = slices.Compact(w.orphans)
}

// toLink lists the modules whose edges may lead elsewhere than is remembered.
func (w *world) toLink(came arrivals) []string {
	set := map[string]bool{}
	for m := range w.touched {
		if k := w.known[m]; k != nil {
			r := w.record(m)
			if r == nil || r.Imports != importsDigest(k.Module) {
				set[m] = true
			}
		}
	}
	words := map[string]bool{}
	for _, p := range came.paths {
		for _, s := range concerned(p) {
			words[s] = true
		}
		if moduleOf(p) == "." {
			came.manifests = true // a root that becomes importable has no word of its own
		}
	}
	for m, s := range w.summaries {
		if came.manifests || slices.ContainsFunc(s.Words, func(word string) bool { return words[word] }) {
			set[m] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// judgeAll gives a new verdict on every module that something concerns.
func (w *world) judgeAll() error {
	for m := range w.touched {
		if w.known[m] != nil {
			w.judged[m] = false
		}
	}
	for m := range w.relinked {
		w.judged[m] = false
	}
	for m, change := range w.reshaped {
		for _, d := range w.restingOn(m, change.concerns) {
			w.judged[d] = false
		}
	}
	for _, m := range slices.Sorted(maps.Keys(w.judged)) {
		if w.summaries[m] == nil {
			delete(w.judged, m)
			continue
		}
		if err := w.judge(m); err != nil {
			return err
		}
	}
	for p := range w.ownPages {
		if m, ok := w.layout.ModuleOf(p); ok && w.summaries[m] != nil {
			w.repaint[m] = true
		}
	}
	return nil
}

// know loads what there is to know of a module that no change touched.
func (w *world) know(ctx context.Context, module string) (*Known, error) {
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
	k.Table = r.Table
	return k, nil
}

// missing reports whether an error means that a file is not there.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// present has the pages rendered that may have to change.
func (e *Engine) present(ctx context.Context, report *Report, write bool) error {
	p, ok := e.plugin.(Presenter)
	if !ok {
		return nil
	}
	w := e.world
	for _, m := range report.Rerun {
		w.repaint[m] = true
	}
	for m, s := range w.summaries {
		if w.recount && s.Kept != "" {
			w.repaint[m] = true // its text may name modules that it has no edge to any more
		}
	}
	modules := slices.DeleteFunc(slices.Sorted(maps.Keys(w.repaint)), func(m string) bool { return w.summaries[m] == nil })
	removed := e.gone()
	req := PageRequest{
		Graph: graphOf(w.summaries), Modules: modules, Removed: removed,
		Index: w.recount || w.ownPages[w.layout.Index()], Write: write, Exists: e.exists(),
		Known: e.knower(ctx),
		Stale: func(m string) bool { return !write && len(w.summaries[m].Stale) > 0 },
	}
	if len(modules) == 0 && len(removed) == 0 && !req.Index {
		return nil
	}
	var err error
	if req.Index {
		if req.Readme, err = w.rootReadme(ctx); err != nil {
			return err
		}
		if req.Manifests, err = w.rootManifests(ctx); err != nil {
			return err
		}
	}
	done, err := p.Present(req)
	if err != nil {
		return err
	}
	report.PagesWritten = append(report.PagesWritten, done.Written...)
	for _, d := range done.Drifted {
		report.Blocked = append(report.Blocked, Blocked{Node: d.Module, Page: d.Page, Because: d.Because, Mend: d.Mend})
	}
	return nil
}

// knower hands out what is known of modules, one after the other.
func (e *Engine) knower(ctx context.Context) func(string) (*Known, error) {
	var mu sync.Mutex
	return func(module string) (*Known, error) {
		mu.Lock()
		defer mu.Unlock()
		return e.world.know(ctx, module)
	}
}

// rootReadmeName is the README that introduces the repository, empty when there is none.
func (w *world) rootReadmeName() string {
	best := ""
	for p := range w.paths.Readmes {
		if moduleOf(p) == "." && (best == "" || readmeRank(p) < readmeRank(best)) {
			best = p
		}
	}
	return best
}

// rootReadme reads that README.
func (w *world) rootReadme(ctx context.Context) ([]byte, error) {
	best := w.rootReadmeName()
	if best == "" {
		return nil, nil
	}
	var out []byte
	err := w.tree.Read(ctx, []Entry{{Path: best, ID: w.paths.Readmes[best], Mode: Regular}}, w.scan.maxBytes,
		func(_ Entry, content []byte, err error) error {
			if err == nil {
				out = slices.Clone(content)
			}
			return nil
		})
	return out, err
}

// rootManifests reads the manifests that may name the repository.
func (w *world) rootManifests(ctx context.Context) (map[string][]byte, error) {
	var entries []Entry
	for _, p := range slices.Sorted(maps.Keys(w.paths.Manifests)) {
		if moduleOf(p) == "." {
			entries = append(entries, Entry{Path: p, ID: w.paths.Manifests[p], Mode: Regular})
		}
	}
	out := map[string][]byte{}
	err := w.tree.Read(ctx, entries, w.scan.maxBytes, func(e Entry, content []byte, err error) error {
		if err == nil {
			out[e.Path] = slices.Clone(content)
		}
		return nil
	})
	return out, err
}

// exists reports whether a path is in the repository, for the links of pages.
func (e *Engine) exists() func(string) bool {
	files := e.world.files()
	return func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		if files.Has(p) || files.HasDir(p) {
			return true
		}
		if m, ok := e.world.layout.ModuleOf(p); ok && e.world.summaries[m] != nil {
			return true
		}
		return p == e.world.layout.Index()
	}
}

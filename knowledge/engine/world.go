package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
)

// world is one state of the repository as the core sees it: what every module is, which of them changed since what
// is remembered, and which conclusions do not hold any more. Modules that nothing touched are never loaded.
type world struct {
	tree      Tree
	index     *index.Index
	batch     *index.Batch
	layout    store.Layout
	classes   *source.Classifier
	languages []source.Language
	generator func(language string) string
	excluded  func(path string) bool
	readOwn   func(path string) ([]byte, error)
	kept      func() (map[[2]string]concluded, error) // the conclusions of the sessions that are kept, by unit and digest
	scan      *scanner
	writing   errgroup.Group // of what nothing waits for but the end

	earlier    State // what is remembered
	remembered bool
	state      State
	pending    pending
	full       bool // nothing is remembered: everything is looked at
	paths      pathList
	// listed is what listedFrom holds, taken apart
	listed     pathSet
	listedFrom string
	// pathsChanged: paths must be remembered again
	pathsChanged bool
	changes      []Change // of sources, since what is remembered
	grown        int      // how many versions of files were remembered since all were looked at
	summaries    map[string]*summary
	records      map[string]*record
	lastNode     namedNode  // the node that was read last
	loading      sync.Mutex // of records
	known        map[string]*Known
	orphans      []string // owned files about modules that are not there

	touched  map[string]bool       // modules whose files changed
	reshaped map[string]*reshaping // modules that others see otherwise than before
	relinked map[string]bool       // modules whose edges were computed again
	judged   map[string]bool       // modules whose verdict is new; false until it is given
	reread   map[string]bool       // modules whose node file changed
	repaint  map[string]bool       // modules whose page may have to change
	drifts   map[string][]string   // files through which the interface of a module may have changed
	ownPages map[string]bool       // owned pages that somebody changed
	recount  bool                  // the set of modules, or a line about one, changed
}

// pathList is the list of all files, which import resolution looks at, and the manifests that it reads.
type pathList struct {
	All       string            `json:"a"`           // sorted, each with a separator behind it
	Manifests map[string]string `json:"m,omitempty"` // blob ids by path
	Readmes   map[string]string `json:"r,omitempty"`
}

// metadata names in the index
const (
	metaState     = "state"
	metaPaths     = "paths"
	metaSummaries = "summaries"
	metaPending   = "pending"
	metaRest      = "rest"
	metaHead      = "head"
	metaGrown     = "grown"
)

// pending is what the last run saw and left undone: a check writes nothing, and some pages only a person can mend.
type pending struct {
	Repaint []string `json:"r,omitempty"` // modules whose page may be wrong
	Orphans []string `json:"o,omitempty"`
	Index   bool     `json:"i,omitempty"`
}

// pendingOf keeps the pages that could not be mended in mind.
func pendingOf(r *Report, indexPage string) pending {
	var p pending
	for _, b := range r.Blocked {
		if b.Page == indexPage {
			p.Index = true
		} else {
			p.Repaint = append(p.Repaint, b.Node)
		}
	}
	return p
}

// resumePending adds what the last run left undone to what is to be looked at.
func (w *world) resumePending() {
	for _, m := range w.pending.Repaint {
		w.repaint[m] = true
	}
	w.orphans = append(w.orphans, w.pending.Orphans...)
	w.recount = w.recount || w.pending.Index
}

// rest is what the last run left when nothing was to be done any more.
type rest struct {
	Modules   int                  `json:"m"`
	Partial   []string             `json:"p,omitempty"`
	Suspended []string             `json:"s,omitempty"`
	Resumable []string             `json:"r,omitempty"`
	Compared  []session.Comparison `json:"c,omitempty"`
}

// atRest reports whether the repository is exactly as the last run left it, with nothing left to do. It looks at the
// state of the tree and loads nothing else.
func (w *world) atRest(ctx context.Context) (rest, bool, error) {
	recall := sync.OnceValue(func() State {
		w.remembered = w.index.Meta(metaState, &w.earlier)
		return w.earlier
	})
	var err error
	if w.state, err = w.tree.State(ctx, recall); err != nil {
		return rest{}, false, fmt.Errorf("look at the repository: %w", err)
	}
	recall()
	var r rest
	if !w.remembered || !w.earlier.Equal(w.state) || !w.index.Meta(metaRest, &r) {
		return rest{}, false, nil
	}
	if !slices.Equal(w.earlier.Dirty, w.state.Dirty) { // files were too young to be known by their looks and are not any more
		if err := errors.Join(w.batch.PutMeta(metaState, w.state), w.batch.Commit()); err != nil {
			return rest{}, false, err
		}
	}
	return r, true, nil
}

// observe brings the world up to the state of the tree, as far as can be told without running a plugin.
func (w *world) observe(ctx context.Context) error {
	if w.state.Commit == "" && w.state.Dirty == nil {
		if _, _, err := w.atRest(ctx); err != nil {
			return err
		}
	}
	w.index.Meta(metaGrown, &w.grown)
	if w.remembered && w.grown < mostGrown && w.index.Meta(metaSummaries, &w.summaries) {
		changes, known, err := w.tree.Changes(ctx, w.earlier, w.state)
		if err != nil {
			return fmt.Errorf("compare with the last run: %w", err)
		}
		if known {
			w.index.Meta(metaPending, &w.pending)
			w.resumePending()
			return w.advance(ctx, changes)
		}
	}
	return w.beginAnew(ctx)
}

// mostGrown is how many versions of files are remembered beside those that were there when all were looked at last. Then
// they are looked at again, mostly without reading one, and what is of no use any more is forgotten.
const mostGrown = 20_000

// beginAnew looks at every file.
func (w *world) beginAnew(ctx context.Context) error {
	w.full, w.recount = true, true
	w.scan.seen, w.grown = map[string]bool{}, 0
	w.summaries = map[string]*summary{}
	entries, err := w.tree.Entries(ctx, w.state)
	if err != nil {
		return fmt.Errorf("list the repository: %w", err)
	}
	groups := w.sort(entries)
	if err := w.scanModules(ctx, groups); err != nil {
		return err
	}
	all := slices.Sorted(maps.Keys(w.known))
	if err := w.link(ctx, all); err != nil {
		return err
	}
	for _, m := range all {
		w.repaint[m] = true
	}
	if err := w.judgeAnew(all); err != nil {
		return err
	}
	for _, e := range entries {
		if module, ok := w.layout.ModuleOf(e.Path); ok && w.known[module] == nil {
			w.orphans = append(w.orphans, e.Path)
		}
	}
	return nil
}

// sort lists all paths for import resolution and groups the source files by module.
func (w *world) sort(entries []Entry) map[string][]Entry {
	groups := map[string][]Entry{}
	var all strings.Builder
	w.paths, w.pathsChanged = pathList{Manifests: map[string]string{}, Readmes: map[string]string{}}, true
	for _, e := range entries {
		if w.layout.Owns(e.Path) || e.Mode != Regular {
			continue
		}
		all.WriteString(e.Path)
		all.WriteString(separator)
		if w.classes.IsManifest(e.Path) {
			w.paths.Manifests[e.Path] = e.ID
		}
		if w.classes.Classify(e.Path).Readme {
			w.paths.Readmes[e.Path] = e.ID
		}
		if w.isSource(e.Path) {
			groups[moduleOf(e.Path)] = append(groups[moduleOf(e.Path)], e)
		}
	}
	w.paths.All = all.String()
	return groups
}

// isSource reports whether a file may be an input of a module's node.
func (w *world) isSource(file string) bool {
	if w.layout.Owns(file) || w.excluded(file) {
		return false
	}
	c := w.classes.Classify(file)
	return c.Language != "" || c.Readme
}

// scanModules reads the files of modules. A directory without source is no module.
func (w *world) scanModules(ctx context.Context, groups map[string][]Entry) error {
	var wanted []Entry
	readmes := map[string][]Entry{}
	names := slices.Sorted(maps.Keys(groups))
	for _, m := range names {
		for _, e := range groups[m] {
			if w.classes.Classify(e.Path).Readme {
				readmes[m] = append(readmes[m], e)
			} else {
				wanted = append(wanted, e)
			}
		}
	}
	units, err := w.scan.units(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	if files := w.batch.Cut(); files != nil {
		w.writing.Go(files.Commit)
	}
	var scanned []*Known
	for start := 0; start < len(units); {
		m, end := moduleOf(units[start].Path), start+1
		for end < len(units) && moduleOf(units[end].Path) == m {
			end++
		}
		k := &Known{Module: source.Module{Path: m, Units: slices.Clip(units[start:end])}}
		slices.SortFunc(k.Module.Units, func(a, b source.Unit) int { return strings.Compare(a.Path, b.Path) })
		w.known[m] = k
		scanned = append(scanned, k)
		start = end
	}
	inParallel(len(scanned), func(i int) { scanned[i].Declared = scanned[i].Module.Declarations() })
	return w.scanReadmes(ctx, names, readmes)
}

// inParallel calls do for the numbers below n, on all processors.
func inParallel(n int, do func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// scanReadmes reads the README of modules that do not document themselves otherwise.
func (w *world) scanReadmes(ctx context.Context, modules []string, readmes map[string][]Entry) error {
	var wanted []Entry
	for _, m := range modules {
		k := w.known[m]
		if k == nil || len(readmes[m]) == 0 {
			continue
		}
		if doc, _ := k.Module.Doc(); doc != "" {
			continue
		}
		best := slices.MinFunc(readmes[m], func(a, b Entry) int { return strings.Compare(readmeRank(a.Path), readmeRank(b.Path)) })
		wanted = append(wanted, best)
	}
	units, err := w.scan.units(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read READMEs: %w", err)
	}
	for i := range units {
		w.known[moduleOf(units[i].Path)].Readme = &units[i]
	}
	return nil
}

// readmeRank orders the READMEs of one directory: Markdown first.
func readmeRank(file string) string {
	return map[string]string{".md": "0", ".rst": "1", ".txt": "2", "": "3"}[path.Ext(file)] + file
}

// record returns what is remembered of a module, nil when nothing is. It may be called concurrently.
func (w *world) record(module string) *record {
	w.loading.Lock()
	defer w.loading.Unlock()
	if r, ok := w.records[module]; ok {
		return r
	}
	r := new(record)
	if w.full || !w.index.Module(module, r) {
		r = nil
	}
	w.records[module] = r
	return r
}

// dependants lists the modules that rest on a module, sorted.
func (w *world) dependants(module string) []string {
	var out []string
	for m, s := range w.summaries {
		if slices.Contains(s.Deps, module) || slices.Contains(s.TestDeps, module) {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

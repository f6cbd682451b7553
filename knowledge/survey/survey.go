// Package survey is one state of the repository as facts with digests: its files, its modules with their symbols and
// references, where imports lead, and what changed since the last run. Whatever is concluded about source rests on facts
// from here. It looks only at what changed: modules that nothing touched are never loaded.
//
// A plugin reads through the functions that take a Reader ([Read], [Modules], [ImportersOf], [Blob], …). They read every
// fact that their answer follows from, so that a Reader which records what it is asked holds complete evidence.
package survey

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

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
)

// Config is what a Survey works with.
type Config struct {
	Tree  Tree
	Index *index.Index
	// Batch takes what is to be remembered. Save puts it there; whoever made the batch commits it.
	Batch     *index.Batch
	Languages []source.Language
	// Owned tells which files are causal's own: those are never sources.
	Owned func(path string) bool
	// Excluded tells which paths are no source although they look like it.
	Excluded func(path string) bool
	// MaxBytes is how large a file may be to be read.
	MaxBytes int64
	// Settings are the parts of the configuration that conclusions rest on, by key.
	Settings map[string]string
}

// Survey is one state of a repository: what every module is, and which of it changed since what is remembered. One Survey
// serves one run. After Observe, its exported methods are safe for concurrent use.
type Survey struct {
	Config
	batch   *index.Batch
	classes *source.Classifier
	scan    *scanner
	writing errgroup.Group // of what nothing waits for but the end

	state      State
	earlier    State // what is remembered
	remembered bool
	looked     bool // State was asked for
	full       bool // nothing is remembered: everything is looked at

	paths pathList
	// listed is what listedFrom holds, taken apart
	listed     pathSet
	listedFrom string
	// pathsChanged: paths must be remembered again
	pathsChanged bool
	entries      func() (map[string]string, error) // blob ids of all files by path, for whoever asks for one that is no source

	changes []Change // of sources, since what is remembered
	undone  undone
	own     []string // files of causal's own that changed
	grown   int      // how many versions of files were remembered since all were looked at
	modules map[string]*summary
	records map[string]*record
	before  map[string]former // of modules that changed: what was remembered
	mu      sync.Mutex        // of everything, once Observe is done
	loading sync.Mutex        // of records
	known   map[string]*Module
	// resolvers by language, as they were needed
	resolvers map[string]source.Resolver
	importer  func() map[string]Importers
	last      struct { // that were asked for bodies
		module     string
		references *source.References
	}

	touched  map[string]bool       // modules whose files changed
	reshaped map[string]*reshaping // modules that others see otherwise than before
	relinked map[string]bool       // modules whose edges were computed again
	changed  map[fact.Fact]bool    // what may be otherwise than what is remembered
}

// New returns a Survey of what a Tree holds.
func New(c Config) *Survey {
	classes := source.NewClassifier(c.Languages)
	s := &Survey{
		Config: c, batch: c.Batch, classes: classes,
		scan:    &scanner{tree: c.Tree, index: c.Index, batch: c.Batch, classes: classes, maxBytes: c.MaxBytes},
		modules: map[string]*summary{}, records: map[string]*record{}, before: map[string]former{}, known: map[string]*Module{}, resolvers: map[string]source.Resolver{},
		touched: map[string]bool{}, reshaped: map[string]*reshaping{}, relinked: map[string]bool{}, changed: map[fact.Fact]bool{},
	}
	s.importer = sync.OnceValue(s.importersByModule)
	return s
}

// pathList is the list of all files, which import resolution looks at, and the manifests that it reads.
type pathList struct {
	All       string            `json:"a"`           // sorted, each with a separator behind it
	Manifests map[string]string `json:"m,omitempty"` // blob ids by path
	Readmes   map[string]string `json:"r,omitempty"`
}

// What is remembered of a repository as a whole, and of each module.
const (
	wholes       index.Bucket = "survey"
	records      index.Bucket = "modules"
	usesOfModule index.Bucket = "uses"

	keyState     = "state"
	keyPaths     = "paths"
	keySummaries = "summaries"
	keyUndone    = "undone"
	keyHead      = "head"
	keyGrown     = "grown"
)

// Unchanged reports whether the repository is exactly as the last run left it. It looks at the state of the tree and loads
// nothing else.
func (w *Survey) Unchanged(ctx context.Context) (bool, error) {
	if err := w.look(ctx); err != nil {
		return false, err
	}
	if !w.remembered || !w.earlier.Equal(w.state) {
		return false, nil
	}
	if !slices.Equal(w.earlier.Dirty, w.state.Dirty) { // files were too young to be known by their looks and are not any more
		return true, errors.Join(w.batch.Put(wholes, keyState, w.state), w.batch.Commit())
	}
	return true, nil
}

func (w *Survey) look(ctx context.Context) error {
	if w.looked {
		return nil
	}
	w.looked = true
	recall := sync.OnceValue(func() State {
		w.remembered = w.Index.Get(wholes, keyState, &w.earlier)
		return w.earlier
	})
	var err error
	if w.state, err = w.Tree.State(ctx, recall); err != nil {
		return fmt.Errorf("look at the repository: %w", err)
	}
	recall()
	return nil
}

// Observe brings the survey up to the state of the tree.
func (w *Survey) Observe(ctx context.Context) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	w.entries = sync.OnceValues(func() (map[string]string, error) { return w.blobs(ctx) })
	w.Index.Get(wholes, keyGrown, &w.grown)
	if w.remembered && w.grown < mostGrown && w.Index.Get(wholes, keySummaries, &w.modules) {
		changes, known, err := w.Tree.Changes(ctx, w.earlier, w.state)
		if err != nil {
			return fmt.Errorf("compare with the last run: %w", err)
		}
		if known {
			w.Index.Get(wholes, keyUndone, &w.undone)
			return w.advance(ctx, changes)
		}
	}
	return w.beginAnew(ctx)
}

// mostGrown is how many versions of files are remembered beside those that were there when all were looked at last. Then
// they are looked at again, mostly without reading one, and what is of no use any more is forgotten.
const mostGrown = 20_000

// beginAnew looks at every file.
func (w *Survey) beginAnew(ctx context.Context) error {
	w.full = true
	w.scan.seen, w.grown = map[string]bool{}, 0
	w.modules, w.undone = map[string]*summary{}, undone{All: true}
	entries, err := w.Tree.Entries(ctx, w.state)
	if err != nil {
		return fmt.Errorf("list the repository: %w", err)
	}
	if err := w.scanModules(ctx, w.sort(entries)); err != nil {
		return err
	}
	return w.link(ctx, slices.Sorted(maps.Keys(w.known)))
}

// sort lists all paths for import resolution and groups the source files by module.
func (w *Survey) sort(entries []Entry) map[string][]Entry {
	groups := map[string][]Entry{}
	var all strings.Builder
	w.paths, w.pathsChanged = pathList{Manifests: map[string]string{}, Readmes: map[string]string{}}, true
	for _, e := range entries {
		if w.Owned(e.Path) || e.Mode != Regular {
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
func (w *Survey) isSource(file string) bool {
	if w.Owned(file) || w.Excluded(file) {
		return false
	}
	c := w.classes.Classify(file)
	return c.Language != "" || c.Readme
}

// scanModules reads the files of modules. A directory without source is no module.
func (w *Survey) scanModules(ctx context.Context, groups map[string][]Entry) error {
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
	var scanned []*Module
	for start := 0; start < len(units); {
		m, end := moduleOf(units[start].Path), start+1
		for end < len(units) && moduleOf(units[end].Path) == m {
			end++
		}
		k := &Module{Module: source.Module{Path: m, Units: slices.Clip(units[start:end])}}
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
func (w *Survey) scanReadmes(ctx context.Context, modules []string, readmes map[string][]Entry) error {
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
func (w *Survey) record(module string) *record {
	w.loading.Lock()
	defer w.loading.Unlock()
	if r, ok := w.records[module]; ok {
		return r
	}
	r := new(record)
	if w.full || !w.Index.Get(records, module, r) {
		r = nil
	}
	w.records[module] = r
	return r
}

// dependants lists the modules that rest on a module, sorted.
func (w *Survey) dependants(module string) []string {
	var out []string
	for m, s := range w.modules {
		if slices.Contains(s.Deps, module) || slices.Contains(s.TestDeps, module) {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

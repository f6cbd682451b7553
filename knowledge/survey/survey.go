// Package survey presents one state of the repository as facts with digests: files, modules with their symbols and
// references, import targets, and the changes since the last run. It examines only the changes and never loads
// modules that no change affects.
//
// A plugin reads through the functions that take a Reader ([Read], [Modules], [ImportersOf], [Blob], …). They read
// every fact that their result depends on, and a recording Reader therefore holds complete evidence.
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

// Config configures a Survey.
type Config struct {
	Tree  Tree
	Index *index.Index
	// Batch receives the data for the next run from Save. Its creator commits it.
	Batch     *index.Batch
	Languages []source.Language
	// Owned reports whether causal generated a file; such files are never sources.
	Owned func(path string) bool
	// Excluded reports whether a path is excluded from the sources.
	Excluded func(path string) bool
	// MaxBytes limits the size of files that are read.
	MaxBytes int64
	// Settings holds the configuration values that conclusions depend on, by key. Changed never lists them: an index
	// belongs to one configuration and is dropped when it changes.
	Settings map[string]string
	// Reading is called for each file while it is read, from several goroutines; it may be nil.
	Reading func(file string) (done func())
	// Decoding is called with the number of modules whose files are decoded or read; it may be nil.
	Decoding func(modules int)
}

// Survey is one state of a repository: its modules, and their changes since the last run. It serves one run. After
// Observe, its exported methods are safe for concurrent use.
type Survey struct {
	Config
	classes *source.Classifier
	scan    *scanner
	writing errgroup.Group // writes that only Wait waits for

	full bool // nothing is remembered; examine everything

	moment
	listing
	caches
	ids func() (map[string]string, error) // blob ids of all files by path, loaded for files that are not sources

	grown   int // file versions stored since the last full run
	modules map[string]*summary
	records map[string]*record
	mu      sync.Mutex // guards everything once Observe is done
	loading sync.Mutex // guards records
	known   map[string]*Module
	// by language, created on first use
	resolvers map[string]source.Resolver
	importer  func() map[string]Importers
	division  func() Division
	bundled   func() map[fact.Fact][]string
	changed   differences

	update        *update
	documentation *documentation
	publisher     *publisher
	describer     *describer
}

type moment struct {
	state, earlier State
	remembered     bool
	looked         bool // state is loaded
}

type listing struct {
	paths pathList
	// listed is listedFrom, split into paths.
	listed       pathSet
	listedFrom   string
	pathsChanged bool
}

type caches struct {
	memory
	last   *vicinity // of the last requested module
	latest map[fact.Family]latest
	quotes map[string][]string       // names in code spans of READMEs, by blob id
	flowed bool                      // flows of all changed modules are computed
	used   map[string]map[string]int // number of users by module and name
	// ofFiles are the digests of all names of a file.
	ofFiles map[fact.Fact]string
}

// New returns a Survey of a Tree.
func New(c Config) *Survey {
	classes := source.NewClassifier(c.Languages)
	if c.Reading == nil {
		c.Reading = func(string) func() { return func() {} }
	}
	s := &Survey{
		Config: c, classes: classes,
		scan: &scanner{tree: c.Tree, index: c.Index, batch: c.Batch, classes: classes, maxBytes: c.MaxBytes, reading: c.Reading},
		caches: caches{
			memory: memory{map[fact.Fact]any{}, map[fact.Fact]bool{}}, latest: map[fact.Family]latest{}, quotes: map[string][]string{},
			used: map[string]map[string]int{}, ofFiles: map[fact.Fact]string{},
		},
		modules: map[string]*summary{}, records: map[string]*record{}, known: map[string]*Module{}, resolvers: map[string]source.Resolver{},
		changed: differences{},
	}
	s.update, s.documentation = &update{Survey: s, visits: map[string]*visit{}}, &documentation{Survey: s}
	s.publisher, s.describer = &publisher{Survey: s}, &describer{Survey: s}
	s.importer = sync.OnceValue(s.importersByModule)
	s.division = sync.OnceValue(func() Division { return divisionOf(s.modules) })
	s.bundled = sync.OnceValue(func() map[fact.Fact][]string { return s.division().members() })
	return s
}

type pathList struct {
	All       string            `json:"a"`           // sorted, each followed by a separator
	Manifests map[string]string `json:"m,omitempty"` // blob ids by path
	Readmes   map[string]string `json:"r,omitempty"`
}

// Index buckets and keys.
const (
	wholes       index.Bucket = "survey"
	records      index.Bucket = "modules"
	usesOfModule index.Bucket = "uses"
	publicized   index.Bucket = "published"

	keyState        = "state"
	keyPaths        = "paths"
	keySummaries    = "summaries"
	keyUndone       = "undone"
	keyHead         = "head"
	keyGrown        = "grown"
	keyEntries      = "entries"
	keyDocuments    = "documents/2"
	keyMeant        = "meant"
	keyDescriptions = "descriptions"
)

// Unchanged reports whether the repository equals the state of the last run. It only loads the state of the tree.
func (s *Survey) Unchanged(ctx context.Context) (bool, error) {
	if err := s.look(ctx); err != nil {
		return false, err
	}
	if !s.remembered || !s.earlier.Equal(s.state) {
		return false, nil
	}
	// The files are the same, but the time and size of a file written in the second it was read are reliable only
	// now.
	if !slices.Equal(s.earlier.Dirty, s.state.Dirty) {
		return true, errors.Join(s.Batch.Put(wholes, keyState, s.state), s.Batch.Commit())
	}
	return true, nil
}

// look reads the remembered state once, even if the tree does not ask for it.
func (s *Survey) look(ctx context.Context) error {
	if s.looked {
		return nil
	}
	s.looked = true
	recall := sync.OnceValue(func() State {
		s.remembered = s.Index.Get(wholes, keyState, &s.earlier)
		return s.earlier
	})
	var err error
	if s.state, err = s.Tree.State(ctx, recall); err != nil {
		return fmt.Errorf("look at the repository: %w", err)
	}
	recall()
	return nil
}

// Observe updates the survey to the state of the tree.
func (s *Survey) Observe(ctx context.Context) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.ids = sync.OnceValues(func() (map[string]string, error) { return s.blobs(ctx) })
	s.Index.Get(wholes, keyGrown, &s.grown)
	if s.remembered && s.grown < mostGrown && s.Index.Get(wholes, keySummaries, &s.modules) {
		changes, known, err := s.Tree.Changes(ctx, s.earlier, s.state)
		if err != nil {
			return fmt.Errorf("compare with the last run: %w", err)
		}
		if known {
			s.Index.Get(wholes, keyUndone, &s.update.undone)
			return s.update.advance(ctx, changes)
		}
	}
	return s.beginAnew(ctx)
}

// mostGrown limits the file versions stored after a full run. Beyond it, the next run examines all files, mostly from
// the cache, and removes unused versions.
const mostGrown = 20_000

// beginAnew examines every file, as if nothing were remembered. It records no changes, because anything may have
// changed.
func (s *Survey) beginAnew(ctx context.Context) error {
	s.full = true
	s.scan.seen, s.grown = map[string]bool{}, 0
	s.modules, s.update.undone = map[string]*summary{}, undone{All: true}
	entries, err := s.Tree.Entries(ctx, s.state)
	if err != nil {
		return fmt.Errorf("list the repository: %w", err)
	}
	if err := s.scanModules(ctx, s.sort(entries)); err != nil {
		return err
	}
	if err := s.update.link(ctx, slices.Sorted(maps.Keys(s.known))); err != nil {
		return err
	}
	if err := s.documentation.readDocuments(ctx); err != nil {
		return err
	}
	if err := s.publisher.publish(ctx, true); err != nil {
		return err
	}
	if err := s.describer.readDescriptions(ctx); err != nil {
		return err
	}
	return s.measure(ctx)
}

func (s *Survey) sort(entries []Entry) map[string][]Entry {
	groups := map[string][]Entry{}
	var all strings.Builder
	s.paths, s.pathsChanged = pathList{Manifests: map[string]string{}, Readmes: map[string]string{}}, true
	s.update.own = nil
	for _, e := range entries {
		if s.Owned(e.Path) {
			s.update.own = append(s.update.own, e.Path)
			continue
		}
		if e.Mode != Regular {
			continue
		}
		all.WriteString(e.Path)
		all.WriteString(separator)
		if s.classes.IsManifest(e.Path) {
			s.paths.Manifests[e.Path] = e.ID
		}
		if s.classes.Classify(e.Path).Readme {
			s.paths.Readmes[e.Path] = e.ID
		}
		if s.isSource(e.Path) {
			groups[moduleOf(e.Path)] = append(groups[moduleOf(e.Path)], e)
		}
	}
	s.paths.All = all.String()
	return groups
}

func (s *Survey) isSource(file string) bool {
	if s.Owned(file) || s.Excluded(file) {
		return false
	}
	c := s.classes.Classify(file)
	return c.Language != "" || c.Readme
}

func (s *Survey) scanModules(ctx context.Context, groups map[string][]Entry) error {
	var wanted []Entry
	readmes := map[string][]Entry{}
	names := slices.Sorted(maps.Keys(groups))
	for _, m := range names {
		for _, e := range groups[m] {
			if s.classes.Classify(e.Path).Readme {
				readmes[m] = append(readmes[m], e)
			} else {
				wanted = append(wanted, e)
			}
		}
	}
	units, err := s.scan.units(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	if files := s.Batch.Cut(); files != nil {
		s.writing.Go(files.Commit)
	}
	scanned := make([]*Module, 0, len(groups))
	for start := 0; start < len(units); {
		m, end := moduleOf(units[start].Path), start+1
		for end < len(units) && moduleOf(units[end].Path) == m {
			end++
		}
		k := &Module{Module: source.Module{Path: m, Units: slices.Clone(units[start:end])}} // a module is released alone
		slices.SortFunc(k.Module.Units, func(a, b source.Unit) int { return strings.Compare(a.Path, b.Path) })
		s.known[m] = k
		scanned = append(scanned, k)
		start = end
	}
	if s.Decoding != nil {
		s.Decoding(len(scanned))
	}
	if err := inParallel(ctx, len(scanned), func(i int) { scanned[i].Declared = scanned[i].Module.Declarations() }); err != nil {
		return err
	}
	return s.scanReadmes(ctx, names, readmes)
}

// inParallel calls do for the numbers below n on all processors, until ctx ends.
func inParallel(ctx context.Context, n int, do func(i int)) error {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

func (s *Survey) scanReadmes(ctx context.Context, modules []string, readmes map[string][]Entry) error {
	var wanted []Entry
	for _, m := range modules {
		k := s.known[m]
		if k == nil || len(readmes[m]) == 0 {
			continue
		}
		if doc, _ := k.Module.Doc(); doc != "" {
			continue
		}
		best := slices.MinFunc(readmes[m], func(a, b Entry) int { return strings.Compare(readmeRank(a.Path), readmeRank(b.Path)) })
		wanted = append(wanted, best)
	}
	units, err := s.scan.units(ctx, wanted)
	if err != nil {
		return fmt.Errorf("read READMEs: %w", err)
	}
	for i := range units {
		s.known[moduleOf(units[i].Path)].Readme = &units[i]
	}
	return nil
}

func readmeRank(file string) string {
	return map[string]string{".md": "0", ".rst": "1", ".txt": "2", "": "3"}[path.Ext(file)] + file
}

// record returns the record of a module, or nil. It is safe for concurrent use.
func (s *Survey) record(module string) *record {
	s.loading.Lock()
	defer s.loading.Unlock()
	if r, ok := s.records[module]; ok {
		return r
	}
	r := new(record)
	if s.full || !s.Index.Get(records, module, r) {
		r = nil
	}
	s.records[module] = r
	return r
}

// Dependants lists the modules that are examined when the interface of a module changes.
func (s *Survey) Dependants(module string) []string {
	var out []string
	for m, sum := range s.modules {
		if slices.Contains(sum.Deps, module) || slices.Contains(sum.TestDeps, module) {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

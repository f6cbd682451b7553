package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
)

// Config is what an Engine works with.
type Config struct {
	Tree      Tree
	Index     *index.Index
	Dir       *store.Dir
	Layout    store.Layout
	Languages []source.Language
	// Excluded tells which paths are no source although they look like it.
	Excluded func(path string) bool
	// MaxBytes is how large a file may be to be read.
	MaxBytes int64
	// Generator names the versions that take part in a conclusion about a module of some language.
	Generator func(language string) string
	// Plugin makes the plugin over what the core knows.
	Plugin func(Library) Plugin
}

// Engine keeps the knowledge of one repository true.
type Engine struct {
	config Config
	world  *world
	plugin Plugin
	head   Commit
	dirty  map[string]bool
	// permanent: links to head keep working
	permanent bool
	sessions  map[string][]string // suspended frames by session
	progress  func(what string, done, of int)
}

// OnProgress has fn told what is being done and how far it is.
func (e *Engine) OnProgress(fn func(what string, done, of int)) { e.progress = fn }

// New returns an Engine. One Engine serves one run.
func New(config Config) *Engine {
	e := &Engine{config: config, dirty: map[string]bool{}}
	classes := source.NewClassifier(config.Languages)
	batch := config.Index.NewBatch()
	e.world = &world{
		tree: config.Tree, index: config.Index, batch: batch, layout: config.Layout, classes: classes, languages: config.Languages,
		generator: config.Generator, excluded: config.Excluded, readOwn: config.Dir.Read,
		scan:      &scanner{tree: config.Tree, index: config.Index, batch: batch, classes: classes, maxBytes: config.MaxBytes},
		summaries: map[string]*summary{}, records: map[string]*record{}, known: map[string]*Known{},
		touched: map[string]bool{}, reshaped: map[string]*reshaping{}, relinked: map[string]bool{},
		judged: map[string]bool{}, reread: map[string]bool{}, repaint: map[string]bool{}, ownPages: map[string]bool{},
	}
	e.plugin = config.Plugin(e)
	return e
}

// Invalidated is a conclusion that does not hold any more, and why.
type Invalidated struct {
	Node    string `json:"node"`
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// Blocked is something that no run can mend: a person has to.
type Blocked struct {
	Node    string `json:"node,omitempty"`
	Page    string `json:"page,omitempty"`
	Because string `json:"because"`
	Mend    string `json:"mend"`
}

// Report is what a run found and did. Modules are named by their path.
type Report struct {
	Session      string        `json:"session"`
	Base         string        `json:"base"` // commit of the last run that is remembered
	Head         string        `json:"head"` // commit that is described
	ChangedFiles []string      `json:"changed_files"`
	Invalidated  []Invalidated `json:"invalidated"`
	Rerun        []string      `json:"rerun"`
	Updated      []string      `json:"updated"`
	Removed      []string      `json:"removed"`
	Unchanged    int           `json:"unchanged"`
	PagesWritten []string      `json:"pages_written"`
	Stale        []string      `json:"stale"`
	Partial      []string      `json:"partial"`
	// Suspended are the frames that were set aside, "<session>/<frame>"; Resumable those of them whose reasons to fall
	// do not hold now.
	Suspended []string  `json:"suspended"`
	Resumable []string  `json:"resumable"`
	Blocked   []Blocked `json:"blocked"`
	// FilesRead is how many source files were read.
	FilesRead int `json:"files_read"`
}

// Update brings nodes and pages up to the state of the tree.
func (e *Engine) Update(ctx context.Context) (*Report, error) {
	w := e.world
	if r, ok, err := w.atRest(ctx); err != nil {
		return nil, err
	} else if ok {
		report := e.report()
		report.Head, report.Unchanged = w.state.Commit, r.Modules
		report.Partial, report.Suspended, report.Resumable = orEmpty(r.Partial), orEmpty(r.Suspended), orEmpty(r.Resumable)
		return report, nil
	}
	if err := w.observe(ctx); err != nil {
		return nil, err
	}
	report := e.report()
	if err := e.situate(ctx, len(report.Rerun) > 0); err != nil {
		return nil, err
	}
	if err := e.findSuspended(report); err != nil {
		return nil, err
	}
	report.Head = e.head.ID
	if err := e.run(ctx, report); err != nil {
		return nil, err
	}
	if err := e.clear(report); err != nil {
		return nil, err
	}
	if len(report.Rerun)+len(report.Removed) > 0 {
		if err := e.dropSessions(); err != nil {
			return nil, err
		}
	}
	if err := e.present(ctx, report, true); err != nil {
		return nil, err
	}
	e.state(report)
	report.FilesRead = w.scan.filesRead
	w.pending = pendingOf(report, w.layout.Index())
	if changed := e.config.Dir.Changed(); len(changed) > 0 {
		var err error
		if w.state, err = w.tree.Wrote(ctx, w.state, changed); err != nil {
			return nil, fmt.Errorf("look at what was written: %w", err)
		}
	}
	return report, w.save(report, len(report.Blocked)+len(report.Stale) == 0)
}

// orEmpty makes a list that is printed as an empty one, not as none.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Plan tells what Update would do, and writes nothing but the index.
func (e *Engine) Plan(ctx context.Context) (*Report, error) {
	w := e.world
	if err := w.observe(ctx); err != nil {
		return nil, err
	}
	report := e.report()
	report.Head = w.state.Commit
	for _, m := range e.gone() {
		if _, err := e.config.Dir.Read(w.layout.Node(m)); err == nil {
			report.Removed = append(report.Removed, m)
		}
	}
	if err := e.present(ctx, report, false); err != nil {
		return nil, err
	}
	for _, b := range report.Blocked {
		if b.Mend == "causal update" {
			report.PagesWritten = append(report.PagesWritten, b.Page)
		}
	}
	report.Blocked = slices.DeleteFunc(report.Blocked, func(b Blocked) bool { return b.Mend == "causal update" })
	for _, m := range report.Rerun {
		report.PagesWritten = append(report.PagesWritten, w.layout.Page(m))
	}
	e.state(report)
	report.Unchanged -= len(report.Rerun)
	report.FilesRead = w.scan.filesRead
	w.leaveUndone()
	return report, w.save(report, false)
}

// leaveUndone keeps for the next run what this one saw and did not mend.
func (w *world) leaveUndone() {
	w.pending = pending{Repaint: slices.Sorted(maps.Keys(w.repaint)), Orphans: w.orphans, Index: w.recount || w.ownPages[w.layout.Index()]}
}

// StaleNode is a node or page that does not hold, and how to mend it.
type StaleNode struct {
	Node    string `json:"node"`
	Page    string `json:"page"`
	Because string `json:"because"`
	File    string `json:"file,omitempty"`
	Detail  string `json:"detail"`
	Mend    string `json:"mend"`
}

// CheckReport is what Check found.
type CheckReport struct {
	Fresh int         `json:"fresh"`
	Stale []StaleNode `json:"stale"`
}

// Check tells what does not hold, and writes nothing but the index.
func (e *Engine) Check(ctx context.Context) (*CheckReport, error) {
	w := e.world
	if r, ok, err := w.atRest(ctx); err != nil {
		return nil, err
	} else if ok {
		return &CheckReport{Fresh: r.Modules, Stale: []StaleNode{}}, nil
	}
	if err := w.observe(ctx); err != nil {
		return nil, err
	}
	out := &CheckReport{Stale: []StaleNode{}}
	stale := map[string]bool{}
	for _, m := range slices.Sorted(maps.Keys(w.summaries)) {
		s := w.summaries[m]
		for _, r := range s.Stale {
			out.Stale = append(out.Stale, StaleNode{m, w.layout.Page(m), r.Because, r.File, r.String(), "causal update"})
			stale[m] = true
		}
		if s.Kept != "" && len(s.Stale) == 0 {
			out.Stale = append(out.Stale, StaleNode{m, w.layout.Page(m), "kept", "", s.Kept, "make the file parse, then causal update"})
			stale[m] = true
		}
	}
	for _, m := range e.gone() {
		if _, err := e.config.Dir.Read(w.layout.Node(m)); err != nil {
			continue // a page alone is the presenter's business
		}
		out.Stale = append(out.Stale, StaleNode{m, w.layout.Page(m), "removed", "", "the module is gone", "causal update"})
	}
	report := e.report()
	if err := e.present(ctx, report, false); err != nil {
		return nil, err
	}
	for _, b := range report.Blocked {
		out.Stale = append(out.Stale, StaleNode{b.Node, b.Page, "page", "", b.Because, b.Mend})
		stale[b.Node] = true
	}
	delete(stale, "")
	out.Fresh = len(w.summaries) - len(stale)
	if err := e.findSuspended(report); err != nil {
		return nil, err
	}
	e.state(report)
	if len(out.Stale) > 0 {
		w.leaveUndone()
	}
	return out, w.save(report, len(out.Stale) == 0)
}

// report begins a report with what was found before anything is done.
func (e *Engine) report() *Report {
	w := e.world
	r := &Report{
		Base: w.earlier.Commit, ChangedFiles: []string{}, Invalidated: []Invalidated{}, Rerun: []string{}, Updated: []string{}, Removed: []string{},
		PagesWritten: []string{}, Stale: []string{}, Partial: []string{}, Suspended: []string{}, Resumable: []string{}, Blocked: []Blocked{},
	}
	changed := map[string]bool{}
	for _, c := range w.changes {
		changed[c.Path] = true
	}
	for _, m := range slices.Sorted(maps.Keys(w.summaries)) {
		for _, reason := range w.summaries[m].Stale {
			r.Invalidated = append(r.Invalidated, Invalidated{m, reason.Because, reason.File, reason.Detail})
			if strings.HasPrefix(reason.Because, "modified(") {
				changed[reason.File] = true
			}
		}
		if len(w.summaries[m].Stale) > 0 {
			r.Rerun = append(r.Rerun, m)
		}
	}
	r.ChangedFiles = append(r.ChangedFiles, slices.Sorted(maps.Keys(changed))...)
	return r
}

// situate finds out what provenance can be noted. It asks git, so it is done only when there is something to note.
func (e *Engine) situate(ctx context.Context, needed bool) error {
	e.head = Commit{ID: e.world.state.Commit}
	for _, d := range e.world.state.Dirty {
		e.dirty[d.Path] = true
	}
	if !needed || e.head.ID == "" {
		return nil
	}
	var err error
	if e.head, err = e.world.tree.Head(ctx); err != nil {
		return fmt.Errorf("read the commit: %w", err)
	}
	if e.permanent, err = e.world.tree.Published(ctx, e.head.ID); err != nil {
		return fmt.Errorf("look for the commit on the default branch: %w", err)
	}
	return nil
}

// Input implements Library.
func (e *Engine) Input(module string) (Input, bool) {
	k := e.world.known[module]
	if k == nil {
		return Input{}, false
	}
	in := Input{
		Known: k, Head: e.head, Permanent: e.permanent, Generator: e.config.Generator(k.Module.Language()),
		Clean: func(p string) bool { return e.head.ID != "" && !e.dirty[p] },
	}
	if s := e.world.summaries[module]; s != nil {
		in.Reasons = s.Stale
	}
	if data, err := e.config.Dir.Read(e.world.layout.Node(module)); err == nil {
		if n, err := node.Decode(data); err == nil && n.Path == module {
			in.Previous = n
		}
	}
	return in, true
}

// gone lists the modules that have a node or a page and no source.
func (e *Engine) gone() []string {
	set := map[string]bool{}
	for _, p := range e.world.orphans {
		if m, ok := e.world.layout.ModuleOf(p); ok {
			set[m] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// clear removes the nodes of modules that are gone. Their pages are the presenter's.
func (e *Engine) clear(report *Report) error {
	for _, m := range e.gone() {
		name := e.world.layout.Node(m)
		if _, err := e.config.Dir.Read(name); err == nil {
			if err := e.config.Dir.Remove(name, store.Top); err != nil {
				return err
			}
			report.Removed = append(report.Removed, m)
		} else if !missing(err) {
			return fmt.Errorf("read node: %w", err)
		}
	}
	return nil
}

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

// rootReadme reads the README that introduces the repository.
func (w *world) rootReadme(ctx context.Context) ([]byte, error) {
	best := ""
	for p := range w.paths.Readmes {
		if moduleOf(p) == "." && (best == "" || readmeRank(p) < readmeRank(best)) {
			best = p
		}
	}
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

// exists tells whether a path is in the repository, for the links of pages.
func (e *Engine) exists() func(string) bool {
	var files, dirs map[string]bool
	list := sync.OnceFunc(func() {
		files, dirs = map[string]bool{}, map[string]bool{".": true, "": true}
		for f := range pathsOf(e.world.paths.All) {
			files[f] = true
			for i, c := range f {
				if c == '/' {
					dirs[f[:i]] = true
				}
			}
		}
	})
	return func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		list()
		if files[p] || dirs[p] {
			return true
		}
		if m, ok := e.world.layout.ModuleOf(p); ok && e.world.summaries[m] != nil {
			return true
		}
		return p == e.world.layout.Index()
	}
}

// state fills in what holds after the run.
func (e *Engine) state(report *Report) {
	for _, m := range slices.Sorted(maps.Keys(e.world.summaries)) {
		s := e.world.summaries[m]
		switch {
		case s.Kept != "":
			report.Stale = append(report.Stale, m)
		case len(s.Partial) > 0:
			report.Partial = append(report.Partial, m)
		}
	}
	report.Unchanged = len(e.world.summaries) - len(report.Updated)
}

// save remembers the world for the next run, and whether it is at rest.
func (w *world) save(r *Report, atRest bool) error {
	err := errors.Join(w.batch.PutMeta(metaSummaries, w.summaries), w.batch.PutMeta(metaState, w.state), w.batch.PutMeta(metaPending, w.pending),
		w.putRest(r, atRest))
	if w.pathsChanged {
		err = errors.Join(err, w.batch.PutMeta(metaPaths, w.paths))
	}
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
	return w.batch.PutMeta(metaRest, rest{len(w.summaries), r.Partial, r.Suspended, r.Resumable})
}

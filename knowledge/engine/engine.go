package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	// Generator names the versions that take part in a conclusion about a module of some language, the model's included.
	Generator func(language string) string
	// Model answers what the plugin asks; None when it is nil.
	Model Model
	// Prompt is why the run starts. It is part of a session's identity: the same work on the same files is the same session,
	// whoever does it and when. What was set aside is taken up again only for the same task.
	Prompt string
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

	mu sync.Mutex
	// inputs are those of the questions that are open
	inputs map[string]Input
}

// OnProgress has fn told what is being done and how far it is.
func (e *Engine) OnProgress(fn func(what string, done, of int)) { e.progress = fn }

// New returns an Engine. One Engine serves one run.
func New(config Config) *Engine {
	e := &Engine{config: config, dirty: map[string]bool{}, inputs: map[string]Input{}}
	classes := source.NewClassifier(config.Languages)
	batch := config.Index.NewBatch()
	e.world = &world{
		tree: config.Tree, index: config.Index, batch: batch, layout: config.Layout, classes: classes, languages: config.Languages,
		generator: config.Generator, excluded: config.Excluded, readOwn: config.Dir.Read,
		kept:      sync.OnceValues(func() (map[[2]string]concluded, error) { return keptConclusions(config.Dir, config.Layout) }),
		scan:      &scanner{tree: config.Tree, index: config.Index, batch: batch, classes: classes, maxBytes: config.MaxBytes},
		summaries: map[string]*summary{}, records: map[string]*record{}, known: map[string]*Known{},
		touched: map[string]bool{}, reshaped: map[string]*reshaping{}, relinked: map[string]bool{},
		judged: map[string]bool{}, reread: map[string]bool{}, repaint: map[string]bool{}, ownPages: map[string]bool{}, drifts: map[string][]string{},
	}
	e.plugin = config.Plugin(e)
	return e
}

// Update brings nodes and pages up to the state of the tree.
func (e *Engine) Update(ctx context.Context) (*Report, error) {
	w := e.world
	defer func() { _ = w.writing.Wait() }()
	if r, ok, err := w.atRest(ctx); err != nil {
		return nil, err
	} else if ok {
		report := e.report()
		report.Head, report.Unchanged = w.state.Commit, r.Modules
		report.Partial, report.Suspended, report.Resumable = orEmpty(r.Partial), orEmpty(r.Suspended), orEmpty(r.Resumable)
		report.Compared = append(report.Compared, r.Compared...)
		return report, nil
	}
	if err := w.observe(ctx); err != nil {
		return nil, err
	}
	report := e.report()
	if err := e.attribute(ctx, report); err != nil {
		return nil, err
	}
	if err := e.situate(ctx, len(report.Rerun) > 0); err != nil {
		return nil, err
	}
	if err := e.findSuspended(ctx, report); err != nil {
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
	if err := errors.Join(e.present(ctx, report, true), w.writing.Wait()); err != nil {
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

// Plan tells what Update would do, and writes nothing but the index.
func (e *Engine) Plan(ctx context.Context) (*Report, error) {
	w := e.world
	if err := w.observe(ctx); err != nil {
		return nil, err
	}
	report := e.report()
	if err := e.attribute(ctx, report); err != nil {
		return nil, err
	}
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
	report := e.report()
	if err := e.attribute(ctx, report); err != nil {
		return nil, err
	}
	stale := map[string]bool{}
	for _, i := range report.Invalidated {
		out.Stale = append(out.Stale, StaleNode{Node: i.Node, Page: w.layout.Page(i.Node), Because: i.Because, Change: i.Change, File: i.File,
			Commit: i.Commit, Detail: i.String(), Mend: "causal update"})
		stale[i.Node] = true
	}
	for _, m := range slices.Sorted(maps.Keys(w.summaries)) {
		if s := w.summaries[m]; s.Kept != "" && len(s.Stale) == 0 {
			out.Stale = append(out.Stale, StaleNode{Node: m, Page: w.layout.Page(m), Because: "kept", Detail: s.Kept, Mend: "make the file parse, then causal update"})
			stale[m] = true
		}
	}
	if err := e.present(ctx, report, false); err != nil {
		return nil, err
	}
	for _, b := range report.Blocked {
		out.Stale = append(out.Stale, StaleNode{Node: b.Node, Page: b.Page, Because: "page", Detail: b.Because, Mend: b.Mend})
		stale[b.Node] = true
	}
	for m := range w.summaries {
		if !stale[m] {
			out.Fresh++
		}
	}
	if err := e.findSuspended(ctx, report); err != nil {
		return nil, err
	}
	e.state(report)
	if len(out.Stale) > 0 {
		w.leaveUndone()
	}
	return out, w.save(report, len(out.Stale) == 0)
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
	err := e.readHead(ctx)
	if err != nil {
		return err
	}
	if e.permanent, err = e.world.tree.Published(ctx, e.head.ID); err != nil {
		return fmt.Errorf("look for the commit on the default branch: %w", err)
	}
	return nil
}

// readHead finds out when the commit that is checked out was made. That never changes, so git is asked once.
func (e *Engine) readHead(ctx context.Context) error {
	w := e.world
	var known Commit
	if w.index.Meta(metaHead, &known) && known.ID == e.head.ID {
		e.head = known
		return nil
	}
	var err error
	if e.head, err = w.tree.Head(ctx); err != nil {
		return fmt.Errorf("read the commit: %w", err)
	}
	return w.batch.PutMeta(metaHead, e.head)
}

// Input implements Library for the module whose question is open.
func (e *Engine) Input(module string) (Input, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	in, ok := e.inputs[module]
	return in, ok
}

// openInput puts together what there is to know of a module, for as long as its question is open.
func (e *Engine) openInput(module string) (Input, bool) {
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
	in.Previous = e.previous(module)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inputs[module] = in
	return in, true
}

// closeInput ends what openInput began: large repositories need the room.
func (e *Engine) closeInput(module string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.inputs, module)
}

// previous is what was concluded about a module last, nil when nothing was. What no frame concluded has no FrameID.
func (e *Engine) previous(module string) *node.Node {
	n := e.world.nodeOf(module)
	if n == nil || n.Path != module {
		return nil
	}
	again := *n
	if err := e.world.identify(&again); err != nil {
		return nil
	}
	return &again
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

// Package engine keeps conclusions up to date: it finds changed facts, has plugins re-evaluate the conclusions that
// depend on them, and cascades only from conclusions that really differ (seed 000).
//
// # Model
//
// A fact is something observable with a digest: the content of a file, the interface of a symbol, the conclusion of a
// unit. A [Room] answers facts; each fact family belongs to one Room. A [Unit] is the subject of a conclusion, named
// kind/subject. A [Conclusion] has a body in the plugin's format, its evidence, its invalidation condition, a digest
// and a confidence. The engine knows nothing else about units.
//
// # Plugins
//
// A [Plugin] describes its kinds of units as data ([Kind]): how to list them, where each is stored, how to load it.
// It evaluates a unit in the steps of the seed. TransformInput reads facts through its [Input] and returns the
// model's context; the model answers, or Draft does instead; ParseOutput turns the answer into a Conclusion, and may
// read more facts; Store writes it. Every fact read through the Input becomes evidence with its digest. There is no
// other way to read, which makes evidence complete without bookkeeping by the plugin.
//
// To depend on another unit, read its [ConclusionOf], or its [ExcerptOf] if a named part is enough: the engine
// evaluates that unit first, and re-evaluates the dependent when the result changes. A dependency cycle is an error
// that names the units. [UnitsOf] lists the units of a kind.
//
// Package enginetest checks plugins against these rules; its example is a complete plugin.
//
// # Runs
//
// Changed facts lead to the units with those facts as evidence. The engine compares these units with their evidence in
// dependency order, and a changed conclusion leads to its dependents in the same way. If no fact differs, the unit is
// valid again. Otherwise its condition gives the reason, and the plugin evaluates it again, in a frame of the session.
// Each unit is evaluated at most once, and only when a fact that it read differs.
package engine

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
)

// Config configures an Engine.
type Config struct {
	World   World
	Rooms   []Room // other than World
	Plugins []Plugin
	// Words are the condition words of the rooms. The engine adds its own.
	Words []condition.Word

	Index *index.Index
	// Batch receives the data for the next run, from the engine and the World; the engine commits it.
	Batch *index.Batch
	Files Files
	// Layout locates the sessions.
	Layout store.Layout

	// Model answers the plugins' questions; nil means None. ModelName is its name in generators; empty means NoModel.
	Model     Model
	ModelName string
	// Prompt is the reason for the run. It is part of a session's identity: equal work on equal files is the same
	// session, regardless of author and time. Suspended frames are resumed only for the same prompt.
	Prompt string
	// Again lists units for which the Model is asked even if nothing is open.
	Again []Unit
	// Workers is the number of units processed concurrently; zero means one per processor.
	Workers int
	// Clock measures the steps of a run for its trace; time.Now if nil. Stored data does not depend on it.
	Clock func() time.Time
}

// Engine keeps the conclusions of one repository up to date. It serves one run.
type Engine struct {
	config     Config
	vocabulary *condition.Vocabulary
	kinds      map[string]*Kind
	plugins    map[string]Plugin // by kind
	order      []string          // of the kinds
	rooms      map[fact.Family]Room
	units      *units
	sessions   *sessions
	progress   func(what string, done, of int)
	loop       *loop // nil before the run
}

// New returns an Engine. It panics if two kinds have the same name or two rooms answer the same fact family.
func New(c Config) *Engine {
	if c.Model == nil {
		c.Model = None{}
	}
	if c.ModelName == "" {
		c.ModelName = NoModel
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	e := &Engine{
		config: c, vocabulary: Vocabulary(c.Words), kinds: map[string]*Kind{}, plugins: map[string]Plugin{}, rooms: map[fact.Family]Room{},
		units: newUnits(c.Index), progress: func(string, int, int) {},
	}
	for _, p := range c.Plugins {
		for _, k := range p.Kinds() {
			if e.kinds[k.Name] != nil {
				panic("engine: two plugins have units of the kind " + k.Name)
			}
			e.kinds[k.Name], e.plugins[k.Name] = &k, p
			e.order = append(e.order, k.Name)
		}
	}
	for _, r := range append([]Room{c.World}, c.Rooms...) {
		for _, f := range r.Families() {
			if e.rooms[f] != nil {
				panic("engine: two rooms answer facts of the family " + string(f))
			}
			e.rooms[f] = r
		}
	}
	e.sessions = &sessions{engine: e}
	return e
}

// OnProgress registers a function that receives progress updates.
func (e *Engine) OnProgress(fn func(what string, done, of int)) { e.progress = fn }

type mode struct {
	write   bool // keep the written files
	observe bool // observe the world even if nothing changed
	collect bool // show the Model the requests of an update
}

// Update brings all conclusions up to date.
func (e *Engine) Update(ctx context.Context) (*Report, error) { return e.run(ctx, mode{write: true}) }

// Check runs Update with all writes held back, and reports the changes an update would make.
func (e *Engine) Check(ctx context.Context) (*Report, error) { return e.check(ctx, mode{}) }

// Look is Check for callers that query units afterwards.
func (e *Engine) Look(ctx context.Context) error {
	if e.loop != nil && e.loop.observed {
		return nil
	}
	_, err := e.check(ctx, mode{observe: true})
	return err
}

// Differing returns the files that an update would change, as Look found them.
func (e *Engine) Differing() []store.Difference { return e.loop.report.Differing }

func (e *Engine) check(ctx context.Context, m mode) (*Report, error) {
	drop := e.config.Files.Hold()
	r, err := e.run(ctx, m)
	if held := drop(); err == nil {
		r.Differing = held
	}
	return r, err
}

// run evaluates everything that may have changed.
func (e *Engine) run(ctx context.Context, m mode) (*Report, error) {
	unchanged, err := e.config.World.Unchanged(ctx)
	if err != nil {
		return nil, err
	}
	var rest rest
	known := e.config.Index.Get(wholeBucket, keyRest, &rest)
	l := newLoop(e, m, rest)
	if known && unchanged && !m.observe && rest.Settled && rest.covers(e.order) && (!l.asksAny() || len(e.Open())+len(e.config.Again) == 0) {
		return e.atRest(rest, m.write)
	}
	if err := e.config.World.Observe(ctx); err != nil {
		return nil, err
	}
	l.observed = true
	if err := e.sessions.read(e.config.World.Own()); err != nil {
		return nil, err
	}
	e.sessions.findSuspended(l)
	if err := l.begin(); err != nil {
		return nil, err
	}
	for l.next() {
		if err := l.wave(ctx); err != nil {
			l.state.End(err)
			return nil, err
		}
	}
	r, err := l.end(ctx)
	l.state.End(err)
	return r, err
}

func newLoop(e *Engine, m mode, rest rest) *loop {
	l := &loop{
		Engine: e, mode: m, rest: rest, report: newReport(), pending: map[Unit]int{}, reload: map[Unit]bool{}, done: map[Unit]bool{}, open: map[Unit]bool{},
		ran: map[string]int{}, waits: map[Unit]Unit{}, answers: map[string]string{}, undone: map[Unit]bool{}, asked: map[Unit]bool{}, commits: map[string]string{},
	}
	l.report.Base, l.report.Head = e.config.World.Base(), e.config.World.Commit()
	l.report.Suspended, l.report.Resumable, l.report.Compared = rest.Suspended, rest.Resumable, rest.Compared
	l.state = state.New(state.Options{Inputs: map[string]any{"base": l.report.Base, "head": l.report.Head}, Frame: map[string]any{"goal": e.config.Prompt}, Clock: e.config.Clock})
	l.state.Start()
	e.loop = l
	return l
}

// State returns the state of the last run, with its trace; nil before the first.
func (e *Engine) State() *state.State {
	if e.loop == nil {
		return nil
	}
	return e.loop.state
}

type rest struct {
	// Settled is set if no work was left.
	Settled   bool                 `json:"r,omitempty"`
	Units     map[string]int       `json:"u,omitempty"` // number of units, by kind
	Kept      map[string]string    `json:"k,omitempty"` // units that keep earlier content, with the reason
	Partial   map[string]bool      `json:"p,omitempty"` // units that could not be read completely
	Undone    []string             `json:"n,omitempty"` // units to examine again
	Ran       []string             `json:"a,omitempty"` // units that checks evaluated since the last update, for its report
	Suspended []string             `json:"s,omitempty"`
	Resumable []string             `json:"m,omitempty"`
	Compared  []session.Comparison `json:"c,omitempty"`
}

func (r rest) covers(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(kind string) bool { _, ok := r.Units[kind]; return !ok })
}

const keyRest = "rest"

// atRest returns the report of a run that finds no changes.
func (e *Engine) atRest(r rest, write bool) (*Report, error) {
	report := newReport()
	report.Base, report.Head = e.config.World.Base(), e.config.World.Commit()
	report.Units = r.Units
	report.Suspended, report.Resumable, report.Compared = r.Suspended, r.Resumable, r.Compared
	report.keep(r)
	report.ranBefore(r)
	if !write || len(r.Ran) == 0 {
		return report, nil
	}
	r.Ran = nil
	return report, errors.Join(e.config.Batch.Put(wholeBucket, keyRest, r), e.config.Batch.Commit())
}

// Vocabulary returns the condition words of the rooms and of the engine.
func Vocabulary(words []condition.Word) *condition.Vocabulary {
	return condition.NewVocabulary(append(slices.Clone(words),
		condition.Word{Name: generatorChanged, Matches: func(_ condition.Question, c fact.Change) bool {
			return c.Fact.Family == fact.Generators
		}},
		condition.Word{Name: "conclusion_changed", Params: []string{"unit"}, Matches: func(q condition.Question, c fact.Change) bool {
			return (c.Fact.Family == fact.Conclusions && c.Fact.Name == q.Args[0]) || (c.Fact.Family == fact.Excerpts && c.Fact.Of == q.Args[0])
		}},
		condition.Word{Name: anyEvidence, Matches: func(condition.Question, fact.Change) bool { return true }},
	)...)
}

const (
	generatorChanged = "generator_changed"
	anyEvidence      = "evidence_changed"
	// evidenceChanged is the condition of conclusions that any change in their evidence invalidates.
	evidenceChanged = anyEvidence + "()"
)

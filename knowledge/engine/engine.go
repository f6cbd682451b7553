// Package engine is the cognitive loop of seed 000: it finds out which facts changed, which conclusions rested on them, has the
// plugins that drew those draw them again, and cascades only as far as conclusions really differ.
//
// # What it knows
//
// A fact is something that can be observed, with a digest: the content of a file, the interface of a symbol, what is concluded
// about something else. [Room]s answer facts; each family belongs to one. A [Unit] is what a conclusion is about, named
// kind/subject. A [Conclusion] has a body, which is the plugin's own, and with it the evidence that it rests on, the condition
// that would make it wrong, a digest, and how sure it is. The engine knows nothing else, and nothing of what units are about.
//
// # What a plugin does
//
// A [Plugin] describes its kinds of units as data ([Kind]): which units there are, where each is stored, how it is read back. Of
// one unit it makes a conclusion in the three steps of the seed. TransformInput reads facts through its [Input] and returns what
// a model should see; the model answers, or Draft does in its place; ParseOutput turns the answer into a Conclusion, and may read
// more; Store writes it. Every fact that was read through the Input is evidence, with the digest that it had, and there is no
// other way to read: so evidence is complete, and the plugin need not keep account of it.
//
// To rest on another unit, read [ConclusionOf] it, or [ExcerptOf] it where a named part is enough: the engine settles that unit
// first, and draws the conclusion again when it comes out differently. Two units that rest on each other are an error that
// names both. [UnitsOf] lists the units of a kind.
//
// Package enginetest holds every plugin to this; the example of that package is one that is complete.
//
// # What a run does
//
// Changed facts lead to the units that hold them; those are frames of a standing call tree, which falls by its own cascades: a
// frame whose premise changed, and whatever cites one that now concludes something else. What fell is compared with its evidence
// in the order in which units rest on each other. Where all is as it was, it stands again. Otherwise its condition says in its
// own terms why it fell, and the plugin draws it anew, in a frame of the session. Each unit is run at most once, and only when a
// fact that it read differs.
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

// Config is what an Engine works with.
type Config struct {
	World   World
	Rooms   []Room // besides the World
	Plugins []Plugin
	// Words are what conditions can say, given by the rooms. The engine's own come with them.
	Words []condition.Word

	Index *index.Index
	// Batch takes what is to be remembered, of the engine and of the World; the engine commits it.
	Batch *index.Batch
	Files Files
	// Layout says where sessions lie.
	Layout store.Layout

	// Model answers what the plugins ask; None when it is nil. ModelName is how generators name it, NoModel when it is empty.
	Model     Model
	ModelName string
	// Prompt is why the run starts. It is part of a session's identity: the same work on the same files is the same session,
	// whoever does it and when. What was set aside is taken up again only for the same task.
	Prompt string
	// Again are units about which the Model is asked although nothing is open.
	Again []Unit
	// Workers is how many units are looked at at one time; as many as there are processors when it is zero.
	Workers int
	// Clock measures the steps of a run for its trace; time.Now if nil. Nothing that is stored depends on it.
	Clock func() time.Time
}

// Engine keeps the knowledge of one repository true. One Engine serves one run.
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
	loop       *loop // of the run; nil before
}

// New returns an Engine. Kinds of one name, and facts of one family that two rooms answer, are mistakes of the program, and
// panic.
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

// OnProgress has fn told what is being done and how far it is.
func (e *Engine) OnProgress(fn func(what string, done, of int)) { e.progress = fn }

// mode is what a run is for.
type mode struct {
	write   bool // what is written stays
	observe bool // the world is observed even if nothing changed
	collect bool // the Model is shown the requests of an update
}

// Update brings all conclusions up to the state of the world.
func (e *Engine) Update(ctx context.Context) (*Report, error) { return e.run(ctx, mode{write: true}) }

// Check does what Update does while Files holds back all writes, and reports what an update would change.
func (e *Engine) Check(ctx context.Context) (*Report, error) { return e.check(ctx, mode{}) }

// Look is Check for callers that ask about units afterwards.
func (e *Engine) Look(ctx context.Context) error {
	if e.loop != nil && e.loop.observed {
		return nil
	}
	_, err := e.check(ctx, mode{observe: true})
	return err
}

func (e *Engine) check(ctx context.Context, m mode) (*Report, error) {
	drop := e.config.Files.Hold()
	r, err := e.run(ctx, m)
	if held := drop(); err == nil {
		r.Differing = held
	}
	return r, err
}

// run is one run over everything that may have changed.
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

// newLoop prepares a run.
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

// State is the state of the last run, with its trace; nil before the first.
func (e *Engine) State() *state.State {
	if e.loop == nil {
		return nil
	}
	return e.loop.state
}

// rest is what the last run left.
type rest struct {
	// Settled: nothing was to be done any more.
	Settled   bool                 `json:"r,omitempty"`
	Units     map[string]int       `json:"u,omitempty"` // how many there are, by kind
	Kept      map[string]string    `json:"k,omitempty"` // units of which an earlier content is kept, and why
	Partial   map[string]bool      `json:"p,omitempty"` // units of which not all could be read
	Undone    []string             `json:"n,omitempty"` // units that have to be looked at again
	Ran       []string             `json:"a,omitempty"` // units that checks evaluated since the last update, for its report
	Suspended []string             `json:"s,omitempty"`
	Resumable []string             `json:"m,omitempty"`
	Compared  []session.Comparison `json:"c,omitempty"`
}

// covers reports whether the last run asked for all of the kinds.
func (r rest) covers(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(kind string) bool { _, ok := r.Units[kind]; return !ok })
}

const keyRest = "rest"

// atRest is the report of a run that finds everything as the last one left it.
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

// Vocabulary is what conditions can say: the words of the rooms, and the engine's own.
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
	// evidenceChanged is the condition of what falls with anything that it rests on.
	evidenceChanged = anyEvidence + "()"
)

package engine

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
)

// loop is one run. It processes units in dependency order, starting with those that depend on no conclusion. Units of
// one height and one kind form a wave: they are judged concurrently, and the invalidated ones are re-evaluated
// concurrently. Unit state changes only between these phases, in a fixed order, which makes the outcome independent
// of timing.
type loop struct {
	*Engine
	mode
	rest     rest
	report   *Report
	observed bool

	// pending holds the scheduled units with their heights; done holds the finished ones.
	pending map[Unit]int
	done    map[Unit]bool
	floor   int // height of the wave: everything below is settled; above all units after the last wave
	// reload marks units whose file changed; their remembered state is ignored.
	reload map[Unit]bool
	// open holds units whose conclusion this run cannot know: they are invalid and the run does not write, or they
	// depend on an open unit.
	open  map[Unit]bool
	waits map[Unit]Unit // on another unit being settled
	// answers holds unparsed answers by frame while the plugin waits for an unsettled unit, to avoid asking twice.
	answers map[string]string
	undone  map[Unit]bool // for the next run to examine
	asked   map[Unit]bool // whether a model could add to the evaluated units
	doubted []Fell        // units with changed evidence

	// differing holds the world's facts that may have changed since the last run; nil if any may have.
	differing map[fact.Fact]bool
	worldly   []fact.Family // answered by the world
	session   *openSession
	suspended []string          // sessions with suspended frames
	facts     atomic.Int64      // number of observed facts
	ran       map[string]int    // evaluated units, by kind
	changed   []fact.Fact       // conclusions that the wave changed
	commits   map[string]string // last commits, by file
	state     *state.State      // with the trace of the run
	traced    int               // facts in the trace
}

// enumerationKind is the kind of the engine's own units, each of which lists the units of one kind.
const enumerationKind = "units"

func enumeration(kind string) Unit { return Unit{enumerationKind, kind} }

// begin schedules the units that a change may affect.
func (l *loop) begin() error {
	all := false
	var changed []fact.Fact
	for i, r := range append([]Room{l.config.World}, l.config.Rooms...) {
		facts, any := r.Changed()
		changed, all = append(changed, facts...), all || any
		if i == 0 && !any {
			l.worldly, l.differing = r.Families(), make(map[fact.Fact]bool, len(facts))
			for _, f := range facts {
				l.differing[f] = true
			}
		}
	}
	anew := all
	for _, kind := range l.order {
		if _, known := l.rest.Units[kind]; all || !known { // a plugin may be new
			anew = true
			l.suspect(enumeration(kind))
			for _, subject := range l.units.subjects(kind) {
				l.suspectAnew(Unit{kind, subject})
			}
		}
	}
	if anew {
		if err := l.suspectStored(); err != nil {
			return err
		}
	}
	for _, f := range changed {
		for _, u := range l.units.holders(f) {
			l.suspect(u)
		}
	}
	for _, name := range l.rest.Undone {
		if u, err := ParseUnit(name); err == nil {
			l.suspectAnew(u)
		}
	}
	for _, file := range l.config.World.Own() {
		l.ownChanged(file)
	}
	if l.asksAny() {
		for _, u := range append(l.Engine.Open(), l.config.Again...) {
			l.suspectAnew(u)
		}
	}
	return nil
}

// same reports whether a fact is unchanged since the last run: the world answers it and did not list it as changed.
// Digesting it again would read and link unaffected code.
func (l *loop) same(f fact.Fact) bool {
	return l.differing != nil && slices.Contains(l.worldly, f.Family) && !l.differing[f] && !l.differing[fact.Of(f.Family, f.Of, "")]
}

// suspectStored schedules everything that is stored, since its unit may no longer exist.
func (l *loop) suspectStored() error {
	for _, dir := range []string{store.Top, l.config.Layout.Docs} {
		files, err := l.config.Files.Below(dir)
		if err != nil {
			return err
		}
		for _, file := range files {
			l.ownChanged(file)
		}
	}
	return nil
}

func (l *loop) suspect(u Unit) {
	if _, ok := l.pending[u]; ok || l.done[u] || l.open[u] || (u.Kind != enumerationKind && l.kinds[u.Kind] == nil) {
		return
	}
	l.pending[u] = l.units.get(u).Height
}

func (l *loop) suspectAnew(u Unit) {
	l.reload[u] = true
	l.suspect(u)
}

func (l *loop) ownChanged(file string) {
	for _, kind := range l.order {
		if subject, ok := l.kinds[kind].Owner(file); ok {
			l.suspectAnew(Unit{kind, subject})
		}
	}
}

func (l *loop) next() bool {
	l.floor = math.MaxInt
	for _, height := range l.pending {
		l.floor = min(l.floor, height)
	}
	return len(l.pending) > 0
}

func (l *loop) lowest() []Unit {
	rank := math.MaxInt
	var out []Unit
	for u, height := range l.pending {
		if height != l.floor || l.rank(u) > rank {
			continue
		}
		if l.rank(u) < rank {
			rank, out = l.rank(u), nil
		}
		out = append(out, u)
	}
	slices.SortFunc(out, compareUnits)
	return out
}

func (l *loop) rank(u Unit) int { return slices.Index(l.order, u.Kind) }

// wave settles the lowest units that do not have to wait for others.
func (l *loop) wave(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wave := l.lowest()
	if wave[0].Kind == enumerationKind {
		for _, u := range wave {
			if err := l.enumerate(ctx, u); err != nil {
				return err
			}
		}
		return nil
	}
	var settled []Unit
	var fell []*verdict
	for some := range slices.Chunk(wave, chunk(l.config.Workers)) {
		verdicts := make([]*verdict, len(some))
		err := l.parallel(len(some), l.config.Workers, func(i int) (err error) { verdicts[i], err = l.judge(ctx, some[i]); return err })
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			if v.wait == nil && v.fell() {
				l.units.saw(v.unit, v.evidence)
				fell = append(fell, v)
				continue
			}
			if err := l.ruled(ctx, v); err != nil {
				return err
			}
			if v.wait == nil {
				settled = append(settled, v.unit)
			}
		}
	}
	for _, v := range fell { // reasons depend on the evidence of all of them
		if err := l.explain(ctx, v); err != nil {
			return err
		}
	}
	again, err := l.redraw(ctx, fell, l.total(wave[0].Kind)-len(settled))
	if err != nil {
		return err
	}
	for _, u := range append(settled, again...) {
		l.settle(u)
	}
	l.cascade()
	return nil
}

// cascade schedules the units that depend on conclusions that the wave changed.
func (l *loop) cascade() {
	for _, f := range l.changed {
		for _, holder := range l.units.holders(f) {
			if holder.Kind == enumerationKind || l.units.get(holder).known {
				l.suspect(holder)
			}
		}
	}
	l.changed = nil
}

func (l *loop) total(kind string) int {
	n := l.ran[kind]
	for u := range l.pending {
		if u.Kind == kind {
			n++
		}
	}
	return n
}

// chunk is the number of units processed before their results are stored, to limit memory in large repositories.
func chunk(workers int) int { return 16 * workers }

func (l *loop) settle(u Unit) {
	delete(l.pending, u)
	delete(l.waits, u)
	l.done[u] = true
}

// leave postpones a unit to the next run; its dependents wait too.
func (l *loop) leave(u Unit) {
	delete(l.pending, u)
	delete(l.waits, u)
	l.open[u] = true
}

// parallel calls fn for 0 to n-1 on the given number of workers until one fails, and returns the error with the
// lowest index. That error is deterministic, because all calls before it were started.
func (l *loop) parallel(n, workers int, fn func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = fn(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) enumerate(ctx context.Context, u Unit) error {
	st, kind := l.units.get(u), l.kinds[u.Subject]
	v := l.view(ctx)
	list, err := kind.Subjects(v)
	if v.wait != nil {
		return l.await(u, *v.wait)
	}
	if err != nil {
		return fmt.Errorf("list the units of kind %s: %w", u.Subject, err)
	}
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	before := l.units.subjects(kind.Name)
	l.units.lists[kind.Name] = list
	if err := l.config.Batch.Put(listBucket, kind.Name, list); err != nil {
		return err
	}
	for _, subject := range list {
		if _, found := slices.BinarySearch(before, subject); !found {
			l.suspectAnew(Unit{kind.Name, subject})
		}
	}
	for _, subject := range before {
		if _, found := slices.BinarySearch(list, subject); !found {
			l.suspectAnew(Unit{kind.Name, subject})
		}
	}
	if !l.write && !slices.Equal(before, list) { // it may rest on conclusions that this run does not store
		l.undone[u] = true
	}
	was := st.head
	st.head = head{Digest: fact.Digest(list...), Height: max(was.Height, v.height)}
	l.settle(u)
	l.conclude(u, was, v.read)
	l.cascade()
	return nil
}

func (l *loop) counts() map[string]int {
	out := map[string]int{}
	for _, kind := range l.order {
		out[kind] = len(l.units.subjects(kind))
	}
	return out
}

func sortedUnits(set map[Unit]bool) []Unit { return slices.SortedFunc(maps.Keys(set), compareUnits) }

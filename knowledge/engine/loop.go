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
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
)

// loop is one run. It goes from below: units that rest on no conclusion first, then those that rest on these. What is at one
// height and of one kind is a wave; its units are judged at one time, and those that fell are drawn anew at one time. While they
// are, what is known of units stands still; it changes between, in one order. So the outcome does not depend on timing.
type loop struct {
	*Engine
	mode
	rest     rest
	report   *Report
	observed bool // what is there

	// pending are the units that have to be looked at, with their heights; done those that were.
	pending map[Unit]int
	done    map[Unit]bool
	floor   int // the height of the wave: everything below is settled; above all of them when the last wave is over
	// reload: what is remembered of the unit does not count, since its file changed
	reload map[Unit]bool
	// open are units of which this run does not know what they will conclude: they fell and nothing is written, or rest on one
	// that did
	open  map[Unit]bool
	waits map[Unit]Unit // for another one to be settled
	// answers are those that were given and not understood yet, by frame: the plugin wants to read what is not settled. Nothing is
	// asked twice.
	answers map[string]string
	undone  map[Unit]bool // to be looked at again by the next run
	asked   map[Unit]bool // whether a model could add to the units that this run evaluated
	doubted []Fell        // the units with a change in what they rest on

	// differing are the facts of the world that may differ from what the last run saw; nil when that may be any.
	differing map[fact.Fact]bool
	worldly   []fact.Family // that the world answers
	standing  *frame.Tree   // of the units that were loaded: what falls with what
	session   *openSession
	suspended []string          // the sessions that set frames aside
	facts     atomic.Int64      // that were observed
	ran       map[string]int    // how many units of each kind were evaluated
	changed   []fact.Fact       // that the wave concluded differently
	commits   map[string]string // that changed files last
	state     *state.State      // with the trace of the run
	traced    int               // facts in the trace
}

// enumerationKind is the kind of the engine's own units: which units of a kind there are.
const enumerationKind = "units"

func enumeration(kind string) Unit { return Unit{enumerationKind, kind} }

// begin finds the units that a change may concern.
func (l *loop) begin() error {
	l.standing = frame.NewTree("standing")
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
		if _, known := l.rest.Units[kind]; all || !known { // a plugin may have joined
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

// same reports whether a fact still has the digest that the last run saw: it is a fact of the world, which did not list it as
// changed. Digesting it again would read and link code that no change touched.
func (l *loop) same(f fact.Fact) bool {
	return l.differing != nil && slices.Contains(l.worldly, f.Family) && !l.differing[f] && !l.differing[fact.Of(f.Family, f.Of, "")]
}

// suspectStored has everything looked at that is stored: it may be about what is no more.
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

// suspect has a unit looked at.
func (l *loop) suspect(u Unit) {
	if _, ok := l.pending[u]; ok || l.done[u] || l.open[u] || (u.Kind != enumerationKind && l.kinds[u.Kind] == nil) {
		return
	}
	l.pending[u] = l.units.get(u).Height
}

// suspectAnew has a unit looked at as it is stored.
func (l *loop) suspectAnew(u Unit) {
	l.reload[u] = true
	l.suspect(u)
}

// ownChanged schedules the units that a file of causal's own holds.
func (l *loop) ownChanged(file string) {
	for _, kind := range l.order {
		if subject, ok := l.kinds[kind].Owner(file); ok {
			l.suspectAnew(Unit{kind, subject})
		}
	}
}

// next finds the wave that is lowest; false when nothing is left.
func (l *loop) next() bool {
	l.floor = math.MaxInt
	for _, height := range l.pending {
		l.floor = min(l.floor, height)
	}
	return len(l.pending) > 0
}

// lowest are the units of the wave: of those at the lowest height those of the first kind.
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

// wave settles the units that are lowest, as far as they need not wait for others.
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
	for _, v := range fell { // why they did is told by what all of them saw
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
	return l.cascade()
}

// total counts the units of a kind that were evaluated or are pending.
func (l *loop) total(kind string) int {
	n := l.ran[kind]
	for u := range l.pending {
		if u.Kind == kind {
			n++
		}
	}
	return n
}

// chunk is how many units are looked at before what was found of them is taken over: large repositories need the room.
func chunk(workers int) int { return 16 * workers }

// settle ends what is to be done about a unit.
func (l *loop) settle(u Unit) {
	delete(l.pending, u)
	delete(l.waits, u)
	l.done[u] = true
}

// leave has the next run look at a unit, and whatever rests on it wait for that.
func (l *loop) leave(u Unit) {
	delete(l.pending, u)
	delete(l.waits, u)
	l.open[u] = true
}

// parallel calls fn for 0 to n-1, on so many processors, until one fails, and returns the first error by number. That is the same
// in every run: all before it were begun.
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

// enumerate finds out which units of a kind there are.
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
	was := st.head
	st.head = head{Digest: fact.Digest(list...), Height: max(was.Height, v.height)}
	l.settle(u)
	l.conclude(u, was, v.read)
	return l.cascade()
}

// counts are how many units there are, by kind.
func (l *loop) counts() map[string]int {
	out := map[string]int{}
	for _, kind := range l.order {
		out[kind] = len(l.units.subjects(kind))
	}
	return out
}

// sortedUnits lists the units of a set.
func sortedUnits(set map[Unit]bool) []Unit { return slices.SortedFunc(maps.Keys(set), compareUnits) }

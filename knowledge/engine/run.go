package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/state"
)

// ErrNoCondition is returned for a conclusion without an invalidation condition.
var ErrNoCondition = errors.New("the plugin returned a conclusion without an invalidation condition: it would be a cache, not knowledge")

func (l *loop) ruled(ctx context.Context, v *verdict) error {
	st := l.units.get(v.unit)
	switch {
	case v.wait != nil:
		return l.await(v.unit, *v.wait)
	case v.gone:
		l.units.saw(v.unit, v.evidence)
		return l.goneFor(ctx, v)
	case len(v.blocked()) > 0:
		l.leave(v.unit)
		l.blocked(v.unit, v.blocked())
		return nil
	}
	was := st.head
	if v.loaded {
		st.head = headOf(v.stored, max(st.Height, v.height))
	}
	if v.renewed {
		l.report.ran(v.unit, false)
	}
	if v.loaded || v.renewed {
		l.conclude(v.unit, was, v.evidence)
	}
	l.raise(v.unit, v.height, nil) // its dependencies may have risen while it was judged
	return nil
}

func headOf(c *Conclusion, height int) head {
	return head{
		Digest: c.Digest, Stored: c.Stored, Generator: c.Generator, Condition: c.Condition, Text: c.Text, Confidence: c.Confidence, Height: height,
		Excerpts: c.Excerpts, Kept: c.Kept, Partial: c.Partial,
	}
}

func (l *loop) goneFor(ctx context.Context, v *verdict) error {
	if v.removal.Done || v.removal.Written {
		if err := l.attribute(ctx, v.reasons); err != nil {
			return err
		}
		l.report.Removed = append(l.report.Removed, Removed{v.unit, v.reasons, v.removal})
	}
	l.blocked(v.unit, v.removal.Blocked)
	if !l.write && (v.removal.Done || v.removal.Written) {
		l.undone[v.unit] = true
	}
	l.noteOpen(v.unit, false)
	st := l.units.get(v.unit)
	was := st.head
	*st = unitState{}
	l.concluded(v.unit, was, nil, false)
	return nil
}

func (l *loop) blocked(u Unit, problems []Problem) {
	for _, p := range problems {
		l.report.Blocked = append(l.report.Blocked, Blocked{u, p.Because, p.Mend})
		l.undone[u] = true
	}
}

type drawn struct {
	*verdict
	conclusion *Conclusion
	height     int
	frame      frame.Frame
	raw        string // model's answer
	answered   bool
	before     string // digest of the stored file
	began      time.Time
	took       int64 // milliseconds
	used       state.Usage
}

func (d *drawn) changed() bool { return d.before != d.conclusion.fileDigest() }

// stores reports whether the file must be written: kinds that are not derived keep their evidence in it.
func (d *drawn) stores(kind *Kind) bool { return !kind.Derived || d.changed() || d.stored.Outdated }

func (l *loop) redraw(ctx context.Context, fell []*verdict, total int) (settled []Unit, err error) {
	if len(fell) == 0 {
		return nil, nil
	}
	kind := l.kinds[fell[0].unit.Kind]
	if err := l.openSession(ctx); err != nil {
		return nil, err
	}
	workers := l.config.Workers
	serial := func(v *verdict) bool { return kind.Serial(v.unit.Subject) }
	if l.asks(kind) || kind.Serial != nil && slices.ContainsFunc(fell, serial) {
		workers = 1 // models are asked one question at a time in a fixed order, for reproducible requests
	}
	l.session.show(l)
	list := make([]*drawn, len(fell))
	for start := 0; start < len(fell); start += chunk(workers) {
		some := list[start:min(start+chunk(workers), len(fell))]
		if err := l.parallel(len(some), workers, func(i int) (err error) {
			if some[i], err = l.timed(ctx, fell[start+i]); err != nil {
				return fmt.Errorf("conclude %s: %w", fell[start+i].unit, err)
			}
			return nil
		}); err != nil {
			l.traceFailure(fell[start:start+len(some)], some, err)
			return nil, err
		}
		for _, d := range some {
			if d.conclusion != nil && !kind.Rendered {
				l.config.World.Release(d.conclusion.Evidence)
			}
			if d.wait == nil {
				l.ran[d.unit.Kind]++
			}
			l.progress("evaluating "+kind.Name+"s", l.ran[kind.Name], total)
		}
	}
	for _, d := range list { // after all evaluations, because the context of a plugin must not depend on the number of workers
		ended, err := l.take(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("conclude %s: %w", d.unit, err)
		}
		if ended {
			settled = append(settled, d.unit)
		}
	}
	return settled, nil
}

// draw evaluates a unit: transform, execute, parse and store.
func (l *loop) draw(ctx context.Context, v *verdict) (*drawn, error) {
	d := &drawn{verdict: v}
	if err := ctx.Err(); err != nil {
		return d, err
	}
	in, err := l.input(ctx, d)
	if err != nil || len(v.blocked()) > 0 {
		return d, err
	}
	seen := in.Reader.(*view)
	kind, plugin := l.kinds[v.unit.Kind], l.plugins[v.unit.Kind]
	slice, err := plugin.TransformInput(in, l.session.context(v.unit))
	if d.wait = seen.wait; d.wait != nil {
		return d, nil
	}
	if err != nil {
		return nil, fmt.Errorf("prepare the input: %w", err)
	}
	if d.frame, err = l.session.tree.Asked(l.session.root, v.unit.String(), slice); err != nil {
		return nil, err
	}
	raw, given := l.answers[d.frame.ID]
	if !given {
		if raw, err = l.answer(ctx, d, kind, in); d.wait == nil && seen.wait == nil && err != nil {
			return nil, fmt.Errorf("answer: %w", err)
		}
	}
	if d.wait = seen.wait; d.wait != nil {
		return d, nil
	}
	d.raw, d.answered = raw, true
	parsed, err := plugin.ParseOutput(raw, in, d.frame.Clone())
	if d.wait = seen.wait; d.wait != nil {
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	c := parsed.clone()
	c.Unit, c.Generator = v.unit, in.Generator
	c.Evidence, d.height = seen.end()
	d.conclusion = c
	if err := l.accept(d); err != nil {
		return nil, err
	}
	if !d.stores(kind) {
		return d, nil
	}
	return d, plugin.Store(*c.clone(), d.frame.Clone())
}

func (l *loop) asks(kind *Kind) bool {
	_, none := l.config.Model.(None)
	return !none && (!kind.Derived || kind.Ask != nil && (l.write || l.collect))
}

func (l *loop) answer(ctx context.Context, d *drawn, kind *Kind, in Input) (string, error) {
	f := d.frame
	q := Question{Frame: f.Clone(), Draft: func() (string, error) { return l.plugins[kind.Name].Draft(f.Clone().ContextSlice) }}
	if !l.asks(kind) {
		return q.Draft()
	}
	if kind.Ask != nil {
		var err error
		if q.Request, err = kind.Ask(in, f.Clone().ContextSlice); err != nil {
			return "", fmt.Errorf("prepare the question: %w", err)
		}
		if q.Request == nil {
			return q.Draft()
		}
	}
	defer l.spent(d)()
	return l.config.Model.Answer(ctx, q)
}

func (l *loop) input(ctx context.Context, d *drawn) (Input, error) {
	v := d.verdict
	if !v.loaded && v.stored == nil {
		var err error
		if v.stored, err = l.kinds[v.unit.Kind].Load(reader{l, ctx}, v.unit.Subject); err != nil {
			return Input{}, fmt.Errorf("load: %w", err)
		}
	}
	if v.stored != nil && v.stored.Damaged == "" {
		v.stored.Unit, d.before = v.unit, v.stored.fileDigest()
		l.sessions.identify(v.stored)
	}
	made, err := l.generator(ctx, v.unit)
	if err != nil {
		return Input{}, err
	}
	return Input{
		Reader: l.view(ctx, l.kinds[v.unit.Kind].Hidden...), Unit: v.unit, Previous: v.stored.clone(), Reasons: slices.Clone(v.reasons), Generator: made, Origin: l.session.origin,
		Again: slices.Contains(l.config.Again, v.unit),
	}, nil
}

// accept validates a conclusion and assigns its frame: an unchanged one keeps its own.
func (l *loop) accept(d *drawn) error {
	c := d.conclusion
	switch {
	case c.Condition == "":
		return ErrNoCondition
	case c.Digest == "" || strings.ContainsAny(c.Digest+c.Stored, " \n\"") || !utf8.ValidString(c.Digest+c.Stored):
		return fmt.Errorf("the plugin returned the digest %q, which is not a word", c.Digest+c.Stored)
	case c.Text == "" || !utf8.ValidString(c.Text):
		return fmt.Errorf("the plugin returned the text %q, which is none", c.Text)
	case !(c.Confidence >= 0 && c.Confidence <= 1): // this form also rejects NaN
		return fmt.Errorf("the plugin returned a confidence of %v, which is not between 0 and 1", c.Confidence)
	}
	if _, err := l.vocabulary.Parse(c.Condition); err != nil {
		return fmt.Errorf("the plugin returned a condition that cannot be evaluated: %w", err)
	}
	c.Frame = l.session.artifacts.SessionID + "/" + d.frame.ID
	if !d.changed() {
		c.Frame = d.stored.Frame
	}
	return nil
}

func (l *loop) take(ctx context.Context, d *drawn) (settled bool, err error) {
	if d.wait != nil {
		if d.answered {
			l.answers[d.frame.ID] = d.raw
		}
		return false, l.await(d.unit, *d.wait)
	}
	delete(l.answers, d.frame.ID)
	if len(d.verdict.blocked()) > 0 {
		l.leave(d.unit)
		l.blocked(d.unit, d.verdict.blocked())
		return false, nil
	}
	c, st := d.conclusion, l.units.get(d.unit)
	l.blocked(d.unit, c.Blocked)
	l.noteOpen(d.unit, c.Open)
	for _, dropped := range c.Dropped {
		l.report.Dropped = append(l.report.Dropped, Dropped{d.unit, dropped})
	}
	if err := l.keep(ctx, d); err != nil {
		return false, err
	}
	if !l.write && d.stores(l.kinds[d.unit.Kind]) {
		l.undone[d.unit] = true
	}
	was := st.head
	st.head, st.stored = headOf(c, max(st.Height, d.height)), c
	l.conclude(d.unit, was, c.Evidence)
	l.trace(d)
	return true, nil
}

// drift lists the reasons why the stored conclusion is out of date. It omits file changes without an effect on the
// conclusion, and changes since an earlier run that did not write the stored file.
func (d *drawn) drift(kind *Kind, last *unitState) []Reason {
	wrote := last.fileDigest()
	switch {
	case d.conclusion.Cause != "":
		return []Reason{{Because: BecauseStored, Detail: d.conclusion.Cause}}
	case last.known && d.before != "" && wrote == d.conclusion.fileDigest():
		return []Reason{{Because: BecauseStored, Detail: Edited}}
	case last.known && !d.loaded && d.before != "" && wrote != d.before:
		return []Reason{{Because: BecauseStored, Detail: OutOfDate}}
	}
	reasons := d.reasons
	if kind.Differing != nil && d.stored != nil && d.stored.Body != nil {
		if files, ok := kind.Differing(d.stored, d.conclusion); ok {
			reasons = slices.DeleteFunc(slices.Clone(reasons), func(r Reason) bool {
				return r.Change.Fact.Family == fact.Files && !files[r.Change.Fact.Name]
			})
		}
	}
	if len(reasons) == 0 {
		reasons = d.reasons
	}
	if len(reasons) > 0 {
		return reasons
	}
	return []Reason{{Because: BecauseStored, Detail: OutOfDate}}
}

func (l *loop) keep(ctx context.Context, d *drawn) error {
	c, kind := d.conclusion, l.kinds[d.unit.Kind]
	if !kind.Rendered {
		id, err := l.session.tree.Spawn(l.session.root, d.unit.String(), d.frame.ContextSlice)
		if err != nil {
			return err
		}
		if err := l.session.tree.Conclude(id, c.Text, c.Evidence, c.Confidence, c.Condition); err != nil {
			return err
		}
		if err := l.session.tree.Complete(id); err != nil {
			return err
		}
		one := session.Conclusion{Unit: d.unit.String(), Frame: id, Digest: c.fileDigest(), Evidence: c.Evidence}
		if a := &l.session.artifacts; d.changed() {
			a.Concluded = append(a.Concluded, one)
		} else if c.Frame == "" {
			l.session.orphans = append(l.session.orphans, one)
		}
	}
	if !d.unknown || d.changed() {
		l.report.ran(d.unit, d.changed())
	}
	if !kind.Derived || !d.changed() {
		return nil
	}
	reasons := d.drift(kind, l.units.get(d.unit))
	if reasons[0].Because == BecauseStored && l.config.Files.Created(kind.Path(d.unit.Subject)) {
		reasons = []Reason{{Because: BecauseNew, Detail: "new"}} // an optional file did not exist
	}
	if err := l.attribute(ctx, reasons); err != nil {
		return err
	}
	l.report.stale(d.unit, reasons)
	return nil
}

// conclude updates a unit's state and records the changes for its dependents.
func (l *loop) conclude(u Unit, was head, evidence []fact.Observation) {
	l.concluded(u, was, evidence, true)
}

func (l *loop) concluded(u Unit, was head, evidence []fact.Observation, known bool) {
	st := l.units.get(u)
	st.known, st.evidence, st.loaded, st.changed, l.units.sights = known, evidence, true, true, nil
	l.changed = append(l.changed, changedFacts(u, was, st.head)...)
	height := st.Height
	if st.Height = was.Height; height > was.Height {
		l.raise(u, height, nil)
	}
}

func changedFacts(u Unit, was, now head) []fact.Fact {
	if u.Kind == enumerationKind {
		if was.Digest != now.Digest {
			return []fact.Fact{UnitsOf(u.Subject)}
		}
		return nil
	}
	if was.Digest == "" { // not remembered: others may rest on any part of it
		return []fact.Fact{ConclusionOf(u), ExcerptOf(u, "")}
	}
	var out []fact.Fact
	if was.Digest != now.Digest {
		out = append(out, ConclusionOf(u))
	}
	for part, text := range now.Excerpts {
		if before, ok := was.Excerpts[part]; !ok || before != text {
			out = append(out, ExcerptOf(u, part))
		}
	}
	for part := range was.Excerpts {
		if _, ok := now.Excerpts[part]; !ok {
			out = append(out, ExcerptOf(u, part))
		}
	}
	return out
}

// mostAttributed limits the files whose last commit is looked up, because each lookup runs git.
const mostAttributed = 10

func (l *loop) attribute(ctx context.Context, reasons []Reason) error {
	for i := range reasons {
		file := reasons[i].File
		if file == "" {
			continue
		}
		commit, asked := l.commits[file]
		if !asked && len(l.commits) < mostAttributed {
			var err error
			if commit, err = l.config.World.LastChange(ctx, file); err != nil {
				return err
			}
			l.commits[file] = commit
		}
		reasons[i].Commit = commit
	}
	return nil
}

package enginetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

func around(wrap func(p engine.Plugin) engine.Plugin) option {
	return func(c *engine.Config) {
		c.Plugins = slices.Clone(c.Plugins)
		for i, p := range c.Plugins {
			c.Plugins[i] = wrap(p)
		}
	}
}

// mortal simulates a process that dies while it stores something.
type mortal struct {
	engine.Plugin
	left *atomic.Int64
}

var errKilled = errors.New("killed")

func (p mortal) Store(c engine.Conclusion, f frame.Frame) error {
	if p.left.Add(-1) < 0 {
		return errKilled
	}
	return p.Plugin.Store(c, f)
}

// killed checks that a run after a killed one gives the result of a run from scratch.
func killed(t *testing.T, subject func(t testing.TB) Subject) {
	clean := subject(t)
	clean.update(t)
	want := clean.knowledge(t)
	for n := range most {
		s := subject(t)
		var left atomic.Int64
		left.Store(int64(n))
		_, err := s.tryUpdate(t, around(func(p engine.Plugin) engine.Plugin { return mortal{p, &left} }))
		if err == nil {
			break
		}
		if !errors.Is(err, errKilled) {
			t.Fatalf("killed after %d: %v", n, err)
		}
		s.update(t)
		same(t, "after a killed run", s.knowledge(t), want)
		s.fresh(t, "after a killed run")
	}
}

// forgetful is a plugin that drops its invalidation conditions.
type forgetful struct{ engine.Plugin }

func (p forgetful) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	c, err := p.Plugin.ParseOutput(raw, in, f)
	c.Condition = ""
	return c, err
}

// unconditional checks that a conclusion without a condition is rejected.
func unconditional(t *testing.T, subject func(t testing.TB) Subject) {
	s := subject(t)
	before := s.Stored(t)
	if _, err := s.tryUpdate(t, around(func(p engine.Plugin) engine.Plugin { return forgetful{p} })); !errors.Is(err, engine.ErrNoCondition) {
		t.Errorf("got %v", err)
	}
	same(t, "without a condition", s.Stored(t), before)
}

// meddled checks that a plugin cannot affect a run by modifying its inputs.
func meddled(t *testing.T, subject func(t testing.TB) Subject) {
	honest, meddling := subject(t), subject(t)
	meddle := around(func(p engine.Plugin) engine.Plugin { return &meddler{Plugin: p} })
	for _, edit := range append([]Edit{{Name: "the first run"}}, honest.Edits...) {
		honest.apply(t, edit)
		meddling.apply(t, edit)
		want, got := honest.update(t), meddling.update(t, meddle)
		same(t, edit.Name, meddling.Stored(t), honest.Stored(t))
		if text := printed(got); text != printed(want) {
			t.Errorf("%s: the report is\n%s\nwant\n%s", edit.Name, text, printed(want))
		}
	}
}

// meddler delegates to another plugin and then modifies everything that it was given.
type meddler struct {
	engine.Plugin
	slices sync.Map
}

const forged = "forged"

func (p *meddler) TransformInput(in engine.Input, core engine.CoreContext) (map[string]any, error) {
	in.Reader = robber{in.Reader}
	slice, err := p.Plugin.TransformInput(in, core)
	p.slices.Store(in.Unit, slice)
	meddleInput(in)
	for _, f := range append(core.Index.Frames(), core.CurrentFrame) {
		meddleFrame(f)
	}
	files := core.Artifacts().Files
	for name := range files {
		files[name] = session.FileRecord{Path: name, Hash: forged, Role: session.Read}
	}
	for _, list := range [][]string{core.ChangedFiles(), core.InvalidatedFrames(), core.SuspendedFrames()} {
		for i := range list {
			list[i] = forged
		}
	}
	return slice, err
}

func (p *meddler) Draft(slice map[string]any) (string, error) {
	raw, err := p.Plugin.Draft(slice)
	meddleFrame(frame.Frame{ContextSlice: slice})
	return raw, err
}

func (p *meddler) ParseOutput(raw string, in engine.Input, f frame.Frame) (engine.Conclusion, error) {
	in.Reader = robber{in.Reader}
	c, err := p.Plugin.ParseOutput(raw, in, f)
	if slice, ok := p.slices.Load(in.Unit); ok {
		meddleFrame(frame.Frame{ContextSlice: slice.(map[string]any)})
	}
	meddleInput(in)
	meddleFrame(f)
	return c, err
}

func (p *meddler) Store(c engine.Conclusion, f frame.Frame) error {
	err := p.Plugin.Store(c, f)
	meddleConclusion(&c)
	meddleFrame(f)
	return err
}

func meddleInput(in engine.Input) {
	for i := range in.Reasons {
		in.Reasons[i] = engine.Reason{Because: forged}
	}
	if in.Previous != nil {
		meddleConclusion(in.Previous)
	}
}

func meddleConclusion(c *engine.Conclusion) {
	for part := range c.Excerpts {
		c.Excerpts[part] = forged
	}
	for i := range c.Evidence {
		c.Evidence[i] = fact.Text(forged)
	}
	for i := range c.Blocked {
		c.Blocked[i].Because = forged
	}
	c.Digest, c.Frame, c.Condition, c.Generator, c.Text, c.Damaged = forged, "s-forged/forged", forged, forged, forged, forged
}

func meddleFrame(f frame.Frame) {
	for _, list := range [][]string{f.Children, f.Evidence} {
		for i := range list {
			list[i] = forged
		}
	}
	meddleValue(f.ContextSlice)
}

func meddleValue(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Collect(maps.Keys(v)) {
			meddleValue(v[key])
			v[key] = forged
		}
	case []any:
		for i := range v {
			meddleValue(v[i])
			v[i] = forged
		}
	}
}

// robber returns copies of lists and texts and forges the values it read itself.
type robber struct{ engine.Reader }

func (r robber) Digest(f fact.Fact) (string, error) { return engine.Digest(r.Reader, f) }

func (r robber) Read(f fact.Fact) (any, error) {
	v, err := r.Reader.Read(f)
	switch list := v.(type) {
	case []string:
		v = slices.Clone(list)
		for i := range list {
			list[i] = forged
		}
	case []byte:
		v = slices.Clone(list)
		clear(list)
	}
	return v, err
}

// answers are malicious or nonsensical model answers, by name, derived from the draft.
var answers = map[string]func(draft string) string{
	"nothing":        func(string) string { return "" },
	"a text":         func(string) string { return "Certainly! Here is what you asked for." },
	"an object":      func(string) string { return `{"` + forged + `": [1, null, {"a": "b"}]}` },
	"null":           func(string) string { return "null" },
	"a list":         func(string) string { return "[[[]]]" },
	"half of it":     func(draft string) string { return draft[:len(draft)/2] },
	"twice of it":    func(draft string) string { return draft + draft },
	"other words":    func(draft string) string { return strings.ReplaceAll(draft, "e", "\x00\xff<script>") },
	"a huge text":    func(string) string { return `"` + strings.Repeat("x", 1<<20) + `"` },
	"a deep one":     func(string) string { return strings.Repeat("[", 1<<16) },
	"empty strings":  emptied,
	"a huge string":  func(draft string) string { return strings.Replace(draft, `":"`, `":"`+strings.Repeat("y", 1<<20), 1) },
	"other numbers":  func(draft string) string { return strings.NewReplacer("1", "-1e999", "0", "9").Replace(draft) },
	"what was asked": func(draft string) string { return draft },
}

func emptied(draft string) string {
	parts := strings.Split(draft, `":"`)
	for i := 1; i < len(parts); i++ {
		if _, rest, ok := strings.Cut(parts[i], `"`); ok {
			parts[i] = `"` + rest
		}
	}
	return strings.Join(parts, `":"`)
}

// liar is a Model that gives one of the answers. It records the last unit asked about.
type liar struct {
	answer func(draft string) string
	asked  string
}

func (m *liar) Answer(_ context.Context, q engine.Question) (string, error) {
	m.asked = q.Frame.Query
	draft, err := q.Draft()
	return m.answer(draft), err
}

// hostile checks that a bad answer is either rejected without storing anything or gives a valid conclusion.
func hostile(t *testing.T, subject func(t testing.TB) Subject) {
	clean := subject(t)
	clean.update(t)
	for name, answer := range answers {
		m := &liar{answer: answer}
		lying := func(c *engine.Config) { c.Model, c.ModelName = m, "liar" }
		s := subject(t)
		_, err := s.tryUpdate(t, lying)
		if err == nil {
			s.quiet(t, "answered "+name, lying)
			s.fresh(t, "answered "+name, lying)
			s.verified(t, "answered "+name, false, lying)
			continue
		}
		s.with(t, func(_ *engine.Engine, c engine.Config) {
			u, err := engine.ParseUnit(m.asked)
			check(t, err)
			if _, ok := s.Stored(t)[kinds(c)[u.Kind].Path(u.Subject)]; ok {
				t.Errorf("answered %s: refused, and yet something is stored of %s", name, u)
			}
		})
		s.update(t)
		same(t, "after "+name, s.knowledge(t), clean.knowledge(t))
	}
}

func printed(r *engine.Report) string { return fmt.Sprintf("%+v", *r) }

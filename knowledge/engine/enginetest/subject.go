package enginetest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
)

// Subject is the input of the suite: plugins over a repository.
type Subject struct {
	// Open prepares one run over the present repository; the suite may wrap the plugins of the Config or replace its
	// Model. done is called at the end of the run.
	Open func(t testing.TB) (c engine.Config, done func())
	// Edit sets the content of a file; nil removes it.
	Edit func(t testing.TB, file string, content []byte)
	// Stored returns the files that causal generated.
	Stored func(t testing.TB) map[string][]byte
	// Forget clears the index.
	Forget func(t testing.TB)
	// Plain removes provenance from a stored file, such as the commit of its verification, which may differ between
	// two ways to one state. It may be nil. Call trees are never compared.
	Plain func(file string, content []byte) []byte
	// Edits are made in order.
	Edits []Edit
}

// Edit is one change of the repository.
type Edit struct {
	Name  string
	Files map[string]string // new contents
	Gone  []string          // removed files
	// Ran lists exactly the units that must be re-evaluated, and Removed the units that no longer exist, as text.
	Ran     []string
	Removed []string
}

// InMemory returns the Subject of plugins that only read files. plugins creates them for one run, which writes to
// files.
func InMemory(t testing.TB, files map[string]string, plugins func(files engine.Files) []engine.Plugin, edits ...Edit) Subject {
	t.Helper()
	return Prepared(t, files, func(_ *Repository, own *Files, c *engine.Config) { c.Plugins = plugins(own) }, edits...)
}

// Prepared returns the Subject of plugins that need more than files. prepare completes the configuration of one run,
// which writes to own: its plugins, and the World unless it is that of the Repository.
func Prepared(t testing.TB, files map[string]string, prepare func(r *Repository, own *Files, c *engine.Config), edits ...Edit) Subject {
	t.Helper()
	r := NewRepository(t.TempDir(), files)
	t.Cleanup(func() { check(t, r.Close()) })
	return Subject{
		Open: func(t testing.TB) (engine.Config, func()) {
			own := r.Files()
			c, err := r.Open(own)
			check(t, err)
			prepare(r, own, &c)
			return c, func() {}
		},
		Edit: func(_ testing.TB, file string, content []byte) {
			if content == nil {
				r.Remove(file)
				return
			}
			r.Write(file, string(content))
		},
		Stored: func(testing.TB) map[string][]byte { return r.Stored() },
		Forget: func(t testing.TB) { check(t, r.Forget()) },
		Edits:  edits,
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type option func(c *engine.Config)

func (s Subject) with(t testing.TB, use func(e *engine.Engine, c engine.Config), options ...option) {
	t.Helper()
	c, done := s.Open(t)
	defer done()
	for _, o := range options {
		o(&c)
	}
	use(engine.New(c), c)
}

func (s Subject) update(t testing.TB, options ...option) *engine.Report {
	t.Helper()
	r, err := s.tryUpdate(t, options...)
	check(t, err)
	return r
}

func (s Subject) tryUpdate(t testing.TB, options ...option) (r *engine.Report, err error) {
	t.Helper()
	s.with(t, func(e *engine.Engine, _ engine.Config) { r, err = e.Update(t.Context()) }, options...)
	return r, err
}

// check runs Check, which must succeed without writing.
func (s Subject) check(t testing.TB, options ...option) (r *engine.Report) {
	t.Helper()
	before := s.Stored(t)
	s.with(t, func(e *engine.Engine, _ engine.Config) {
		var err error
		r, err = e.Check(t.Context())
		check(t, err)
	}, options...)
	same(t, "a check", s.Stored(t), before)
	return r
}

func (s Subject) fresh(t testing.TB, when string, options ...option) {
	t.Helper()
	r := s.check(t, options...)
	for _, f := range r.Fell {
		t.Errorf("%s: %s is stale: %v", when, f.Unit, f.Reasons)
	}
	for _, gone := range r.Removed {
		t.Errorf("%s: %s is still there", when, gone.Unit)
	}
}

func (s Subject) apply(t testing.TB, edits ...Edit) {
	t.Helper()
	for _, e := range edits {
		for _, file := range slices.Sorted(maps.Keys(e.Files)) {
			s.Edit(t, file, []byte(e.Files[file]))
		}
		for _, file := range e.Gone {
			s.Edit(t, file, nil)
		}
	}
}

func (s Subject) knowledge(t testing.TB) map[string][]byte {
	t.Helper()
	out := s.Stored(t)
	s.with(t, func(_ *engine.Engine, c engine.Config) {
		for name, content := range out {
			switch {
			case c.Layout.IsFrames(name):
				delete(out, name)
			case s.Plain != nil:
				out[name] = s.Plain(name, content)
			}
		}
	})
	return out
}

func kinds(c engine.Config) map[string]engine.Kind {
	out := map[string]engine.Kind{}
	for _, p := range c.Plugins {
		for _, k := range p.Kinds() {
			out[k.Name] = k
		}
	}
	return out
}

type known map[engine.Unit]*engine.Explanation

func (s Subject) explain(t testing.TB, options ...option) known {
	t.Helper()
	out := known{}
	s.with(t, func(e *engine.Engine, c engine.Config) {
		check(t, e.Look(t.Context()))
		for kind := range kinds(c) {
			for _, subject := range e.Subjects(kind) {
				u := engine.Unit{Kind: kind, Subject: subject}
				x, ok, err := e.Explain(t.Context(), u)
				check(t, err)
				if !ok {
					t.Errorf("%s is not explained", u)
					continue
				}
				out[u] = x
			}
		}
	}, options...)
	return out
}

func (s Subject) differing(t testing.TB, before known, about func(f fact.Fact) bool) map[engine.Unit][]fact.Fact {
	t.Helper()
	out := map[engine.Unit][]fact.Fact{}
	s.with(t, func(e *engine.Engine, c engine.Config) {
		check(t, e.Look(t.Context()))
		for u, x := range before {
			if x.Conclusion == nil {
				continue
			}
			for _, o := range x.Conclusion.Evidence {
				if about(o.Fact) && digest(t, e, c, o.Fact) != o.Digest {
					out[u] = append(out[u], o.Fact)
				}
			}
		}
	})
	return out
}

// digest returns the present digest of a fact, bypassing the engine where possible.
func digest(t testing.TB, e *engine.Engine, c engine.Config, f fact.Fact) string {
	t.Helper()
	name := f.Name
	switch f.Family {
	case fact.Units:
		return fact.Digest(e.Subjects(f.Name)...)
	case fact.Excerpts:
		name = f.Of
	case fact.Conclusions:
	default:
		for _, r := range append([]engine.Room{c.World}, c.Rooms...) {
			if slices.Contains(r.Families(), f.Family) {
				d, err := r.Digest(context.Background(), f)
				check(t, err)
				return d
			}
		}
		t.Fatalf("nobody answers %s", f)
	}
	u, err := engine.ParseUnit(name)
	check(t, err)
	x, ok, err := e.Explain(t.Context(), u)
	check(t, err)
	if !ok || x.Conclusion == nil {
		return ""
	}
	if f.Family == fact.Conclusions {
		return x.Conclusion.Digest
	}
	text, ok := e.Excerpt(u, f.Name)
	if !ok {
		return ""
	}
	return fact.Digest(text)
}

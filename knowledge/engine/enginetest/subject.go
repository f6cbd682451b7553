package enginetest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
)

// Subject is what is held to the suite: plugins over a repository of their own.
type Subject struct {
	// Open prepares one run over what the repository holds now; the suite may put other plugins around those of the Config, or
	// another Model into it. done is called when the run is over.
	Open func(t testing.TB) (c engine.Config, done func())
	// Edit makes a file hold something; nil removes it.
	Edit func(t testing.TB, file string, content []byte)
	// Stored returns causal's own files.
	Stored func(t testing.TB) map[string][]byte
	// Forget loses what the index remembers.
	Forget func(t testing.TB)
	// Plain takes out of a stored file what tells only how it came to be, as the commit at which something was verified: two ways
	// to one state may differ in that. Nil where there is no such thing. Call trees are never compared.
	Plain func(file string, content []byte) []byte
	// Edits are made one after the other.
	Edits []Edit
}

// Edit is one change of the repository.
type Edit struct {
	Name  string
	Files map[string]string // what they hold then
	Gone  []string          // files that are removed
	// Ran are the units that have to be concluded anew, and no others, and Removed those that are no more; as text.
	Ran     []string
	Removed []string
}

// InMemory is the Subject of plugins that read nothing but files. plugins makes them for one run, which writes to files.
func InMemory(t testing.TB, files map[string]string, plugins func(files engine.Files) []engine.Plugin, edits ...Edit) Subject {
	t.Helper()
	return Prepared(t, files, func(_ *Repository, own *Files, c *engine.Config) { c.Plugins = plugins(own) }, edits...)
}

// Prepared is the Subject of plugins that need more than files. prepare completes what one run works with, which writes to own: its
// plugins, and the World where it is not that of the Repository.
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

// option changes how one run is made.
type option func(c *engine.Config)

// with opens an engine for one run.
func (s Subject) with(t testing.TB, use func(e *engine.Engine, c engine.Config), options ...option) {
	t.Helper()
	c, done := s.Open(t)
	defer done()
	for _, o := range options {
		o(&c)
	}
	use(engine.New(c), c)
}

// update runs Update, which has to succeed.
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

// check runs Check, which has to succeed and to write nothing.
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

// fresh holds the repository to nothing being left to do.
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

// knowledge is what is stored, without call trees and without what tells how it came to be.
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

// kinds are the kinds of units there are, by name.
func kinds(c engine.Config) map[string]engine.Kind {
	out := map[string]engine.Kind{}
	for _, p := range c.Plugins {
		for _, k := range p.Kinds() {
			out[k.Name] = k
		}
	}
	return out
}

// known is what is known of units.
type known map[engine.Unit]*engine.Explanation

// explain looks, and explains every unit.
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

// differing lists the units of which a fact differs that they rest on, each with the facts.
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

// digest is what a fact is now, found out past the engine where that is possible.
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

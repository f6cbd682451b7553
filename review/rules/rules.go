// Package rules is the engine plugin that keeps the principles of a project and their page up to date. Both derive
// from the records of closed changes and from users' edits of the files, so branches merge and the next run derives
// them again.
package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/principle"
)

// Version is part of the generator of principles and their page. Raise it when the same records give another result.
const Version = "principles/2"

// Config configures the page.
type Config struct {
	Layout store.Layout
	// Repository is the web address of the repository for links, or empty.
	Repository string
	// FrontMatter adds front matter to the page.
	FrontMatter bool
}

// Page returns the path of the page.
func Page(l store.Layout) string { return l.Docs + "/principles.md" }

// The kinds of units.
const (
	PrincipleKind = "principle"  // one principle, by slug
	PageKind      = "principles" // the page about them
)

// PageUnit is the unit of the page.
var PageUnit = keep.Unit(PageKind)

// Unit returns the unit of a principle.
func Unit(slug string) engine.Unit { return engine.Unit{Kind: PrincipleKind, Subject: slug} }

// Plugin derives principles. It implements engine.Plugin.
type Plugin struct {
	engine.Unasked

	config Config
	files  keep.Files
}

// New returns a plugin that stores its output in files.
func New(c Config, files keep.Files) *Plugin { return &Plugin{config: c, files: files} }

var _ engine.Plugin = (*Plugin)(nil)

var vocabulary = engine.Vocabulary(slices.Concat(survey.Words, principle.Words))

// Principle is the body of a principle's conclusion.
type Principle struct {
	*principle.Principle        // nil if its file cannot be read
	Problem              string // why it cannot be read
	text                 []byte
}

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{
		{
			Name: PrincipleKind, Derived: true, Subjects: slugs, Path: principle.Path, Owner: principle.SlugOf, Load: p.loadPrinciple,
			Generator: func(engine.Reader, string) (string, error) { return Version, nil },
			// users delete files; without records nothing is left to remove
			Remove: func(string) (engine.Removal, error) { return engine.Removal{}, nil },
		},
		p.sole().Kind(PageKind, Version, p.files, shown),
	}
}

func shown(r engine.Reader) (bool, error) {
	list, err := survey.Ask[[]string](r, engine.UnitsOf(PrincipleKind))
	problem, err2 := trouble(r)
	return len(list) > 0 || problem != "", errors.Join(err, err2)
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	if in.Unit.Kind == PageKind {
		return p.concludePage(in)
	}
	return concludePrinciple(in)
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	switch body := c.Body.(type) {
	case *Principle:
		if _, err := p.files.Write(principle.Path(c.Unit.Subject), body.text); err != nil {
			return fmt.Errorf("store %s: %w", c.Unit, err)
		}
	case *keep.Page:
		return p.sole().Store(p.files, body)
	}
	return nil
}

func (p *Plugin) loadPrinciple(_ engine.Reader, slug string) (*engine.Conclusion, error) {
	name := principle.Path(slug)
	data, err := p.files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, store.ErrOccupied):
		return &engine.Conclusion{Blocked: []engine.Problem{{Because: err.Error(), Mend: "move it away"}}}, nil
	case err != nil:
		return nil, fmt.Errorf("read principle: %w", err)
	}
	c := conclude(slug, data)
	return &c, nil
}

// conclude returns the conclusion for the text of a file. If the text cannot be read, the user must fix it.
func conclude(slug string, data []byte) engine.Conclusion {
	c := engine.Conclusion{Digest: fact.Digest(string(data)), Confidence: 1, Condition: wrongWhen(slug)}
	read, err := principle.Read(principle.Path(slug), data)
	if err != nil {
		c.Text, c.Body = "the principle "+strconv.Quote(slug)+" cannot be read", &Principle{Problem: err.Error(), text: data}
		return c
	}
	c.Text, c.Body = fmt.Sprintf("the principle %q is %s", slug, read.Status), &Principle{Principle: read, text: data}
	return c
}

func wrongWhen(slug string) string {
	c, err := vocabulary.Parse(principle.Condition(slug) + " or " + anyChange)
	if err != nil {
		return anyChange
	}
	return c.String()
}

const anyChange = "evidence_changed()"

func concludePrinciple(in engine.Input) (engine.Conclusion, error) {
	slug := in.Unit.Subject
	a, err := accountOf(in, slug)
	if err != nil {
		return engine.Conclusion{}, err
	}
	var before []byte
	if in.Previous != nil {
		old, ok := in.Previous.Body.(*Principle)
		if !ok {
			return engine.Conclusion{}, fmt.Errorf("the stored body of %s is a %T", in.Unit, in.Previous.Body)
		}
		if before = old.text; old.Problem != "" {
			c := conclude(slug, before)
			c.Blocked = []engine.Problem{{Because: old.Problem, Mend: "edit " + principle.Path(slug) + ", or take it away"}}
			return c, nil
		}
	}
	if before == nil && a == nil {
		return engine.Conclusion{}, fmt.Errorf("%s has no file and no record", in.Unit)
	}
	text, _, err := a.Renew(slug, before)
	if err != nil {
		return engine.Conclusion{}, err
	}
	return conclude(slug, text), nil
}

// Package rules keeps the principles of a project true: a plugin of the engine whose conclusions are the files of .causal/principles
// and the page about them. Both follow from the records of closed changes and from what people wrote in the files, so two branches
// that closed changes merge, and the next run derives anew what follows from both.
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

// Version is part of the generator of principles and of their page: raise it when the same records give others.
const Version = "principles/1"

// Config is what a user may set about the page.
type Config struct {
	Layout store.Layout
	// Repository is the address of the repository on the web, for links to changes; empty for none.
	Repository string
	// FrontMatter is false for a page without any.
	FrontMatter bool
}

// The parts of the configuration that the page rests on, as facts name them.
const (
	settingRepository  = "repository"
	settingFrontMatter = "docs.front_matter"
)

// Settings are the parts of the configuration that the page rests on, for the survey to answer.
func (c Config) Settings() map[string]string {
	return map[string]string{settingRepository: c.Repository, settingFrontMatter: strconv.FormatBool(c.FrontMatter)}
}

// Page is where the page lies.
func Page(l store.Layout) string { return l.Docs + "/principles.md" }

// The kinds of units.
const (
	PrincipleKind = "principle"  // a principle, by its slug
	PageKind      = "principles" // the page about them
)

// thePage is the subject of the one page.
const thePage = "page"

// PageUnit is the page.
var PageUnit = engine.Unit{Kind: PageKind, Subject: thePage}

// Unit is a principle.
func Unit(slug string) engine.Unit { return engine.Unit{Kind: PrincipleKind, Subject: slug} }

// Plugin is the plugin. It implements engine.Plugin.
type Plugin struct {
	config Config
	files  keep.Files
}

// New returns the plugin over a place to write.
func New(c Config, files keep.Files) *Plugin { return &Plugin{c, files} }

var _ engine.Plugin = (*Plugin)(nil)

var vocabulary = engine.Vocabulary(slices.Concat(survey.Words, principle.Words))

// Principle is the body of what is concluded about one.
type Principle struct {
	*principle.Principle        // nil when its file cannot be read
	Problem              string // why not
	text                 []byte
}

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	generator := func(engine.Reader, string) (string, error) { return Version, nil }
	return []engine.Kind{
		{
			Name: PrincipleKind, Derived: true, Subjects: slugs, Generator: generator, Path: principle.Path, Owner: principle.SlugOf, Load: p.loadPrinciple,
			// people take files away: nothing is left of one that no record speaks for
			Remove: func(string) (engine.Removal, error) { return engine.Removal{}, nil },
		},
		{
			Name: PageKind, Derived: true, Rendered: true, Subjects: pages, Generator: generator,
			Load:   func(engine.Reader, string) (*engine.Conclusion, error) { return p.sole().Load(p.files) },
			Remove: func(string) (engine.Removal, error) { return p.sole().Remove(p.files) },
			Path:   func(string) string { return Page(p.config.Layout) },
			Owner:  func(file string) (string, bool) { return thePage, file == Page(p.config.Layout) },
		},
	}
}

// pages is the page, where there is something to tell.
func pages(r engine.Reader) ([]string, error) {
	units, err := r.Read(engine.UnitsOf(PrincipleKind))
	problem, err2 := trouble(r)
	if list, _ := units.([]string); len(list) == 0 && problem == "" {
		return nil, errors.Join(err, err2)
	}
	return []string{thePage}, errors.Join(err, err2)
}

// TransformInput implements engine.Plugin. All is derived: nobody is asked.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

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

// loadPrinciple reads the file of a principle.
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

// conclude is a principle as its file has it. What people wrote there is part of it; where that cannot be read, they have to mend it.
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

// wrongWhen is what would make a principle another one than it is.
func wrongWhen(slug string) string {
	c, err := vocabulary.Parse(principle.Condition(slug) + " or " + anyChange)
	if err != nil {
		return anyChange
	}
	return c.String()
}

const anyChange = "evidence_changed()"

// concludePrinciple brings a principle up to what the records say of it.
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

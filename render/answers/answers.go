// Package answers keeps stored answers to questions up to date. It is a plugin of the engine: each answer is a unit
// with the facts that were shown as its evidence, and one page shows all answers. If a fact changes, the answer stays
// with a banner that names the cause, until the question is asked again or the fact is restored.
package answers

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Version is part of the generators. Raise it when the same answers give another page.
const Version = "answers/2"

// The kinds of the units: one for each answer, and the page.
const (
	Kind     = "answer"
	PageKind = "answers"
)

// PageUnit is the unit of the page.
var PageUnit = keep.Unit(PageKind)

// Config configures the plugin.
type Config struct {
	Layout store.Layout
	// FrontMatter enables the page's front matter.
	FrontMatter bool
	// Check rejects facts that cannot be evidence of an answer; Because describes a change of one.
	Check   func(f fact.Fact) error
	Because func(c fact.Change) string
	// Condition returns the invalidation condition of an answer with this evidence.
	Condition func(facts []fact.Fact) string
	// Lines finds moved lines.
	Lines Lines
}

// Page returns the file of the page.
func Page(l store.Layout) string { return l.Overview(PageKind) }

// Plugin is the plugin. It implements engine.Plugin.
type Plugin struct {
	engine.Unasked

	config Config
	files  keep.Files
}

// New returns the plugin with its storage.
func New(c Config, files keep.Files) *Plugin { return &Plugin{config: c, files: files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin. The kinds are derived: facts alone decide whether an answer is valid. Its frames
// belong to the question's session, not to a run.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{{
		Name: Kind, Derived: true, Rendered: true, Subjects: slugs, Path: File, Owner: SlugOf,
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Load:      func(_ engine.Reader, slug string) (*engine.Conclusion, error) { return p.load(slug) },
		Remove:    func(string) (engine.Removal, error) { return engine.Removal{}, nil }, // there is only the file
	}, p.sole().Kind(PageKind, Version, p.files, func(r engine.Reader) (bool, error) {
		list, err := kept(r)
		return len(list) > 0, err
	})}
}

func kept(r engine.Reader) ([]string, error) {
	return survey.Ask[[]string](r, engine.UnitsOf(Kind))
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	if in.Unit.Kind == PageKind {
		return p.page(in)
	}
	before := bodyOf(in.Previous)
	if before == nil {
		return engine.Conclusion{}, fmt.Errorf("%s was removed while it was read", File(in.Unit.Subject))
	}
	now := *before
	now.Invalid = nil
	for _, o := range before.Evidence {
		digest, err := engine.Digest(in.Reader, o.Fact)
		if err != nil {
			return engine.Conclusion{}, err
		}
		if digest != o.Digest {
			now.Invalid = append(now.Invalid, p.config.Because(fact.Change{Fact: o.Fact, Before: o.Digest, After: digest}))
		}
	}
	slices.Sort(now.Invalid)
	now.Invalid = slices.Compact(now.Invalid)
	return p.conclusion(&now), nil
}

func bodyOf(c *engine.Conclusion) *Answer {
	if c == nil {
		return nil
	}
	a, _ := c.Body.(*Answer)
	return a
}

func (p *Plugin) conclusion(a *Answer) engine.Conclusion {
	var facts []fact.Fact
	for _, o := range a.Evidence {
		facts = append(facts, o.Fact)
	}
	a.Condition = p.config.Condition(facts)
	return engine.Conclusion{
		Text: "the answer to: " + a.Question, Body: a, Digest: fact.Digest(string(a.Encode())), Confidence: a.Confidence, Condition: a.Condition,
	}
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	switch body := c.Body.(type) {
	case *keep.Page:
		return p.sole().Store(p.files, body)
	case *Answer:
		if _, err := p.files.Write(File(c.Unit.Subject), body.Encode()); err != nil {
			return fmt.Errorf("store %s: %w", c.Unit, err)
		}
		return nil
	}
	return fmt.Errorf("store %s: unexpected body %T", c.Unit, c.Body)
}

func (p *Plugin) load(slug string) (*engine.Conclusion, error) {
	a, err := Load(p.files, slug)
	if a != nil {
		for _, o := range a.Evidence {
			if bad := p.config.Check(o.Fact); bad != nil {
				a, err = nil, &FileError{File(slug), bad}
				break
			}
		}
	}
	if broken, ok := err.(*FileError); ok { //nolint:errorlint // Load returns it as it is
		return &engine.Conclusion{Blocked: []engine.Problem{{Because: broken.Error(), Mend: "correct or delete " + broken.File}}}, nil
	}
	if a == nil || err != nil {
		return nil, err
	}
	c := p.conclusion(a)
	return &c, nil
}

func (p *Plugin) sole() keep.Sole {
	return keep.Sole{
		Name: Page(p.config.Layout), Docs: p.config.Layout.Docs, Text: "the page of answers", Condition: "evidence_changed()",
		Left: keep.Left(p.config.FrontMatter, title, "No answer is kept any more."),
	}
}

const title = "Answers"

func (p *Plugin) page(in engine.Input) (engine.Conclusion, error) {
	list, err := kept(in)
	if err != nil {
		return engine.Conclusion{}, err
	}
	front, err := survey.FrontMatter(in)
	if err != nil {
		return engine.Conclusion{}, err
	}
	var answers []*Answer
	for _, slug := range list {
		a, err := survey.Ask[*Answer](in, engine.ConclusionOf(engine.Unit{Kind: Kind, Subject: slug}))
		if err != nil {
			return engine.Conclusion{}, err
		}
		if a == nil {
			continue
		}
		if len(a.Invalid) == 0 {
			now, err := Moved(p.config.Lines, a.Sentences, a.Evidence, in.Read)
			if err != nil {
				return engine.Conclusion{}, err
			}
			shown := *a
			a, shown.Sentences = &shown, now.Sentences
		}
		answers = append(answers, a)
	}
	text := keep.Head(front, title) + write(p.config.Layout, answers)
	return p.sole().Conclusion(keep.Next(text, in.Previous), in.Previous), nil
}

// File returns the file of an answer.
func File(slug string) string { return store.Answers + "/" + slug + ".yml" }

// SlugOf returns the answer in a file; false for other files.
func SlugOf(file string) (string, bool) {
	slug, ok := strings.CutSuffix(path.Base(file), ".yml")
	return slug, ok && path.Dir(file) == store.Answers && IsSlug(slug)
}

const longestSlug = 80

// IsSlug reports whether a word can be the name of an answer.
func IsSlug(slug string) bool {
	return slug != "" && len(slug) <= longestSlug && strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && slug[0] != '-'
}

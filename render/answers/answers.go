// Package answers keeps stored answers to questions up to date. It is a plugin of the engine: each answer is a unit
// with the facts that were shown as its evidence, and one page shows all answers. If a fact changes, the answer stays
// with a banner that names the cause, until the question is asked again or the fact is restored.
package answers

import (
	"fmt"
	"path"
	"slices"
	"strconv"
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

	thePage = "page"
)

// PageUnit is the unit of the page.
var PageUnit = engine.Unit{Kind: PageKind, Subject: thePage}

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

const settingFrontMatter = "docs.front_matter"

// Settings returns the settings that the page depends on, for the survey to answer.
func (c Config) Settings() map[string]string {
	return map[string]string{settingFrontMatter: strconv.FormatBool(c.FrontMatter)}
}

// Page returns the file of the page.
func Page(l store.Layout) string { return l.Overview(PageKind) }

// Plugin is the plugin. It implements engine.Plugin.
type Plugin struct {
	config Config
	files  keep.Files
}

// New returns the plugin with its storage.
func New(c Config, files keep.Files) *Plugin { return &Plugin{c, files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin. The kinds are derived: facts alone decide whether an answer is valid. Its frames
// belong to the question's session, not to a run.
func (p *Plugin) Kinds() []engine.Kind {
	made := func(engine.Reader, string) (string, error) { return Version, nil }
	name := Page(p.config.Layout)
	return []engine.Kind{{
		Name: Kind, Derived: true, Rendered: true, Subjects: slugs, Generator: made, Path: File, Owner: SlugOf,
		Load:   func(_ engine.Reader, slug string) (*engine.Conclusion, error) { return p.load(slug) },
		Remove: func(string) (engine.Removal, error) { return engine.Removal{}, nil }, // there is only the file
	}, {
		Name: PageKind, Derived: true, Rendered: true, Generator: made,
		Subjects: func(r engine.Reader) ([]string, error) {
			list, err := kept(r)
			if len(list) == 0 || err != nil {
				return nil, err
			}
			return []string{thePage}, nil
		},
		Path:   func(string) string { return name },
		Owner:  func(file string) (string, bool) { return thePage, file == name },
		Load:   func(engine.Reader, string) (*engine.Conclusion, error) { return p.sole().Load(p.files) },
		Remove: func(string) (engine.Removal, error) { return p.sole().Remove(p.files) },
	}}
}

func kept(r engine.Reader) ([]string, error) {
	v, err := r.Read(engine.UnitsOf(Kind))
	list, _ := v.([]string)
	return list, err
}

// TransformInput implements engine.Plugin.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

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
		Left: head(p.config.FrontMatter) + "# Answers\n\nNo answer is kept any more. Your notes below stay until you delete them.\n",
	}
}

func head(frontMatter bool) string {
	return keep.Head(frontMatter, "Answers")
}

func (p *Plugin) page(in engine.Input) (engine.Conclusion, error) {
	list, err := kept(in)
	if err != nil {
		return engine.Conclusion{}, err
	}
	front, err := survey.Setting(in, settingFrontMatter)
	if err != nil {
		return engine.Conclusion{}, err
	}
	var answers []*Answer
	for _, slug := range list {
		v, err := in.Read(engine.ConclusionOf(engine.Unit{Kind: Kind, Subject: slug}))
		if err != nil {
			return engine.Conclusion{}, err
		}
		a, ok := v.(*Answer)
		if !ok {
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
	text := head(front == strconv.FormatBool(true)) + write(p.config.Layout, answers)
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

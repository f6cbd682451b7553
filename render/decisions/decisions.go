// Package decisions renders the pages about the log: the decisions page from the positions, and the history page from
// the events with consequences. It is a plugin of the engine with one conclusion for each page, invalidated by new
// events of its kind.
package decisions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Version is part of the pages' generator. Raise it when the same events give another page.
const Version = "decisions/3"

// The kinds of the pages' units, which are also their file names.
const (
	Kind    = "decisions"
	LogKind = "log"
)

// Unit returns the unit of a kind's page.
func Unit(kind string) engine.Unit { return keep.Unit(kind) }

// Config holds the settings of the pages.
type Config struct {
	Layout store.Layout
	// FrontMatter enables the front matter of pages.
	FrontMatter bool
}

type page struct {
	kind, title string
	gone        string // the text of a page without contents
	told        func(survey.Reader) (told, error)
}

// told is the contents of a page.
type told struct {
	anything bool
	wrong    []ledger.Problem         // that make the contents incomplete
	text     func(head string) string // the page without keep blocks, starting with head
}

var pages = []page{
	{Kind, "Decisions", "Nothing is recorded any more.", toldOfPositions},
	{LogKind, "Log", "The log has no events any more.", toldOfCauses},
}

// Tells reports whether units of a kind are pages of this plugin.
func Tells(kind string) bool {
	return slices.ContainsFunc(pages, func(p page) bool { return p.kind == kind })
}

// Pages returns the files of the pages by kind.
func Pages(l store.Layout) map[string]string {
	out := map[string]string{}
	for _, p := range pages {
		out[p.kind] = l.Overview(p.kind)
	}
	return out
}

// KindOf returns the kind of the page in a file.
func KindOf(l store.Layout, file string) (string, bool) {
	for kind, name := range Pages(l) {
		if name == file {
			return kind, true
		}
	}
	return "", false
}

// Plugin is the plugin. It implements engine.Plugin.
type Plugin struct {
	engine.Unasked

	config Config
	files  keep.Files
}

// New returns the plugin with its storage.
func New(c Config, files keep.Files) *Plugin { return &Plugin{config: c, files: files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() (kinds []engine.Kind) {
	for _, page := range pages {
		kinds = append(kinds, p.sole(page).Kind(page.kind, Version, p.files, func(r engine.Reader) (bool, error) {
			t, err := page.told(r)
			return t.anything, err
		}))
	}
	return kinds
}

func of(kind string) page {
	return pages[slices.IndexFunc(pages, func(p page) bool { return p.kind == kind })]
}

func (p *Plugin) sole(page page) keep.Sole {
	return keep.Sole{
		Name: p.config.Layout.Overview(page.kind), Docs: p.config.Layout.Docs, Text: "the page of the " + page.kind, Condition: "evidence_changed()",
		Left: keep.Left(p.config.FrontMatter, page.title, page.gone),
	}
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	page := of(in.Unit.Kind)
	t, err := page.told(in)
	front, err2 := survey.FrontMatter(in)
	if err := errors.Join(err, err2); err != nil {
		return engine.Conclusion{}, err
	}
	c := p.sole(page).Conclusion(keep.Next(t.text(keep.Head(front, page.title)), in.Previous), in.Previous)
	if i := slices.IndexFunc(t.wrong, tampered); i >= 0 {
		c.Blocked = []engine.Problem{{Because: "the log was changed after it was recorded: " + t.wrong[i].Detail, Mend: "see `causal verify`, and restore the log from git"}}
	}
	return c, nil
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	body, ok := c.Body.(*keep.Page)
	if !ok {
		return fmt.Errorf("store %s: unexpected body %T", c.Unit, c.Body)
	}
	return p.sole(of(c.Unit.Kind)).Store(p.files, body)
}

// Package decisions keeps the pages true that are told from the log: that of decisions, which rests on the positions, and that of what
// happened, which rests on what led to something. It is a plugin of the engine with a conclusion for each, derived anew whenever there
// are other events of its kind.
package decisions

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Version is part of the generator of the pages: raise it when the same events give others.
const Version = "decisions/2"

// The kinds of the pages' units, by which their files are called as well.
const (
	Kind    = "decisions"
	LogKind = "log"
)

// thePage is the subject of the one page of each kind.
const thePage = "page"

// Unit is the page of a kind.
func Unit(kind string) engine.Unit { return engine.Unit{Kind: kind, Subject: thePage} }

// Config is what a user may set about the pages.
type Config struct {
	Layout store.Layout
	// FrontMatter is false for pages without any.
	FrontMatter bool
}

const settingFrontMatter = "docs.front_matter"

// Settings are the parts of the configuration that the pages rest on, for the survey to answer.
func (c Config) Settings() map[string]string {
	return map[string]string{settingFrontMatter: strconv.FormatBool(c.FrontMatter)}
}

// page is one of the pages.
type page struct {
	kind, title string
	about       string // in a sentence
	gone        string // what it says when there is nothing to tell any more
	// told reads what there is to tell; nothing is not.
	told func(survey.Reader) (told, error)
}

// told is what a page tells.
type told interface {
	anything() bool
	// wrong is what keeps it from being all.
	wrong() []ledger.Problem
	// text is all of the page but what people wrote on it, with what it opens with.
	text(head string) string
}

var pages = []page{
	{Kind, "Decisions", "Decisions about this project and their reasons.", "Nothing is recorded any more.", toldOfPositions},
	{LogKind, "Log", "Events of this project and their causes.", "The log has no events any more.", toldOfCauses},
}

// Tells reports whether units of a kind are pages that are told from the log.
func Tells(kind string) bool {
	return slices.ContainsFunc(pages, func(p page) bool { return p.kind == kind })
}

// Pages are where the pages lie, by their kinds.
func Pages(l store.Layout) map[string]string {
	out := map[string]string{}
	for _, p := range pages {
		out[p.kind] = l.Overview(p.kind)
	}
	return out
}

// KindOf is the kind of the page that a file is.
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
	config Config
	files  keep.Files
}

// New returns the plugin over a place to write.
func New(c Config, files keep.Files) *Plugin { return &Plugin{c, files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() (kinds []engine.Kind) {
	for _, page := range pages {
		name := p.config.Layout.Overview(page.kind)
		kinds = append(kinds, engine.Kind{
			Name: page.kind, Derived: true, Rendered: true, Subjects: page.subjects,
			Load:      func(engine.Reader, string) (*engine.Conclusion, error) { return p.sole(page).Load(p.files) },
			Remove:    func(string) (engine.Removal, error) { return p.sole(page).Remove(p.files) },
			Generator: func(engine.Reader, string) (string, error) { return Version, nil },
			Path:      func(string) string { return name },
			Owner:     func(file string) (string, bool) { return thePage, file == name },
		})
	}
	return kinds
}

// subjects is the page, where there is something to tell.
func (page page) subjects(r engine.Reader) ([]string, error) {
	t, err := page.told(r)
	if err != nil || !t.anything() {
		return nil, err
	}
	return []string{thePage}, nil
}

// of is the page of a kind.
func of(kind string) page {
	return pages[slices.IndexFunc(pages, func(p page) bool { return p.kind == kind })]
}

// TransformInput implements engine.Plugin. All is derived: nobody is asked.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

// sole is a page as one that a plugin keeps.
func (p *Plugin) sole(page page) keep.Sole {
	return keep.Sole{
		Name: p.config.Layout.Overview(page.kind), Docs: p.config.Layout.Docs, Text: "the page of the " + page.kind, Condition: "evidence_changed()",
		Left: page.head(p.config.FrontMatter) + "# " + page.title + "\n\n" + page.gone + " Your notes below stay until you delete them.\n",
	}
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	page := of(in.Unit.Kind)
	t, err := page.told(in)
	front, err2 := survey.Setting(in, settingFrontMatter)
	if err := errors.Join(err, err2); err != nil {
		return engine.Conclusion{}, err
	}
	c := p.sole(page).Conclusion(keep.Next(t.text(page.head(front == strconv.FormatBool(true))), in.Previous), in.Previous)
	if i := slices.IndexFunc(t.wrong(), tampered); i >= 0 {
		c.Blocked = []engine.Problem{{Because: "the log was changed after it was recorded: " + t.wrong()[i].Detail, Mend: "see `causal verify`, and restore the log from git"}}
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

// head is what the page opens with.
func (page page) head(frontMatter bool) string {
	return keep.Head(frontMatter, page.title)
}

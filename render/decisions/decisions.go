// Package decisions keeps the page of decisions true: a plugin of the engine with one conclusion, which rests on the positions of the log. What
// holds, what is contested and what was given up is derived from them anew whenever there are others.
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

// Version is part of the generator of the page: raise it when the same events give another.
const Version = "decisions/1"

// Kind is the kind of the page's unit.
const Kind = "decisions"

// thePage is the subject of the one page.
const thePage = "page"

// Unit is the page.
var Unit = engine.Unit{Kind: Kind, Subject: thePage}

// Config is what a user may set about the page.
type Config struct {
	Layout store.Layout
	// FrontMatter is false for a page without any.
	FrontMatter bool
}

const settingFrontMatter = "docs.front_matter"

// Settings are the parts of the configuration that the page rests on, for the survey to answer.
func (c Config) Settings() map[string]string {
	return map[string]string{settingFrontMatter: strconv.FormatBool(c.FrontMatter)}
}

// Page is where the page lies.
func Page(l store.Layout) string { return l.Overview("decisions") }

// Plugin is the plugin. It implements engine.Plugin.
type Plugin struct {
	config Config
	files  keep.Files
}

// New returns the plugin over a place to write.
func New(c Config, files keep.Files) *Plugin { return &Plugin{c, files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{{
		Name: Kind, Derived: true, Subjects: subjects,
		Load:      func(engine.Reader, string) (*engine.Conclusion, error) { return p.sole().Load(p.files) },
		Remove:    func(_ string, write bool) (engine.Removal, error) { return p.sole().Remove(p.files, write) },
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Path:      func(string) string { return Page(p.config.Layout) },
		Owner:     func(file string) (string, bool) { return thePage, file == Page(p.config.Layout) },
	}}
}

// events reads the log.
func events(r survey.Reader) (*ledger.Whole, error) {
	value, err := r.Read(ledger.Positions)
	if err != nil {
		return nil, err
	}
	w, ok := value.(*ledger.Whole)
	if !ok {
		return nil, fmt.Errorf("the log is a %T", value)
	}
	return w, nil
}

// subjects is the page, where somebody said what they think.
func subjects(r engine.Reader) ([]string, error) {
	w, err := events(r)
	if err != nil {
		return nil, err
	}
	said := slices.ContainsFunc(w.Events(), func(e ledger.Event) bool { return e.Type != ledger.Happening })
	if !said && len(w.Problems) == 0 {
		return nil, nil
	}
	return []string{thePage}, nil
}

// TransformInput implements engine.Plugin. All is derived: nobody is asked.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

// sole is the page as one that a plugin keeps.
func (p *Plugin) sole() keep.Sole {
	return keep.Sole{
		Name: Page(p.config.Layout), Docs: p.config.Layout.Docs, Text: "the page of decisions", Condition: "evidence_changed()",
		Left: head(p.config.FrontMatter) + "# Decisions\n\nNothing is recorded any more. The notes below are kept until somebody removes them.\n",
	}
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	w, err := events(in)
	front, err2 := survey.Setting(in, settingFrontMatter)
	if err := errors.Join(err, err2); err != nil {
		return engine.Conclusion{}, err
	}
	c := p.sole().Conclusion(keep.Next(text(w, front == strconv.FormatBool(true)), in.Previous))
	if len(w.Problems) > 0 {
		c.Blocked = []engine.Problem{{Because: "the log is not what was recorded: " + w.Problems[0].Detail, Mend: "see `causal verify`, and put back what git has"}}
	}
	return c, nil
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	body, ok := c.Body.(*keep.Page)
	if !ok {
		return fmt.Errorf("store %s: what is concluded is a %T", c.Unit, c.Body)
	}
	return p.sole().Store(p.files, body)
}

// head is what the page opens with.
func head(frontMatter bool) string {
	return keep.Head(frontMatter, "Decisions", "What was decided about this project, and why.", Version)
}

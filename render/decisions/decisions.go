// Package decisions keeps the page of decisions true: a plugin of the engine with one conclusion, which rests on the events of the log. What
// holds, what is contested and what was given up is derived from them anew whenever there are others.
package decisions

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
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

// Files is where the plugin keeps the page.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

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
	files  Files
}

// New returns the plugin over a place to write.
func New(c Config, files Files) *Plugin { return &Plugin{c, files} }

var _ engine.Plugin = (*Plugin)(nil)

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{{
		Name: Kind, Derived: true, Subjects: subjects, Load: p.load, Remove: p.remove,
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Path:      func(string) string { return Page(p.config.Layout) },
		Owner:     func(file string) (string, bool) { return thePage, file == Page(p.config.Layout) },
	}}
}

// events reads the log.
func events(r survey.Reader) (*ledger.Whole, error) {
	value, err := r.Read(ledger.AllEvents)
	if err != nil {
		return nil, err
	}
	w, ok := value.(*ledger.Whole)
	if !ok {
		return nil, fmt.Errorf("the log is a %T", value)
	}
	return w, nil
}

// subjects is the page, where something was recorded.
func subjects(r engine.Reader) ([]string, error) {
	w, err := events(r)
	if err != nil || len(w.Events())+len(w.Problems) == 0 {
		return nil, err
	}
	return []string{thePage}, nil
}

// TransformInput implements engine.Plugin. All is derived: nobody is asked.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements engine.Plugin.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

// page is the body of what is concluded: what is generated of the page, and what people wrote on it.
type page struct {
	generated string
	keeps     []keep.Block
}

func (p *page) conclusion() engine.Conclusion {
	return engine.Conclusion{
		Text: "the page of decisions", Body: p, Digest: fact.Digest(keep.Squeeze(p.generated)), Confidence: 1, Condition: "evidence_changed()",
	}
}

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	w, err := events(in)
	front, err2 := survey.Setting(in, settingFrontMatter)
	if err := errors.Join(err, err2); err != nil {
		return engine.Conclusion{}, err
	}
	made := &page{generated: text(w, front == strconv.FormatBool(true))}
	if in.Previous != nil && in.Previous.Body != nil {
		made.keeps = in.Previous.Body.(*page).keeps
	}
	c := made.conclusion()
	if len(w.Problems) > 0 {
		c.Blocked = []engine.Problem{{Because: "the log is not what was recorded: " + w.Problems[0].Detail, Mend: "see `causal verify`, and put back what git has"}}
	}
	return c, nil
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	body, ok := c.Body.(*page)
	if !ok {
		return fmt.Errorf("store %s: what is concluded is a %T", c.Unit, c.Body)
	}
	if _, err := p.files.Write(Page(p.config.Layout), []byte(keep.Join(body.generated, body.keeps))); err != nil {
		return fmt.Errorf("store %s: %w", c.Unit, err)
	}
	return nil
}

// load reads the page.
func (p *Plugin) load(engine.Reader, string) (*engine.Conclusion, error) {
	stored, blocked, err := keep.Read(p.files, Page(p.config.Layout))
	if stored == nil {
		if err != nil || blocked == nil {
			return nil, err
		}
		return &engine.Conclusion{Blocked: blocked}, nil
	}
	c := (&page{stored.Generated, stored.Keeps}).conclusion()
	return &c, nil
}

// remove removes the page where there is no log any more. One on which a person wrote something stays as it is.
func (p *Plugin) remove(_ string, write bool) (engine.Removal, error) {
	name := Page(p.config.Layout)
	data, err := p.files.Read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !keep.Ours(data) {
		return engine.Removal{}, nil
	}
	if err != nil {
		return engine.Removal{}, err
	}
	_, keeps, err := keep.Split(data)
	if err != nil || len(keeps) > 0 {
		return engine.Removal{Blocked: []engine.Problem{{Because: "there is no log any more, and somebody wrote on the page", Mend: "take what you need from " + name + ", and remove it"}}}, nil
	}
	if write {
		err = p.files.Remove(name, p.config.Layout.Docs)
	}
	return engine.Removal{Done: true}, err
}

// head is what the page opens with, by which causal knows it.
func head(frontMatter bool) string {
	if !frontMatter {
		return keep.Mark + "\n"
	}
	return "---\ntype: Decisions\ntitle: Decisions\ndescription: What was decided about this project, and why.\n" +
		"generated:\n  by: causal/" + strings.ReplaceAll(Version, "/", "-") + "\n---\n\n"
}

// Package review is the Code Review plugin of seed 000: what is wrong with a change, why, and what would make that wrong. It draws
// its conclusions about the files of a change and the documents that a change contradicts, from facts about both versions, and from
// what linters and a model report about them.
//
// A review is a run of its own: what it concludes is kept with the change (see package life), and in the repository only when the
// change is closed.
package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/stale"
)

// Version is part of the generator of what a review concludes: raise it when the same change gives other findings.
const Version = "review/3"

// Files is where the plugin keeps what it makes while a run lasts.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

// Plugin is the plugin over the files of one run. It implements engine.Plugin.
type Plugin struct {
	files  Files
	parsed api.Parsed
}

// New returns the plugin over a place to write.
func New(files Files) *Plugin { return &Plugin{files: files} }

var _ engine.Plugin = (*Plugin)(nil)

// The kinds of units. What other kinds rest on is concluded once.
const (
	fileKind    = "review"  // what is wrong with a file of the change, or with a document because of it
	moduleKind  = "breaks"  // what the change breaks that a module exports
	nameKind    = "removed" // the names that the change removed
	summaryKind = "omitted" // what the change should have and has not
)

// all is the subject of what is concluded about a change as a whole.
const all = "change"

// vocabulary is what the conditions of findings can say.
var vocabulary = engine.Vocabulary(survey.Words)

// Conclusion is what is concluded about a unit, of which each kind has its part.
type Conclusion struct {
	Findings []finding.Finding `json:"findings,omitempty"`
	Dropped  []Dropped         `json:"dropped,omitempty"`
	Skipped  []finding.Skipped `json:"skipped,omitempty"`
	Names    []stale.Name      `json:"names,omitempty"`
	Omitted  []Omission        `json:"omitted,omitempty"`
	Covered  *coverage         `json:"covered,omitempty"` // of a changed file
	// Frame is where it was concluded.
	Frame string `json:"frame"`
}

// Dropped is something that was said of the change and is not told, and why.
type Dropped struct {
	Rule   string `json:"rule"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// Omission is something that a change as a whole lacks.
type Omission struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// TransformInput implements engine.Plugin.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{"subject": canonical.Path(in.Unit.Subject)}, nil
}

// Draft implements engine.Plugin. A model is asked about the change as a whole, before the run: see Question.
func (p *Plugin) Draft(map[string]any) (string, error) { return "{}", nil }

// ParseOutput implements engine.Plugin.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	c, err := concluders[in.Unit.Kind](p, in)
	if err != nil {
		return engine.Conclusion{}, err
	}
	return wrap(in.Unit, c)
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, f frame.Frame) error {
	body, ok := c.Body.(*Conclusion)
	if !ok {
		return fmt.Errorf("store %s: its body is a %T", c.Unit, c.Body)
	}
	kept := *body
	kept.Frame = f.ID
	data, err := json.Marshal(kept)
	if err == nil {
		_, err = p.files.Write(storedIn(c.Unit), data)
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", c.Unit, err)
	}
	return nil
}

// Load reads what was concluded about a unit; nil when nothing was.
func (p *Plugin) Load(u engine.Unit) (*Conclusion, error) {
	data, err := p.files.Read(storedIn(u))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := &Conclusion{}
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", u, err)
	}
	return c, nil
}

// storedIn is where a unit is kept. Subjects are paths that somebody else made up: no file is called after them.
func storedIn(u engine.Unit) string {
	return ".causal/review/" + fact.Digest(u.Kind, u.Subject) + ".json"
}

// wrap is a conclusion as the engine has it.
func wrap(u engine.Unit, c *Conclusion) (engine.Conclusion, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return engine.Conclusion{}, fmt.Errorf("encode %s: %w", u, err)
	}
	text := "no findings"
	if n := len(c.Findings); n > 0 {
		text = fmt.Sprintf("%d findings", n)
	}
	return engine.Conclusion{
		Text: text, Body: c, Digest: fact.Digest(string(data)), Confidence: 1, Condition: "evidence_changed()",
	}, nil
}

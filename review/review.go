// Package review is the Code Review plugin of seed 000. It finds defects in a change and reports why, and under which
// condition each finding becomes invalid. Its conclusions about changed files and contradicted documents use facts of
// both versions, and reports of linters and a model.
//
// Each review is a separate run. Its conclusions are stored with the change (see package life), and in the repository
// only when the change is closed.
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

// Version is part of the generator of a review's conclusions. Raise it when the same change gives other findings.
const Version = "review/5"

// Files stores the plugin's conclusions during a run.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

// Plugin reviews the files of one run. It implements engine.Plugin.
type Plugin struct {
	files  Files
	parsed api.Parsed
}

// New returns a plugin that stores its conclusions in files.
func New(files Files) *Plugin { return &Plugin{files: files} }

var _ engine.Plugin = (*Plugin)(nil)

// The kinds of units. Conclusions that several kinds need have a kind for themselves.
const (
	fileKind    = "review"  // defects in a changed file, or in a document that the change contradicts
	moduleKind  = "breaks"  // incompatible changes of a module's exports
	nameKind    = "removed" // names that the change removed
	summaryKind = "omitted" // omissions of the change as a whole
)

const all = "change"

var vocabulary = engine.Vocabulary(survey.Words)

// Conclusion is the body of a unit's conclusion. Each kind sets some of the fields.
type Conclusion struct {
	Findings []finding.Finding `json:"findings,omitempty"`
	Dropped  []Dropped         `json:"dropped,omitempty"`
	Skipped  []finding.Skipped `json:"skipped,omitempty"`
	Names    []stale.Name      `json:"names,omitempty"`
	Omitted  []Omission        `json:"omitted,omitempty"`
	Covered  *coverage         `json:"covered,omitempty"` // only for a changed file
	// Frame is the ID of the frame that concluded it.
	Frame string `json:"frame"`
}

// Dropped is a result that is not reported, with the reason.
type Dropped struct {
	Rule   string `json:"rule"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// Omission is something that a change as a whole lacks, such as a test.
type Omission struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// TransformInput implements engine.Plugin.
func (p *Plugin) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	return map[string]any{"subject": canonical.Path(in.Unit.Subject)}, nil
}

// Draft implements engine.Plugin. The model is asked about the whole change before the run: see Question.
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

// Load reads a unit's conclusion, or returns nil if there is none.
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

// storedIn returns the path of a unit's conclusion. Subjects are untrusted paths, so the name is a digest.
func storedIn(u engine.Unit) string {
	return ".causal/review/" + fact.Digest(u.Kind, u.Subject) + ".json"
}

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

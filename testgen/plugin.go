// Package testgen is the test generation plugin of seed 000. Its conclusions are the specs in .causal/specs, one for
// each function or method, and the test files derived from them.
//
// When the interface or the transitive body of a target changes, its spec is invalidated and its tests are skipped
// until a run confirms the recorded results. This package runs nothing: Apply merges the outcome of a run into a spec.
package testgen

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/testgen/spec"
)

// Files is the storage of the plugin.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
	Below(dir string) ([]string, error)
}

// Plugin implements engine.Plugin for one run.
type Plugin struct {
	files     Files
	languages []*Language
}

// New returns a plugin that stores its files in files.
func New(files Files, languages []*Language) *Plugin {
	return &Plugin{files, languages}
}

var _ engine.Plugin = (*Plugin)(nil)

func (p *Plugin) languageOf(file string) *Language { return LanguageOf(p.languages, file) }

func (p *Plugin) version(engine.Reader, string) (string, error) {
	text := "testgen/1"
	for _, l := range p.languages {
		text += " " + l.Version
	}
	return text, nil
}

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{
		{
			Name: Kind, Derived: true, Subjects: p.subjects, Generator: p.version, Path: specFile, Owner: subjectOf, Load: p.loadSpec,
			Remove: func(subject string) (engine.Removal, error) {
				return p.remove(specFile(subject), store.Layout{}.SpecsDir(), func([]byte) bool { return true })
			},
		},
		{
			Name: codeKind, Derived: true, Subjects: p.codeFiles, Generator: p.version, Path: func(file string) string { return file },
			Owner: func(file string) (string, bool) { return file, p.languageOf(file) != nil }, Load: p.loadCode,
			Remove: func(file string) (engine.Removal, error) {
				return p.remove(file, path.Dir(file), func(data []byte) bool { l := p.languageOf(file); return l != nil && l.Ours(data) })
			},
		},
	}
}

// subjects returns existing specs whose function exists or that are hand-edited, and the wanted ones.
func (p *Plugin) subjects(r engine.Reader) ([]string, error) {
	modules, err := survey.Modules(r)
	if err != nil {
		return nil, err
	}
	want, err := survey.Ask[wishes](r, fact.New(wantedFacts, "."))
	if err != nil {
		return nil, err
	}
	var out []string
	there, with := map[string]bool{}, dirsOf(want.stored)
	for _, m := range modules {
		if want.None() && !with[m] {
			continue // finding testable functions is the most expensive step
		}
		list, err := testables(r, m)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			subject := Subject(m, t.Name)
			there[subject] = true
			if _, stored := want.stored[subject]; stored || t.Reason == "" && want.Has(m, t.Name) {
				out = append(out, subject)
			}
		}
	}
	for subject, human := range want.stored {
		if !there[subject] && human {
			out = append(out, subject)
		}
	}
	slices.Sort(out)
	return out, nil
}

func testables(r engine.Reader, module string) ([]Testable, error) {
	return survey.Ask[[]Testable](r, fact.New(testableFacts, module))
}

func (p *Plugin) codeFiles(r engine.Reader) ([]string, error) {
	subjects, err := survey.Ask[[]string](r, engine.UnitsOf(Kind))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, subject := range subjects {
		file, err := survey.Ask[string](r, engine.ExcerptOf(engine.Unit{Kind: Kind, Subject: subject}, codeExcerpt))
		if err != nil {
			return nil, err
		}
		if file != "" {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ReadSpec reads one spec.
func ReadSpec(files interface{ Read(string) ([]byte, error) }, file string) (*spec.Spec, error) {
	data, err := files.Read(file)
	if err != nil {
		return nil, err
	}
	return spec.Decode(file, data)
}

func (p *Plugin) loadSpec(_ engine.Reader, subject string) (*engine.Conclusion, error) {
	file := specFile(subject)
	s, err := ReadSpec(p.files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		var bad *spec.FileError
		if errors.As(err, &bad) || errors.Is(err, store.ErrOccupied) {
			return &engine.Conclusion{Blocked: []engine.Problem{{Because: err.Error(), Mend: "edit " + file + ", or remove it"}}}, nil
		}
		return nil, err
	}
	c := conclusionOf(subject, s, nil)
	return &c, nil
}

func (p *Plugin) loadCode(_ engine.Reader, file string) (*engine.Conclusion, error) {
	data, err := p.files.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, store.ErrOccupied) || err == nil && !p.languageOf(file).Ours(data) {
		return &engine.Conclusion{Blocked: []engine.Problem{{Because: file + " was not generated by causal", Mend: "move it, or give the function no spec"}}}, nil
	}
	if err != nil {
		return nil, err
	}
	c := codeConclusion(file, data)
	return &c, nil
}

func (p *Plugin) remove(file, upTo string, ours func([]byte) bool) (engine.Removal, error) {
	data, err := p.files.Read(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !ours(data) {
		return engine.Removal{}, nil
	}
	if err == nil {
		err = p.files.Remove(file, upTo)
	}
	return engine.Removal{Done: err == nil}, err
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, f frame.Frame) error {
	file, data := c.Unit.Subject, []byte(nil)
	switch body := c.Body.(type) {
	case Spec:
		file, data = specFile(c.Unit.Subject), body.Encode()
	case code:
		data = body
	}
	if data == nil {
		return fmt.Errorf("store %s: its body is a %T", c.Unit, c.Body)
	}
	if _, err := p.files.Write(file, data); err != nil {
		return fmt.Errorf("store %s: %w", c.Unit, err)
	}
	return nil
}

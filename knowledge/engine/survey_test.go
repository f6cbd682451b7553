package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
)

// notes is a plugin that notes of each module what its files and the names that it uses are like.
type notes struct{ files engine.Files }

type note struct {
	Lines     []string `json:"lines"`
	Condition string   `json:"condition"`
	Generator string   `json:"generator"`
	Evidence  []string `json:"evidence"`
}

func storedIn(module string) string { return path.Join(".causal/notes", module, "note.json") }

func (p notes) Kinds() []engine.Kind {
	return []engine.Kind{{
		Name: "note", Path: storedIn,
		Subjects:  func(r engine.Reader) ([]string, error) { return survey.Modules(r) },
		Generator: func(r engine.Reader, module string) (string, error) { return "notes/1", nil },
		Owner: func(file string) (string, bool) {
			module := path.Dir(strings.TrimPrefix(file, ".causal/notes/"))
			return module, file == storedIn(module)
		},
		Load: func(_ engine.Reader, module string) (*engine.Conclusion, error) {
			data, err := p.files.Read(storedIn(module))
			if err != nil {
				return nil, nil
			}
			var n note
			err = json.Unmarshal(data, &n)
			c := n.conclusion()
			c.Generator = n.Generator
			for _, text := range n.Evidence {
				o, failed := fact.Parse(text)
				c.Evidence, err = append(c.Evidence, o), errors.Join(err, failed)
			}
			if err != nil {
				c.Damaged = err.Error()
			}
			return &c, nil
		},
		Remove: func(module string) (engine.Removal, error) {
			_, err := p.files.Read(storedIn(module))
			if err != nil {
				return engine.Removal{}, nil
			}
			return engine.Removal{Done: true}, p.files.Remove(storedIn(module), ".causal")
		},
	}}
}

func (p notes) TransformInput(in engine.Input, _ engine.CoreContext) (map[string]any, error) {
	k, err := survey.Read(in, in.Unit.Subject)
	if err != nil {
		return nil, err
	}
	importers, err := survey.ImportersOf(in, in.Unit.Subject)
	return map[string]any{"module": k.Module.Path, "importers": importers.Code}, err
}

func (p notes) Draft(slice map[string]any) (string, error) {
	data, err := json.Marshal(slice)
	return string(data), err
}

func (p notes) ParseOutput(raw string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	var answer struct {
		Module    string
		Importers []string
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		return engine.Conclusion{}, fmt.Errorf("answer: %w", err)
	}
	k, err := survey.Read(in, in.Unit.Subject)
	if err != nil {
		return engine.Conclusion{}, err
	}
	words := engine.Vocabulary(survey.Words)
	wrong := []condition.Condition{words.Call("modified", path.Join(in.Unit.Subject, "*"))}
	var n note
	for _, u := range k.Units() {
		n.Lines = append(n.Lines, fmt.Sprintf("%s is %s", u.Path, u.File.Content))
	}
	for _, u := range k.Uses {
		n.Lines = append(n.Lines, fmt.Sprintf("%s.%s is used", u.Module, u.Name))
		wrong = append(wrong, words.Call("interface_changed", u.Module))
	}
	importers, err := survey.ImportersOf(in, in.Unit.Subject)
	n.Lines = append(n.Lines, fmt.Sprintf("%v import it", importers.Code))
	n.Condition = condition.Any(wrong...).String()
	return n.conclusion(), err
}

func (n note) conclusion() engine.Conclusion {
	return engine.Conclusion{Text: fmt.Sprintf("%d lines", len(n.Lines)), Body: n, Digest: fact.Digest(n.Lines...), Confidence: 1, Condition: n.Condition}
}

func (p notes) Store(c engine.Conclusion, _ frame.Frame) error {
	n := c.Body.(note)
	n.Generator = c.Generator
	for _, o := range c.Evidence {
		n.Evidence = append(n.Evidence, o.String())
	}
	data, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	_, err = p.files.Write(storedIn(c.Unit.Subject), data)
	return err
}

// TestASurveyUnderTheSuite holds a plugin that rests on a survey to the suite, and so the survey to telling what changed.
func TestASurveyUnderTheSuite(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"go.mod": "module x\n", "a/a.go": "package a\n\nfunc A() int { return 1 }\n",
		"b/b.go": "package b\n\nimport \"x/a\"\n\nfunc B() int { return a.A() }\n", "c/c.go": "package c\n\nfunc C() {}\n",
	}
	edits := []enginetest.Edit{
		{Name: "a comment", Files: map[string]string{"a/a.go": "package a\n\n// here\n\nfunc A() int { return 1 }\n"}},
		{Name: "a body", Files: map[string]string{"a/a.go": "package a\n\nfunc A() int { return 2 }\n"}, Ran: []string{"note/a"}},
		{Name: "an interface", Files: map[string]string{"a/a.go": "package a\n\nfunc A() int64 { return 2 }\n"}, Ran: []string{"note/a", "note/b"}},
		{Name: "another symbol", Files: map[string]string{"a/a.go": "package a\n\nfunc A() int64 { return 2 }\n\nfunc New() {}\n"}, Ran: []string{"note/a"}},
		{Name: "an import", Files: map[string]string{"c/c.go": "package c\n\nimport \"x/a\"\n\nfunc C() { a.New() }\n"}, Ran: []string{"note/a", "note/c"}},
		{Name: "a symbol that is gone", Files: map[string]string{"a/a.go": "package a\n\nfunc A() int64 { return 2 }\n"}, Ran: []string{"note/a", "note/c"}},
		{Name: "a module", Files: map[string]string{"d/e/e.go": "package e\n"}, Ran: []string{"note/d/e"}},
		{Name: "a module less", Gone: []string{"b/b.go"}, Ran: []string{"note/a"}, Removed: []string{"note/b"}},
	}
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		return enginetest.Prepared(t, files, func(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
			c.Plugins, c.Words = []engine.Plugin{notes{own}}, survey.Words
			c.World = survey.New(survey.Config{
				Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: []source.Language{golang.Language{}}, Owned: r.Layout.Owns,
				Excluded: func(string) bool { return false }, MaxBytes: 1 << 20,
			})
		}, edits...)
	})
}

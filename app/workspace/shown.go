package workspace

import (
	"context"
	"errors"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

func vocabulary() []condition.Word {
	return slices.Concat(survey.Words, principle.Words, inspect.Words)
}

func (w *Workspace) newShown(s *survey.Survey) *inspect.Files {
	return inspect.New(inspect.Config{
		Tree: w.tree, Entries: s.Entries, Owned: w.owns, Shows: w.Shows, History: w.history,
		Events: func() ([]ledger.Event, error) {
			log, err := ledger.Open(w.Files, nil)
			if err != nil {
				return nil, err
			}
			return log.Events(), nil
		},
	})
}

// history lists the commits that changed a file, the newest first; none if the history cannot be read.
func (w *Workspace) history(ctx context.Context, file string, most int) ([]string, error) {
	var out []string
	for rev := "HEAD"; len(out) < most; {
		c, ok, err := w.Repo.LastCommit(ctx, rev, file)
		if errors.Is(err, gitstore.ErrUnknownRevision) || err == nil && !ok {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c.When.Format("2006-01-02")+" "+c.ID[:10]+" "+c.Subject)
		rev = c.ID + "^"
	}
	return out, nil
}

func (w *Workspace) answering() answers.Config {
	all := engine.Vocabulary(vocabulary())
	return answers.Config{
		Layout: w.Layout, FrontMatter: w.Config.Docs.FrontMatter, Check: inspect.Check, Because: inspect.Because,
		Condition: func(facts []fact.Fact) string { return inspect.Condition(all, facts) },
		Lines:     answers.Lines{Locate: inspect.Locate, Move: inspect.Move},
	}
}

// Shown returns the files of the workspace that a model may see. It needs Look.
func (k *Knowledge) Shown() *inspect.Files { return k.shown }

// Observe returns the current digest of a fact. It needs Look.
func (k *Knowledge) Observe(ctx context.Context, f fact.Fact) (string, error) {
	return k.Engine.Observe(ctx, f)
}

// Condition returns the condition that invalidates an answer based on these facts.
func (k *Knowledge) Condition(facts []fact.Fact) string {
	return inspect.Condition(k.Engine.Words(), facts)
}

// Private returns the directory of local files that are not committed.
func (w *Workspace) Private() string { return w.local }

// Conceals reports whether a module has files that no model may see. Its node quotes them, so it is hidden too.
func (k *Knowledge) Conceals(module string) bool {
	return slices.ContainsFunc(k.Evidence(module), func(o fact.Observation) bool {
		return o.Family == fact.Files && !k.workspace.Shows(o.Name)
	})
}

// FactOf returns the fact behind a resolved target.
func FactOf(m Meant) fact.Fact {
	switch {
	case m.Module != "":
		return engine.ConclusionOf(render.ModuleUnit(m.Module))
	case m.Meaning == MeansPrinciple:
		return engine.ConclusionOf(engine.Unit{Kind: rules.PrincipleKind, Subject: m.Name})
	}
	return engine.UnitsOf(render.ModuleKind)
}

func (a *askable) atAnswer(name string) (Meant, bool) {
	if name == answers.Page(a.layout) {
		return Meant{Meaning: MeansAnswers, File: name}, true
	}
	slug, ok := answers.SlugOf(name)
	return Meant{Meaning: MeansAnswer, Name: slug, File: name}, ok
}

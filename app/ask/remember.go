package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/render/answers"
)

// Recall finds the sure answers that share words with a question and hold now, the best first. It looks at the repository only if there
// are some.
func Recall(ctx context.Context, w *workspace.Workspace, question string, most int) ([]answer.Remembered, error) {
	a := &Asker{Workspace: w}
	found := lexical.New()
	list := a.sureAnswers()
	for i, s := range list {
		found.Add(strconv.Itoa(i), s.Question+" "+s.Root.conclusion())
	}
	matches := found.Search(question, most)
	if len(matches) == 0 {
		return nil, nil
	}
	var err error
	if a.Knowledge, err = w.Look(); err == nil {
		err = a.Knowledge.Look(ctx)
	}
	if err != nil {
		return nil, err
	}
	var out []answer.Remembered
	for _, m := range matches {
		i, _ := strconv.Atoi(m.Key) // as it was added
		s := list[i]
		outdated, err := a.outdated(ctx, s)
		if err != nil {
			return nil, err
		}
		if !outdated {
			out = append(out, remembered(s))
		}
	}
	return out, nil
}

func remembered(s *stored) answer.Remembered {
	out := answer.Remembered{Question: s.Question, Answer: s.Root.conclusion(), Confidence: s.Root.Confidence}
	for _, sentence := range s.Root.Sentences {
		for _, c := range sentence.Cites {
			if !slices.Contains(out.Cites, c.String()) {
				out.Cites = append(out.Cites, c.String())
			}
		}
	}
	return out
}

// sureAnswers are those of the repository and of the clone that are sure, each question once.
func (a *Asker) sureAnswers() []*stored {
	var out []*stored
	seen := map[string]bool{}
	add := func(s *stored) {
		if s != nil && s.Sure && !seen[key(s.Question)] {
			seen[key(s.Question)] = true
			out = append(out, s)
		}
	}
	slugs, _ := answers.All(a.Workspace.Files) // causal check reports unreadable ones
	for _, slug := range slugs {
		if k, err := answers.Load(a.Workspace.Files, slug); err == nil && k != nil {
			add(fromKept(slug, k))
		}
	}
	entries, _ := os.ReadDir(a.answersDir()) // a cache
	for _, e := range entries {
		add(readStored(filepath.Join(a.answersDir(), e.Name())))
	}
	return out
}

// Renew re-asks the kept answers that no longer hold. If the model fails, they remain unchanged.
func (a *Asker) Renew(ctx context.Context) error {
	slugs, err := answers.All(a.Workspace.Files)
	if err != nil {
		return err
	}
	for _, slug := range slugs {
		k, err := answers.Load(a.Workspace.Files, slug)
		if err != nil || k == nil {
			continue // causal check reports it
		}
		holds, err := a.holds(ctx, k.Evidence)
		if err == nil && !holds {
			_, err = a.Ask(ctx, Question{Text: k.Question, Depth: MaxDepth, Keep: true, renew: true})
		}
		if failed := new(prompt.FailedError); errors.As(err, &failed) {
			a.Note("kept answers are not asked again: " + failed.Error())
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *Asker) holds(ctx context.Context, evidence []fact.Observation) (bool, error) {
	observer := a.Knowledge.Observer(ctx)
	for _, o := range evidence {
		holds, _, err := observer.Holds(o)
		if !holds || err != nil {
			return false, err
		}
	}
	return true, nil
}

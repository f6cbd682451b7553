package ask

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/render/answers"
)

// mostGiven is how many sentences a given answer may have: as many as the form of a model's answer.
const mostGiven = 60

// Given is an answer that a coding agent found.
type Given struct {
	Question   string
	Sentences  []grounding.Claim
	Confidence float64
	Open       []string
}

// Kept is the outcome for a given answer. Without a sentence, nothing was stored.
type Kept struct {
	*Answer

	Dropped  []prompt.Dropped
	Replaced bool // an earlier answer to the question
}

// Keep stores a given answer in the repository. Its sentences are checked like a model's. The cited places are read now, and are the
// evidence.
func (a *Asker) Keep(ctx context.Context, g Given) (*Kept, error) {
	question, ok := grounding.Clean(g.Question)
	switch {
	case !ok || len(question) > LongestQuestion:
		return nil, usage("the question must be plain text of at most %d bytes", LongestQuestion)
	case !(g.Confidence >= 0 && g.Confidence <= 1):
		return nil, usage("the confidence must be from 0 to 1")
	case len(g.Sentences) > mostGiven:
		return nil, usage("the answer has %d sentences; %d are the most", len(g.Sentences), mostGiven)
	}
	out := &Kept{}
	checked := *a
	checked.Drop = func(_ string, list ...prompt.Dropped) { out.Dropped = list }
	t := &talk{run: &run{Asker: &checked, unit: "answer/" + Slug(question)}, frame: &Frame{Query: question}}
	rests, err := t.showCited(ctx, g.Sentences)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(answered{g.Sentences, g.Confidence, g.Open})
	if err != nil {
		return nil, err
	}
	if err := t.conclude(ctx, raw); err != nil {
		return nil, err
	}
	for _, s := range t.frame.Sentences {
		for _, c := range s.Cites {
			for _, o := range rests[c.Ref] {
				t.frame.add(o)
			}
		}
	}
	_, before := a.kept(question)
	out.Answer = a.answerOf(question, &stored{Question: question, Root: t.frame}, &line{session: a.open("")})
	out.From, out.Replaced = report.FromModel, before != nil
	if len(t.frame.Sentences) == 0 {
		return out, nil
	}
	return out, a.keep(ctx, out.Answer)
}

// showCited reads the cited places of sentences, and returns the facts behind nodes and events. The facts behind lines follow from the cites.
func (t *talk) showCited(ctx context.Context, claims []grounding.Claim) (map[string][]fact.Observation, error) {
	rests := map[string][]fact.Observation{}
	for _, claim := range claims {
		for _, cite := range claim.Cites {
			if _, _, shown := t.shown.Find(cite); shown {
				continue
			}
			t.frame.Evidence = nil
			if err := t.show(ctx, strings.Trim(strings.TrimSpace(cite), "`")); err != nil {
				return nil, err
			}
			cites, _, _ := t.shown.Find(cite)
			for _, c := range cites {
				if c.Ref != "" {
					rests[c.Ref] = t.frame.Evidence
				}
			}
		}
	}
	t.frame.Evidence = nil
	return rests, nil
}

// show reads a cited place: lines or all of a file, a module, a symbol of one, or an event.
func (t *talk) show(ctx context.Context, cite string) error {
	event := strings.TrimPrefix(cite, "event ")
	if answer.NamesEvent(event) {
		_, _, err := t.why(ctx, arguments{Target: event})
		return err
	}
	place := answers.ParseCite(cite)
	if _, _, err := t.read(ctx, arguments{Path: place.File, From: place.From, To: place.To}); err != nil || place.From > 0 {
		return err
	}
	if _, _, shown := t.shown.Find(cite); shown {
		return nil
	}
	t.frame.Evidence = nil // it is no file
	_, _, err := t.node(ctx, arguments{Target: strings.TrimPrefix(cite, "node ")})
	return err
}

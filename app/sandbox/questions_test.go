package sandbox

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// TestAnswersOfAChild: a child answers the questions that there are, in bounded texts.
func TestAnswersOfAChild(t *testing.T) {
	t.Parallel()
	fine := report.Answer{From: report.FromModel, Confidence: 1, Sentences: []grounding.Sentence{{Text: "It does."}}}
	with := func(change func(*report.Answer)) []report.Answer {
		other := fine
		change(&other)
		return []report.Answer{other}
	}
	for name, c := range map[string]struct {
		asked   int
		answers []report.Answer
		wrong   bool
	}{
		"one of one":        {1, []report.Answer{fine}, false},
		"comments are off":  {1, nil, false},
		"one of two":        {2, []report.Answer{fine}, true},
		"nobody asked":      {0, []report.Answer{fine}, true},
		"unknown source":    {1, with(func(a *report.Answer) { a.From = "a person" }), true},
		"too sure":          {1, with(func(a *report.Answer) { a.Confidence = 2 }), true},
		"too many":          {1, with(func(a *report.Answer) { a.Sentences = make([]grounding.Sentence, report.MostAnswered+1) }), true},
		"too many are open": {1, with(func(a *report.Answer) { a.Open = make([]string, report.MostOpen+1) }), true},
		"too long": {1, with(func(a *report.Answer) {
			a.Sentences = []grounding.Sentence{{Text: strings.Repeat("x", longestProblem+1)}}
		}), true},
	} {
		r := &Result{Bot: config.Bot{Mode: "commit"}, Docs: "docs/causal", Report: &report.Update{}, Answers: c.answers}
		if c.asked > 0 {
			r.Report = nil
		}
		if err := r.check(Task{Questions: make([]string, c.asked)}); (err != nil) != c.wrong {
			t.Errorf("%s: %v", name, err)
		}
	}
}

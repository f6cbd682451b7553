package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks"
)

const asking = "ask"

func questionOf(said string) question {
	about := strings.Join(strings.Fields(said), " ")
	switch {
	case about == "":
		return question{answer: "Write `" + webhooks.Word + " " + asking + " QUESTION`."}
	case len(about) > ask.LongestQuestion:
		return question{answer: fmt.Sprintf("A question has at most %d bytes.", ask.LongestQuestion)}
	}
	return question{about: about}
}

// answerQuestions answers questions about the repository at the head of a pull request. It runs separately from the
// analysis, which a slow or large question must not stop. Comments with an answer are skipped, so each costs tokens
// once.
func (b *Bot) answerQuestions(ctx context.Context, c Client, repo github.Repository, p github.Pull, rules string, o *orders) error {
	answered := map[string]bool{}
	for _, q := range o.questions {
		if _, known := answered[q.comment]; q.about == "" || known {
			continue
		}
		_, there, err := c.Sticky(ctx, p.Number, replyMarker(q.comment))
		if err != nil {
			return err
		}
		answered[q.comment] = there
	}
	o.questions = slices.DeleteFunc(o.questions, func(q question) bool { return answered[q.comment] })
	var asked []*question
	task := sandbox.Task{Commit: p.HeadSHA, Rules: rules, Branch: p.Base, Pull: &sandbox.Pull{Number: p.Number, Title: p.Title, Fork: p.Fork, Traits: traits(p)}}
	for i := range o.questions {
		if q := &o.questions[i]; q.about != "" {
			asked, task.Questions = append(asked, q), append(task.Questions, q.about)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	w, err := b.open(ctx, c, repo, task)
	if hopeless(err) {
		for _, q := range asked {
			q.answer = summary.Unanswered(q.about, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, answer := range w.Answers {
		asked[i].answer = summary.Answer(repo.URL, p.HeadSHA, asked[i].about, answer)
	}
	return w.Close()
}

// hopeless reports whether a retry of questions would fail again. The analysis reports these errors too.
func hopeless(err error) bool {
	_, stopped := errors.AsType[*sandbox.StoppedError](err)
	_, refused := errors.AsType[*sandbox.RefusedError](err)
	return stopped || refused || errors.Is(err, gitstore.ErrTooLarge)
}

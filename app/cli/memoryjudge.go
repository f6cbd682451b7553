package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// judged is what a draft says with the cause that a model found for it, if it did. What was found stands in the log with the name of the model: a
// reader can tell it from what a person said.
func judged(ctx context.Context, world IO, draft reasoning.Draft) (reasoning.Draft, error) {
	chat, err := model.From(world.Getenv)
	switch {
	case err != nil:
		return draft, usage(fmt.Errorf("memory add: --judge: %w", err))
	case chat == nil:
		return draft, usage(fmt.Errorf("memory add: --judge needs a model: set %s and %s, or name the cause with --cause", model.NameSetting, model.URLSetting))
	case draft.Because != "" || draft.Relationship != "":
		return draft, usage(errors.New("memory add: use either --cause or --judge"))
	}
	err = inPlace(ctx, world, ".", func(p *place) error {
		causes, err := p.causes(ctx, draft.Text)
		if err != nil {
			return err
		}
		unanswered := 0
		for _, cause := range causes {
			said, err := chat.Answer(ctx, memory.Question(cause.Text, draft.Text))
			if ctx.Err() != nil {
				return err
			}
			if err != nil {
				_, _ = plain.Fprintf(world.Err, "warning: %s; recorded without a cause\n", err)
				return nil
			}
			switch how, verdict := memory.Verdict(said); verdict {
			case memory.NoAnswer:
				unanswered++
			case memory.Led:
				draft.Because, draft.Relationship = string(cause.ID), strings.TrimSuffix(how, ".")+" (judged by "+plain.Line(chat.Name(), longestJudge)+")"
				_, _ = plain.Fprintf(world.Err, "%s names %s as the cause: %s\n  %s\n", chat.Name(), cause.ID.Short(), answer.Line(cause.Text), how)
				return nil
			}
		}
		if unanswered > 0 {
			_, _ = plain.Fprintf(world.Err, "warning: %s gave no answer in the requested form for %d of %d events; recorded without a cause\n", chat.Name(), unanswered, len(causes))
			return nil
		}
		_, _ = plain.Fprintf(world.Err, "%s found no cause among %d events of the last day\n", chat.Name(), len(causes))
		return nil
	})
	return draft, err
}

// longestJudge is how many bytes of the name of a model stand in the log.
const longestJudge = 100

// causes are the events that may have led to something which happens now.
func (p *place) causes(ctx context.Context, text string) ([]*ledger.Event, error) {
	log, err := p.Ledger(ctx, false)
	if err != nil {
		return nil, err
	}
	now, err := p.world.time()
	if err != nil {
		return nil, usage(err)
	}
	embedder, err := p.world.embedder()
	if err != nil {
		return nil, err
	}
	return p.Causes(ctx, log.Log, text, now, embedder, p.unembedded)
}

// unembedded tells that a model made no vectors.
func (p *place) unembedded(err error) {
	_, _ = plain.Fprintf(p.world.Err, "warning: %s; searched by words only\n", err)
}

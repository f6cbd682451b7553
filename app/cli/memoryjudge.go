package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// judged adds the cause that a model found, if any. The log records it with the model's name, which distinguishes it
// from a person's statement.
func judged(ctx context.Context, world IO, draft reasoning.Draft) (reasoning.Draft, error) {
	if draft.Cause != "" || draft.Relationship != "" {
		return draft, usage(errors.New("memory add: use either --cause or --judge"))
	}
	err := inPlace(ctx, world, ".", func(p *place) error {
		if err := p.needModel(prompt.Memory); err != nil {
			return usage(fmt.Errorf("memory add: --judge: %w; or name the cause with --cause", err))
		}
		name := p.Model.Name()
		causes, err := p.causes(ctx, draft.Text)
		if err != nil {
			return err
		}
		unanswered := 0
		for _, cause := range causes {
			how, err := memory.Judge(ctx, p.Model, cause, draft.Text)
			switch reason := prompt.ReasonOf(err); {
			case ctx.Err() != nil:
				return err
			case err != nil && (reason == prompt.NotTheForm || reason == prompt.Refused):
				unanswered++
			case err != nil:
				_, _ = plain.Fprintf(world.Err, "warning: %s; recorded without a cause\n", err)
				return nil
			case how != "":
				draft.Cause, draft.Relationship = string(cause.ID), strings.TrimSuffix(how, ".")+" (judged by "+plain.Line(name, longestJudge)+")"
				_, _ = plain.Fprintf(world.Err, "%s names %s as the cause: %s\n  %s\n", name, cause.ID.Short(), answer.Line(cause.Text), how)
				return nil
			}
		}
		if unanswered > 0 {
			_, _ = plain.Fprintf(world.Err, "warning: %s gave no usable answer for %d of %d events; recorded without a cause\n", name, unanswered, len(causes))
			return nil
		}
		_, _ = plain.Fprintf(world.Err, "%s found no cause among %d events of the last day\n", name, len(causes))
		return nil
	})
	return draft, err
}

// longestJudge bounds a model name in the log, in bytes.
const longestJudge = 100

func (p *place) causes(ctx context.Context, text string) ([]*ledger.Event, error) {
	log, err := p.Ledger(ctx, false)
	if err != nil {
		return nil, err
	}
	now, err := p.world.time()
	if err != nil {
		return nil, usage(err)
	}
	embedder, err := p.embedder()
	if err != nil {
		return nil, err
	}
	return p.Causes(ctx, log.Log, text, now, embedder, p.unembedded)
}

func (p *place) unembedded(err error) {
	_, _ = plain.Fprintf(p.world.Err, "warning: %s; searched by words only\n", err)
}

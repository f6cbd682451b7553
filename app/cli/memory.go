package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/knowledge/ledger"
)

func newMemory(world IO) *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Remember what happened and what led to it, and tell it as a story",
		Long: `Remember what happened and what led to it, in the log under .causal/log/, and tell what led to something: from the root cause to the
effect, and on to what came of it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(newMemoryAdd(world), newMemoryQuery(world), newMemoryExport(world))
	return c
}

func newMemoryAdd(world IO) *cobra.Command {
	var flags recordFlags
	judge := false
	c := &cobra.Command{
		Use:   "add TEXT",
		Short: "Remember that something happened",
		Long: `Remember that something happened, and with --cause which event led to it, which --relationship says in words. An event is named as for
` + "`causal record`" + `, of which this is one type: "causal record effect".

With --judge, the model that CAUSAL_MODEL and CAUSAL_MODEL_URL name is asked instead which of the five events of the last day that are most like
this one led to it. Its first answer of the form "YES: how" is recorded, with its sentence and its name, so that nobody takes it for what a person said. An
answer in any other form, such as a refusal, is recorded nowhere.`,
		Example: `  causal memory add "A bug report named a crash in the invoice export"
  causal memory add "A nil customer was found" --cause "bug report crash invoice export" --relationship "The report had the stack"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			args = []string{string(ledger.Happening), args[0]}
			if judge {
				drafts, err := draftsOf(world, args, flags)
				if err != nil {
					return usage(err)
				}
				if flags.draft, err = judged(cmd.Context(), world, drafts[0].Draft); err != nil {
					return err
				}
				args[1] = flags.draft.Text
			}
			return runRecord(cmd.Context(), world, args, flags)
		},
	}
	c.Flags().StringVar(&flags.draft.Because, "cause", "", "the event that led to it")
	c.Flags().StringVar(&flags.draft.Relationship, "relationship", "", "how that led to it")
	c.Flags().BoolVar(&judge, "judge", false, "have a model say what led to it")
	c.Flags().StringVar(&flags.draft.Source, "source", "", "where it is said: a URL, or a file with a line")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

func newMemoryQuery(world IO) *cobra.Command {
	top, asJSON := 5, false
	c := &cobra.Command{
		Use:   "query TEXT",
		Short: "Tell what led to something, from the beginning",
		Long: `Tell what led to the event that has the most of a question's words, from its root cause on, and what came of it. A position that gave way
to another is told as what holds now. The exit code is 1 when no event has a word of the question.

With CAUSAL_EMBEDDINGS and CAUSAL_EMBEDDINGS_URL, events that a model finds near the question count as well, whatever their words. It is sent the
question and, once, the text of each event. Without an answer of it, words alone decide.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMemoryQuery(cmd.Context(), world, args[0], top, asJSON)
		},
	}
	c.Flags().IntVar(&top, "top", top, "how many events that have words of the question are listed")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runMemoryQuery(ctx context.Context, world IO, question string, top int, asJSON bool) error {
	switch {
	case strings.TrimSpace(question) == "":
		return usage(errors.New("memory query: what is the question?"))
	case top < 1:
		return usage(errors.New("memory query: --top is how many events are listed, one at least"))
	}
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		embedder, err := world.embedder()
		if err != nil {
			return err
		}
		c, err := p.Recall(ctx, log.Log, question, top, embedder, p.unembedded)
		if err != nil {
			return err
		}
		recalled := answer.RecalledOf(log, question, c)
		return orFindings(world.answer(asJSON, recalled, printed(recalled.Text)), len(recalled.Matches) == 0)
	})
}

package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/knowledge/ledger"
)

func newMemory(world IO) *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Record events with their causes, and trace them back",
		Long: `Record events with their causes in the log under .causal/log/, and show the history of an event: from its root cause to
the event and its consequences.`,
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
		Short: "Record an event with its cause",
		Long: `Record an event. --cause names the event that led to it, and --relationship describes how. Name events as for
` + "`causal record`" + `; this command is short for "causal record effect".

With --judge, the model in CAUSAL_MODEL looks for the cause among the five most similar events of the last day. causal records
the first event that the model explicitly names as the cause, marked with the name of the model. A refusal or any other answer
records nothing.`,
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
	world.offlineFlag(c)
	c.Flags().StringVar(&flags.draft.Cause, "cause", "", "the event that led to it")
	c.Flags().StringVar(&flags.draft.Relationship, "relationship", "", "how the cause led to the event; required with --cause")
	c.Flags().BoolVar(&judge, "judge", false, "let a model find the cause")
	c.Flags().StringVar(&flags.draft.Source, "source", "", "the source: a URL, or a file with a line")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

func newMemoryQuery(world IO) *cobra.Command {
	top, asJSON := 5, false
	c := &cobra.Command{
		Use:   "query TEXT",
		Short: "Show the history of an event, from its root cause",
		Long: `Find the event that shares the most words with the question, and show its history from the root cause to its consequences.
A superseded position appears as the position that replaced it. Answers of causal ask that are sure and still hold are shown as
well. The exit code is 1 when nothing shares a word with the question.

With CAUSAL_EMBEDDINGS and CAUSAL_EMBEDDINGS_URL, an embedding model also finds events with other words. causal sends it the
question and, once, the text of each event. If the model does not answer, only words count.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMemoryQuery(cmd.Context(), world, args[0], top, asJSON)
		},
	}
	world.offlineFlag(c)
	c.Flags().IntVar(&top, "top", top, "the number of matching events to list")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runMemoryQuery(ctx context.Context, world IO, question string, top int, asJSON bool) error {
	switch {
	case strings.TrimSpace(question) == "":
		return usage(errors.New("memory query: no question given; see `causal memory query --help`"))
	case top < 1:
		return usage(errors.New("memory query: --top must be at least 1"))
	}
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		embedder, err := p.embedder()
		if err != nil {
			return err
		}
		c, err := p.Recall(ctx, log.Log, question, top, embedder, p.unembedded)
		if err != nil {
			return err
		}
		recalled := answer.RecalledOf(log, question, c)
		if recalled.Answers, err = ask.Recall(ctx, p.Workspace, question, top); err != nil {
			return err
		}
		return orFindings(world.answer(asJSON, recalled, recalled.Text), len(recalled.Matches)+len(recalled.Answers) == 0)
	})
}

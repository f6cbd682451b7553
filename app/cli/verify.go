package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/ledger"
)

func newVerify(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Tell whether the log is what was recorded",
		Long: `Hold the log against itself and against git: every event is what its id says, every file what its name says, everything that an event
has seen is there, and no file is missing that a commit of this history has. What is wrong is told with the file, the event and the commit. In a
shallow clone the history is not known, which is told as well. Whoever rewrites both the log and the whole history of git is
not found so.

The exit code is 1 when something is wrong.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runVerify(cmd.Context(), world, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

type verified struct {
	OK bool `json:"ok"`
	answer.Scope
	Problems []ledger.Problem `json:"problems"`
}

func runVerify(ctx context.Context, world IO, asJSON bool) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, true)
		if err != nil {
			return err
		}
		done := verified{len(log.Problems) == 0, answer.ScopeOf(log), append([]ledger.Problem{}, log.Problems...)}
		err = world.answer(asJSON, done, func(w io.Writer) error {
			var b strings.Builder
			for _, problem := range log.Problems {
				where := problem.File
				if problem.Event != "" {
					where += " event " + problem.Event.Short()
				}
				plain.Add(&b, "%-15s  %s: %s\n", problem.Kind, strings.TrimSpace(where), problem.Detail)
			}
			if done.OK {
				plain.Add(&b, "the log is whole: %s\n", answer.Told(log))
			} else {
				plain.Add(&b, "%s; git has what was there: `git log -m --full-history -- %s`\n", summary.Count(len(log.Problems), "problem"), ".causal/log")
			}
			_, err := io.WriteString(w, b.String())
			return err
		})
		return orFindings(err, !done.OK)
	})
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

type whyFlags struct{ json, full bool }

func newWhy(world IO) *cobra.Command {
	var flags whyFlags
	c := &cobra.Command{
		Use:   "why TARGET",
		Short: "Explain a statement: its evidence, its last change and its condition",
		Long: `Explain a statement: the files and symbols that it was derived from, the condition that makes it stale, the commit that
changed it last, and its frame.

TARGET is a name from a page or from the code:
  a module          internal/money, or money if that is unique
  a symbol          internal/money.Parse, money.Parse, Parse; also with its file or class, as on a page
  a file            cart/cart.go, ../cart.go, cart.go: lists the statements from it and their pages
  a page            docs/causal/modules/internal/money.md, also with an anchor; docs/causal/index.md
  a node file       .causal/nodes/internal/money.yml
  an interface      SHOP_CURRENCY, --addr, "GET /total", "shop serve"; write "--" before a flag that why also has
  a unit            module/internal/money, page/index, as in the output of other commands
  a principle       principle/no-float, .causal/principles/no-float.yml
  a test spec       .causal/specs/internal/money/Parse.yml, or one of its tests
  a frame           s-0123456789ab/0123456789abcdef, or only the part after the slash
  a kept answer     .causal/answers/how-are-amounts-read-7632554a.yml, docs/causal/answers.md
  an event          8f3a90c1, the beginning of its id, or '"a quotation"' in double quotes: its history
Paths are relative to the current directory or to the root of the repository. If a name is ambiguous, causal lists the
candidates; if it is unknown, causal lists similar names. Both end with exit code 2.`,
		Example: "  causal why internal/money\n  causal why money.Parse\n  causal why docs/causal/modules/internal/money.md#parse\n  causal why SHOP_CURRENCY",
		// a documented flag can be a target
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
	}
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object, with everything")
	c.Flags().BoolVar(&flags.full, "full", false, "print all evidence, not only the strongest")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		own, targets := ownFlags(cmd, args)
		if err := cmd.Flags().Parse(own); err != nil {
			return cmd.FlagErrorFunc()(cmd, err)
		}
		if help, err := cmd.Flags().GetBool("help"); help || err != nil {
			return errors.Join(err, cmd.Help())
		}
		if err := cobra.ExactArgs(1)(cmd, targets); err != nil {
			return usage(fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath()))
		}
		if strings.TrimSpace(targets[0]) == "" {
			return usage(fmt.Errorf("the target is empty; see `%s --help`", cmd.CommandPath()))
		}
		return runWhy(cmd.Context(), world, targets[0], flags)
	}
	return c
}

// ownFlags separates the command's own flags from targets, which may look like flags.
func ownFlags(cmd *cobra.Command, args []string) (own, targets []string) {
	for i, arg := range args {
		if arg == "--" {
			return own, append(targets, args[i+1:]...)
		}
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		long := strings.HasPrefix(arg, "--") && cmd.Flags().Lookup(name) != nil
		short := !strings.HasPrefix(arg, "--") && strings.HasPrefix(arg, "-") && len(name) == 1 && cmd.Flags().ShorthandLookup(name) != nil
		if long || short {
			own = append(own, arg)
		} else {
			targets = append(targets, arg)
		}
	}
	return own, targets
}

func runWhy(ctx context.Context, world IO, target string, flags whyFlags) error {
	if answer.NamesEvent(target) {
		found := false
		err := inPlace(ctx, world, ".", func(p *place) (err error) {
			found, err = p.whyEvent(ctx, target, flags.json)
			return err
		})
		if found || err != nil {
			return err
		}
	}
	return looking(ctx, world, ".", func(p *place, e *workspace.Knowledge) error {
		a, err := answer.Explain(ctx, p.Workspace, e, world.Dir, target)
		var unknown *workspace.UnknownError
		if errors.As(err, &unknown) && answer.Quotes(target) {
			return exit{ExitFindings, fmt.Errorf("why %s: no recorded statement and no path has this name", target)}
		}
		if err != nil {
			return p.notMeant(err, flags.full)
		}
		return world.answer(flags.json, a, func() string { return a.Text(flags.full) })
	})
}

// whyEvent prints the trail of the event that a target names. It returns false if there is none: digits may name a
// frame, and quoted text a path.
func (p *place) whyEvent(ctx context.Context, target string, asJSON bool) (bool, error) {
	log, err := p.Ledger(ctx, false)
	if err != nil {
		return false, err
	}
	trail, err := answer.TrailOf(log, target)
	var dropped *reasoning.DropError
	switch {
	case errors.As(err, &dropped) && dropped.Reason == reasoning.NoCandidate:
		return false, nil
	case errors.As(err, &dropped):
		return true, exit{ExitFindings, errors.New("why " + target + ": " + dropped.Detail + choose(log, dropped.Candidates))}
	case err != nil:
		return false, err
	}
	p.doubt(log)
	return true, p.world.answer(asJSON, trail, trail.Text)
}

func choose(log *workspace.Ledger, list []reasoning.Candidate) string {
	var rows [][]string
	for _, c := range answer.CandidatesOf(log, list) {
		rows = append(rows, []string{"causal why " + c.ID.Short(), answer.Line(c.Text)})
	}
	if len(rows) == 0 {
		return ""
	}
	return "; choose one\n  " + strings.Join(answer.Table(rows), "\n  ")
}

// mostChoices bounds a list of alternatives without --full.
const mostChoices = 12

// notMeant turns an ambiguous or unknown target into a usage error.
func (p *place) notMeant(err error, full bool) error {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	switch {
	case errors.As(err, &several):
		return usage(fmt.Errorf("why %s: the name is ambiguous; choose one%s", several.Target, choices(several.Choices, full)))
	case errors.As(err, &unknown) && len(unknown.Nearest) > 0:
		return usage(fmt.Errorf("why %s: %s; did you mean%s\nor see %s; `causal update` reads new files",
			unknown.Target, unknown.Because, choices(unknown.Nearest, full), p.Layout.Index()))
	case errors.As(err, &unknown):
		return usage(fmt.Errorf("why %s: %s; `causal update` first, or see %s", unknown.Target, unknown.Because, p.Layout.Index()))
	}
	return err
}

func choices(list []workspace.Choice, full bool) string {
	var rows [][]string
	for i, c := range list {
		if i == mostChoices && !full {
			rows = append(rows, []string{fmt.Sprintf("… and %d more: --full", len(list)-i)})
			break
		}
		rows = append(rows, []string{"causal why " + answer.ShellWord(c.Typed), answer.Line(c.About)})
	}
	return "\n  " + strings.Join(answer.Table(rows), "\n  ")
}

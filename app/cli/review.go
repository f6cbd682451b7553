package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/record"
)

const never = "never"

type reviewFlags struct {
	base, head   string
	sarif        []string
	state        string
	format       string
	json         bool
	failOn       string
	closed, key  string
	vet          bool
	dismiss, why string
}

func newReview(world IO) *cobra.Command {
	var flags reviewFlags
	c := &cobra.Command{
		Use:   "review [path]",
		Short: "Report problems in a change",
		Long: `Report problems in a change. The change begins at --base (default: where the branch left the default branch) and ends at
--head (default: the work tree with uncommitted files). causal's own checks compare both versions; linter findings (--sarif)
count on added and edited lines.

--state keeps the findings of a change from run to run, so each is reported as new, open, fixed or not checked again.
--close ends the change: its findings go to .causal/reviews, and recurring ones become principles in .causal/principles.

The exit code is 1 if any finding is at or above --fail-on, or a linter or skill failed. With --fail-on never it is 0.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := flags.check(cmd.Flags().Changed("format"))
			if err == nil && len(args) > 0 {
				err = notRange(world, args[0])
			}
			if err != nil {
				return usage(fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath()))
			}
			return runReview(cmd.Context(), world, first(args, "."), flags)
		},
	}
	world.offlineFlag(c)
	f := c.Flags()
	f.StringVar(&flags.base, "base", "", "the revision to compare with (default: where the branch left the default branch)")
	f.StringVar(&flags.head, "head", "", "the revision to review instead of the work tree")
	f.StringArrayVar(&flags.sarif, "sarif", nil, "a SARIF log of a linter (repeatable)")
	f.StringVar(&flags.state, "state", "", "the file with the findings of earlier reviews of the change")
	f.StringVar(&flags.format, "format", "text", "the output format: text, json, sarif or github")
	f.BoolVar(&flags.json, "json", false, "print one JSON object, as --format json does")
	f.StringVar(&flags.failOn, "fail-on", string(finding.Warning), "the lowest severity that fails: error, warning, note or never")
	f.BoolVar(&flags.vet, "vet", true, "run go vet on the changed Go packages, if the head is checked out")
	f.StringVar(&flags.closed, "close", "", "end the change: merged or unmerged")
	f.StringVar(&flags.key, "as", "", "the name of the change in .causal/reviews, such as pr-12")
	f.StringVar(&flags.dismiss, "dismiss", "", "the id of a finding to dismiss; it is not reported again")
	f.StringVar(&flags.why, "reason", "", "the reason for the dismissal")
	return c
}

// check rejects incompatible flags before anything is done.
func (f *reviewFlags) check(formatted bool) error {
	if f.json && !formatted {
		f.format = "json"
	}
	switch {
	case f.json && f.format != "json":
		return fmt.Errorf("--json contradicts --format %s", f.format)
	case formats.Get()[f.format] == nil:
		return fmt.Errorf("--format %q is not one of text, json, sarif and github", f.format)
	case f.failOn != never && !finding.Severity(f.failOn).Valid():
		return fmt.Errorf("--fail-on %q is not one of error, warning, note and never", f.failOn)
	case f.closed != "" && !slices.Contains([]record.Outcome{record.Merged, record.Unmerged}, record.Outcome(f.closed)):
		return fmt.Errorf("--close %q is neither merged nor unmerged", f.closed)
	case (f.closed == "") != (f.key == ""):
		return errors.New("--close and --as go together: the outcome and the name of the change")
	case (f.dismiss == "") != (f.why == ""):
		return errors.New("--dismiss and --reason go together")
	case f.dismiss != "" && f.state == "":
		return errors.New("--dismiss needs --state, the file with the finding")
	}
	if f.key != "" {
		return record.CheckKey(f.key)
	}
	return nil
}

// notRange rejects a range of revisions in the place of a path.
func notRange(world IO, at string) error {
	base, head, ok := strings.Cut(at, "..")
	head = strings.TrimPrefix(head, ".")
	if _, err := os.Lstat(world.path(at)); err == nil || !ok || base == "" || strings.HasSuffix(base, "/") || strings.HasPrefix(head, "/") {
		return nil
	}
	return fmt.Errorf("%s is a range of revisions, not a path: use --base %s and --head %s", at, base, cmp.Or(head, "HEAD"))
}

func runReview(ctx context.Context, world IO, at string, flags reviewFlags) error {
	return openAt(ctx, world, workspace.WorkTree{Dir: at, Revision: flags.head}, func(p *place) error {
		if err := p.openModel(false); err != nil {
			return err
		}
		r, err := p.review(ctx, flags)
		if err != nil {
			return err
		}
		if r.Model = p.Model.Report(); flags.format == "text" {
			p.tellModel()
		}
		if err := formats.Get()[flags.format](world, p.Repo.Root(), r); err != nil {
			return err
		}
		return flags.failing(world, r)
	})
}

// failing returns the exit error for findings at or above --fail-on, and prints the reason as the last line.
func (f *reviewFlags) failing(world IO, r *report.Review) error {
	if f.failOn == never {
		return nil
	}
	found, carried := r.Bad(finding.Severity(f.failOn))
	var why []string
	for _, c := range []struct {
		n    int
		what string
	}{{found, "finding"}, {carried, "carried finding"}} {
		if c.n > 0 {
			why = append(why, summary.Count(c.n, c.what))
		}
	}
	if len(why) > 0 {
		why = []string{fmt.Sprintf("%s at or above %q", strings.Join(why, " and "), f.failOn)}
	}
	if n := len(r.Coverage.Failed); n > 0 {
		why = append(why, summary.Count(n, "check")+" without a result")
	}
	if len(why) == 0 {
		return nil
	}
	out := world.Err
	if f.format == "text" {
		out = world.Out
	}
	_, err := plain.Fprintf(out, "failed: %s (--fail-on)\n", strings.Join(why, "; "))
	return orFindings(err, true)
}

func (p *place) review(ctx context.Context, flags reviewFlags) (*report.Review, error) {
	in, err := p.readInput(ctx, flags)
	if err != nil {
		return nil, err
	}
	if in.change.Tests, err = p.TestsOf(ctx, in.change.Base.ID); err != nil {
		return nil, err
	}
	found, err := p.Review(ctx, in.change)
	if err != nil {
		return nil, err
	}
	for _, note := range found.Absent {
		_, _ = plain.Fprintf(p.world.Err, "%s\n", note)
	}
	promoted, err := p.closeChange(ctx, flags, in)
	if err != nil {
		return nil, err
	}
	if err := in.keepState(); err != nil {
		return nil, err
	}
	return p.ReportOf(in.change, found, promoted), nil
}

// closeChange records the change's outcome if --close is set.
func (p *place) closeChange(ctx context.Context, flags reviewFlags, in *reviewInput) ([]string, error) {
	if flags.closed == "" {
		return nil, nil
	}
	if err := p.lock(ctx); err != nil {
		return nil, err
	}
	r := record.New(record.Change{
		Key: flags.key, Base: in.change.Base.ID, Head: in.head.ID, Outcome: record.Outcome(flags.closed), At: in.head.When, Author: in.head.Author,
	}, in.change.State)
	return p.CloseChange(r, in.memory)
}

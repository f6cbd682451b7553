package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

type verifyFlags struct {
	copies []string
	keys   []string
	json   bool
}

func newVerify(world IO) *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:   "verify",
		Short: "Tell whether the log is what was recorded",
		Long: `Hold the log against itself, against git, and against checkpoints: every event is what its id says, every file what its name says, everything
that an event has seen is there, no file is missing that a commit of this history has, and the log has all events that any signed checkpoint has seen. What is
wrong is told with the file, the event and the commit. In a shallow clone the history is not known, which is told as well.

A checkpoint is written with each record of a clone that has a key, which causal init gives it. Where nothing is wrong, the clone remembers the newest ones of the
branch that are committed, and is held to them from then on, also when the whole history is another one. Who takes back commits on purpose removes
.git/causal/checkpoints.json.

Who rewrites both the log and the whole history of git can remove or replace checkpoints and keys as well, which a clone that is new cannot see by itself:
  --checkpoint   holds the log to a checkpoint that was kept elsewhere: a copy of the file that this command names
  --key          lets only checkpoints count that are signed with this key: the line in its file under .causal/log/keys/
A key alone does not tell an old state of the log from the newest one; a copy does. Nothing tells who added an event: who may push may add.

The exit code is 1 when something is wrong.`,
		Example: `  causal verify
  causal verify --checkpoint ~/backup/project.note
  causal verify --key "$(cat ~/backup/project.pub)"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runVerify(cmd.Context(), world, flags) },
	}
	c.Flags().StringArrayVar(&flags.copies, "checkpoint", nil, "a copy of a checkpoint that was kept elsewhere (again for another)")
	c.Flags().StringArrayVar(&flags.keys, "key", nil, "a key whose signatures count, and no others (again for another)")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

type verified struct {
	OK bool `json:"ok"`
	answer.Scope
	Checkpoint string           `json:"checkpoint"`
	Covered    int              `json:"covered"`
	Problems   []ledger.Problem `json:"problems"`
}

// outside reads what a log is held to besides its own files.
func (flags verifyFlags) outside(world IO) (o ledger.Outside, err error) {
	for _, name := range flags.copies {
		data, err := readUpTo(world.path(name), ledger.MostCheckpoint)
		if err != nil {
			return o, fmt.Errorf("--checkpoint: %w", err)
		}
		o.Copies = append(o.Copies, ledger.File{Path: name, Data: data})
	}
	slices.Sort(flags.keys)
	for _, text := range slices.Compact(flags.keys) {
		key, err := ledger.ParseKey(text)
		if err != nil {
			return o, fmt.Errorf("--key: %w", err)
		}
		o.Keys = append(o.Keys, key)
	}
	return o, nil
}

// readUpTo reads a file, and one byte more than most of one that is larger.
func readUpTo(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func runVerify(ctx context.Context, world IO, flags verifyFlags) error {
	outside, err := flags.outside(world)
	if err != nil {
		return usage(err)
	}
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, true)
		if err != nil {
			return err
		}
		held, err := p.HoldLedger(ctx, log, outside)
		if err != nil {
			return err
		}
		done := verified{len(log.Problems) == 0, answer.ScopeOf(log), held.Newest, held.Covered, append([]ledger.Problem{}, log.Problems...)}
		err = world.answer(flags.json, done, func(w io.Writer) error {
			_, err := io.WriteString(w, done.text(log, held.Sees))
			return err
		})
		return orFindings(err, !done.OK)
	})
}

// text tells it to people; newest is how many events the newest checkpoint vouches for.
func (v verified) text(log *workspace.Ledger, newest int) string {
	var b strings.Builder
	for _, problem := range v.Problems {
		where := problem.File
		if problem.Event != "" {
			where += " event " + problem.Event.Short()
		}
		plain.Add(&b, "%-15s  %s: %s\n", problem.Kind, strings.TrimSpace(where), problem.Detail)
	}
	if v.OK {
		plain.Add(&b, "the log is whole: %s\n", answer.Told(log))
	} else {
		plain.Add(&b, "%s; git has what was there: `git log -m --full-history -- %s`\n", summary.Count(len(v.Problems), "problem"), store.Log)
	}
	if v.Checkpoint != "" {
		plain.Add(&b, "checkpoints vouch for %d of them; the newest, for %d, is %s\n", v.Covered, newest, v.Checkpoint)
	}
	return b.String()
}

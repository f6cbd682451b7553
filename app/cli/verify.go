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
		Short: "Verify the integrity of the log",
		Long: `Verify the log against its own hashes, the git history and signed checkpoints:
  - the content of each event and file matches its id and name
  - the log has the predecessors of each event
  - no file is missing that a commit of this history has
  - the log has all events that a signed checkpoint covers
Each problem is reported with its file, event and commit. In a shallow clone the history is unknown, and the output says so.

A clone with a key (see causal init) writes a checkpoint with each record. After a run without problems, the clone remembers
the newest committed checkpoints of the branch and compares later runs with them, even if the whole history was rewritten. If
you removed commits on purpose, delete .git/causal/checkpoints.json.

An attacker who rewrites both the log and the git history can also replace checkpoints and keys. A new clone cannot detect
that alone:
  --checkpoint   compares the log with a copy of a checkpoint, kept elsewhere; this command prints its file name
  --key          accepts only checkpoints signed with this key: the line in its file under .causal/log/keys/
A key alone does not detect an old state of the log; a copy of a checkpoint does. The check does not prove the author of an
event: every user with push access can add one.

The exit code is 1 when the command finds a problem.`,
		Example: `  causal verify
  causal verify --checkpoint ~/backup/project.note
  causal verify --key "$(cat ~/backup/project.pub)"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runVerify(cmd.Context(), world, flags) },
	}
	c.Flags().StringArrayVar(&flags.copies, "checkpoint", nil, "a copy of a checkpoint (repeatable)")
	c.Flags().StringArrayVar(&flags.keys, "key", nil, "accept only signatures of this key (repeatable)")
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

// readUpTo reads at most most+1 bytes of a file, which reveals a larger one.
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
		err = world.answer(flags.json, done, func() string { return done.text(log, held.Sees) })
		return orFindings(err, !done.OK)
	})
}

// text formats the result. newest is the number of events that the newest checkpoint covers.
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
		plain.Add(&b, "log OK: %s\n", answer.ScopeText(log))
	} else {
		plain.Add(&b, "%s; find the earlier content with: `git log -m --full-history -- %s`\n", summary.Count(len(v.Problems), "problem"), store.Log)
	}
	if v.Checkpoint != "" {
		plain.Add(&b, "checkpoints cover %d of them; the newest, with %d, is %s\n", v.Covered, newest, v.Checkpoint)
	}
	return b.String()
}

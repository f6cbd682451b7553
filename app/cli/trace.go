package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

func newTrace(world IO) *cobra.Command {
	var asJSON bool
	var reads string
	c := &cobra.Command{
		Use:   "trace [SESSION|RUN]",
		Short: "Show the recorded sessions and the last runs, or one of them",
		Long: `Show the sessions under .causal/frames/, or the call tree of one of them: each question, its conclusion, and whether its
evidence is still valid. A session of causal ask has a call tree as well: name it.

Below the sessions are the last runs on this machine: updates, reviews, test generation, questions and skills. The trace of a run
lists its steps, with what each read and wrote, how long it took, and its model calls and tokens. Traces are in the local cache.

--reads lists the steps that read a value or what is concluded about a unit.`,
		Example: "  causal trace\n  causal trace --reads module/internal/money\n  causal trace --reads working.artifacts.modules",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if reads != "" && len(args) > 0 {
				return usage(errors.New("--reads takes no session"))
			}
			return runTrace(cmd.Context(), world, first(args, ""), reads, asJSON)
		},
	}
	c.Flags().StringVar(&reads, "reads", "", "list the steps of the last runs that read `REF`")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

type traceFrame struct {
	Frame     string   `json:"frame"`
	Depth     int      `json:"depth"`
	Query     string   `json:"query"`
	Concluded string   `json:"conclusion"`
	Status    string   `json:"status"`
	Outcome   string   `json:"outcome"`
	Verified  int      `json:"verified"`
	Total     int      `json:"total"`
	Failures  []string `json:"failures"`
}

type traceAnswer struct {
	Session  string       `json:"session"`
	Prompt   string       `json:"prompt"`
	Files    int          `json:"files"`
	Verified string       `json:"verified"`
	Frames   []traceFrame `json:"frames"`
}

type traceLine struct {
	Session string `json:"session"`
	Prompt  string `json:"prompt"`
	Files   int    `json:"files"`
	Frames  int    `json:"frames"`
}

func runTrace(ctx context.Context, world IO, id, reads string, asJSON bool) error {
	return looking(ctx, world, ".", func(p *place, e *workspace.Knowledge) error {
		if reads != "" {
			return p.readers(reads, asJSON)
		}
		if run := p.runOf(id); run != nil {
			return world.answer(asJSON, run, func() string { return runText(run) })
		}
		if id != "" {
			// only the index knows the evidence of pages: without it, they must be rendered again
			if _, err := e.Check(ctx); err != nil {
				return err
			}
		}
		if err := e.Look(ctx); err != nil {
			return err
		}
		if id == "" {
			return p.listSessions(ctx, e, asJSON)
		}
		r, err := e.Session(ctx, id)
		if asked, ok := (&ask.Asker{Workspace: p.Workspace}).Session(id); ok && errors.Is(err, fs.ErrNotExist) {
			r, err = asked, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return usage(fmt.Errorf("trace %s: no such session; `causal trace` lists them, and earlier ones are in the git history", id))
		}
		if err != nil {
			return err
		}
		v, err := e.Verify(ctx, r)
		if err != nil {
			return err
		}
		a := traceOf(r, v)
		return world.answer(asJSON, a, a.text)
	})
}

func (p *place) listSessions(ctx context.Context, e *workspace.Knowledge, asJSON bool) error {
	ids, err := p.Sessions()
	if err != nil {
		return err
	}
	list := []traceLine{}
	for _, id := range ids {
		r, err := e.Session(ctx, id)
		if err != nil {
			return err
		}
		list = append(list, traceLine{id, r.InitialPrompt, len(r.Files), r.Tree.Len()})
	}
	if len(list) == 0 && !asJSON {
		_, _ = fmt.Fprintln(p.world.Err, "no sessions yet; causal update records one when it changes a node")
	}
	runs := p.Traces()
	return p.world.answer(asJSON, map[string]any{"sessions": list, "runs": runs}, func() string {
		var b strings.Builder
		for _, l := range list {
			plain.Add(&b, "%s  %s  (%s%s)\n", l.Session, l.Prompt, about(l.Files), summary.Count(l.Frames, "frame"))
		}
		for _, r := range runs[:min(len(runs), mostRuns)] {
			plain.Add(&b, "  %s\n", runLine(&r)) // indented to distinguish it from sessions
		}
		return b.String()
	})
}

func about(files int) string {
	if files == 0 {
		return ""
	}
	return summary.Count(files, "file") + ", "
}

// unverified is the outcome of a frame without known evidence, which can never be invalidated.
const unverified frame.Outcome = "unverified"

func traceOf(r session.Record, v frame.Verification) traceAnswer {
	a := traceAnswer{Session: r.SessionID, Prompt: r.InitialPrompt, Files: len(r.Files), Frames: []traceFrame{}}
	verdicts := map[string]frame.Verdict{}
	for _, x := range v.Verdicts {
		if x.Outcome == frame.Holds && x.Total == 0 {
			x.Outcome = unverified
			v.Verified--
		}
		verdicts[x.FrameID] = x
	}
	a.Verified = v.String()
	for _, f := range r.Tree.Frames() {
		x := verdicts[f.ID]
		t := traceFrame{
			Frame: f.ID, Depth: f.Depth, Query: f.Query, Concluded: f.Conclusion, Status: string(f.Status),
			Outcome: string(x.Outcome), Verified: x.Verified, Total: x.Total, Failures: []string{},
		}
		for _, failure := range x.Failures {
			t.Failures = append(t.Failures, failure.Why)
		}
		a.Frames = append(a.Frames, t)
	}
	return a
}

func (a traceAnswer) text() string {
	var b strings.Builder
	plain.Add(&b, "%s  %s  (%s%s of the frames are valid)\n", a.Session, a.Prompt, about(a.Files), strings.TrimPrefix(a.Verified, "verified "))
	for _, f := range a.Frames {
		indent := strings.Repeat("  ", f.Depth)
		state := f.Status + ", " + f.Outcome
		if f.Total > 0 {
			state += fmt.Sprintf(", %d of %d", f.Verified, f.Total)
		}
		plain.Add(&b, "%s%s  %s  [%s]\n", indent, f.Frame, f.Query, state)
		if f.Concluded != "" {
			plain.Add(&b, "%s  → %s\n", indent, f.Concluded)
		}
		for _, x := range f.Failures[:min(len(f.Failures), 5)] {
			plain.Add(&b, "%s  ✗ %s\n", indent, x)
		}
	}
	return b.String()
}

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

type recordFlags struct {
	draft   reasoning.Draft
	from    string
	retypes string
	propose string
	json    bool
	imports
}

func newRecord(world IO) *cobra.Command {
	var flags recordFlags
	c := &cobra.Command{
		Use:   "record TYPE [TEXT]",
		Short: "Record a proposal, an objection or a decision",
		Long: `Record a proposal, an objection or a decision as a typed event in the log under .causal/log/. causal derives from the
events which positions are current, superseded or contested (see ` + "`causal decisions`" + `). The log is append-only.

TYPE is one of
  proposition     a proposal
  contradiction   an objection to --target; with --effect challenges, the target is contested but stays current
  refinement      a new version of --target, or an answer to the contradiction in --resolves
  synthesis       the common ground of two or more --target; with --supersedes, it replaces them
  park, resume    put --target aside, and reopen it
  withdraw        the author takes --target back
  confirm         a person confirms --target
  effect          an event that happened
TEXT is the statement; "-" reads it from standard input.

Name an event by its id, by the first eight or more digits of the id, by a "quotation" in double quotes, by its source, or in
three or more distinctive words, which must match exactly one event clearly. Otherwise causal records nothing and lists the candidates.

--adr records the architecture decision records of a directory: Markdown files whose names begin with a number. Each document
is a proposition, or a refinement of the documents that it supersedes. An accepted document is also confirmed, a rejected one
withdrawn, a deprecated one parked. A later run records only new and changed documents.

--reverts records the reverts in the history of HEAD. The reverted commit is a proposition, and the revert is a contradiction
with the reason from its message. A revert of the revert withdraws it. --since skips reverts in an earlier revision. A later
run records only new reverts.

--reviews records the decisions of reviews. A principle in force is a proposition; a declined or removed one is withdrawn.
A finding that was dismissed with a reason makes its rule a proposition and the reason a contradiction.

--document records the statements of a Markdown document in their order: each line, item or heading that begins with
"Proposal:", "Objection:", "Concern:", "Instead:", "Synthesis:", "Decision:", "Confirmed:", "Parked:", "Resumed:" or
"Withdrawn:". A statement refers to its parent item, to the quotation before its colon, or to the previous statement of its
section. A later run records only new statements.

--retypes records an event again under another TYPE and withdraws the first one; TEXT is the reason. Replies stay with the
withdrawn event.

--propose asks a language model to find events in a discussion: meeting notes, an exported thread, or the transcript of a
session with a coding agent. The model only selects statements: each event has the words of the discussion and its line.
causal prints them, one JSON object a line, and records nothing. Review them, then record the correct ones with --from.
CAUSAL_MODEL names the model.

--from records the events of FILE. Each line is a JSON object with "type", "text" and the names of the flags as keys
("targets" and so on are lists); events can name each other by "key". An invalid event does not stop the others.

Exit codes: 1 when an event was dropped, 2 when the command line is invalid.`,
		Example: `  causal record proposition "Store sessions in a cookie"
  causal record contradiction "Cookies are too small" --target "sessions stored in a cookie"
  causal record refinement "Store an id in the cookie, and sessions in the database" --resolves '"Cookies are too small"'
  causal record --from meeting.jsonl
  causal record --adr docs/adr
  causal record --reverts --since v1.0.0
  causal record --reviews
  causal record --document docs/notes/2026-05-01.md
  causal record --propose meeting.md > meeting.jsonl`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRecord(cmd.Context(), world, args, flags)
		},
	}
	world.offlineFlag(c)
	f := c.Flags()
	f.StringArrayVar(&flags.draft.Targets, "target", nil, "the event that this one refers to (repeatable)")
	f.StringArrayVar(&flags.draft.Resolves, "resolves", nil, "the contradiction that a refinement answers (repeatable)")
	f.StringArrayVar(&flags.draft.Considers, "considers", nil, "an event that the author took into account (repeatable)")
	f.StringVar((*string)(&flags.draft.Effect), "effect", "", "the effect of a contradiction: defeats (default) or challenges")
	f.BoolVar(&flags.draft.Supersedes, "supersedes", false, "a synthesis replaces its targets")
	f.StringVar(&flags.draft.Source, "source", "", "the source: a URL, or a file with a line")
	f.StringVar(&flags.draft.Cause, "cause", "", "the event that led to it")
	f.StringVar(&flags.draft.Relationship, "relationship", "", "how the cause led to the event; required with --cause")
	f.StringVar(&flags.draft.Actor, "actor", "", "the author of the statement (default: git's author)")
	f.StringVar(&flags.retypes, "retypes", "", "the event to record again under this type")
	f.StringVar(&flags.from, "from", "", "record the events of a JSON Lines file; - is standard input")
	flags.imports.add(f)
	f.StringVar(&flags.propose, "propose", "", "print the events that a model finds in a discussion; - is standard input")
	f.BoolVar(&flags.json, "json", false, "print one JSON object")
	f.StringVar(&flags.draft.Cause, "because", "", "the former name of --cause")
	_ = f.MarkHidden("because")
	return c
}

func runRecord(ctx context.Context, world IO, args []string, flags recordFlags) error {
	from, err := flags.chosen(len(args)+len(flags.from)+len(flags.retypes) > 0)
	if err == nil && flags.retypes != "" {
		from, err = flags.retype(args)
	}
	if err != nil {
		return usage(err)
	}
	if flags.propose != "" {
		if len(args)+len(flags.from) > 0 || from != nil {
			return usage(errors.New("record: --propose cannot be combined with a type, a text or other flags"))
		}
		return runPropose(ctx, world, flags.propose)
	}
	var drafts []reasoning.Imported
	if from == nil {
		if drafts, err = draftsOf(world, args, flags); err != nil {
			return usage(err)
		}
	}
	return inPlace(ctx, world, ".", func(p *place) error {
		if err := p.lock(ctx); err != nil {
			return err
		}
		done, err := p.record(ctx, drafts, from)
		if err != nil {
			return err
		}
		if err := world.answer(flags.json, done, func() string { return done.Text(flags.standsAt(from != nil)) }); err != nil {
			return err
		}
		if from != nil && len(done.Recorded)+len(done.Dropped) == 0 && !flags.json {
			_, _ = fmt.Fprintln(world.Err, "nothing new: the log has all events of this source")
		}
		if page, err := p.Files.Read(p.Layout.Index()); len(done.Recorded) > 0 && err == nil && len(page) > 0 {
			_, _ = fmt.Fprintln(world.Err, "next: causal update, which adds it to the pages")
		}
		if flags.from == "" && from == nil && len(done.Dropped) > 0 && done.Dropped[0].Reason == reasoning.InvalidPayload {
			return exit{code: ExitUsage}
		}
		return orFindings(nil, len(done.Dropped) > 0)
	})
}

// draftsOf reads the events before the repository is opened: standard input may take long.
func draftsOf(world IO, args []string, flags recordFlags) ([]reasoning.Imported, error) {
	switch {
	case flags.from != "" && len(args) > 0:
		return nil, errors.New("record: --from cannot be combined with a type or text")
	case flags.from != "":
		return readDrafts(world, flags.from)
	case len(args) == 0:
		return nil, errors.New("record: give a type and a text, or --from FILE; see `causal record --help`")
	}
	flags.draft.Type = ledger.Type(args[0])
	if len(args) == 2 {
		flags.draft.Text = args[1]
	}
	if flags.draft.Text == "-" {
		text, err := io.ReadAll(io.LimitReader(world.In, ledger.MostText+1))
		if err != nil {
			return nil, fmt.Errorf("record: read the text: %w", err)
		}
		flags.draft.Text = string(text)
	}
	return []reasoning.Imported{{Line: 1, Draft: flags.draft}}, nil
}

// longestLine bounds a JSON event, in bytes.
const longestLine = 1 << 20

func readDrafts(world IO, name string) ([]reasoning.Imported, error) {
	in := world.In
	if name != "-" {
		f, err := os.Open(world.path(name))
		if err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var out []reasoning.Imported
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		d, err := reasoning.ParseDraft(lines.Bytes())
		out = append(out, reasoning.Imported{Line: number, Draft: d, Err: err})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("record: read %s after line %d: %w", name, number, err)
	}
	return out, nil
}

// record records drafts, or those that an importer finds.
func (p *place) record(ctx context.Context, drafts []reasoning.Imported, from importer) (none answer.Recorded, err error) {
	log, err := p.Ledger(ctx, false)
	if err != nil {
		return none, err
	}
	p.doubt(log)
	actor, err := p.Repo.AuthorName(ctx)
	if err != nil {
		return none, err
	}
	at, err := p.world.time()
	if err != nil {
		return none, usage(err)
	}
	r := reasoning.NewRecorder(log.Log)
	by := answer.Recording{Actor: actor, At: at}
	if from != nil {
		by = answer.Recording{Again: true} // an import is by another author and from another time
		if drafts, err = from(ctx, p, r); err != nil {
			return none, err
		}
	}
	return by.Record(p.Workspace, log, r, drafts)
}

func (w IO) time() (string, error) {
	now := w.Now()
	if epoch := w.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q; it must be seconds since 1970", epoch)
		}
		now = time.Unix(seconds, 0)
	}
	return now.UTC().Format(time.RFC3339), nil
}

// standsAt returns the position of a dropped draft, as a prefix for messages.
func (f *recordFlags) standsAt(imported bool) func(answer.Dropped) string {
	return func(d answer.Dropped) string {
		switch {
		case f.from != "":
			return fmt.Sprintf("line %d: ", d.Line)
		case imported && d.Source != "":
			return d.Source + ": "
		}
		return ""
	}
}

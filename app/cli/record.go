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
		Short: "Record what was proposed, objected, refined or decided",
		Long: `Record a typed event in the log under .causal/log/: what somebody thinks, and what it does to what was thought before.
What is current, superseded or contested follows from the events (see ` + "`causal decisions`" + `); the log itself is only ever added to.

TYPE is one of
  proposition     somebody proposes something
  contradiction   --target: something speaks against it; with --effect challenges it is contested and not given up
  refinement      --target or --resolves: it is thought in another way now, which may answer a contradiction
  synthesis       --target twice or more: what several have in common; with --supersedes it stands in their place
  park, resume    --target: put it aside, and take it up again
  withdraw        --target: whoever said it takes it back
  confirm         --target: a person says that it holds
  effect          something happened
TEXT is what was said; "-" reads it from standard input.

Events are named by an id or eight digits and more of its beginning, by a "quotation" in double quotes, by the source that they were
recorded with, or in words. Words have to fit one event clearly: where none or two do, nothing is recorded, and what may have been
meant is told. Nothing is guessed.

With --adr, the architecture decision records of a directory are recorded: Markdown files that begin with a number. What a document decides is a
proposition, or a refinement of those that it supersedes; one that is accepted is confirmed, one that is rejected withdrawn, one that is
deprecated parked. Recorded again, only what is new or says something else is.

With --reverts, what the history of HEAD took back is recorded: a commit that was reverted is a proposition, the revert a contradiction
with the reason that its message gives, and a revert of the revert takes that back. --since leaves out reverts that are in an
earlier revision. Recorded again, only later ones are.

With --reviews, what reviews decided is recorded: a principle in force is a proposition, and one that was declined or taken back is
withdrawn; a finding that somebody dismissed for a reason is a proposition of the rule, and the reason a contradiction.

With --document, what stands in a Markdown document is recorded in its order: each line, item or heading that begins with "Proposal:",
"Objection:", "Concern:", "Instead:", "Synthesis:", "Decision:", "Confirmed:", "Parked:", "Resumed:" or "Withdrawn:". What it is about is the item that it
stands under, or what it quotes before the colon, or the statement before it in its section. Recorded again, only what is new is.

With --retypes, an event that was recorded as something else than it is is recorded anew, in its words and as a TYPE, and withdrawn; TEXT is why. What
was said about it stays with the one that is withdrawn.

With --propose, a language model looks for events in a discussion: notes of a meeting, an exported thread, the transcript of a session with a coding
agent. It points at statements, and writes none: each event has the words of the discussion and its line. They are printed, a line of JSON each, and nothing is recorded; who has looked at
them records what is right with --from. CAUSAL_MODEL and CAUSAL_MODEL_URL say which model.

With --from, each line of FILE is an event as a JSON object with "type", "text" and what the flags are called ("targets" and so on are
lists); they may name each other by "key". An event that is dropped keeps no other from being recorded.

Exit codes: 1 when an event was dropped, 2 when the command line itself makes no event.`,
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
	f := c.Flags()
	f.StringArrayVar(&flags.draft.Targets, "target", nil, "an event that it is about (again for another)")
	f.StringArrayVar(&flags.draft.Resolves, "resolves", nil, "a contradiction that a refinement answers")
	f.StringArrayVar(&flags.draft.Considers, "considers", nil, "an event in the light of which it is said")
	f.StringVar((*string)(&flags.draft.Effect), "effect", "", "of a contradiction: defeats (the default) or challenges")
	f.BoolVar(&flags.draft.Supersedes, "supersedes", false, "a synthesis stands in the place of its parts")
	f.StringVar(&flags.draft.Source, "source", "", "where it was said: a URL, or a file with a line")
	f.StringVar(&flags.draft.Because, "because", "", "the event that led to it")
	f.StringVar(&flags.draft.Relationship, "relationship", "", "how that led to it")
	f.StringVar(&flags.draft.Actor, "actor", "", "who said it (the default is git's author)")
	f.StringVar(&flags.retypes, "retypes", "", "an event that is of this type, and was recorded as another")
	f.StringVar(&flags.from, "from", "", "record the events of a file, one a line; - is standard input")
	flags.imports.add(f)
	f.StringVar(&flags.propose, "propose", "", "have a model find the events of a discussion, and print them; - is standard input")
	f.BoolVar(&flags.json, "json", false, "print one JSON object")
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
			return usage(errors.New("record: --propose reads a discussion and records nothing; give nothing else beside it"))
		}
		return runPropose(ctx, world, flags.propose)
	}
	var drafts []answer.Draft
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
		if err := world.answer(flags.json, done, printed(func() string { return done.Text(flags.standsAt(from != nil)) })); err != nil {
			return err
		}
		if page, err := p.Files.Read(p.Layout.Index()); len(done.Recorded) > 0 && err == nil && len(page) > 0 {
			_, _ = fmt.Fprintln(world.Err, "next: causal update, which tells of it on the pages")
		}
		if flags.from == "" && from == nil && len(done.Dropped) > 0 && done.Dropped[0].Reason == reasoning.InvalidPayload {
			return exit{code: ExitUsage}
		}
		return orFindings(nil, len(done.Dropped) > 0)
	})
}

// draftsOf reads what is to be recorded, before anything is looked at: standard input may take long.
func draftsOf(world IO, args []string, flags recordFlags) ([]answer.Draft, error) {
	switch {
	case flags.from != "" && len(args) > 0:
		return nil, errors.New("record: the events come from --from; give no type or text beside it")
	case flags.from != "":
		return readDrafts(world, flags.from)
	case len(args) == 0:
		return nil, errors.New("record: what is to be recorded? Give a type and a text, or --from FILE; see `causal record --help`")
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
	return []answer.Draft{{Line: 1, Draft: flags.draft}}, nil
}

// longestLine is how many bytes an event has as a line of JSON.
const longestLine = 1 << 20

func readDrafts(world IO, name string) ([]answer.Draft, error) {
	in := world.In
	if name != "-" {
		f, err := os.Open(world.path(name))
		if err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var out []answer.Draft
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		d, err := reasoning.ParseDraft(lines.Bytes())
		out = append(out, answer.Draft{Line: number, Draft: d, Err: err})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("record: read %s behind line %d: %w", name, number, err)
	}
	return out, nil
}

// record records drafts, or where they come from something that the repository has, what that says.
func (p *place) record(ctx context.Context, drafts []answer.Draft, from importer) (none answer.Recorded, err error) {
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
		by = answer.Recording{Again: true} // whoever records a document did not say it, and not today
		if drafts, err = from(ctx, p, r); err != nil {
			return none, err
		}
	}
	return by.Record(p.Workspace, log, r, drafts)
}

// time is now, or what SOURCE_DATE_EPOCH says that it is.
func (w IO) time() (string, error) {
	now := w.Now()
	if epoch := w.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q, and should be seconds since 1970", epoch)
		}
		now = time.Unix(seconds, 0)
	}
	return now.UTC().Format(time.RFC3339), nil
}

// standsAt says where a draft stands that was dropped.
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

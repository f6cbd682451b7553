package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

type decisionFlags struct {
	all, json bool
	about     string
}

func newDecisions(world IO) *cobra.Command {
	var flags decisionFlags
	c := &cobra.Command{
		Use:   "decisions",
		Short: "Tell what is thought now: what holds, what is contested, what is open",
		Long: `Tell the current state of thinking, as it follows from the events of the log: what holds, what is contested, and which objections
nobody has answered. "settled" is what survived an objection or was confirmed by a person; what nobody ever objected to is
"unchallenged", which is not the same. What is told goes as far as the log does: what was never recorded is not known.`,
		Example: `  causal decisions
  causal decisions --about "usage-based pricing"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDecisions(cmd.Context(), world, flags) },
	}
	c.Flags().BoolVar(&flags.all, "all", false, "also what was superseded, resolved and parked")
	c.Flags().StringVar(&flags.about, "about", "", "only what a text is about, with what was thought of it before")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

// scope is how far the log goes.
type scope struct {
	Heads   []ledger.ID `json:"heads"`
	Events  int         `json:"events"`
	History string      `json:"history"`
}

type decided struct {
	AsOf      scope  `json:"as_of"`
	Current   []item `json:"current"`
	Contested []item `json:"contested"`
	Open      []item `json:"open"`
	Past      []item `json:"past"`
}

type item struct {
	ID           ledger.ID          `json:"id"`
	Type         ledger.Type        `json:"type"`
	Text         string             `json:"text"`
	Status       reasoning.Status   `json:"status"`
	Standing     reasoning.Standing `json:"standing"`
	SupersededBy ledger.ID          `json:"superseded_by,omitempty"`
	Challenges   []ledger.ID        `json:"challenges"`
	Actor        string             `json:"actor"`
	At           string             `json:"at"`
	Source       string             `json:"source"`
	Trail        []ledger.ID        `json:"trail"`
}

func scopeOf(log *workspace.Ledger) scope {
	history := "checked"
	if !log.Checked {
		history = "unchecked"
	}
	return scope{append([]ledger.ID{}, log.Heads()...), len(log.Events()), history}
}

func itemsOf(list []reasoning.Item) []item {
	out := make([]item, 0, len(list))
	for _, i := range list {
		e := i.Event
		out = append(out, item{
			e.ID, e.Type, e.Text, i.Status, i.Standing, i.SupersededBy, append([]ledger.ID{}, i.Challenges...), e.Actor, e.At, e.Source, i.Trail,
		})
	}
	return out
}

// doubt says that the log is not whole, to whoever is told what follows from it.
func (p *place) doubt(log *workspace.Ledger) {
	if n := len(log.Problems); n > 0 {
		_, _ = plain.Fprintf(p.world.Err, "warning: the log has %s, and what is told does not count what is not as it was written; see `causal verify`\n", summary.Count(n, "problem"))
	}
}

func runDecisions(ctx context.Context, world IO, flags decisionFlags) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		r := reasoning.NewRecorder(log.Log)
		var only map[ledger.ID]float64
		if flags.about != "" {
			only = r.Near(flags.about)
		}
		state := r.Graph().State(only)
		if !flags.all && flags.about == "" {
			state.Past = nil
		}
		answer := decided{scopeOf(log), itemsOf(state.Current), itemsOf(state.Contested), itemsOf(state.Open), itemsOf(state.Past)}
		return world.answer(flags.json, answer, func(w io.Writer) error { return printDecisions(w, log, state, flags.about) })
	})
}

func printDecisions(w io.Writer, log *workspace.Ledger, s reasoning.State, about string) error {
	var b strings.Builder
	if len(s.Current)+len(s.Open)+len(s.Past) == 0 {
		switch {
		case about != "":
			plain.Add(&b, "nothing that is recorded has words of %q\n", about)
		default:
			plain.Add(&b, "nothing is recorded yet; `causal record proposition TEXT` records a first thought\n")
		}
	}
	for _, part := range []struct {
		title string
		items []reasoning.Item
		only  func(reasoning.Item) bool
	}{
		{"Settled", s.Current, standing(reasoning.Settled)},
		{"Contested", s.Current, standing(reasoning.Contested)},
		{"Not challenged so far", s.Current, standing(reasoning.Unchallenged)},
		{"Objections that nobody answered", s.Pending(), func(reasoning.Item) bool { return true }},
		{"Past", s.Past, func(reasoning.Item) bool { return true }},
	} {
		titled := false
		for _, i := range part.items {
			if !part.only(i) {
				continue
			}
			if !titled {
				plain.Add(&b, "%s\n", part.title)
				titled = true
			}
			printItem(&b, log, i)
		}
	}
	plain.Add(&b, "%s\n", told(log))
	_, err := io.WriteString(w, b.String())
	return err
}

func standing(want reasoning.Standing) func(reasoning.Item) bool {
	return func(i reasoning.Item) bool { return i.Standing == want }
}

// told says how far an answer goes.
func told(log *workspace.Ledger) string {
	text := "as of " + summary.Count(len(log.Events()), "event")
	if events := log.Events(); len(events) > 0 {
		text += ", the newest of " + day(events[len(events)-1].At)
	}
	if !log.Checked {
		text += "; this clone does not have the whole history, so nobody can tell whether the log lacks some"
	}
	return text
}

// day is the day of a time.
func day(at string) string {
	date, _, _ := strings.Cut(at, "T")
	return date
}

// printItem prints a position with what makes it what it is, a line each.
func printItem(b *strings.Builder, log *workspace.Ledger, i reasoning.Item) {
	plain.Add(b, "  %s  %s  (%s)\n", i.Event.ID.Short(), oneLine(i.Event.Text), said(i.Event))
	line := func(how string, ids ...ledger.ID) {
		for _, id := range ids {
			if e, ok := log.Find(id); ok {
				plain.Add(b, "              %s %s  %s\n", how, e.ID.Short(), oneLine(e.Text))
			}
		}
	}
	if i.Status == reasoning.Parked {
		by, _ := log.Find(i.Away)
		how := "is put aside"
		if by.Type == ledger.Withdraw {
			how = "was withdrawn"
		}
		plain.Add(b, "              %s%s\n", how, reasonOf(by))
	}
	if !i.Holds() {
		line("was spoken against by", i.Against...)
	}
	if i.SupersededBy != "" && !slices.Contains(i.Against, i.SupersededBy) {
		line("gave way to", i.SupersededBy)
	}
	line("is contested by", i.Challenges...)
	if i.Event.Type == ledger.Contradiction {
		line("speaks against", i.Event.Targets...)
	} else {
		line("comes from", i.Event.Targets...)
	}
	line("answers", i.Event.Resolves...)
}

// reasonOf is why an event was made, behind what it did.
func reasonOf(e *ledger.Event) string {
	if e.Text == "" {
		return ""
	}
	return ": " + oneLine(e.Text)
}

// said is what kind of event something is, whose and of which day.
func said(e *ledger.Event) string {
	parts := []string{string(e.Type)}
	if e.Actor != "" {
		parts = append(parts, e.Actor)
	}
	if e.At != "" {
		parts = append(parts, day(e.At))
	}
	return strings.Join(parts, ", ")
}

func newLog(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "log",
		Short: "List what was recorded, in order",
		Long: `List all events of the log in their order: what had been seen when something was recorded comes first. Events of two branches that
did not know of each other have an order as well, which says nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLog(cmd.Context(), world, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

type logEvent struct {
	ID           ledger.ID     `json:"id"`
	Type         ledger.Type   `json:"type"`
	Text         string        `json:"text"`
	Targets      []ledger.ID   `json:"targets,omitempty"`
	Resolves     []ledger.ID   `json:"resolves,omitempty"`
	Considers    []ledger.ID   `json:"considers,omitempty"`
	Effect       ledger.Effect `json:"effect,omitempty"`
	Supersedes   bool          `json:"supersedes,omitempty"`
	Cause        ledger.ID     `json:"cause,omitempty"`
	Relationship string        `json:"relationship,omitempty"`
	About        string        `json:"about,omitempty"`
	Source       string        `json:"source,omitempty"`
	Actor        string        `json:"actor,omitempty"`
	At           string        `json:"at,omitempty"`
	Parents      []ledger.ID   `json:"parents"`
	Lamport      int64         `json:"lamport"`
}

func eventOf(e *ledger.Event) logEvent {
	return logEvent{
		e.ID, e.Type, e.Text, e.Targets, e.Resolves, e.Considers, e.Effect, e.Supersedes, e.Cause, e.Relationship, e.About, e.Source, e.Actor, e.At,
		append([]ledger.ID{}, e.Parents...), e.Lamport,
	}
}

func runLog(ctx context.Context, world IO, asJSON bool) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		events := log.Events()
		list := make([]logEvent, len(events))
		for i := range events {
			list[i] = eventOf(&events[i])
		}
		if len(events) == 0 && !asJSON {
			_, _ = fmt.Fprintln(world.Err, "nothing is recorded yet; `causal record proposition TEXT` records a first thought")
		}
		return world.answer(asJSON, map[string]any{"as_of": scopeOf(log), "events": list}, func(w io.Writer) error {
			for i := range events {
				if _, err := plain.Fprintf(w, "%s  %-13s  %s  %s\n", events[i].ID.Short(), events[i].Type, day(events[i].At), oneLine(events[i].Text)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

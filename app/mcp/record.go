package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// said has the common arguments of the record tools.
type said struct {
	Considers []string `json:"considers,omitempty" jsonschema:"events that the statement takes into account, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Source    string   `json:"source,omitempty"    jsonschema:"the source: a URL, a file with a line, a session; the same text from the same source is recorded once"`
	Actor     string   `json:"actor,omitempty"     jsonschema:"the author of the statement, if not git's author in this repository"`
}

type proposition struct {
	Text string `json:"text" jsonschema:"the proposal, in one or two sentences that need no context"`
	said
	Cause        string `json:"cause,omitempty"        jsonschema:"the event that led to this one, named as in considers; needs relationship"`
	Relationship string `json:"relationship,omitempty" jsonschema:"how that event led to this one, in words"`
}

type contradiction struct {
	Text    string   `json:"text"             jsonschema:"the objection and its reason"`
	Targets []string `json:"targets"          jsonschema:"the events that it objects to, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Effect  string   `json:"effect,omitempty" jsonschema:"defeats (default: the target is superseded) or challenges (the target is contested but stays current)"`
	said
}

type refinement struct {
	Text     string   `json:"text"               jsonschema:"the new version of the position"`
	Targets  []string `json:"targets,omitempty"  jsonschema:"the events that it replaces, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Resolves []string `json:"resolves,omitempty" jsonschema:"the contradictions that it answers, named like targets; it replaces the positions that they object to"`
	said
}

type synthesis struct {
	Text       string   `json:"text"                 jsonschema:"the common ground of the targets"`
	Targets    []string `json:"targets"              jsonschema:"two or more events that it combines, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Supersedes bool     `json:"supersedes,omitempty" jsonschema:"whether it replaces the targets"`
	said
}

type act struct {
	Targets []string `json:"targets"        jsonschema:"the events to change, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Text    string   `json:"text,omitempty" jsonschema:"why"`
	said
}

type confirmation struct {
	Targets []string `json:"targets"          jsonschema:"the confirmed events, each by its id, a quotation in double quotes, or words that match one event clearly"`
	Actor   string   `json:"actor"            jsonschema:"the person who confirmed it; one person cannot confirm for another, and a program cannot confirm"`
	Text    string   `json:"text,omitempty"   jsonschema:"the words of that person"`
	Source  string   `json:"source,omitempty" jsonschema:"the source: a URL, a file with a line, a session"`
}

type happening struct {
	Effect       string `json:"effect"                 jsonschema:"the event, in one sentence that needs no context"`
	Cause        string `json:"cause,omitempty"        jsonschema:"the event that led to this one, by its id, a quotation in double quotes, or words that match one event clearly; needs relationship; without a cause, the event is a root cause"`
	Relationship string `json:"relationship,omitempty" jsonschema:"how the cause led to the event, in words"`
	Source       string `json:"source,omitempty"       jsonschema:"the source: a URL, a file with a line, a session"`
	Actor        string `json:"actor,omitempty"        jsonschema:"the person who did or saw it, if not git's author in this repository"`
}

func (s *Server) addRecording() {
	addRecord(s, "memory_add_event", "Record an event", "Records an event and its cause. Call it after each significant action or observation of yours. Causes are never guessed: name one, or the event becomes a root cause. memory_query shows the history.",
		func(in happening) reasoning.Draft {
			return reasoning.Draft{Type: ledger.Happening, Text: in.Effect, Cause: in.Cause, Relationship: in.Relationship, Source: in.Source, Actor: in.Actor}
		})
	addRecord(s, "record_proposition", "Record a proposition", "Records a proposal or a decision. It stays current until an objection defeats it or another position replaces it.",
		func(in proposition) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Proposition, Text: in.Text, Cause: in.Cause, Relationship: in.Relationship})
		})
	addRecord(s, "record_contradiction", "Record a contradiction", "Records an objection to a recorded position. With effect challenges the position is contested but stays current; otherwise it is superseded.",
		func(in contradiction) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Contradiction, Text: in.Text, Targets: in.Targets, Effect: ledger.Effect(in.Effect)})
		})
	addRecord(s, "record_refinement", "Record a refinement", "Records a new version of a position (targets), or the answer to a contradiction (resolves). Give at least one of the two.",
		func(in refinement) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Refinement, Text: in.Text, Targets: in.Targets, Resolves: in.Resolves})
		})
	addRecord(s, "record_synthesis", "Record a synthesis", "Records the common ground of two or more positions. They stay current unless supersedes is set.",
		func(in synthesis) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Synthesis, Text: in.Text, Targets: in.Targets, Supersedes: in.Supersedes})
		})
	for _, one := range []struct {
		name, title, about string
		as                 ledger.Type
	}{
		{"record_park", "Park a position", "Puts a recorded position aside for later. It is not part of the current decisions until record_resume reopens it.", ledger.Park},
		{"record_resume", "Resume a position", "Reopens a parked or withdrawn position. It returns to the current decisions in its earlier state.", ledger.Resume},
		{"record_withdraw", "Withdraw an event", "Withdraws recorded events and all their effects. Use it for events recorded by mistake.", ledger.Withdraw},
	} {
		addRecord(s, one.name, one.title, one.about, func(in act) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: one.as, Text: in.Text, Targets: in.Targets})
		})
	}
	addRecord(s, "record_confirm", "Record a confirmation", "Records a person's confirmation, which makes a position settled. Use it only if a person told you so explicitly.",
		func(in confirmation) reasoning.Draft {
			return reasoning.Draft{Type: ledger.Confirm, Text: in.Text, Targets: in.Targets, Source: in.Source, Actor: in.Actor}
		})
}

func (s said) draft(d reasoning.Draft) reasoning.Draft {
	d.Considers, d.Source, d.Actor = s.Considers, s.Source, s.Actor
	return d
}

func addRecord[In any](s *Server, name, title, about string, draft func(In) reasoning.Draft) {
	add(s, tool[In]{
		name: name, title: title, about: about, adds: true, result: answer.Recorded{}, rest: "Use the id to name the event.",
		run: func(ctx context.Context, client string, in In) (*answered, error) {
			return s.record(ctx, client, draft(in))
		},
	})
}

// record adds an event to the log. A dropped event returns the reason and a remedy.
func (s *Server) record(ctx context.Context, client string, d reasoning.Draft) (a *answered, err error) {
	at, err := s.Time()
	if err != nil {
		return nil, err
	}
	err = s.write(ctx, func(w *workspace.Workspace, log *workspace.Ledger) error {
		author, err := w.Repo.AuthorName(ctx)
		if err != nil {
			return err
		}
		if d.Type == ledger.Confirm && reasoning.IsProgram(d.Actor, log.Log, client) {
			return fmt.Errorf("%q is a program, and only a person can confirm: give actor the name of the person who told you so", d.Actor)
		}
		d.Source = cmp.Or(d.Source, place(client, log.Log))
		r := reasoning.NewRecorder(log.Log)
		done, err := answer.Recording{Actor: author, At: at}.Record(w, log, r, []reasoning.Imported{{Draft: d, Line: 1}})
		if err == nil {
			a = recorded(done, log, r.Graph())
		}
		return err
	})
	return a, err
}

func recorded(done answer.Recorded, log *workspace.Ledger, g *reasoning.Graph) *answered {
	var b strings.Builder
	b.WriteString(done.Text(func(answer.Dropped) string { return "" }))
	failed := false
	for _, d := range done.Dropped {
		plain.Add(&b, "%s\n", mend[d.Reason])
		failed = d.Reason != reasoning.Duplicate
	}
	for _, e := range done.Recorded {
		for _, id := range touched(log, e.ID) {
			if i := g.Item(id); i.Status != "" {
				now := string(i.Status)
				if i.Holds() && i.Standing == reasoning.Settled {
					now = string(i.Standing)
				}
				plain.Add(&b, "now %s %s: %s\n", now, id.Short(), answer.Line(i.Event.Text))
			}
		}
	}
	return &answered{text: b.String() + doubt(log), value: done, failed: failed}
}

// touched returns the positions that an event affects: its targets, and the targets of the contradictions that it
// resolves.
func touched(log *workspace.Ledger, id ledger.ID) (out []ledger.ID) {
	e, _ := log.Find(id)
	out = append(append(out, e.Targets...), e.Resolves...)
	for _, c := range e.Resolves {
		if against, ok := log.Find(c); ok {
			out = append(out, against.Targets...)
		}
	}
	return out
}

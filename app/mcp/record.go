package mcp

import (
	"cmp"
	"context"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// said is what all records have.
type said struct {
	Considers []string `json:"considers,omitempty" jsonschema:"events in the light of which it is said, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Source    string   `json:"source,omitempty"    jsonschema:"where it was said: a URL, a file with a line, a session; the same words from the same source are recorded once"`
	Actor     string   `json:"actor,omitempty"     jsonschema:"who said it, where that is not git's author of this repository"`
}

type proposition struct {
	Text string `json:"text" jsonschema:"what is proposed, in one or two sentences that can be understood alone"`
	said
	Because      string `json:"because,omitempty"      jsonschema:"the event that led to it, named as in considers; needs relationship"`
	Relationship string `json:"relationship,omitempty" jsonschema:"how that event led to it, in words"`
}

type contradiction struct {
	Text    string   `json:"text"             jsonschema:"what speaks against it, and why"`
	Targets []string `json:"targets"          jsonschema:"the events that it speaks against, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Effect  string   `json:"effect,omitempty" jsonschema:"defeats (the default: the target is given up) or challenges (the target is contested and holds on)"`
	said
}

type refinement struct {
	Text     string   `json:"text"               jsonschema:"how it is thought now"`
	Targets  []string `json:"targets,omitempty"  jsonschema:"the events whose place it takes, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Resolves []string `json:"resolves,omitempty" jsonschema:"the contradictions that it answers, named as targets are; it then takes the place of what they spoke against"`
	said
}

type synthesis struct {
	Text       string   `json:"text"                 jsonschema:"what the targets have in common"`
	Targets    []string `json:"targets"              jsonschema:"two events or more that it draws on, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Supersedes bool     `json:"supersedes,omitempty" jsonschema:"whether it stands in their place from now on"`
	said
}

type act struct {
	Targets []string `json:"targets"        jsonschema:"the events that it is done to, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Text    string   `json:"text,omitempty" jsonschema:"why"`
	said
}

type confirmation struct {
	Targets []string `json:"targets"          jsonschema:"the events that were confirmed, each by its id, a quotation in double quotes, or words that fit one event clearly"`
	Actor   string   `json:"actor"            jsonschema:"the person who said that it holds; nobody confirms for somebody else, and a program for nobody"`
	Text    string   `json:"text,omitempty"   jsonschema:"what that person said"`
	Source  string   `json:"source,omitempty" jsonschema:"where that was said: a URL, a file with a line, a session"`
}

type happening struct {
	Effect       string `json:"effect"                 jsonschema:"what happened, in one sentence that can be understood alone"`
	Cause        string `json:"cause,omitempty"        jsonschema:"the event that led to it, by its id, a quotation in double quotes, or words that fit one event clearly; needs relationship; without it this is the beginning of a story"`
	Relationship string `json:"relationship,omitempty" jsonschema:"how the cause led to it, in words"`
	Source       string `json:"source,omitempty"       jsonschema:"where it is said: a URL, a file with a line, a session"`
	Actor        string `json:"actor,omitempty"        jsonschema:"who did it or saw it, where that is not git's author of this repository"`
}

func (s *Server) addRecording() {
	addRecord(s, "memory_add_event", "Remember what happened", "Remember that something happened, and what led to it: call it after each significant action or observation of yours. A cause is never guessed: name it, or the event stands at the beginning of its story. memory_query tells the story.",
		func(in happening) reasoning.Draft {
			return reasoning.Draft{Type: ledger.Happening, Text: in.Effect, Because: in.Cause, Relationship: in.Relationship, Source: in.Source, Actor: in.Actor}
		})
	addRecord(s, "record_proposition", "Record a proposition", "Record that something was proposed or decided. It holds until something speaks against it or takes its place.",
		func(in proposition) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Proposition, Text: in.Text, Because: in.Because, Relationship: in.Relationship})
		})
	addRecord(s, "record_contradiction", "Record a contradiction", "Record what speaks against something that is recorded. With effect challenges it is contested and holds on, otherwise it is given up.",
		func(in contradiction) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Contradiction, Text: in.Text, Targets: in.Targets, Effect: ledger.Effect(in.Effect)})
		})
	addRecord(s, "record_refinement", "Record a refinement", "Record how something is thought now that was thought otherwise before (targets), or what answers a contradiction (resolves). One of the two is needed.",
		func(in refinement) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Refinement, Text: in.Text, Targets: in.Targets, Resolves: in.Resolves})
		})
	addRecord(s, "record_synthesis", "Record a synthesis", "Record what two or more recorded positions have in common. They hold on, unless supersedes says that it stands in their place.",
		func(in synthesis) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: ledger.Synthesis, Text: in.Text, Targets: in.Targets, Supersedes: in.Supersedes})
		})
	for _, one := range []struct {
		name, title, about string
		as                 ledger.Type
	}{
		{"record_park", "Put something aside", "Put a recorded position aside: not now. It is out of the discussion until record_resume takes it up.", ledger.Park},
		{"record_resume", "Take something up again", "Take up again what was put aside or taken back: it is in the discussion as it was before.", ledger.Resume},
		{"record_withdraw", "Take something back", "Take back what was recorded: it is as if it had never done what it did. Use it for what was recorded by mistake.", ledger.Withdraw},
	} {
		addRecord(s, one.name, one.title, one.about, func(in act) reasoning.Draft {
			return in.draft(reasoning.Draft{Type: one.as, Text: in.Text, Targets: in.Targets})
		})
	}
	addRecord(s, "record_confirm", "Record a confirmation", "Record that a person said that something holds, which makes it settled. Only for what a person told you in so many words.",
		func(in confirmation) reasoning.Draft {
			return reasoning.Draft{Type: ledger.Confirm, Text: in.Text, Targets: in.Targets, Source: in.Source, Actor: in.Actor}
		})
}

func (s said) draft(d reasoning.Draft) reasoning.Draft {
	d.Considers, d.Source, d.Actor = s.Considers, s.Source, s.Actor
	return d
}

// addRecord adds a tool that records one event.
func addRecord[In any](s *Server, name, title, about string, draft func(In) reasoning.Draft) {
	add(s, tool[In]{
		name: name, title: title, about: about, kind: adds, result: answer.Recorded{}, rest: "The id is enough to name it.",
		run: func(ctx context.Context, client string, in In) (*answered, error) {
			return s.record(ctx, client, draft(in))
		},
	})
}

// record adds an event to the log. One that is dropped is told with the reason, and with what to do about it.
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
		d.Source = cmp.Or(d.Source, place(client, log.Log))
		r := reasoning.NewRecorder(log.Log)
		done, err := answer.Recording{Actor: author, At: at}.Record(w, log, r, []answer.Draft{{Draft: d, Line: 1}})
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
				plain.Add(&b, "now %s %s: %s\n", i.Status, id.Short(), answer.Line(i.Event.Text))
			}
		}
	}
	return &answered{text: b.String() + doubt(log), value: done, failed: failed}
}

// touched are the positions that an event does something to: what it is about, and what is behind that.
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

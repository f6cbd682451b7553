package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

type target struct {
	Target string `json:"target" jsonschema:"a module (internal/money), a symbol (money.Parse), a file, a page, an environment variable, a flag or a route, a principle (principle/no-float), a test spec, or an event by its id or a quotation in double quotes; paths begin at the root of the repository"`
}

type words struct {
	Query string `json:"query"         jsonschema:"what to find, in words"`
	Top   int    `json:"top,omitempty" jsonschema:"number of hits, 10 by default and 50 at most"`
}

type change struct {
	Base string `json:"base,omitempty" jsonschema:"the revision to compare the work tree with; default: where the branch left the default branch"`
}

type question struct {
	Question string `json:"question"          jsonschema:"a question about this repository, in a sentence"`
	Session  string `json:"session,omitempty" jsonschema:"the session of an earlier answer: the question refines the last one there"`
	Pivot    bool   `json:"pivot,omitempty"   jsonschema:"whether the question suspends the last one of the session, for another direction"`
	Fresh    bool   `json:"fresh,omitempty"   jsonschema:"whether to ask again although the stored answer holds"`
}

func (s *Server) addKnowing() {
	add(s, tool[question]{
		name: "ask", title: "Answer a question", result: ask.Answer{},
		about: "Answers a question about this repository, with the lines that each sentence rests on. A stored answer is given while everything that it rests on is unchanged. If the user set a model, it looks around in the code and that takes a while; otherwise the answer quotes modules, pages and recorded events.",
		rest:  "Ask a narrower question.",
		run:   s.ask,
	})
	add(s, tool[target]{
		name: "why", title: "Explain a statement",
		about: "Explains a statement: its text, the files and symbols that it was derived from, the condition that makes it stale, its last change, and whether it is fresh. For an event, shows its history.",
		rest:  "Run `causal why TARGET --full` in a terminal.",
		run:   s.why,
	})
	add(s, tool[target]{
		name: "node", title: "Describe a module",
		about: "Describes the module of the target: purpose, public API with signatures and places, dependencies and dependants, flags, environment variables and routes, and whether this is fresh. For a target outside of modules, answers like why.",
		rest:  "Read the resource causal://node/MODULE, or the named page.",
		run:   s.node,
	})
	add(s, tool[words]{
		name: "search", title: "Find by words", result: answer.Found{},
		about: "Finds modules, symbols, pages, principles and recorded events by words. Each hit has a target for why and node.",
		rest:  "Use rarer words for fewer hits.",
		run:   s.search,
	})
	add(s, tool[change]{
		name: "review_findings", title: "Review the change",
		about: "Reports problems of the change in the work tree, including uncommitted files: broken APIs, stale references, violated principles of this repository, and findings of go vet. Call it before you report a task as done.",
		rest:  "Run `causal review` in a terminal.",
		run:   s.review,
	})
}

func (s *Server) ask(ctx context.Context, _ string, in question) (*answered, error) {
	return s.answer(ctx, s.asking, func(w *workspace.Workspace) (*answered, error) {
		note := ""
		if err := w.OpenModel(s.Getenv, false, func(text string) { note += text + "\n" }); err != nil {
			return nil, err
		}
		e, err := w.LookApart()
		if err != nil {
			return nil, err
		}
		asker, err := ask.New(ctx, w, e)
		if err != nil {
			return nil, err
		}
		asker.Now, asker.Note = s.Now, func(text string) { note += text + "\n" }
		if in.Session == "" {
			in.Session = ask.NewSession(s.Now())
		}
		out, err := asker.Ask(ctx, ask.Question{Text: in.Question, Session: in.Session, Pivot: in.Pivot, Fresh: in.Fresh, Depth: ask.MaxDepth})
		if err != nil {
			return nil, err
		}
		return &answered{text: note + out.Text(), value: out}, nil
	})
}

func (s *Server) why(ctx context.Context, _ string, in target) (*answered, error) {
	if a, err := s.trail(ctx, in.Target); a != nil || err != nil {
		return a, err
	}
	return s.look(ctx, func(w *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		return explain(ctx, w, e, in.Target)
	})
}

// trail returns the trail of the event that a target names; nil if there is none.
func (s *Server) trail(ctx context.Context, target string) (*answered, error) {
	if !answer.NamesEvent(target) {
		return nil, nil
	}
	return s.think(ctx, func(_ *workspace.Workspace, log *workspace.Ledger) (*answered, error) {
		t, err := answer.TrailOf(log, target)
		var dropped *reasoning.DropError
		switch {
		case errors.As(err, &dropped) && dropped.Reason == reasoning.NoCandidate:
			return nil, nil
		case errors.As(err, &dropped):
			return nil, meantEvent(log, dropped)
		case err != nil:
			return nil, err
		}
		return &answered{text: t.Text() + doubt(log), value: t}, nil
	})
}

// meantEvent is the error for an ambiguous event.
func meantEvent(log *workspace.Ledger, d *reasoning.DropError) error {
	var b strings.Builder
	plain.Add(&b, "%s. %s", d.Detail, mend[d.Reason])
	for _, c := range answer.CandidatesOf(log, d.Candidates) {
		plain.Add(&b, "\n  %s  %s", c.ID.Short(), answer.Line(c.Text))
	}
	return errors.New(b.String())
}

// explain answers for targets other than events.
func explain(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, target string) (*answered, error) {
	why, err := answer.Explain(ctx, w, e, w.Root(), target)
	var unknown *workspace.UnknownError
	if errors.As(err, &unknown) && answer.Quotes(target) {
		return nil, fmt.Errorf("no recorded statement and no path is named %s; call decisions or search to find one by words", target)
	}
	if err != nil {
		return nil, err
	}
	return &answered{text: why.Text(false), value: why}, nil
}

func (s *Server) node(ctx context.Context, _ string, in target) (*answered, error) {
	if a, err := s.trail(ctx, in.Target); a != nil || err != nil {
		return a, err
	}
	return s.look(ctx, func(w *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		known, err := answer.Node(ctx, w, e, w.Root(), in.Target)
		switch {
		case err != nil:
			return nil, err
		case known == nil:
			return explain(ctx, w, e, in.Target)
		}
		return &answered{text: known.Text(), value: known}, nil
	})
}

const usualHits = 10

func (s *Server) search(ctx context.Context, _ string, in words) (*answered, error) {
	n, err := top(in.Top, usualHits)
	if err != nil {
		return nil, err
	}
	return s.look(ctx, func(w *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		log, err := w.Ledger(ctx, false)
		if err != nil {
			return nil, err
		}
		if err := e.Look(ctx); err != nil {
			return nil, err
		}
		found, err := answer.Search(ctx, w, e, log, in.Query, n)
		if err != nil {
			return nil, err
		}
		return &answered{text: found.Text() + doubt(log), value: found}, nil
	})
}

func (s *Server) review(ctx context.Context, _ string, in change) (*answered, error) {
	return s.answer(ctx, s.looking, func(w *workspace.Workspace) (*answered, error) {
		r, absent, err := answer.Review(ctx, w, in.Base, s.Getenv)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, note := range absent {
			plain.Add(&b, "%s\n", note)
		}
		return &answered{text: b.String() + answer.ReviewText(r), value: r}, nil
	})
}

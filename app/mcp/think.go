package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
)

type oriented struct {
	Focus string `json:"focus,omitempty" jsonschema:"the topic of the task, in a few words; without it, the answer covers the whole project"`
}

type asked struct {
	About string `json:"about,omitempty" jsonschema:"a question or a topic; lists only positions about it, with their history"`
	All   bool   `json:"all,omitempty"   jsonschema:"whether to include superseded, resolved and parked positions"`
}

type query struct {
	Query string `json:"query"         jsonschema:"search words"`
	Top   int    `json:"top,omitempty" jsonschema:"number of matches, 5 by default and 50 at most"`
}

func (s *Server) addThinking() {
	add(s, tool[oriented]{
		name: "orient", title: "Get an overview of the project", result: answer.Orientation{},
		about: "Summarizes this project in fewer than 450 words: settled, contested, unchallenged, open and recently resolved positions, and whether the pages about the code are fresh. Call it when you begin a task, to avoid reopening settled questions or proposing rejected ideas again.",
		rest:  "Call decisions for the full list.",
		run:   s.orient,
	})
	add(s, tool[asked]{
		name: "decisions", title: "Current decisions", result: answer.Decisions{},
		about: "Lists the current decisions, the contested positions and the objections without an answer, derived from the recorded events. A settled position survived an objection or was confirmed by a person. Only recorded events count.",
		rest:  "Name a topic (about), or run `causal decisions --json`.",
		run:   s.decisions,
	})
	add(s, tool[query]{
		name: "memory_query", title: "Trace an event to its cause", result: answer.Recalled{},
		about: "Finds the recorded event that shares the most words with the query, and shows its history: from the root cause to the event and its consequences. Call it before a complex task, to learn from earlier attempts. A superseded position appears as the position that replaced it.",
		rest:  "Run `causal memory query` in a terminal.",
		run:   s.recall,
	})
}

// doubt returns a warning about an incomplete log.
func doubt(log *workspace.Ledger) string {
	if text := answer.LogWarning(log); text != "" {
		return "warning: " + text + "\n"
	}
	return ""
}

// glance bounds the freshness check in answers about something else.
const glance = 5 * time.Second

func (s *Server) orient(ctx context.Context, _ string, in oriented) (*answered, error) {
	docs, err := s.docs(ctx)
	if err != nil {
		return nil, err
	}
	return s.think(ctx, func(_ *workspace.Workspace, log *workspace.Ledger) (*answered, error) {
		o := answer.Orient(log, in.Focus)
		o.Docs = docs
		return &answered{text: o.Text() + doubt(log), value: o}, nil
	})
}

// docs returns the state of the pages; nil if it is not known within glance.
func (s *Server) docs(ctx context.Context) (docs *answer.Docs, err error) {
	soon, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	_, err = s.look(soon, func(w *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		if err := e.Look(soon); err != nil {
			return nil, err
		}
		docs = answer.DocsOf(w, e)
		return nil, nil
	})
	if soon.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return docs, err
}

func (s *Server) decisions(ctx context.Context, _ string, in asked) (*answered, error) {
	return s.think(ctx, func(_ *workspace.Workspace, log *workspace.Ledger) (*answered, error) {
		d := answer.DecisionsOf(log, in.About, in.All)
		return &answered{text: d.Text() + doubt(log), value: d}, nil
	})
}

const (
	usualTop = 5
	mostTop  = 50
)

func top(asked, usual int) (int, error) {
	switch {
	case asked == 0:
		return usual, nil
	case asked < 0 || asked > mostTop:
		return 0, fmt.Errorf("'top' parameter should be from 1 to %d, and is %d", mostTop, asked)
	}
	return asked, nil
}

func (s *Server) recall(ctx context.Context, _ string, in query) (*answered, error) {
	n, err := top(in.Top, usualTop)
	if err != nil {
		return nil, err
	}
	return s.think(ctx, func(w *workspace.Workspace, log *workspace.Ledger) (*answered, error) {
		c, err := w.Recall(ctx, log.Log, in.Query, n, s.Embedder, func(err error) { s.Log.WarnContext(ctx, "searched by words only", "err", err) })
		if err != nil {
			return nil, err
		}
		r := answer.RecalledOf(log, in.Query, c)
		return &answered{text: r.Text() + doubt(log), value: r}, nil
	})
}

package ask

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/render/answers"
)

// mostQuoted is how many quotations an answer from the index has, and longestQuoted how many bytes one has.
const (
	mostQuoted    = 3
	longestQuoted = 400
)

// search answers by quotations from nodes, pages, principles and the log. outdated: there is a stored answer that no longer holds.
func (a *Asker) search(ctx context.Context, question string, l *line, outdated bool) (*Answer, error) {
	if outdated {
		a.Note("an earlier answer no longer holds: something that it rests on changed; without a model it cannot be asked again")
	}
	hits, err := a.quote(ctx, question)
	if err != nil {
		return nil, err
	}
	if err := a.write(l.session); err != nil {
		return nil, err
	}
	out := &Answer{
		Question: question, Sentences: []Sentence{}, Open: []string{}, From: report.FromIndex, Evidence: []string{}, Suspended: []Suspended{},
		Frames: []Told{},
	}
	f, _ := l.session.tree.Frame(l.frame)
	out.Frames = append(out.Frames, Told{f.ID, f.ParentID, 0, f.Query, string(f.Status), false})
	for _, h := range hits {
		quoted := plain.Cut(strings.Join(strings.Fields(h.Text), " "), longestQuoted)
		if h.Kind != "event" {
			quoted = h.Target + ": " + quoted
		}
		out.Sentences = append(out.Sentences, Sentence{quoted, []Cite{placeOf(h)}})
		out.Evidence = append(out.Evidence, h.Kind+": "+h.Target)
	}
	return out, nil
}

// usersOf matches a question about what uses a module.
var usersOf = lazyregexp.New(`(?i)^\s*(?:who|what|which (?:modules?|packages?|parts?|code)) (?:uses?|imports?|needs?|depends? on) (?:the )?([^\s?]+?)(?: module| package)?\s*\?*\s*$`)

// quote finds the quotations. The entry page describes the whole project, and how to run it.
func (a *Asker) quote(ctx context.Context, question string) ([]answer.Hit, error) {
	if aboutAll(question) {
		if h, ok := answer.Description(a.Workspace, a.Knowledge); ok {
			return []answer.Hit{h}, nil
		}
	}
	if m := usersOf.FindStringSubmatch(question); m != nil {
		if h, ok := answer.Users(ctx, a.Workspace, a.Knowledge, m[1]); ok {
			return []answer.Hit{h}, nil
		}
	}
	if hits := answer.Commands(a.Workspace, a.Knowledge, howTo(question)); len(hits) > 0 {
		return hits[:min(len(hits), mostQuoted)], nil
	}
	if kind := listed(question); kind != "" {
		if hits := answer.Listed(a.Workspace, a.Knowledge, kind); len(hits) > 0 {
			return hits[:min(len(hits), mostQuoted)], nil
		}
	}
	words := content(question, answer.Title(a.Workspace, a.Knowledge))
	if hits, err := answer.InRoot(ctx, a.Knowledge, lexical.Terms(words), mostQuoted); err != nil || len(hits) > 0 {
		return hits, err
	}
	if name := named(question); name != "" {
		if hits, err := answer.Named(ctx, a.Workspace, a.Knowledge, a.Ledger, name, mostQuoted); err != nil || len(hits) > 0 {
			return hits, err
		}
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(question)), " ")
	return answer.Quote(ctx, a.Workspace, a.Knowledge, a.Ledger, answer.Wanted{Words: words, Named: about(question), Doing: first == "how" || whether[first]}, mostQuoted)
}

// placeOf is the place of a hit.
func placeOf(h answer.Hit) Cite {
	switch {
	case h.Kind == "event":
		return Cite{Event: h.Target}
	case h.At != "":
		return citeOf(answers.ParseCite(h.At))
	}
	return Cite{Node: h.Target}
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

// findSuspended lists the frames that earlier sessions set aside.
func (s *sessions) findSuspended(l *loop) {
	l.report.Suspended, l.report.Resumable, l.report.Compared = []string{}, []string{}, []session.Comparison{}
	for _, id := range slices.Sorted(maps.Keys(s.heads)) {
		for _, f := range s.heads[id].Suspended {
			l.report.Suspended = append(l.report.Suspended, id+"/"+f)
		}
		if len(s.heads[id].Suspended) > 0 {
			l.suspended = append(l.suspended, id)
		}
	}
}

// compareAll compares the sessions that set frames aside with what is there now, to tell which are worth taking up again. Frames may
// rest on conclusions: those are known when the run is over.
func (s *sessions) compareAll(ctx context.Context, l *loop) error {
	for _, id := range l.suspended {
		if err := s.compare(ctx, l, id); err != nil {
			return err
		}
	}
	return nil
}

// compare adds what there is to say of an earlier session that set frames aside to the report.
func (s *sessions) compare(ctx context.Context, l *loop, id string) error {
	r, err := s.decode(id)
	if err != nil {
		return err
	}
	now := session.Artifacts{InitialPrompt: l.config.Prompt, Files: map[string]session.FileRecord{}}
	for name := range r.Files {
		digest, _, err := l.now(ctx, fact.New(fact.Blobs, name))
		if err != nil {
			return err
		}
		if digest != "" {
			now.Files[name] = session.FileRecord{Path: name, Hash: digest, Role: session.Read}
		}
	}
	c, err := session.Compare(ctx, r, now, l.observer(ctx), l.wrong)
	if err != nil {
		return err
	}
	for _, f := range c.Resumable {
		l.report.Resumable = append(l.report.Resumable, id+"/"+f)
	}
	l.report.Compared = append(l.report.Compared, c)
	return nil
}

// wrong evaluates the condition of a frame of which everything is as it was seen. Of one that speaks of the versions that concluded
// it, nobody knows: it is rather not offered than wrongly.
func (l *loop) wrong(text string) (holds bool, why string, err error) {
	c, err := l.vocabulary.Parse(text)
	if err != nil {
		return false, "", err
	}
	unknown := condition.Cause{Change: fact.Change{Fact: fact.New(fact.Generators, "-")}}
	result := c.Evaluate(exactly{answers{l.vocabulary, []condition.Cause{unknown}}})
	return result.Holds, text, nil
}

// exactly answers no word that is true whatever changed: there it stands for something that did.
type exactly struct{ answers }

// Answer implements condition.Facts.
func (x exactly) Answer(q condition.Question) condition.Answer {
	if q.Word == anyEvidence {
		return condition.Answer{}
	}
	return x.answers.Answer(q)
}

// observer re-checks observations against what is there now. It implements frame.Observer.
type observer struct {
	ctx  context.Context
	loop *loop
	seen map[Unit]bool // whether units rest on what is open
}

// observer re-checks for as long as one verification takes.
func (l *loop) observer(ctx context.Context) observer { return observer{ctx, l, map[Unit]bool{}} }

// restsOnOpen reports whether nobody knows what will be concluded about a unit, or about something that it rests on by any way.
func (l *loop) restsOnOpen(u Unit, seen map[Unit]bool) bool {
	open, asked := seen[u]
	if asked {
		return open
	}
	seen[u] = l.open[u]
	for _, below := range onConclusions(l.units.evidenceOf(u)) {
		seen[u] = seen[u] || l.restsOnOpen(below, seen)
	}
	return seen[u]
}

// unknown says why it is not believed what is concluded about a unit.
func unknown(u Unit) string { return "whether " + u.String() + " holds is not known before an update" }

// Holds implements frame.Observer.
func (o observer) Holds(e fact.Observation) (holds bool, why string, err error) {
	if e.Family == fact.Texts {
		return true, "", nil
	}
	l := o.loop
	if _, room := l.rooms[e.Family]; !room {
		if _, ok := concluded(e.Fact); !ok {
			return false, "this cannot be checked: " + e.String(), nil
		}
	}
	digest, _, err := l.now(o.ctx, e.Fact)
	if open, ok := errors.AsType[*unsettled](err); ok {
		return false, unknown(open.unit), nil
	}
	if err != nil {
		return false, "", err
	}
	if digest == e.Digest {
		if u, ok := concluded(e.Fact); ok && l.restsOnOpen(u, o.seen) {
			return false, unknown(u), nil
		}
		return true, "", nil
	}
	v := &verdict{evidence: []fact.Observation{e}, changes: []fact.Change{{Fact: e.Fact, Before: e.Digest, After: digest}}}
	if causes := l.causes(v); len(causes) > 0 {
		if c := causes[0]; c.File == e.Name {
			return false, c.File + " " + c.Detail, nil
		}
		return false, causes[0].Detail, nil
	}
	return false, fmt.Sprintf("%s changed", e.Fact), nil
}

var _ frame.Observer = observer{}

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

// compareAll runs at the end: frames may depend on conclusions, which are final only then.
func (s *sessions) compareAll(ctx context.Context, l *loop) error {
	for _, id := range l.suspended {
		if err := s.compare(ctx, l, id); err != nil {
			return err
		}
	}
	return nil
}

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

// wrong evaluates the condition of a frame whose evidence is unchanged. A condition about generator versions counts
// as true because their versions are unknown: not offering the frame is the safer error.
func (l *loop) wrong(text string) (holds bool, why string, err error) {
	c, err := l.vocabulary.Parse(text)
	if err != nil {
		return false, "", err
	}
	unknown := condition.Cause{Change: fact.Change{Fact: fact.New(fact.Generators, "-")}}
	result := c.Evaluate(exactly{answers{l.vocabulary, []condition.Cause{unknown}}})
	return result.Holds, text, nil
}

// exactly answers false to the word that any change makes true, because the given cause is only a stand-in.
type exactly struct{ answers }

func (x exactly) Answer(q condition.Question) condition.Answer {
	if q.Word == anyEvidence {
		return condition.Answer{}
	}
	return x.answers.Answer(q)
}

type observer struct {
	ctx  context.Context
	loop *loop
	seen map[Unit]bool // whether units depend on an open unit
}

func (l *loop) observer(ctx context.Context) observer { return observer{ctx, l, map[Unit]bool{}} }

// restsOnOpen reports whether a unit is open or depends on an open unit, directly or not.
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

func unknown(u Unit) string { return "whether " + u.String() + " holds is not known before an update" }

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

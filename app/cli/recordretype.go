package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// retyped is the key of the replacement event. No reference looks like it.
const retyped = "the event of the right type"

// retype returns an importer that records an event again with the right type, and withdraws the original for the given
// reason. It records both or neither.
func (flags recordFlags) retype(args []string) (importer, error) {
	if len(args) != 2 || args[1] == "" || flags.from != "" {
		return nil, errors.New("record: --retypes needs the new type and a reason: causal record TYPE REASON --retypes EVENT")
	}
	t := ledger.Type(args[0])
	if !t.Position() {
		return nil, fmt.Errorf("record: --retypes needs the type proposition, contradiction, refinement or synthesis, not %s", t)
	}
	return func(ctx context.Context, p *place, r *reasoning.Recorder) ([]reasoning.Imported, error) {
		actor, err := p.Repo.AuthorName(ctx)
		if err != nil {
			return nil, err
		}
		at, err := p.world.time()
		if err != nil {
			return nil, usage(err)
		}
		if flags.draft.Actor != "" {
			actor = flags.draft.Actor
		}
		id, err := r.Find(flags.retypes)
		if err != nil {
			return []reasoning.Imported{{Draft: reasoning.Draft{Type: t}, Line: 1, Err: err}}, nil
		}
		before, _ := r.Event(id)
		if before.Type == t || !before.Type.Position() {
			return nil, usage(fmt.Errorf("record: %s is a %s and cannot become a %s", id.Short(), before.Type, t))
		}
		d := flags.draft
		d.Key, d.Type, d.Text, d.Source, d.Actor = retyped, t, before.Text, before.Source, before.Actor
		d.Considers = append(slices.Clone(d.Considers), string(id))
		if len(d.Targets)+len(d.Resolves) == 0 && t != ledger.Proposition {
			d.Targets = idsOf(before.Targets)
		}
		away := reasoning.Draft{Type: ledger.Withdraw, Text: args[1], Targets: []string{string(id)}, Considers: []string{retyped}, Actor: actor}
		return []reasoning.Imported{{Draft: d, Line: 1, At: at}, {Draft: away, Line: 2, At: at}}, nil
	}, nil
}

func idsOf(ids []ledger.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

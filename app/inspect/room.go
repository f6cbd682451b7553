package inspect

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
)

// Families implements engine.Room.
func (*Files) Families() []fact.Family { return []fact.Family{Facts} }

// Digest implements engine.Room.
func (f *Files) Digest(ctx context.Context, of fact.Fact) (string, error) {
	out, err := f.output(ctx, of)
	if err != nil {
		return "", err
	}
	return out.Digest, nil
}

// Value implements engine.Room.
func (f *Files) Value(ctx context.Context, of fact.Fact) (any, error) { return f.output(ctx, of) }

func (f *Files) output(ctx context.Context, of fact.Fact) (*Output, error) {
	c, err := ParseCall(of)
	if err != nil {
		return nil, err
	}
	return f.Run(ctx, c)
}

// Changed implements engine.Room: a call may look anywhere.
func (*Files) Changed() (facts []fact.Fact, all bool) { return []fact.Fact{{Family: Facts}}, false }

// Explain implements engine.Room. A read is explained as a change of the file.
func (*Files) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	var causes []condition.Cause
	for _, change := range changes {
		causes = append(causes, cause(change))
	}
	return causes
}

func cause(change fact.Change) condition.Cause {
	c, err := ParseCall(change.Fact)
	if err != nil || c.Tool != Read && c.Tool != History {
		return condition.Cause{Change: change, Detail: "the results changed of " + Describe(change.Fact)}
	}
	change.Fact = fact.New(fact.Files, c.About)
	return condition.Cause{Change: change, File: c.About, Detail: became(change)}
}

func became(c fact.Change) string {
	switch {
	case c.Before == "":
		return "was added"
	case c.After == "":
		return "is gone"
	}
	return "changed"
}

// Because says in words why an answer does not hold.
func Because(change fact.Change) string {
	c := cause(change)
	if c.File != "" {
		return c.File + " " + c.Detail
	}
	if change.Fact.Family == Facts {
		return c.Detail
	}
	return strings.Replace(Describe(change.Fact), ": ", " ", 1) + " " + became(change)
}

package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/source"
)

// reference is one reference in code.
type reference struct {
	Name string `json:"name"`         // the other symbol
	Kind string `json:"kind"`         // call, type or value
	At   string `json:"at,omitempty"` // path and line
	// Certain is false if the type of the selected value is unknown.
	Certain bool `json:"certain"`
}

// mostReferences bounds the references of one kind that are shown.
const mostReferences = 6

// explainReach adds references to and from a symbol, and its implementations.
func (a *Why) explainReach(ctx context.Context, e *workspace.Knowledge) error {
	r, ok, err := e.Reach(ctx, a.Module, a.Symbol)
	if err != nil || !ok {
		return err
	}
	a.NamedBy, a.Names = references(e, r.UsedBy), references(e, r.Uses)
	for _, i := range r.Implementers {
		a.Implementers = append(a.Implementers, e.ModuleName(i.Module)+"."+i.Name)
	}
	return nil
}

func references(e *workspace.Knowledge, list []source.Referred) []reference {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b source.Referred) int { // certain references first
		switch {
		case a.Certain == b.Certain:
			return 0
		case a.Certain:
			return -1
		}
		return 1
	})
	var out []reference
	for _, r := range list {
		at := ""
		if r.Path != "" {
			at = fmt.Sprintf("%s:%d", r.Path, r.Line)
		}
		module := r.Module
		if !r.Outside {
			module = e.ModuleName(r.Module)
		}
		out = append(out, reference{module + "." + cmp.Or(r.Name, "(file)"), string(r.Kind), at, r.Certain})
	}
	return out
}

// reach writes the references.
func (t *whyText) reach() {
	for _, part := range []struct {
		title string
		list  []reference
	}{{"named by", t.NamedBy}, {"its code names", t.Names}} {
		var rows [][]string
		for _, r := range part.list {
			kind := r.Kind
			if !r.Certain {
				kind += ", perhaps"
			}
			rows = append(rows, []string{r.Name, kind, r.At})
		}
		t.part(part.title, Table(rows), mostReferences, branched)
	}
	t.inLine("implemented by", t.Implementers)
}

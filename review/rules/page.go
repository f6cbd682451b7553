package rules

import (
	"errors"
	"fmt"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/principle"
)

func (p *Plugin) sole() keep.Sole {
	return keep.Sole{
		Name: Page(p.config.Layout), Docs: p.config.Layout.Docs, Text: "the page of principles", Condition: anyChange,
		Left: keep.Left(p.config.FrontMatter, title, "No principles are left."),
	}
}

type entry struct {
	slug string
	*Principle
	account *principle.Account // nil without records
}

func (p *Plugin) concludePage(in engine.Input) (engine.Conclusion, error) {
	repository, err := survey.Setting(in, survey.Repository)
	front, err2 := survey.FrontMatter(in)
	problem, err3 := trouble(in)
	entries, err4 := entriesOf(in)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return engine.Conclusion{}, err
	}
	w := &writer{repository: repository, layout: p.config.Layout}
	c := p.sole().Conclusion(keep.Next(w.page(front, problem, entries), in.Previous), in.Previous)
	if problem != "" {
		c.Blocked = []engine.Problem{{Because: problem, Mend: "restore the file from git: records must not be edited"}}
	}
	return c, nil
}

func entriesOf(r survey.Reader) ([]entry, error) {
	list, err := survey.Ask[[]string](r, engine.UnitsOf(PrincipleKind))
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, slug := range list {
		one, err := survey.Ask[*Principle](r, engine.ConclusionOf(Unit(slug)))
		if err != nil {
			return nil, err
		}
		if one == nil {
			return nil, fmt.Errorf("principle %s is unknown", slug)
		}
		account, err := accountOf(r, slug)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{slug, one, account})
	}
	return entries, nil
}

const title = "Principles"

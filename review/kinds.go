package review

import (
	"errors"
	"maps"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/stale"
)

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	kinds := []engine.Kind{
		{Name: fileKind, Subjects: reviewed},
		{Name: moduleKind, Derived: true, Subjects: changedModules},
		{Name: nameKind, Derived: true, Subjects: whole},
		{Name: summaryKind, Derived: true, Subjects: whole},
	}
	for i := range kinds {
		kinds[i] = p.keep(kinds[i])
	}
	return kinds
}

// keep sets where a kind's units are stored. Units do not outlive the run, so a run begins with none.
func (p *Plugin) keep(k engine.Kind) engine.Kind {
	unit := func(subject string) engine.Unit { return engine.Unit{Kind: k.Name, Subject: subject} }
	k.Generator = func(engine.Reader, string) (string, error) { return Version, nil }
	k.Path = func(subject string) string { return storedIn(unit(subject)) }
	k.Owner = func(string) (string, bool) { return "", false }
	k.Load = func(_ engine.Reader, subject string) (*engine.Conclusion, error) {
		c, err := p.Load(unit(subject))
		if c == nil || err != nil {
			return nil, err
		}
		kept, err := wrap(unit(subject), c)
		return &kept, err
	}
	k.Remove = func(string) (engine.Removal, error) { return engine.Removal{}, nil }
	return k
}

// whole returns the whole change as the only subject, or none if the change is empty.
func whole(r engine.Reader) ([]string, error) {
	files, err := change.Files(r)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return []string{all}, nil
}

func changedModules(r engine.Reader) ([]string, error) {
	touched := map[string]bool{}
	for f, err := range change.All(r) {
		if err != nil {
			return nil, err
		}
		for _, side := range []string{f.Path, f.Was} {
			if side != "" {
				touched[path.Dir(side)] = true
			}
		}
	}
	there := map[string]bool{}
	for _, state := range []survey.Reader{r, change.Before(r)} {
		modules, err := survey.Modules(state)
		if err != nil {
			return nil, err
		}
		for _, m := range modules {
			if touched[m] {
				there[m] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(there)), nil
}

// reviewed lists the changed files, the files with linter results or test findings, and the documents that name
// removed symbols.
func reviewed(r engine.Reader) ([]string, error) {
	files, err := change.Files(r)
	faulty, err2 := survey.Ask[[]string](r, fact.New(faultFacts, "."))
	names, err3 := removedNames(r)
	tested, err4 := survey.Ask[[]string](r, fact.New(claimFacts, "."))
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return nil, err
	}
	documents, err := stale.Documents(r, names)
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(files, faulty, tested, documents)))), err
}

func removedNames(r engine.Reader) ([]stale.Name, error) {
	return conclusion(r, nameKind, all, func(c *Conclusion) []stale.Name { return c.Names })
}

func conclusion[T any](r engine.Reader, kind, subject string, part func(*Conclusion) T) (T, error) {
	c, err := survey.Ask[*Conclusion](r, engine.ConclusionOf(engine.Unit{Kind: kind, Subject: subject}))
	if c == nil || err != nil {
		var none T
		return none, err
	}
	return part(c), nil
}

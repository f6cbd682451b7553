package testgen

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Changed implements engine.Room. It returns the facts about modules that changed or that depend on changed ones.
func (p *Plans) Changed() (facts []fact.Fact, all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.notice(); err != nil || p.all {
		return nil, true
	}
	facts = append(facts, fact.New(wantedFacts, "."))
	stored, err := p.specs()
	if err != nil {
		return nil, true
	}
	used := dirsOf(stored)
	for _, dir := range slices.Sorted(maps.Keys(p.stale)) {
		before := &known{}
		there := p.memory.Get(dir, before)
		if p.wanted.None() && !used[dir] {
			if there && p.memory.Put(dir, &known{Manifest: forgotten, Symbols: before.Symbols}) != nil {
				return nil, true
			}
			continue
		}
		now, err := p.know(dir)
		if err != nil {
			return nil, true // the next query returns the error
		}
		facts = append(facts, fact.New(testableFacts, dir))
		for _, t := range slices.Concat(before.Symbols, now.Symbols) {
			facts = append(facts, fact.New(planFacts, Subject(dir, t.Name)), fact.New(fileFacts, t.CodeFile))
		}
	}
	slices.SortFunc(facts, func(a, b fact.Fact) int {
		return cmp.Or(strings.Compare(string(a.Family), string(b.Family)), strings.Compare(a.Name, b.Name))
	})
	return slices.Compact(facts), false
}

// dirsOf returns the directories of subjects.
func dirsOf(stored map[string]bool) map[string]bool {
	out := map[string]bool{}
	for subject := range stored {
		dir, _ := Split(subject)
		out[dir] = true
	}
	return out
}

// forgotten is the manifest of an outdated cache entry that was not recomputed because the module has no specs. Its
// symbols are the last known ones.
const forgotten = "-"

// notice finds the modules that changed since the cache was written.
func (p *Plans) notice() error {
	if p.noticed {
		return nil
	}
	p.noticed = true
	changed, all := p.survey.Changed()
	if p.all = all; all {
		return nil
	}
	var todo, waiting []string
	mark := func(dir string) {
		if !p.stale[dir] {
			p.stale[dir] = true
			todo = append(todo, dir)
		}
	}
	for _, f := range changed {
		mark(moduleOf(f))
	}
	for _, dir := range p.survey.Modules() {
		before := &known{}
		switch {
		case !p.memory.Get(dir, before):
		case before.Manifest == forgotten:
			waiting = append(waiting, dir)
		case before.Manifest != p.manifest(dir) || slices.ContainsFunc(before.Looked, func(at string) bool { return p.stale[at] }):
			mark(dir)
		}
	}
	for len(todo) > 0 {
		dir := todo[0]
		todo = todo[1:]
		importers, err := survey.ImportersOf(p.direct(), dir)
		if err != nil {
			return fmt.Errorf("what imports %s: %w", dir, err)
		}
		for _, m := range importers.Code {
			mark(m)
		}
	}
	for _, dir := range waiting { // their importers were marked when they changed
		p.stale[dir] = true
	}
	return nil
}

func moduleOf(f fact.Fact) string {
	switch {
	case f.Of != "":
		return f.Of
	case f.Family == fact.Files || f.Family == fact.Blobs || f.Family == fact.Absences:
		return path.Dir(f.Name)
	}
	return f.Name
}

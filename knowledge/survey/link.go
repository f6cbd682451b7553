package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// link computes the tables and edges of modules, and of the modules that use changed names of others. Two rounds
// suffice: the second round's tables store re-exports by location, which no name of another module changes.
func (up *update) link(ctx context.Context, modules []string) error {
	if err := up.resolve(ctx, modules); err != nil {
		return err
	}
	for _, m := range modules {
		up.visit(m).linked = true
	}
	for m, v := range up.visits {
		up.retable(m, v)
	}
	if err := up.resolve(ctx, up.ledElsewhere()); err != nil {
		return err
	}
	var again []string
	for m, v := range up.visits {
		if v.linked {
			again = append(again, m)
		}
	}
	slices.Sort(again)
	found := make([]links, len(again))
	linker := source.Linker{Table: up.table}
	if err := inParallel(ctx, len(again), func(i int) { found[i] = up.follow(again[i], linker) }); err != nil {
		return err
	}
	for i, m := range again {
		up.relink(m, found[i])
	}
	all := slices.Sorted(maps.Keys(up.known))
	made := make([]*record, len(all))
	if err := inParallel(ctx, len(all), func(i int) { made[i] = up.remember(all[i]) }); err != nil {
		return err
	}
	for i, m := range all {
		up.records[m] = made[i]
	}
	return nil
}

// retable rebuilds a module's table and compares it with the remembered one. Unless its imports may resolve
// differently, re-exports are taken over, because resolving them needs resolvers, which may read manifests.
func (up *update) retable(m string, v *visit) {
	k, old := up.known[m], v.was.record
	if k == nil {
		return
	}
	if v.linked {
		k.Table = source.NewTable(k.Module, k.Declared, up.resolvers)
	} else {
		k.Table = source.NewTable(k.Module, k.Declared, nil)
		k.Table.Forwards, k.Table.Stars, k.Table.Effects = old.Table.Forwards, old.Table.Stars, old.Table.Effects
	}
	if v.table = (&tableChange{whole: true, public: true}); old != nil {
		v.table = compareTables(old.Table, k.Table)
	}
}

func (up *update) ledElsewhere() []string {
	var out []string
	for m, v := range maps.Clone(up.visits) {
		if v.table == nil || !v.table.whole && len(v.table.came) == 0 {
			continue
		}
		for _, d := range up.Dependants(m) {
			if names, ok := up.usesOf(d, m); ok && !v.table.relinks(names) {
				continue
			}
			if !up.visit(d).linked {
				out = append(out, d)
			}
			up.visit(d).led, up.visit(d).linked = true, true
		}
	}
	slices.Sort(out)
	return out
}

func (s *Survey) table(module string) (source.Table, bool) {
	if k := s.known[module]; k != nil {
		return k.Table, true
	}
	if s.modules[module] == nil {
		return source.Table{}, false
	}
	if r := s.record(module); r != nil {
		return r.Table, true
	}
	return source.Table{}, false
}

type links struct {
	uses, testUses []source.Use
	external       []string
	words          []string
	leads          source.Digest
	near           map[string]bool // the files that use external imports, by name prefix
}

func (up *update) follow(m string, linker source.Linker) links {
	var targets, testTargets []source.Target
	external, near := map[string]bool{}, map[string]bool{}
	var leads source.Hasher
	units := up.known[m].Module.Units
	for i := range units {
		u := &units[i]
		r := up.resolvers[u.File.Language]
		if r == nil {
			continue
		}
		for _, imp := range u.File.Imports {
			found := r.Resolve(u.Path, imp)
			leads.Add(u.Path + " " + imp.Path)
			for _, t := range found {
				leads.Add(fmt.Sprint(t.Dir, " ", t.File, " ", t.All, t.Names))
			}
			switch {
			case u.File.Test:
				testTargets = append(testTargets, found...)
			case len(found) > 0:
				targets = append(targets, found...)
				if u.File.Scoped && slices.ContainsFunc(found, linker.Near) {
					near[source.Prefix(u.Path, u.File.Scoped)] = true
				}
			case isExternal(imp, source.TraitsOf(u.File.Language)):
				external[imp.Path] = true
			}
		}
	}
	return links{linker.Uses(m, targets), linker.Uses(m, testTargets), slices.Sorted(maps.Keys(external)), words(up.known[m].Module), leads.Sum(), near}
}

func (up *update) relink(m string, l links) {
	k := up.known[m]
	k.External = l.external
	k.Table.SetNear(l.near)
	up.visit(m).leads = l.leads
	k.Uses = l.uses
	sum := up.modules[m]
	if sum == nil {
		sum = &summary{}
		up.modules[m] = sum
	}
	sum.Deps, sum.TestDeps, sum.Words = modulesOf(l.uses), modulesOf(l.testUses), l.words
	sum.TestDeps = slices.DeleteFunc(sum.TestDeps, func(d string) bool { return slices.Contains(sum.Deps, d) })
}

func isExternal(imp source.Import, t *source.Traits) bool {
	return !strings.HasPrefix(imp.Path, ".") && !strings.HasPrefix(imp.Path, "/") &&
		!slices.ContainsFunc(t.Own, func(own string) bool { return strings.HasPrefix(imp.Path, own) })
}

func modulesOf(uses []source.Use) []string {
	var out []string
	for _, u := range uses {
		out = append(out, u.Module)
	}
	return slices.Compact(out) // sorted by module
}

// remember builds a module's record and updates its summary. Calls for different modules may be concurrent: they read
// the final tables of all modules and write only their own.
func (up *update) remember(m string) *record {
	k, sum := up.known[m], up.modules[m]
	r, v := up.record(m), up.visits[m]
	next := &record{Files: fileRecords(k), Table: k.Table, Imports: importsDigest(k.Module), External: k.External}
	if v != nil && v.linked {
		next.Uses, next.Leads = k.Uses, v.leads
	} else if r != nil {
		next.Uses, next.External, next.Leads = r.Uses, r.External, r.Leads
	}
	k.Uses, k.External = next.Uses, next.External
	sum.Language, sum.State = k.Module.Language(), stateOf(next.Files)
	if sum.Name = ""; m == "." {
		sum.Name = k.Name()
	}
	return next
}

func stateOf(files []fileRecord) string {
	parts := make([]string, 0, 2*len(files))
	for _, f := range files {
		parts = append(parts, f.Path, f.Hash)
	}
	return string(source.DigestOf(parts...))
}

func (s *Survey) resolve(ctx context.Context, modules []string) error {
	wanted := map[string]bool{}
	for _, m := range modules {
		k, err := s.know(ctx, m)
		if err != nil {
			return err
		}
		for _, u := range k.Module.Units {
			wanted[u.File.Language] = true
		}
	}
	return s.prepare(ctx, wanted)
}

// prepare creates each resolver once. That is safe because their input files do not change during a survey.
func (s *Survey) prepare(ctx context.Context, wanted map[string]bool) error {
	var project source.Project
	for _, l := range s.Languages {
		if !wanted[l.Name()] || s.resolvers[l.Name()] != nil {
			continue
		}
		if project == nil {
			var err error
			if project, err = s.project(ctx); err != nil {
				return err
			}
		}
		s.resolvers[l.Name()] = l.Resolver(project)
	}
	return nil
}

// tableChange holds the differences between a module's table and the remembered one. It separates the dependants that
// can see a change from the others.
type tableChange struct {
	whole bool
	// came holds the added and removed names; changed also holds the names with another digest.
	came, changed map[string]bool
	surface       bool // the digest of the exported interface changed
	public        bool // the published names may have changed
}

// compareTables compares a module's table with the remembered one. It returns nil if they are equal.
func compareTables(old, now source.Table) *tableChange {
	c := &tableChange{came: map[string]bool{}, changed: map[string]bool{}, surface: old.Interface != now.Interface}
	for _, pair := range [][2]map[string]source.Digest{{old.Names, now.Names}, {now.Names, old.Names}} {
		for name, digest := range pair[0] {
			other, ok := pair[1][name]
			ok = ok && old.Types[name] == now.Types[name] // a different kind of symbol
			if !ok {
				c.came[name] = true
			}
			if !ok || other != digest {
				c.changed[name] = true
			}
		}
	}
	for _, pair := range [][2]map[string]bool{{old.Required, now.Required}, {now.Required, old.Required}} {
		for name := range pair[0] {
			if !pair[1][name] {
				c.came[name] = true
			}
		}
	}
	// a re-exported name may lead to another module, before and after the change
	passes := len(old.Forwards)+len(old.Stars)+len(now.Forwards)+len(now.Stars) > 0
	c.whole = passes && len(c.came) > 0 || !maps.Equal(old.Files, now.Files) || !maps.Equal(old.Outlets(), now.Outlets()) ||
		!maps.EqualFunc(old.Forwards, now.Forwards, sameTargets) || !maps.EqualFunc(old.Stars, now.Stars, sameTargets)
	c.public = c.whole || len(c.came) > 0 || !maps.Equal(old.Local, now.Local) || !maps.Equal(old.Modules, now.Modules) ||
		!maps.EqualFunc(old.Public, now.Public, slices.Equal[[]string])
	if !c.whole && !c.surface && !c.public && len(c.changed) == 0 {
		return nil
	}
	return c
}

func sameTargets(a, b []source.Target) bool {
	return slices.EqualFunc(a, b, func(x, y source.Target) bool {
		return x.Dir == y.Dir && x.File == y.File && x.All == y.All && slices.Equal(x.Names, y.Names)
	})
}

// relinks reports whether imports of these names may resolve differently: a name was removed, a member was added to a
// name that stood for the whole, or a wildcard covered a missing name.
func (c *tableChange) relinks(names []string) bool {
	if c.whole || len(c.came) == 0 {
		return c.whole
	}
	for _, name := range names {
		if strings.HasSuffix(name, "*") || c.came[name] || reaches(c.came, name+".") {
			return true
		}
	}
	return false
}

// facts lists the changed facts of the table. A fact without a name covers all facts of its family with the same Of.
func (c *tableChange) facts(module string) []fact.Fact {
	if c.whole {
		return []fact.Fact{fact.Of(fact.Symbols, module, "")}
	}
	var out []fact.Fact
	for name := range c.changed {
		out = append(out, fact.Of(fact.Symbols, module, name))
		for at := range len(name) {
			if name[at] == '.' {
				out = append(out, fact.Of(fact.Symbols, module, name[:at+1]+"*"))
			}
		}
	}
	if c.surface {
		out = append(out, fact.Of(fact.Symbols, module, "*"))
	}
	return out
}

func reaches(names map[string]bool, prefix string) bool {
	for name := range names {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// usesOf lists the names of another module that a module depends on, without loading its whole record.
func (s *Survey) usesOf(module, other string) ([]string, bool) {
	var names []string
	if r, loaded := s.records[module]; loaded {
		if r == nil {
			return nil, false
		}
		for _, u := range r.Uses {
			if u.Module == other {
				names = append(names, u.Name)
			}
		}
		return names, true
	}
	var uses string
	ok := s.Index.Get(usesOfModule, module, &uses)
	for uses != "" {
		var to, name string
		to, uses, _ = strings.Cut(uses, "\x00")
		name, uses, _ = strings.Cut(uses, "\x00")
		if to == other {
			names = append(names, name)
		}
	}
	return names, ok
}

// encodeUses encodes uses for usesOf. Each part ends with a byte that neither paths nor names contain.
func encodeUses(uses []source.Use) string {
	out := []byte{}
	for _, u := range uses {
		out = append(append(append(append(out, u.Module...), 0), u.Name...), 0)
	}
	return string(out)
}

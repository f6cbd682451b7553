package survey

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// link computes the tables and edges of modules, and of those that rest on a module whose names are others now. Two rounds are
// enough: the tables of the second keep what they pass on by the place where that lies, which no name of another module changes.
func (s *Survey) link(ctx context.Context, modules []string) error {
	if err := s.resolve(ctx, modules); err != nil {
		return err
	}
	again := map[string]bool{}
	for _, m := range modules {
		again[m] = true
		s.was(m)
	}
	for _, m := range slices.Sorted(maps.Keys(s.known)) {
		s.retable(m, again[m])
	}
	more := s.namesChanged(again)
	if err := s.resolve(ctx, more); err != nil {
		return err
	}
	for _, m := range more {
		again[m] = true
	}
	all := slices.Sorted(maps.Keys(again))
	found := make([]links, len(all))
	linker := source.Linker{Table: s.table}
	if err := inParallel(ctx, len(all), func(i int) { found[i] = s.follow(all[i], linker) }); err != nil {
		return err
	}
	for i, m := range all {
		s.relink(m, found[i])
	}
	all = slices.Sorted(maps.Keys(s.known))
	made := make([]*record, len(all))
	if err := inParallel(ctx, len(all), func(i int) { made[i] = s.remember(all[i]) }); err != nil {
		return err
	}
	for i, m := range all {
		s.records[m] = made[i]
	}
	return nil
}

// retable makes a module's table anew and notes how it differs from the remembered one. Unless its imports may lead elsewhere, what
// it passes on is taken over: to find that takes resolvers, and those may have to read manifests.
func (s *Survey) retable(m string, links bool) {
	k, old := s.known[m], s.record(m)
	if old != nil && !s.touched[m] && !links {
		k.Table = old.Table
		return
	}
	if links {
		k.Table = source.NewTable(k.Module, k.Declared, s.resolvers)
	} else {
		k.Table = source.NewTable(k.Module, k.Declared, nil)
		k.Table.Forwards, k.Table.Stars = old.Table.Forwards, old.Table.Stars
	}
	if old == nil {
		s.reshaped[m] = &reshaping{whole: true, public: true}
	} else if change := reshape(old.Table, k.Table); change != nil {
		s.reshaped[m] = change
	}
}

// namesChanged lists the modules, not yet among those linked again, that rest on a module with other names.
func (s *Survey) namesChanged(linked map[string]bool) []string {
	var out []string
	for m, change := range s.reshaped {
		if !change.whole && len(change.came) == 0 {
			continue
		}
		for _, d := range s.restingOn(m, change.relinks) {
			if s.was(d).led = true; !linked[d] {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// table returns a module's present table.
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

// links is where the imports of a module lead.
type links struct {
	uses, testUses []source.Use
	external       []string
	words          []string
	leads          source.Digest
}

// follow follows the imports of a module. It may be called concurrently.
func (s *Survey) follow(m string, linker source.Linker) links {
	var targets, testTargets []source.Target
	external := map[string]bool{}
	var leads source.Hasher
	units := s.known[m].Module.Units
	for i := range units {
		u := &units[i]
		r := s.resolvers[u.File.Language]
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
			case isExternal(imp):
				external[imp.Path] = true
			}
		}
	}
	return links{linker.Uses(m, targets), linker.Uses(m, testTargets), slices.Sorted(maps.Keys(external)), words(s.known[m].Module), leads.Sum()}
}

// relink takes over where the imports of a module lead.
func (s *Survey) relink(m string, l links) {
	k := s.known[m]
	k.External = l.external
	old := s.record(m)
	if old == nil {
		old = &record{}
		s.note(Links(m))
	} else if !slices.Equal(old.Uses, l.uses) || !slices.Equal(old.External, l.external) {
		s.note(Links(m))
		s.noteImplements(m)
	}
	if !slices.Equal(old.Uses, l.uses) {
		s.noteUsage(old.Uses, l.uses)
	}
	k.Uses = nil
	for _, u := range l.uses { // their digests follow when all tables are settled
		k.Uses = append(k.Uses, Use{Module: u.Module, Name: u.Name})
	}
	sum := s.modules[m]
	if sum == nil {
		sum = &summary{}
		s.modules[m] = sum
	}
	deps, testDeps := modulesOf(l.uses), modulesOf(l.testUses)
	testDeps = slices.DeleteFunc(testDeps, func(d string) bool { return slices.Contains(deps, d) })
	s.edgesChanged(sum, deps, testDeps)
	sum.Deps, sum.TestDeps, sum.Words = deps, testDeps, l.words
	s.relinked[m] = old.Uses
	k.leads = l.leads
}

// edgesChanged notes of the modules that an edge was added to or taken from that others import them.
func (s *Survey) edgesChanged(sum *summary, deps, testDeps []string) {
	for _, lists := range [][2][]string{{sum.Deps, deps}, {sum.TestDeps, testDeps}} {
		for _, pair := range [][2][]string{lists, {lists[1], lists[0]}} {
			for _, d := range pair[0] {
				if !slices.Contains(pair[1], d) {
					s.note(ImportersFact(d), ExamplesFact(d))
				}
			}
		}
	}
}

// isExternal leaves out imports that can only mean a file of the same project.
func isExternal(imp source.Import) bool {
	return !strings.HasPrefix(imp.Path, ".") && !strings.HasPrefix(imp.Path, "/") &&
		!strings.HasPrefix(imp.Path, "crate::") && !strings.HasPrefix(imp.Path, "self::") && !strings.HasPrefix(imp.Path, "super::")
}

func modulesOf(uses []source.Use) []string {
	var out []string
	for _, u := range uses {
		out = append(out, u.Module)
	}
	return slices.Compact(out) // sorted by module
}

// remember makes a module's record, and updates what is known of it. It may be called concurrently for different modules: it reads
// the tables of all, which are settled, and writes to its own.
func (s *Survey) remember(m string) *record {
	k, sum := s.known[m], s.modules[m]
	r := s.record(m)
	next := &record{Files: fileRecords(k), Table: k.Table, Imports: importsDigest(k.Module), External: k.External}
	if _, relinked := s.relinked[m]; relinked {
		next.Uses, next.Leads = plain(k.Uses), k.leads
	} else if r != nil {
		next.Uses, next.External, next.Leads = r.Uses, r.External, r.Leads
	}
	k.External = next.External
	s.join(k, next.Uses)
	sum.Language, sum.State = k.Module.Language(), stateOf(next.Files)
	if sum.Name = ""; m == "." {
		sum.Name = k.Name()
	}
	return next
}

// stateOf is the digest of files, to the byte.
func stateOf(files []fileRecord) string {
	parts := make([]string, 0, 2*len(files))
	for _, f := range files {
		parts = append(parts, f.Path, f.Hash)
	}
	return string(source.DigestOf(parts...))
}

// join gives a module what it uses of others, as that is now.
func (s *Survey) join(k *Module, uses []source.Use) {
	k.Uses = nil
	for _, u := range uses {
		t, _ := s.table(u.Module)
		k.Uses = append(k.Uses, Use{Module: u.Module, Name: u.Name, Interface: t.Digest(u.Name)})
	}
	slices.SortStableFunc(k.Uses, compareUses)
}

// resolve brings in what is known of modules and the resolvers that their languages need.
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

// prepare makes the resolvers of languages, each once: the files that they look at stay the same for as long as a survey lives.
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

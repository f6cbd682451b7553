package engine

import (
	"context"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// link computes the tables and edges of modules, and of those that rest on a module whose names are others now.
func (w *world) link(ctx context.Context, modules []string) error {
	resolvers := map[string]source.Resolver{}
	if err := w.resolve(ctx, modules, resolvers); err != nil {
		return err
	}
	again := map[string]bool{}
	for _, m := range modules {
		again[m] = true
	}
	for _, m := range slices.Sorted(maps.Keys(w.known)) {
		w.retable(m, again[m], resolvers)
	}
	more := w.namesChanged(again)
	if err := w.resolve(ctx, more, resolvers); err != nil {
		return err
	}
	for _, m := range more {
		again[m] = true
	}
	all := slices.Sorted(maps.Keys(again))
	found := make([]links, len(all))
	linker := source.Linker{Table: w.table}
	inParallel(len(all), func(i int) { found[i] = w.follow(all[i], linker, resolvers) })
	for i, m := range all {
		w.relink(m, found[i])
	}
	all = slices.Sorted(maps.Keys(w.known))
	records := make([]*record, len(all))
	inParallel(len(all), func(i int) { records[i] = w.remember(all[i]) })
	for i, m := range all {
		w.records[m] = records[i]
	}
	return nil
}

// retable makes a module's table anew and notes how it differs from the remembered one.
func (w *world) retable(m string, links bool, resolvers map[string]source.Resolver) {
	k, old := w.known[m], w.record(m)
	if old != nil && !w.touched[m] && !links {
		k.Table = old.Table
		return
	}
	if links {
		k.Table = source.NewTable(k.Module, k.Declared, resolvers)
	} else {
		k.Table = source.NewTable(k.Module, k.Declared, nil)
		k.Table.Forwards, k.Table.Stars = old.Table.Forwards, old.Table.Stars
	}
	if old == nil {
		w.reshaped[m] = &reshaping{whole: true}
	} else if change := reshape(old.Table, k.Table); change != nil {
		w.reshaped[m] = change
	}
}

// namesChanged lists the modules, not yet among those linked again, that rest on a module with other names.
func (w *world) namesChanged(linked map[string]bool) []string {
	var out []string
	for m, change := range w.reshaped {
		if !change.whole && len(change.came) == 0 {
			continue
		}
		for _, d := range w.restingOn(m, change.relinks) {
			if !linked[d] {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// table returns a module's present table.
func (w *world) table(module string) (source.Table, bool) {
	if k := w.known[module]; k != nil {
		return k.Table, true
	}
	if w.summaries[module] == nil {
		return source.Table{}, false
	}
	if r := w.record(module); r != nil {
		return r.Table, true
	}
	return source.Table{}, false
}

// links is where the imports of a module lead.
type links struct {
	uses, testUses []source.Use
	external       []string
	words          []string
}

// follow follows the imports of a module. It may be called concurrently.
func (w *world) follow(m string, linker source.Linker, resolvers map[string]source.Resolver) links {
	var targets, testTargets []source.Target
	external := map[string]bool{}
	units := w.known[m].Module.Units
	for i := range units {
		u := &units[i]
		r := resolvers[u.File.Language]
		if r == nil {
			continue
		}
		for _, imp := range u.File.Imports {
			found := r.Resolve(u.Path, imp)
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
	return links{linker.Uses(m, targets), linker.Uses(m, testTargets), slices.Sorted(maps.Keys(external)), words(w.known[m].Module)}
}

// relink takes over where the imports of a module lead.
func (w *world) relink(m string, l links) {
	k := w.known[m]
	k.External = l.external
	k.Uses = nil
	for _, u := range l.uses {
		k.Uses = append(k.Uses, node.Use{Module: u.Module, Name: u.Name})
	}
	s := w.summaries[m]
	if s == nil {
		s = &summary{Title: path.Base(m)}
		w.summaries[m] = s
	}
	deps, testDeps := modulesOf(l.uses), modulesOf(l.testUses)
	testDeps = slices.DeleteFunc(testDeps, func(d string) bool { return slices.Contains(deps, d) })
	w.edgesChanged(m, s, deps, testDeps)
	s.Deps, s.TestDeps, s.Words = deps, testDeps, l.words
	w.relinked[m] = true
}

// edgesChanged repaints the neighbours that an edge was added to or taken from: their pages name each other.
func (w *world) edgesChanged(m string, s *summary, deps, testDeps []string) {
	before, after := map[string]string{}, map[string]string{}
	for kind, lists := range map[string][2][]string{"code": {s.Deps, deps}, "test": {s.TestDeps, testDeps}} {
		for _, d := range lists[0] {
			before[d] = kind
		}
		for _, d := range lists[1] {
			after[d] = kind
		}
	}
	if maps.Equal(before, after) {
		return
	}
	w.recount = true
	w.repaint[m] = true
	for _, edges := range []map[string]string{before, after} {
		for d := range edges {
			if _, was := before[d]; was && before[d] == after[d] {
				continue
			}
			w.repaint[d] = true
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

func words(m source.Module) []string {
	set := map[string]bool{}
	for _, u := range m.Units {
		for _, imp := range u.File.Imports {
			for _, s := range segments(imp.Path) {
				set[s] = true
			}
			for _, n := range imp.Names {
				if u.File.Scoped {
					set[n.Name] = true // `from package import file`
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// remember makes a module's record, and updates what is known of it and the part of its summary that comes from source. It
// may be called concurrently for different modules.
func (w *world) remember(m string) *record {
	k, s := w.known[m], w.summaries[m]
	r := w.record(m)
	next := &record{
		Files: fileRecords(k), Table: k.Table, Imports: importsDigest(k.Module), External: k.External,
	}
	if r != nil {
		next.Node = r.Node
		if !w.relinked[m] {
			next.Uses, next.External = r.Uses, r.External
			k.External = r.External
		}
	}
	if w.relinked[m] {
		for _, u := range k.Uses {
			next.Uses = append(next.Uses, source.Use{Module: u.Module, Name: u.Name})
		}
	}
	k.Uses = nil
	for _, u := range next.Uses {
		t, _ := w.table(u.Module)
		k.Uses = append(k.Uses, node.Use{Module: u.Module, Name: u.Name, Interface: t.Digest(u.Name)})
	}
	sort.SliceStable(k.Uses, func(i, j int) bool { return compareUses(k.Uses[i], k.Uses[j]) < 0 })
	s.Partial = nil
	for _, u := range k.Module.Units {
		if u.File.Problem != "" {
			s.Partial = append(s.Partial, u.Path+": "+u.File.Problem)
		}
	}
	return next
}

// resolve brings in what is known of modules and the resolvers that their languages need.
func (w *world) resolve(ctx context.Context, modules []string, resolvers map[string]source.Resolver) error {
	wanted := map[string]bool{}
	for _, m := range modules {
		k, err := w.know(ctx, m)
		if err != nil {
			return err
		}
		for _, u := range k.Module.Units {
			wanted[u.File.Language] = true
		}
	}
	var project source.Project
	for _, l := range w.languages {
		if !wanted[l.Name()] || resolvers[l.Name()] != nil {
			continue
		}
		if project == nil {
			var err error
			if project, err = w.project(ctx); err != nil {
				return err
			}
		}
		resolvers[l.Name()] = l.Resolver(project)
	}
	return nil
}

package survey

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// link computes the tables and edges of modules, and of those that rest on a module whose names are others now.
func (w *Survey) link(ctx context.Context, modules []string) error {
	if err := w.resolve(ctx, modules); err != nil {
		return err
	}
	again := map[string]bool{}
	for _, m := range modules {
		again[m] = true
	}
	for _, m := range slices.Sorted(maps.Keys(w.known)) {
		w.retable(m, again[m])
	}
	more := w.namesChanged(again)
	if err := w.resolve(ctx, more); err != nil {
		return err
	}
	for _, m := range more {
		again[m] = true
	}
	all := slices.Sorted(maps.Keys(again))
	found := make([]links, len(all))
	linker := source.Linker{Table: w.table}
	inParallel(len(all), func(i int) { found[i] = w.follow(all[i], linker) })
	for i, m := range all {
		w.relink(m, found[i])
	}
	all = slices.Sorted(maps.Keys(w.known))
	made := make([]*record, len(all))
	inParallel(len(all), func(i int) { made[i] = w.remember(all[i]) })
	for i, m := range all {
		w.records[m] = made[i]
	}
	return nil
}

// retable makes a module's table anew and notes how it differs from the remembered one.
func (w *Survey) retable(m string, links bool) {
	k, old := w.known[m], w.record(m)
	if old != nil && !w.touched[m] && !links {
		k.Table = old.Table
		return
	}
	if links {
		k.Table = source.NewTable(k.Module, k.Declared, w.resolvers)
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
func (w *Survey) namesChanged(linked map[string]bool) []string {
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
func (w *Survey) table(module string) (source.Table, bool) {
	if k := w.known[module]; k != nil {
		return k.Table, true
	}
	if w.modules[module] == nil {
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
func (w *Survey) follow(m string, linker source.Linker) links {
	var targets, testTargets []source.Target
	external := map[string]bool{}
	units := w.known[m].Module.Units
	for i := range units {
		u := &units[i]
		r := w.resolvers[u.File.Language]
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
func (w *Survey) relink(m string, l links) {
	k := w.known[m]
	k.External = l.external
	old := w.record(m)
	if old == nil || !slices.Equal(old.Uses, l.uses) || !slices.Equal(old.External, l.external) {
		w.note(Links(m))
	}
	k.Uses = nil
	for _, u := range l.uses {
		k.Uses = append(k.Uses, Use{Module: u.Module, Name: u.Name})
	}
	s := w.modules[m]
	if s == nil {
		s = &summary{}
		w.modules[m] = s
	}
	deps, testDeps := modulesOf(l.uses), modulesOf(l.testUses)
	testDeps = slices.DeleteFunc(testDeps, func(d string) bool { return slices.Contains(deps, d) })
	w.edgesChanged(s, deps, testDeps)
	s.Deps, s.TestDeps, s.Words = deps, testDeps, l.words
	w.relinked[m] = true
}

// edgesChanged notes of the modules that an edge was added to or taken from that others import them.
func (w *Survey) edgesChanged(s *summary, deps, testDeps []string) {
	for _, lists := range [][2][]string{{s.Deps, deps}, {s.TestDeps, testDeps}} {
		for _, pair := range [][2][]string{lists, {lists[1], lists[0]}} {
			for _, d := range pair[0] {
				if !slices.Contains(pair[1], d) {
					w.note(ImportersFact(d))
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

// remember makes a module's record, and updates what is known of it. It may be called concurrently for different modules.
func (w *Survey) remember(m string) *record {
	k, s := w.known[m], w.modules[m]
	r := w.record(m)
	next := &record{Files: fileRecords(k), Table: k.Table, Imports: importsDigest(k.Module), External: k.External}
	if w.relinked[m] {
		next.Uses = plain(k.Uses)
	} else if r != nil {
		next.Uses, next.External = r.Uses, r.External
	}
	k.External = next.External
	w.join(k, next.Uses)
	s.Language, s.State = k.Module.Language(), stateOf(next.Files)
	if s.Name = ""; m == "." {
		s.Name = k.Name()
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
func (w *Survey) join(k *Module, uses []source.Use) {
	k.Uses = nil
	for _, u := range uses {
		t, _ := w.table(u.Module)
		k.Uses = append(k.Uses, Use{Module: u.Module, Name: u.Name, Interface: t.Digest(u.Name)})
	}
	slices.SortStableFunc(k.Uses, compareUses)
}

// resolve brings in what is known of modules and the resolvers that their languages need.
func (w *Survey) resolve(ctx context.Context, modules []string) error {
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
	return w.prepare(ctx, wanted)
}

// prepare makes the resolvers of languages, each once: the files that they look at stay the same for as long as a survey lives.
func (w *Survey) prepare(ctx context.Context, wanted map[string]bool) error {
	var project source.Project
	for _, l := range w.Languages {
		if !wanted[l.Name()] || w.resolvers[l.Name()] != nil {
			continue
		}
		if project == nil {
			var err error
			if project, err = w.project(ctx); err != nil {
				return err
			}
		}
		w.resolvers[l.Name()] = l.Resolver(project)
	}
	return nil
}

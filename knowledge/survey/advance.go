package survey

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

func (up *update) advance(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	if !up.Index.Get(wholes, keyPaths, &up.paths) {
		return up.beginAnew(ctx)
	}
	was := divisionOf(up.modules)
	came := up.sortChanges(changes)
	groups := map[string][]Entry{}
	for _, c := range up.changes {
		if m := moduleOf(c.Path); groups[m] == nil {
			up.visit(m).touched = true
			groups[m] = up.filesOf(m)
		}
	}
	if err := up.scanModules(ctx, groups); err != nil {
		return err
	}
	up.dropModules()
	concerned, err := up.toLink(ctx, came)
	if err != nil {
		return err
	}
	if err := up.link(ctx, concerned); err != nil {
		return err
	}
	if err := up.documentation.compareDocuments(ctx, came); err != nil {
		return err
	}
	if err := up.publisher.publish(ctx, came.manifests || slices.ContainsFunc(came.paths, up.publisher.hasEntries)); err != nil {
		return err
	}
	if came.manifests || slices.ContainsFunc(came.paths, up.isSource) {
		if err := up.describer.readDescriptions(ctx); err != nil {
			return err
		}
	}
	up.compareModules()
	up.compareCommon()
	up.documentation.compareManuals()
	if err := up.measure(ctx); err != nil {
		return err
	}
	up.changed.compare(was.contributes(), up.division().contributes())
	return nil
}

type arrivals struct {
	paths     []string
	manifests bool
	changed   []string // all files that were added, removed or modified
}

// sortChanges sorts the changes by kind and updates the path list. It compares with that list, not with the modes of
// the last state, because a file that became a symbolic link no longer counts as a source.
func (up *update) sortChanges(changes []Change) arrivals {
	listed := up.files()
	came := arrivals{}
	for _, c := range changes {
		if up.Owned(c.Path) {
			up.own = append(up.own, c.Path)
			continue
		}
		isFile := c.ID != "" && c.Mode == Regular
		wasFile := listed.Has(c.Path)
		if !isFile { // a symbolic link counts as missing
			c.ID = ""
		}
		if !wasFile {
			c.Was = ""
		}
		if c.ID == c.Was {
			continue // only its permissions changed
		}
		came.changed = append(came.changed, c.Path)
		if isFile != wasFile {
			came.paths = append(came.paths, c.Path)
			for use := range fileLists {
				if use.Has(c.Path) {
					up.changed.add(ListFact(use))
				}
			}
		}
		manifest, isSource := up.classes.IsManifest(c.Path), up.isSource(c.Path)
		if manifest {
			came.manifests = true
			up.listID(&up.paths.Manifests, c, isFile)
		}
		if up.classes.Classify(c.Path).Readme {
			up.listID(&up.paths.Readmes, c, isFile)
			up.changed.add(ReadmeFact(moduleOf(c.Path)), QuotedFact(moduleOf(c.Path)))
		}
		up.changed.add(BlobFact(c.Path))
		if isSource {
			up.changes = append(up.changes, c)
		}
		if isSource || manifest {
			up.undone.add(c)
		}
	}
	if len(came.paths) > 0 {
		up.paths.All, up.pathsChanged = patch(up.paths.All, came.paths, changes), true
	}
	for _, p := range came.paths {
		up.changed.add(fact.New(fact.Absences, p))
		for ; p != "."; p = path.Dir(p) { // its directories may have been added or removed too
			if listed.kind(p) != up.files().kind(p) {
				up.changed.add(PathFact(p))
			}
		}
	}
	return came
}

// undone holds the changes of sources and manifests since the last run that completed its work. The remembered state
// advances with every run, even a read-only one, but the changes seen by a read-only run must still trigger the next
// working run.
type undone struct {
	// All is set when the previous content is unknown.
	All     bool              `json:"a,omitempty"`
	Changes map[string]Change `json:"c,omitempty"` // by path
}

// add adds a change and keeps the content id from before the first one. A reverted change is dropped.
func (u *undone) add(c Change) {
	if u.All {
		return
	}
	if u.Changes == nil {
		u.Changes = map[string]Change{}
	}
	if earlier, ok := u.Changes[c.Path]; ok {
		c.Was = earlier.Was
	}
	if u.Changes[c.Path] = c; c.Was == c.ID {
		delete(u.Changes, c.Path)
	}
}

func (up *update) listID(list *map[string]string, c Change, isFile bool) {
	up.pathsChanged = true
	if *list == nil {
		*list = map[string]string{}
	}
	delete(*list, c.Path)
	if isFile {
		(*list)[c.Path] = c.ID
	}
}

// separator ends each path of a list; no path can contain it.
const separator = "\x00"

func patch(list string, came []string, changes []Change) string {
	there, moved := map[string]bool{}, map[string]bool{}
	for _, c := range changes {
		there[c.Path] = c.ID != "" && c.Mode == Regular
	}
	for _, p := range came {
		moved[p] = true
	}
	all := strings.Split(strings.TrimSuffix(list, separator), separator)
	all = slices.DeleteFunc(all, func(p string) bool { return moved[p] || p == "" })
	for _, p := range came {
		if there[p] {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return strings.Join(all, separator) + separator
}

func (up *update) filesOf(module string) []Entry {
	files := map[string]Entry{}
	if r := up.record(module); r != nil {
		for _, f := range r.Files {
			files[f.Path] = Entry{Path: f.Path, ID: f.Hash, Mode: Regular}
		}
	}
	for _, c := range up.changes {
		if moduleOf(c.Path) != module {
			continue
		}
		delete(files, c.Path)
		if c.ID != "" && c.Mode == Regular {
			files[c.Path] = Entry{Path: c.Path, ID: c.ID, Mode: Regular}
		}
	}
	for p, id := range up.paths.Readmes {
		if moduleOf(p) == module && !up.Excluded(p) {
			files[p] = Entry{Path: p, ID: id, Mode: Regular}
		}
	}
	out := slices.Collect(maps.Values(files))
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func (up *update) dropModules() {
	for m, v := range up.visits {
		if up.known[m] == nil && up.modules[m] != nil {
			v.table = &tableChange{whole: true, public: true}
			delete(up.modules, m)
			up.records[m] = nil
		}
	}
}

// know loads the files of a module that no change touched, mostly from the content cache. Table and edges are those
// of its record, because any change to them touches or relinks the module.
func (s *Survey) know(ctx context.Context, module string) (*Module, error) {
	if k := s.known[module]; k != nil {
		return k, nil
	}
	r := s.record(module)
	if r == nil {
		return nil, fmt.Errorf("module %s: nothing is remembered of it", module)
	}
	var entries []Entry
	for _, f := range r.Files {
		entries = append(entries, Entry{Path: f.Path, ID: f.Hash, Mode: Regular})
	}
	if err := s.scanModules(ctx, map[string][]Entry{module: entries}); err != nil {
		return nil, err
	}
	k := s.known[module]
	k.Table, k.Uses, k.External = r.Table, r.Uses, r.External
	return k, nil
}

// The link input of a module is the set of targets that its imports resolve to. It is compared only for the modules
// that toLink lists. An added or removed file may change resolution in unchanged modules, and resolving all imports
// again would mean reading every module. So the words of a module's imports are remembered, and a module is listed
// when it shares one with the path of the file or with an alias of it. The words must cover every way to resolve an
// import: a manifest alias, a parent directory, a wildcard. An extra module only costs time. TestChangedIsComplete
// compares with surveys that resolve all imports.

func (up *update) toLink(ctx context.Context, came arrivals) ([]string, error) {
	set := map[string]bool{}
	for m, v := range up.visits {
		if k := up.known[m]; k != nil && (v.was.record == nil || v.was.record.Imports != importsDigest(k.Module)) {
			set[m] = true
		}
	}
	words := map[string]bool{}
	for _, p := range came.paths {
		for _, word := range concerned(p) {
			words[word] = true
		}
		if moduleOf(p) == "." {
			came.manifests = true // a root that becomes importable has no word
		}
	}
	var aliases [][]string
	if !came.manifests { // manifests affect everything
		var err error
		if aliases, err = up.aliases(ctx, slices.DeleteFunc(slices.Clone(came.paths), func(p string) bool { return !up.isSource(p) })); err != nil {
			return nil, err
		}
	}
	for m, sum := range up.modules {
		if came.manifests || slices.ContainsFunc(sum.Words, func(word string) bool { return words[word] }) ||
			slices.ContainsFunc(aliases, func(alias []string) bool { return sum.speaksOf(alias) }) {
			set[m] = true
		}
	}
	return slices.Sorted(maps.Keys(set)), nil
}

func (up *update) aliases(ctx context.Context, files []string) ([][]string, error) {
	wanted := map[string]bool{}
	for _, p := range files {
		wanted[up.classes.Classify(p).Language] = true
	}
	if err := up.prepare(ctx, wanted); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out [][]string
	for _, p := range files {
		a, ok := up.resolvers[up.classes.Classify(p).Language].(source.Aliaser)
		if !ok {
			continue
		}
		for _, name := range a.Aliases(p) {
			if words := segments(name); !seen[name] && len(words) > 0 {
				seen[name] = true
				out = append(out, words)
			}
		}
	}
	return out, nil
}

func (s *summary) speaksOf(name []string) bool {
	return !slices.ContainsFunc(name, func(word string) bool {
		_, found := slices.BinarySearch(s.Words, word)
		return !found
	})
}

func words(m source.Module) []string {
	set := map[string]bool{}
	for _, u := range m.Units {
		for _, imp := range u.File.Imports {
			list := segments(imp.Path)
			if len(list) == 0 {
				list = []string{above(m.Path, imp.Path)}
			}
			for _, s := range list {
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

func segments(imp string) []string {
	return strings.FieldsFunc(imp, func(r rune) bool { return r == '/' || r == '.' || r == ':' || r == '@' })
}

// above returns the word of an import that only names a parent directory with dots: "../..", or "..." where each dot
// after the first is one step.
func above(dir, dots string) string {
	if !strings.Contains(dots, "/") {
		dots = strings.Repeat("../", max(len(dots)-1, 0))
	}
	return path.Join(dir, dots) + "/"
}

func concerned(file string) []string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	out := []string{stem, "./"}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		out = append(out, path.Base(dir), dir+"/")
	}
	return out
}

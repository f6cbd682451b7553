package api

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// mostPlaces limits the dependants listed for one finding. A compiler finds the others.
const mostPlaces = 100

// mostPlaced limits the breakages of a module whose dependants are searched. A change with more replaces the module.
const mostPlaced = 1000

type teller struct {
	pair     *pair
	reader   survey.Reader
	moved    map[string]*change.File // renamed and removed files by old path; loaded on demand
	was, now map[string]version      // modules by name, loaded on demand
}

func (t *teller) before(module string) (version, error) {
	return kept(t.was, t.pair.was.reader, module)
}

func (t *teller) after(module string) (version, error) { return kept(t.now, t.reader, module) }

func kept(known map[string]version, r survey.Reader, module string) (version, error) {
	if v, ok := known[module]; ok {
		return v, nil
	}
	v, err := read(r, module)
	if err == nil {
		known[module] = v
	}
	return v, err
}

func (t *teller) tell(broken []breakage) ([]finding.Finding, error) {
	var out []finding.Finding
	for i := range broken {
		b := &broken[i]
		b.unplaced = b.unplaced || i >= mostPlaced
		if may, err := t.pair.isProvisional(*b); err != nil {
			return nil, err
		} else if may {
			b.early = true
		}
		places, err := t.places(b)
		if err != nil {
			return nil, err
		}
		if b.inner && len(places) == 0 {
			continue
		}
		f, err := t.finding(b)
		if err != nil {
			return nil, err
		}
		f.Dependants = places
		broken, err := t.broken(b, places)
		if err != nil {
			return nil, err
		}
		f.Unsure = !broken
		out = append(out, f)
	}
	return out, nil
}

// broken reports whether the repository proves the breakage: the change left a file alone that needs the removed name
// or lacks a new argument. Other repositories cannot be seen.
func (t *teller) broken(b *breakage, places []finding.Place) (bool, error) {
	gone := strings.HasSuffix(b.kind, " removed") && b.kind != "parameter removed" // calls may never have passed the parameter
	if b.unplaced || !gone && !breaking[b.kind] && b.breaks == nil {
		return false, nil
	}
	for _, p := range places {
		f, err := change.FileOf(t.reader, p.Path)
		if err != nil || f == nil {
			return err == nil, err
		}
	}
	return false, nil
}

// breaking lists the kinds, besides removals, that invalidate every existing use.
var breaking = map[string]bool{"parameter added": true, "parameters changed": true, "method added": true, "method added to interface": true}

func (t *teller) finding(b *breakage) (finding.Finding, error) {
	f := finding.Finding{
		Rule: Rule, Category: finding.APIBreak, Severity: finding.Error, Symbol: b.symbol, Change: b.kind,
		Message:   fmt.Sprintf("%s %s", b.symbol, b.text),
		Condition: vocabulary.Call("symbol_changed", t.pair.name, b.declared).String(),
		Side:      finding.Right, Path: b.now.path, Line: b.now.line,
	}
	if b.declared == "" {
		f.Condition = vocabulary.Call("interface_changed", t.pair.name).String()
	}
	if b.inner || b.early {
		f.Severity = finding.Note
	}
	if b.now.line == 0 {
		f.Side, f.Path, f.Line = finding.Left, b.was.path, b.was.line
		file, err := t.changed(b.was.path)
		if err != nil {
			return f, err
		}
		if file != nil {
			f.Path = file.Path
		}
	}
	f.EndLine = f.Line
	return f, nil
}

func (t *teller) places(b *breakage) ([]finding.Place, error) {
	if b.unplaced {
		return nil, nil
	}
	if b.declared == "" {
		return t.stranded(b.all...)
	}
	if t.pair.now.declared[b.declared] == nil || b.now.line == 0 && b.member == "" {
		return t.stranded(b.declared)
	}
	if b.implementers {
		list, err := t.implementers(b)
		return sorted(list), err
	}
	name, breaks := b.declared, b.breaks
	if b.inner && b.proof != nil {
		breaks = b.proof
	}
	if b.breaks != nil { // callers name a constructor by its class
		name = withoutConstructor(name)
	}
	callers, err := survey.CallersOf(t.reader, t.pair.name, name)
	if err != nil {
		return nil, err
	}
	var out []finding.Place
	for _, c := range callers {
		line, adapted, err := t.affected(c, b, breaks)
		if err != nil {
			return nil, err
		}
		if line > 0 {
			out = append(out, finding.Place{Module: c.Module, Path: c.Path, Line: line, Adapted: adapted})
		}
	}
	if b.structural {
		more, err := t.implementers(b)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return sorted(out), nil
}

// affected returns the line of a reference that a breakage affects, or 0, and whether the same change adapted it.
func (t *teller) affected(c source.Referred, b *breakage, breaks func(use) bool) (line int, adapted bool, err error) {
	own := c.Module == t.pair.name
	if !c.Certain || own && !t.beside(c, t.pair.now.declared[b.declared]) {
		return 0, false, nil
	}
	f, err := change.FileOf(t.reader, c.Path)
	switch {
	case err != nil:
		return 0, false, err
	case breaks != nil:
		line, err = t.hit(c, b, breaks)
		return line, false, err
	case own && (f != nil || !breaking[b.kind] || t.forwards(c)):
		return 0, false, nil
	case b.inner && b.member != "" && t.pair.now.ambiguous(b):
		return 0, false, nil
	}
	line = c.Line
	if b.member != "" {
		line, err = t.selects(c, b.member)
	}
	if f == nil || line == 0 || err != nil {
		return line, false, err
	}
	left, err := t.unadapted(c, b, f, line)
	if left > 0 || b.inner { // only the callers that are left are told of what no other module can use
		line = left
	}
	return line, left == 0, err
}

// implementers returns the types of other modules that implemented a declaration and lack what it requires now.
func (t *teller) implementers(b *breakage) ([]finding.Place, error) {
	list, err := survey.ImplementersOf(t.pair.was.reader, t.pair.name, b.declared)
	if err != nil {
		return nil, err
	}
	still := map[source.Use]bool{}
	if b.structural {
		now, err := survey.ImplementersOf(t.reader, t.pair.name, b.declared)
		if err != nil {
			return nil, err
		}
		for _, i := range now {
			still[i.Use] = true
		}
	}
	var out []finding.Place
	for _, i := range list {
		if !i.Certain || i.Module == t.pair.name || still[i.Use] {
			continue
		}
		d, err := t.declaration(i.Module, i.Name)
		if err != nil {
			return nil, err
		}
		lacks := d != nil
		if lacks && !b.structural && b.member != "" {
			if lacks, err = t.lacks(i.Module, d, b, list, 0); err != nil {
				return nil, err
			}
			lacks = lacks && !isOpen(d)
		}
		if lacks {
			out = append(out, finding.Place{Module: i.Module, Path: d.Path, Line: d.Line})
		}
	}
	return out, nil
}

// ambiguous reports whether another declaration has a member of the same name, so a selection may mean that one.
func (v version) ambiguous(b *breakage) bool {
	return v.once("member "+b.member+" besides "+b.declared, func() bool {
		return slices.ContainsFunc(v.module.Declared, func(d source.Declared) bool {
			h, ok := header(&d)
			return ok && d.Name != b.declared && slices.Contains(memberNames(h), b.member)
		})
	})
}

func (t *teller) selects(from source.Referred, member string) (int, error) {
	v, err := t.after(from.Module)
	if err != nil {
		return 0, err
	}
	d := v.declared[from.Name]
	if d == nil || d.Path != from.Path {
		return 0, nil
	}
	lines, err := v.source(from.Path)
	if err != nil {
		return 0, err
	}
	for line := d.Line; line <= min(d.End, len(lines)); line++ {
		if usesMember(lines[line-1], member) {
			return line, nil
		}
	}
	return 0, nil
}

func (t *teller) declaration(module, name string) (*source.Declared, error) {
	v, err := t.after(module)
	return v.declared[name], err
}

func (t *teller) language() language { return compared[t.pair.was.module.Module.Language()] }

// beside reports whether a reference within the module counts: it is in another file than the declaration.
func (t *teller) beside(c source.Referred, d *source.Declared) bool {
	return t.language().beside && d != nil && c.Path != d.Path
}

// forwards reports whether a reference only re-exports the declaration, which stays valid when that changes.
func (t *teller) forwards(c source.Referred) bool {
	d := t.pair.now.declared[c.Name]
	return d != nil && d.Kind == source.Reexport
}

// stranded returns the unchanged places that named the removed declarations.
func (t *teller) stranded(names ...string) ([]finding.Place, error) {
	var out []finding.Place
	for _, name := range names {
		callers, err := survey.CallersOf(t.pair.was.reader, t.pair.name, name)
		if err != nil {
			return nil, err
		}
		for _, c := range callers {
			d := t.pair.was.declared[name]
			if !c.Certain || c.Module == t.pair.name && !t.beside(c, d) {
				continue
			}
			c, means, err := t.meant(c, d)
			if err != nil {
				return nil, err
			}
			p, ok, err := t.still(c, name[strings.LastIndexByte(name, '.')+1:])
			if err != nil {
				return nil, err
			}
			if ok && means {
				out = append(out, p)
			}
		}
		if l := t.language(); l.scoped || l.underscored {
			imports, err := t.importing(name)
			if err != nil {
				return nil, err
			}
			for _, p := range imports { // a use in the same file says more
				if !slices.ContainsFunc(out, func(o finding.Place) bool { return o.Path == p.Path }) {
					out = append(out, p)
				}
			}
		}
	}
	return sorted(out), nil
}

// still returns the new position of an old reference, or false if its line changed or lacks the name.
func (t *teller) still(c source.Referred, name string) (finding.Place, bool, error) {
	p := finding.Place{Module: c.Module, Path: c.Path, Line: c.Line}
	f, err := t.changed(c.Path)
	if err != nil || f == nil {
		return p, err == nil, err
	}
	line, ok := f.Lines.Now(c.Line)
	if !ok || f.Gone {
		return p, false, nil
	}
	now, err := t.after(path.Dir(f.Path))
	if err != nil {
		return p, false, err
	}
	lines, err := now.source(f.Path)
	if err != nil {
		return p, false, err
	}
	if line > len(lines) || !hasWord(lines[line-1], name) {
		return p, false, nil
	}
	p = finding.Place{Module: path.Dir(f.Path), Path: f.Path, Line: line}
	kept, err := t.keepsImports(c, p)
	return p, kept, err
}

// keepsImports reports whether a file kept all its imports. Otherwise the same name may denote something else.
func (t *teller) keepsImports(was source.Referred, now finding.Place) (bool, error) {
	before, err := t.before(was.Module)
	if err != nil {
		return false, err
	}
	after, err := t.after(now.Module)
	if err != nil {
		return false, err
	}
	return before.once("imports of "+was.Path, func() bool {
		old, _ := before.file(was.Path)
		new, _ := after.file(now.Path)
		current := map[string]bool{}
		for _, i := range new.File.Imports {
			current[i.Path] = true
		}
		return !slices.ContainsFunc(old.File.Imports, func(i source.Import) bool { return !current[i.Path] })
	}), nil
}

func (t *teller) changed(was string) (*change.File, error) {
	if t.moved == nil {
		t.moved = map[string]*change.File{}
		for f, err := range change.All(t.reader) {
			if err != nil {
				return nil, err
			}
			if f.Was != "" {
				t.moved[f.Was] = f
			}
		}
	}
	return t.moved[was], nil
}

func sorted(places []finding.Place) []finding.Place {
	slices.SortFunc(places, func(a, b finding.Place) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	places = slices.Compact(places)
	return places[:min(len(places), mostPlaces)]
}

func usesMember(line, name string) bool {
	return anyWord(line, name, func(before, after string) bool {
		return strings.HasSuffix(before, ".") || strings.HasPrefix(strings.TrimLeft(after, " \t"), ":")
	})
}

func hasWord(line, name string) bool { return change.WordAt(line, name, 0) >= 0 }

// anyWord reports whether a line contains a name as a whole word, with matching text before and after it.
func anyWord(line, name string, with func(before, after string) bool) bool {
	for at := change.WordAt(line, name, 0); at >= 0; at = change.WordAt(line, name, at+len(name)) {
		if with(line[:at], line[at+len(name):]) {
			return true
		}
	}
	return false
}

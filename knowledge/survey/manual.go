package survey

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Manual is the description of a symbol in a document.
type Manual struct {
	Symbol string // name in the module
	Path   string // of the document
	Anchor string // of the heading, in Markdown
	// Also marks a symbol that has documentation in the code too.
	Also   bool
	Digest source.Digest
	Text   string // in the markup of the document
	bytes  int    // length of the text
	// Line and End are the position in the document. They are not part of the fact.
	Line, End int
}

// parts are the content of a description, without its position.
func (m Manual) parts() []string {
	if m.Also {
		return []string{m.Symbol, m.Path, m.Anchor}
	}
	return []string{m.Symbol, m.Path, string(m.Digest)}
}

// texts reads the descriptions from the documents, because the index holds only their positions.
func (docs *documentation) texts(ctx context.Context, module string) ([]Manual, error) {
	list, err := docs.manual(ctx, module)
	if err != nil {
		return nil, err
	}
	out := make([]Manual, len(list))
	texts := map[string]map[source.Digest]string{}
	for i, d := range list {
		if texts[d.Path] == nil {
			content, err := docs.content(ctx, d.Path, docs.documents[d.Path].ID)
			if err != nil {
				return nil, err
			}
			texts[d.Path] = map[source.Digest]string{}
			for _, d2 := range descriptions(d.Path, content) {
				texts[d.Path][d2.Digest] = d2.Text
			}
		}
		if !d.Also {
			d.Text = texts[d.Path][d.Digest]
		}
		out[i] = d
	}
	return out, nil
}

// manual returns the descriptions of a module's symbols without their texts.
func (docs *documentation) manual(ctx context.Context, module string) ([]Manual, error) {
	if docs.modules[module] == nil {
		return nil, nil
	}
	said := docs.meanings()[module]
	if len(said) == 0 {
		return nil, nil
	}
	k, err := docs.know(ctx, module)
	if err != nil {
		return nil, err
	}
	var out []Manual
	told := map[string]bool{}
	for i := range k.Declared {
		d := &k.Declared[i]
		if _, visible := k.Table.Names[d.Name]; !visible || d.Kind == source.Reexport || told[d.Name] {
			continue
		}
		for _, m := range said[d.Name] {
			if m.language == "" || source.Kin(m.language) == source.Kin(docs.classes.Classify(d.Path).Language) {
				told[d.Name] = true
				if m.Also = strings.TrimSpace(d.Doc) != ""; m.Also {
					m.bytes = 0
				}
				out = append(out, m.Manual)
				break
			}
		}
	}
	return out, nil
}

type meaning struct {
	Manual
	language string
}

// meanings returns the descriptions that unambiguously refer to one symbol, by module and name, in document order.
func (docs *documentation) meanings() map[string]map[string][]meaning {
	if docs.meant != nil {
		return docs.meant
	}
	docs.meant = map[string]map[string][]meaning{}
	docs.recallDocuments()
	if !docs.describe() {
		return docs.meant
	}
	signs := docs.signs()
	for _, p := range docs.described() {
		home := signs.home(docs.documents[p].Described)
		for _, d := range docs.documents[p].Described {
			at, ok := signs.of(d, home)
			if !ok {
				continue
			}
			if docs.meant[at.module] == nil {
				docs.meant[at.module] = map[string][]meaning{}
			}
			in := docs.meant[at.module]
			in[at.name] = append(in[at.name], meaning{Manual{Symbol: at.name, Path: p, Anchor: d.Anchor, Digest: d.Digest, bytes: d.Bytes, Line: d.Line, End: d.End}, d.Language})
		}
	}
	return docs.meant
}

func (docs *documentation) describe() bool {
	for _, d := range docs.documents {
		if len(d.Described) > 0 {
			return true
		}
	}
	return false
}

func (docs *documentation) described() []string {
	return slices.SortedFunc(maps.Keys(docs.documents), func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
	})
}

type declaredAt struct{ module, name string }

type sign struct {
	declaredAt
	from string
}

// signposts maps the names in documents to the declarations they may refer to.
type signposts struct {
	wanted                            map[string]bool
	typed, files, typedEnds, fileEnds map[string][]sign
}

func (docs *documentation) signs() signposts {
	out := signposts{map[string]bool{}, map[string][]sign{}, map[string][]sign{}, map[string][]sign{}, map[string][]sign{}}
	for _, d := range docs.documents {
		for _, x := range d.Described {
			for name := range beginnings(fullName(x)) {
				out.wanted[name] = true
			}
			if x.Language == "" {
				out.wanted[lastOf(x.Name)] = true
			}
		}
	}
	for m := range docs.modules {
		for _, p := range docs.publisher.publications(m) {
			for name, typed := range p.Names {
				out.reach(declaredAt{m, name}, typed)
			}
		}
		if r := docs.record(m); r != nil && importable(m) {
			out.declare(m, r.Table)
		}
	}
	return out
}

func (p signposts) reach(at declaredAt, typed source.Typed) {
	for _, as := range typed.As {
		as = strings.ReplaceAll(as, "::", ".")
		p.point(p.typed, as, sign{at, typed.Import})
		p.point(p.typedEnds, lastOf(as), sign{at, typed.Import})
	}
}

func (p signposts) declare(m string, t source.Table) {
	prefixes := map[string]bool{"": len(t.Files) == 0}
	for file, prefix := range t.Files {
		prefixes[prefix] = !testFile.MatchString(file)
	}
	dir := ""
	if m != "." {
		dir = strings.ReplaceAll(sourceRoot.ReplaceAllString(m, ""), "/", ".") + "."
	}
	for name := range t.Names {
		dot := strings.LastIndexByte(name, '.') + 1
		if _, passed := t.Forwards[name]; passed || !prefixes[name[:dot]] {
			continue
		}
		to := sign{declaredAt{m, name}, strings.TrimSuffix(dir+name[:dot], ".")}
		p.point(p.files, dir+name, to)
		p.point(p.fileEnds, name[dot:], to)
	}
}

var (
	testFile   = lazyregexp.New(`^(test_.*|.*_test|conftest|tests|setup)\.\w+$`)
	sourceRoot = lazyregexp.New(`^(src|lib|python)/`)
	noPackage  = lazyregexp.New(`(^|/)(tests?|testing|examples?|samples?|demos?|docs?|benchmarks?)(/|$)|-`)
)

// importable reports whether a manual may describe a module. It excludes tests, examples, and modules whose name
// cannot be imported.
func importable(m string) bool { return !noPackage.MatchString(m) }

func (p signposts) point(from map[string][]sign, name string, to sign) {
	if p.wanted[name] && !slices.ContainsFunc(from[name], func(s sign) bool { return s.declaredAt == to.declaredAt }) {
		from[name] = append(from[name], to)
	}
}

const (
	// fewestAtHome is the minimum number of names that determine the module of a document; at most one in
	// mostElsewhere may contradict them.
	fewestAtHome  = 3
	mostElsewhere = 4
)

// home returns the import path of a document that names no module, if most of its unambiguous names belong to one.
func (p signposts) home(list []source.Described) string {
	count, all := map[string]int{}, 0
	for _, d := range list {
		if d.Module != "" || strings.Contains(d.Name, ".") {
			continue
		}
		if to, ok := p.plain(d.Name, ""); ok {
			count[to.from]++
			all++
		}
	}
	for from, n := range count {
		if n >= fewestAtHome && n*mostElsewhere >= all*(mostElsewhere-1) {
			return from
		}
	}
	return ""
}

// of returns the symbol that a description refers to. If the document names a module, the name has only that meaning.
func (p signposts) of(d source.Described, home string) (at declaredAt, ok bool) {
	full := fullName(d)
	if d.Language == "" {
		if to, ok := p.ending(full); ok {
			return to.declaredAt, true
		}
		if !strings.Contains(full, ".") && home == "" {
			return declaredAt{}, false
		}
	}
	for end := len(full); end > len(d.Module); end = strings.LastIndexByte(full[:end], '.') {
		to, ok := p.whole(full[:end])
		if !ok && d.Module == "" && !strings.Contains(full[:end], ".") {
			to, ok = p.plain(full[:end], home)
		}
		if ok {
			return declaredAt{to.module, to.name + full[end:]}, true
		}
	}
	return declaredAt{}, false
}

func (p signposts) ending(name string) (found sign, ok bool) {
	if !strings.Contains(name, ".") {
		return sign{}, false
	}
	for _, list := range [][]sign{p.typedEnds[lastOf(name)], p.fileEnds[lastOf(name)]} {
		for _, to := range list {
			if strings.HasSuffix("."+to.name, "."+name) {
				if ok && found.declaredAt != to.declaredAt {
					return sign{}, false
				}
				found, ok = to, true
			}
		}
	}
	return found, ok
}

func (p signposts) whole(name string) (sign, bool) {
	for _, list := range [][]sign{p.typed[name], p.files[name]} {
		if len(list) > 0 {
			return list[0], len(list) == 1
		}
	}
	return sign{}, false
}

func (p signposts) plain(name, home string) (sign, bool) {
	reached, declared := p.typedEnds[name], p.fileEnds[name]
	if home != "" {
		for _, list := range [][]sign{reached, declared} {
			near := slices.DeleteFunc(slices.Clone(list), func(s sign) bool { return s.from != home })
			if len(near) == 1 {
				return near[0], true
			}
		}
		if len(reached) == 1 && slices.ContainsFunc(declared, func(s sign) bool { return s.declaredAt != reached[0].declaredAt && s.from != "" }) {
			return sign{}, false
		}
	}
	for _, list := range [][]sign{reached, declared} {
		if len(list) > 0 {
			return list[0], len(list) == 1
		}
	}
	return sign{}, false
}

func fullName(d source.Described) string {
	if d.Module == "" || strings.HasPrefix(d.Name, d.Module+".") {
		return d.Name
	}
	return d.Module + "." + d.Name
}

func beginnings(name string) map[string]bool {
	out := map[string]bool{name: true}
	for at := range len(name) {
		if name[at] == '.' {
			out[name[:at]] = true
		}
	}
	return out
}

func (docs *documentation) manualBytes(ctx context.Context, module string) (map[string]int, error) {
	list, err := docs.manual(ctx, module)
	out := make(map[string]int, len(list))
	for _, m := range list {
		out[m.Symbol] = m.bytes
	}
	return out, err
}

func (docs *documentation) compareManuals() {
	if came := docs.cameOrWent(); !docs.redescribed && (len(came) == 0 || !docs.describesOne(came)) {
		return
	}
	var before map[string]string
	docs.Index.Get(wholes, keyMeant, &before)
	now := docs.meaningDigests()
	manuals := func(digests map[string]string) contributions {
		out := contributions{}
		for m, digest := range digests {
			out.add(digest, ManualFact(m))
		}
		return out
	}
	docs.Survey.changed.compare(manuals(before), manuals(now))
	docs.meantChanged = true
}

func (docs *documentation) describesOne(words map[string]bool) bool {
	docs.recallDocuments()
	for _, d := range docs.documents {
		if slices.ContainsFunc(d.Described, func(x source.Described) bool {
			return slices.ContainsFunc(strings.Split(x.Name, "."), func(word string) bool { return words[word] })
		}) {
			return true
		}
	}
	return false
}

func (docs *documentation) meaningDigests() map[string]string {
	out := map[string]string{}
	for m, names := range docs.meanings() {
		var h source.Hasher
		for _, name := range slices.Sorted(maps.Keys(names)) {
			for _, said := range names[name] {
				h.Add(strings.Join([]string{name, said.Path, said.language, string(said.Digest)}, "\x00"))
			}
		}
		out[m] = string(h.Sum())
	}
	return out
}

func (docs *documentation) cameOrWent() map[string]bool {
	out := map[string]bool{}
	for m, v := range docs.update.visits {
		for _, r := range []*record{v.was.record, docs.record(m)} {
			if r == nil || v.table == nil {
				continue
			}
			for name := range r.Table.Names {
				if v.table.whole || v.table.came[name] {
					out[lastOf(name)] = true
				}
			}
		}
	}
	for m, now := range docs.publisher.published {
		for _, all := range []publications{docs.publisher.publishedBefore(m), now} {
			for _, p := range all {
				for name, typed := range p.Names {
					out[lastOf(name)] = true
					for _, as := range typed.As {
						out[lastOf(as)] = true
					}
				}
			}
		}
	}
	return out
}

func describesAlike(a, b document) bool {
	return slices.EqualFunc(a.Described, b.Described, func(a, b source.Described) bool {
		return a.Language == b.Language && a.Module == b.Module && a.Name == b.Name && a.Digest == b.Digest
	})
}

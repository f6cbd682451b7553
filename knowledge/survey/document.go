package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type document struct {
	ID        string             `json:"i"`
	Blocks    []block            `json:"b,omitempty"`
	Described []source.Described `json:"e,omitempty"` // without the text
}

type documentation struct {
	*Survey
	documents map[string]document // by path, loaded lazily
	changed   bool
	mentions  map[string][]mention // blocks by the names they contain
	// redescribed is set when symbol descriptions changed; meant holds the described symbols.
	redescribed  bool
	meant        map[string]map[string][]meaning
	meantChanged bool
}

// block is a code block, parsed as a file. It has the imports of all blocks in the document in that language, because
// most documents show imports once.
type block struct {
	source.Snippet
	Unit source.Unit
}

const (
	// mostDocuments limits the documents read, starting at the root.
	mostDocuments = 300
	// mostImports limits the imports kept of one document, because each name is matched against all of them.
	mostImports = 100
)

func (docs *documentation) documentPaths() []string {
	var out []string
	for _, p := range docs.files() {
		if source.IsDocument(p) && !docs.Owned(p) && !docs.Excluded(p) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return out[:min(len(out), mostDocuments)]
}

func (docs *documentation) recallDocuments() {
	if docs.documents == nil && !docs.full {
		docs.Index.Get(wholes, keyDocuments, &docs.documents)
	}
	if docs.documents == nil {
		docs.documents = map[string]document{}
	}
}

func (docs *documentation) readDocuments(ctx context.Context) error {
	docs.recallDocuments()
	before, now := docs.documents, map[string]document{}
	var missing []Entry
	for _, p := range docs.documentPaths() {
		id, err := docs.blobID(p)
		if err != nil {
			return err
		}
		if was, ok := before[p]; ok && was.ID == id {
			now[p] = was
		} else {
			missing = append(missing, Entry{Path: p, ID: id, Mode: Regular})
		}
	}
	err := docs.Tree.Read(ctx, missing, docs.MaxBytes, func(e Entry, content []byte, err error) error {
		d := document{ID: e.ID}
		if err == nil && bytes.IndexByte(content[:min(len(content), 8000)], 0) < 0 {
			d.Blocks, err = docs.blocksOf(ctx, e.Path, content)
			if err != nil {
				return err
			}
			d.Described = describedIn(e.Path, content)
		}
		now[e.Path] = d
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("read documents: %w", err)
	}
	docs.documents, docs.changed, docs.mentions = now, true, nil
	if !docs.full {
		docs.differExamples(namedBy(before, now))
		docs.redescribed = !maps.EqualFunc(before, now, describesAlike)
	}
	return nil
}

func descriptions(name string, content []byte) []source.Described {
	switch {
	case path.Ext(name) == ".rst":
		return source.Descriptions(content)
	case source.IsASCIIDoc(name):
		return nil // it is not quoted
	}
	return source.DescribedHeadings(content)
}

func describedIn(name string, content []byte) []source.Described {
	out := descriptions(name, content)
	for i := range out {
		out[i].Text = ""
	}
	return out
}

func (docs *documentation) blocksOf(ctx context.Context, name string, content []byte) ([]block, error) {
	var out []block
	imports := map[string][]source.Import{}
	for _, snippet := range source.Snippets(name, content) {
		l := docs.reader(snippet.Language)
		if l == nil {
			continue
		}
		at := path.Join(path.Dir(name), "examples", "snippet"+l.Extensions()[0]) // a plausible location for a program that uses the project
		f, err := source.Extract(ctx, l, at, []byte(snippet.File()))
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			continue // an unparsable block gives no examples
		}
		known := append(imports[snippet.Language], f.Imports...)
		imports[snippet.Language] = known[:min(len(known), mostImports)]
		out = append(out, block{snippet, source.Unit{Path: at, File: naming(f)}})
	}
	for i := range out {
		out[i].Unit.File.Imports = imports[out[i].Language]
	}
	return out, nil
}

// naming reduces a file to the parts that determine its references.
func naming(f source.File) source.File {
	out := source.File{Language: f.Language, Package: f.Package, Scoped: f.Scoped, Imports: f.Imports, Body: f.Body}
	for i := range f.Symbols {
		out.Symbols = append(out.Symbols, source.Symbol{Name: f.Symbols[i].Name, Kind: f.Symbols[i].Kind, End: f.Symbols[i].End, Body: f.Symbols[i].Body})
	}
	return out
}

func (s *Survey) reader(language string) source.Language {
	for _, l := range s.Languages {
		if l.Name() == language {
			return l
		}
	}
	return nil
}

func namedBy(before, now map[string]document) map[string]bool {
	out := map[string]bool{}
	for _, pair := range [][2]map[string]document{{before, now}, {now, before}} {
		for p, d := range pair[0] {
			if other, ok := pair[1][p]; ok && slices.EqualFunc(d.Blocks, other.Blocks, sameCode) {
				continue
			}
			d.names(out)
		}
	}
	return out
}

func sameCode(a, b block) bool { return a.Language == b.Language && a.Code == b.Code }

func (d document) names(to map[string]bool) {
	for i := range d.Blocks {
		f := &d.Blocks[i].Unit.File
		for _, r := range f.References() {
			to[lastOf(r.Name)] = true
			if binding, name, _, ok := f.Binds(r.Name); ok && binding != nil {
				to[lastOf(name)] = true
			}
		}
	}
}

func lastOf(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }

// documentsLead reports whether imports in documents may resolve differently because of added or removed files or
// changed re-exports.
func (docs *documentation) documentsLead(came arrivals) bool {
	for _, v := range docs.update.visits {
		if v.table != nil && v.table.whole {
			return true
		}
	}
	if came.manifests {
		return true
	}
	words := map[string]bool{}
	for _, p := range came.paths {
		if docs.isSource(p) {
			if moduleOf(p) == "." { // a root that becomes importable has no word
				return true
			}
			for _, w := range concerned(p) {
				words[w] = true
			}
		}
	}
	if len(words) == 0 {
		return false
	}
	docs.recallDocuments()
	for _, d := range docs.documents {
		for i := range d.Blocks {
			for _, imp := range d.Blocks[i].Unit.File.Imports {
				if slices.ContainsFunc(segments(imp.Path), func(w string) bool { return words[w] }) {
					return true
				}
			}
		}
	}
	return false
}

func (docs *documentation) compareDocuments(ctx context.Context, came arrivals) error {
	if slices.ContainsFunc(came.changed, source.IsDocument) {
		if err := docs.readDocuments(ctx); err != nil {
			return err
		}
	}
	if docs.documentsLead(came) {
		docs.recallDocuments()
		all := map[string]bool{}
		for _, d := range docs.documents {
			d.names(all)
		}
		docs.differExamples(all)
	}
	return nil
}

func (docs *documentation) differExamples(words map[string]bool) {
	if len(words) == 0 {
		return
	}
	for m := range docs.modules {
		if docs.declaresOne(m, words) {
			docs.Survey.changed.add(ExamplesFact(m))
		}
	}
}

func (docs *documentation) declaresOne(m string, words map[string]bool) bool {
	r, loaded := docs.records[m]
	if !loaded {
		r = new(record)
		if !docs.Index.Get(records, m, r) {
			return true
		}
	}
	if r == nil {
		return false
	}
	for name := range r.Table.Names {
		if words[lastOf(name)] {
			return true
		}
	}
	for _, p := range docs.publisher.publishedBefore(m) {
		for _, typed := range p.Names {
			if slices.ContainsFunc(typed.As, func(as string) bool { return words[lastOf(as)] }) {
				return true
			}
		}
	}
	return false
}

func (docs *documentation) save() (err error) {
	if docs.changed {
		err = docs.Batch.Put(wholes, keyDocuments, docs.documents)
	}
	if docs.meantChanged || docs.full {
		err = errors.Join(err, docs.Batch.Put(wholes, keyMeant, docs.meaningDigests()))
	}
	return err
}

type mention struct {
	path string
	*block
}

func (docs *documentation) mentioning() map[string][]mention {
	if docs.mentions != nil {
		return docs.mentions
	}
	docs.recallDocuments()
	var all []mention
	for _, p := range slices.Sorted(maps.Keys(docs.documents)) {
		for i := range docs.documents[p].Blocks {
			all = append(all, mention{p, &docs.documents[p].Blocks[i]})
		}
	}
	slices.SortFunc(all, compareMentions)
	docs.mentions = map[string][]mention{}
	for _, m := range all {
		named := map[string]bool{}
		document{Blocks: []block{*m.block}}.names(named)
		for name := range named {
			docs.mentions[name] = append(docs.mentions[name], m)
		}
	}
	return docs.mentions
}

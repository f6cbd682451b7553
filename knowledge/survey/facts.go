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

// The families of facts that a Survey answers, besides those of package fact: file, symbol, body, listing and absent.
const (
	linkFacts     fact.Family = "links"     // links <module>: where the imports of the module lead
	importerFacts fact.Family = "importers" // importers <module>: which modules import it
	moduleFacts   fact.Family = "modules"   // modules .: which modules there are
	languageFacts fact.Family = "language"  // language <module>: the language of most of its files
	pathFacts     fact.Family = "path"      // path <path>: whether a file or a directory is there
	readmeFacts   fact.Family = "readme"    // readme <dir>: the README of the directory
	settingFacts  fact.Family = "config"    // config <key>: a part of the configuration
)

// AllModules is the fact of which modules there are.
var AllModules = fact.New(moduleFacts, ".")

// Links is the fact of where the imports of a module lead.
func Links(module string) fact.Fact { return fact.New(linkFacts, module) }

// ImportersFact is the fact of which modules import a module.
func ImportersFact(module string) fact.Fact { return fact.New(importerFacts, module) }

// LanguageFact is the fact of what language a module is mostly in.
func LanguageFact(module string) fact.Fact { return fact.New(languageFacts, module) }

// PathFact is the fact of whether there is a file or directory.
func PathFact(name string) fact.Fact { return fact.New(pathFacts, name) }

// BlobFact is the fact of what a file holds, to the byte.
func BlobFact(name string) fact.Fact { return fact.New(fact.Blobs, name) }

// ReadmeFact is the fact of what introduces a directory.
func ReadmeFact(dir string) fact.Fact { return fact.New(readmeFacts, dir) }

// SettingFact is the fact of what a part of the configuration says.
func SettingFact(key string) fact.Fact { return fact.New(settingFacts, key) }

// answers of one family. Where there is no value, the digest says it all.
type answers struct {
	digest func(w *Survey, ctx context.Context, f fact.Fact) (string, error)
	value  func(w *Survey, ctx context.Context, f fact.Fact) (any, error)
}

var families = map[fact.Family]answers{
	fact.Files:    {digest: (*Survey).fileDigest},
	fact.Symbols:  {digest: (*Survey).symbolDigest},
	fact.Bodies:   {digest: (*Survey).bodyDigest},
	fact.Listings: {(*Survey).listingDigest, (*Survey).moduleValue},
	fact.Absences: {digest: (*Survey).absenceDigest},
	linkFacts:     {digest: (*Survey).linksDigest},
	importerFacts: {(*Survey).importersDigest, (*Survey).importersValue},
	moduleFacts:   {(*Survey).modulesDigest, (*Survey).modulesValue},
	languageFacts: {digest: (*Survey).languageDigest},
	pathFacts:     {digest: (*Survey).pathDigest},
	fact.Blobs:    {(*Survey).blobDigest, (*Survey).blobValue},
	readmeFacts:   {(*Survey).readmeDigest, (*Survey).readmeValue},
	settingFacts:  {digest: (*Survey).settingDigest},
}

// Families lists the families that a Survey answers.
func (w *Survey) Families() []fact.Family { return slices.Sorted(maps.Keys(families)) }

// Digest is what a fact is now; empty where there is no such thing.
func (w *Survey) Digest(ctx context.Context, f fact.Fact) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return families[f.Family].digest(w, ctx, f)
}

// Value is what there is to read of a fact, for the functions of this package that take a Reader.
func (w *Survey) Value(ctx context.Context, f fact.Fact) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := families[f.Family]; a.value == nil {
		return a.digest(w, ctx, f)
	}
	return families[f.Family].value(w, ctx, f)
}

func (w *Survey) fileDigest(_ context.Context, f fact.Fact) (string, error) {
	if w.modules[moduleOf(f.Name)] == nil {
		return "", nil
	}
	file, _ := w.record(moduleOf(f.Name)).file(f.Name)
	return string(file.Fingerprint), nil
}

func (w *Survey) symbolDigest(_ context.Context, f fact.Fact) (string, error) {
	t, _ := w.table(f.Of)
	return string(t.Digest(f.Name)), nil
}

func (w *Survey) bodyDigest(ctx context.Context, f fact.Fact) (string, error) {
	if w.modules[f.Of] == nil {
		return "", nil
	}
	refs, err := w.references(ctx, f.Of)
	if err != nil {
		return "", err
	}
	digest, _ := refs.Body(f.Name)
	return string(digest), nil
}

func (w *Survey) listingDigest(_ context.Context, f fact.Fact) (string, error) {
	if w.modules[f.Name] == nil {
		return "", nil
	}
	return ListingDigest(names(w.record(f.Name).Files)), nil
}

// ListingDigest is the digest of a listing: the paths of the sources, sorted.
func ListingDigest(paths []string) string { return string(source.DigestOf(paths...)) }

func (w *Survey) moduleValue(ctx context.Context, f fact.Fact) (any, error) {
	if w.modules[f.Name] == nil {
		return (*Module)(nil), nil
	}
	return w.know(ctx, f.Name)
}

func (w *Survey) absenceDigest(_ context.Context, f fact.Fact) (string, error) {
	if w.files().Has(f.Name) {
		return "there", nil
	}
	return "", nil
}

func (w *Survey) linksDigest(_ context.Context, f fact.Fact) (string, error) {
	if w.modules[f.Name] == nil {
		return "", nil
	}
	r := w.record(f.Name)
	return LinksDigest(r.Uses, r.External), nil
}

// LinksDigest is the digest of where imports lead: uses, whatever their order, and what lies outside of the repository.
func LinksDigest(uses []source.Use, external []string) string {
	parts := make([]string, 0, len(uses)+len(external)+1)
	for _, u := range uses {
		parts = append(parts, u.Module+"\x00"+u.Name)
	}
	slices.Sort(parts)
	return string(source.DigestOf(append(append(parts, ""), external...)...))
}

func (w *Survey) importersDigest(_ context.Context, f fact.Fact) (string, error) {
	i := w.importer()[f.Name]
	if w.modules[f.Name] == nil {
		return "", nil
	}
	return string(source.DigestOf(append(append(slices.Clone(i.Code), ""), i.Tests...)...)), nil
}

func (w *Survey) importersValue(_ context.Context, f fact.Fact) (any, error) {
	i := w.importer()[f.Name]
	return Importers{slices.Clone(i.Code), slices.Clone(i.Tests)}, nil
}

// importersByModule turns the edges round.
func (w *Survey) importersByModule() map[string]Importers {
	out := map[string]Importers{}
	for _, m := range slices.Sorted(maps.Keys(w.modules)) {
		for _, d := range w.modules[m].Deps {
			i := out[d]
			i.Code = append(i.Code, m)
			out[d] = i
		}
		for _, d := range w.modules[m].TestDeps {
			i := out[d]
			i.Tests = append(i.Tests, m)
			out[d] = i
		}
	}
	return out
}

func (w *Survey) modulesDigest(context.Context, fact.Fact) (string, error) {
	return string(source.DigestOf(slices.Sorted(maps.Keys(w.modules))...)), nil
}

func (w *Survey) modulesValue(context.Context, fact.Fact) (any, error) {
	return slices.Sorted(maps.Keys(w.modules)), nil
}

func (w *Survey) languageDigest(_ context.Context, f fact.Fact) (string, error) {
	if s := w.modules[f.Name]; s != nil {
		return s.Language, nil
	}
	return "", nil
}

func (w *Survey) pathDigest(_ context.Context, f fact.Fact) (string, error) {
	return w.files().kind(f.Name), nil
}

func (w *Survey) blobDigest(_ context.Context, f fact.Fact) (string, error) { return w.blobID(f.Name) }

// blobID is what git calls the content of a file. Most are remembered; for one that is no source, all files are listed.
func (w *Survey) blobID(name string) (string, error) {
	if !w.files().Has(name) {
		return "", nil
	}
	for _, list := range []map[string]string{w.paths.Manifests, w.paths.Readmes} {
		if id := list[name]; id != "" {
			return id, nil
		}
	}
	if w.modules[moduleOf(name)] != nil {
		if file, ok := w.record(moduleOf(name)).file(name); ok {
			return file.Hash, nil
		}
	}
	ids, err := w.entries()
	return ids[name], err
}

// blobs lists the blob ids of all files.
func (w *Survey) blobs(ctx context.Context) (map[string]string, error) {
	entries, err := w.Tree.Entries(ctx, w.state)
	if err != nil {
		return nil, fmt.Errorf("list the repository: %w", err)
	}
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		if e.Mode == Regular {
			out[e.Path] = e.ID
		}
	}
	return out, nil
}

func (w *Survey) blobValue(ctx context.Context, f fact.Fact) (any, error) {
	id, err := w.blobID(f.Name)
	if err != nil || id == "" {
		return []byte(nil), err
	}
	return w.content(ctx, f.Name, id)
}

// content reads a file; nothing of one that is too large or cannot be read.
func (w *Survey) content(ctx context.Context, name, id string) ([]byte, error) {
	var out []byte
	err := w.Tree.Read(ctx, []Entry{{Path: name, ID: id, Mode: Regular}}, w.MaxBytes, func(_ Entry, content []byte, err error) error {
		if err == nil {
			out = slices.Clone(content)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}

func (w *Survey) readmeDigest(_ context.Context, f fact.Fact) (string, error) {
	name := w.readme(f.Name)
	if name == "" {
		return "", nil
	}
	return path.Base(name) + " " + w.paths.Readmes[name], nil
}

func (w *Survey) readmeValue(ctx context.Context, f fact.Fact) (any, error) {
	name := w.readme(f.Name)
	if name == "" {
		return Readme{}, nil
	}
	content, err := w.content(ctx, name, w.paths.Readmes[name])
	return Readme{name, content}, err
}

// readme is the best README of a directory, empty when there is none.
func (w *Survey) readme(dir string) string {
	w.files() // brings the lists of paths along
	best := ""
	for p := range w.paths.Readmes {
		if moduleOf(p) == dir && (best == "" || readmeRank(p) < readmeRank(best)) {
			best = p
		}
	}
	return best
}

func (w *Survey) settingDigest(_ context.Context, f fact.Fact) (string, error) {
	return w.Settings[f.Name], nil
}

// Changed lists the facts that may be otherwise than the last run remembered them; all is true when that may be anything. A
// fact without a name stands for all of its family about what it is of.
func (w *Survey) Changed() (facts []fact.Fact, all bool) {
	return slices.SortedFunc(maps.Keys(w.changed), func(a, b fact.Fact) int { return strings.Compare(a.String(), b.String()) }), w.full
}

// Own lists the files of causal's own that somebody changed, where it is known what changed.
func (w *Survey) Own() []string { return w.own }

// Trigger lists what changed of sources and manifests since the last run that left nothing undone, as facts about blobs; nothing
// where that is not known. state identifies all of them that there are: a manifest leads imports elsewhere with no source changed.
func (w *Survey) Trigger() (changes []fact.Change, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(w.undone.Changes)) {
		c := w.undone.Changes[p]
		changes = append(changes, fact.Change{Fact: BlobFact(p), Before: c.Was, After: c.ID})
	}
	parts := make([]string, 0, 2*len(w.modules))
	for _, m := range slices.Sorted(maps.Keys(w.modules)) {
		parts = append(parts, m, w.modules[m].State)
	}
	w.files() // brings the manifests along
	parts = append(parts, "")
	for _, m := range slices.Sorted(maps.Keys(w.paths.Manifests)) {
		parts = append(parts, m, w.paths.Manifests[m])
	}
	return changes, string(source.DigestOf(parts...))
}

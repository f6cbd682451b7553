package survey

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// Fact families that a Survey answers in addition to those of package fact: file, symbol, body, callers, callees,
// implementers, listing and absent.
const (
	linkFacts     fact.Family = "links"      // links <module>: the targets of the module's imports
	importerFacts fact.Family = "importers"  // importers <module>: the modules that import it
	usageFacts    fact.Family = "usage"      // usage <module>: its names that other modules use, most used first
	moduleFacts   fact.Family = "modules"    // modules .: all modules
	flowFacts     fact.Family = "flows"      // flows <module>: the control flow of the module from its entry points
	exampleFacts  fact.Family = "examples"   // examples <module>: the examples for its symbols
	manualFacts   fact.Family = "manual"     // manual <module>: the descriptions of its symbols in documents
	extendFacts   fact.Family = "implements" // implements <module>: the interfaces that its types implement
	baseFacts     fact.Family = "bases"      // bases <module>: the bases that its types extend
	languageFacts fact.Family = "language"   // language <module>: the language of most of its files
	pathFacts     fact.Family = "path"       // path <path>: whether a file or a directory exists
	readmeFacts   fact.Family = "readme"     // readme <dir>: the README of the directory
	quotedFacts   fact.Family = "quoted"     // quoted <dir>: the names in code spans of the directory's README
	settingFacts  fact.Family = "config"     // config <key>: a part of the configuration
	listFacts     fact.Family = "list"       // list <use>: the files with one use, such as settings
	reachedFacts  fact.Family = "published"  // published <path>: the symbols of a file that callers reach, by the names that they type
)

// AllModules is the fact of the list of modules.
var AllModules = fact.New(moduleFacts, ".")

// ListFact is the fact of a file list.
func ListFact(of FileList) fact.Fact { return fact.New(listFacts, string(of)) }

// Links is the fact of the targets of a module's imports.
func Links(module string) fact.Fact { return fact.New(linkFacts, module) }

// PathFact is the fact of whether a file or directory exists.
func PathFact(name string) fact.Fact { return fact.New(pathFacts, name) }

type answers struct {
	digest func(s *Survey, ctx context.Context, f fact.Fact) (string, error)
	value  func(s *Survey, ctx context.Context, f fact.Fact) (any, error)
}

// spoken handles a family whose facts are strings, which are their own digests.
func spoken(of func(s *Survey, f fact.Fact) string) answers {
	return answers{digest: func(s *Survey, _ context.Context, f fact.Fact) (string, error) { return of(s, f), nil }}
}

// found handles a family with a lookup function. It caches the last result, because callers ask for the digest and
// then for the value.
func found[T any](find func(s *Survey, ctx context.Context, name string) (T, error), digest func(T) string) answers {
	last := func(s *Survey, ctx context.Context, f fact.Fact) (T, error) {
		if l, ok := s.latest[f.Family]; ok && l.name == f.Name {
			return l.value.(T), nil
		}
		v, err := find(s, ctx, f.Name)
		if err == nil {
			s.latest[f.Family] = latest{f.Name, v}
		}
		return v, err
	}
	return answers{
		digest: func(s *Survey, ctx context.Context, f fact.Fact) (string, error) {
			v, err := last(s, ctx, f)
			return digest(v), err
		},
		value: func(s *Survey, ctx context.Context, f fact.Fact) (any, error) { return last(s, ctx, f) },
	}
}

type latest struct {
	name  string
	value any
}

// listed is found for lists; callers get a copy.
func listed[T any](find func(s *Survey, ctx context.Context, name string) ([]T, error), digest func([]T) string) answers {
	a := found(find, digest)
	of := a.value
	a.value = func(s *Survey, ctx context.Context, f fact.Fact) (any, error) {
		v, err := of(s, ctx, f)
		return slices.Clone(v.([]T)), err
	}
	return a
}

// ofModules limits a family to existing modules; the digest for any other is empty.
func (a answers) ofModules() answers {
	of := a.digest
	a.digest = func(s *Survey, ctx context.Context, f fact.Fact) (string, error) {
		if s.modules[f.Name] == nil {
			return "", nil
		}
		return of(s, ctx, f)
	}
	return a
}

// held answers facts from the memory of the Survey.
func held[T any](of func(s *Survey, name string) T, digest func(T) string) answers {
	return found(func(s *Survey, _ context.Context, name string) (T, error) { return of(s, name), nil }, digest)
}

func digestOf(list []string) string { return string(source.DigestOf(list...)) }

// digestIfAny is digestOf, except that no list has no digest.
func digestIfAny(list []string) string {
	if list == nil {
		return ""
	}
	return digestOf(list)
}

// each returns the digest of a list from the parts of its items.
func each[T any](parts func(T) []string) func([]T) string {
	return func(list []T) string {
		var all []string
		for _, one := range list {
			all = append(all, parts(one)...)
		}
		return digestOf(all)
	}
}

var families = map[fact.Family]answers{
	fact.Files: spoken(func(s *Survey, f fact.Fact) string {
		file, _ := s.present(moduleOf(f.Name)).file(f.Name)
		return string(file.Fingerprint)
	}),
	fact.Symbols: spoken(func(s *Survey, f fact.Fact) string {
		if digest, known := s.ofFiles[f]; known {
			return digest
		}
		t, _ := s.table(f.Of)
		digest := string(t.Digest(f.Name))
		if strings.HasSuffix(f.Name, ".*") { // reads all names of the module, and hundreds of modules may use each of hundreds of files
			s.ofFiles[f] = digest
		}
		return digest
	}),
	fact.Listings: answers{spoken(func(s *Survey, f fact.Fact) string { return digestOf(names(s.present(f.Name).Files)) }).digest, (*Survey).moduleValue}.ofModules(),
	fact.Absences: spoken(func(s *Survey, f fact.Fact) string {
		if s.files().Has(f.Name) {
			return "there"
		}
		return ""
	}),
	fact.Bodies:       {(*Survey).bodyDigest, nil},
	fact.Callers:      related((*vicinity).callers, referred),
	fact.Callees:      related((*vicinity).callees, referred),
	fact.Implementers: related((*vicinity).implementers, implementer),
	fact.Blobs:        {(*Survey).blobDigest, (*Survey).blobValue},

	linkFacts: spoken(func(s *Survey, f fact.Fact) string {
		r := s.present(f.Name)
		return LinksDigest(r.Uses, r.External)
	}).ofModules(),
	importerFacts: found((*Survey).importersOf, Importers.digest).ofModules(),
	usageFacts:    listed((*Survey).usage, digestOf).ofModules(),
	moduleFacts:   listed(func(s *Survey, _ context.Context, _ string) ([]string, error) { return s.Modules(), nil }, digestOf),
	flowFacts:     answers{(*Survey).flowsDigest, listed((*Survey).flows, nil).value}.ofModules(),
	exampleFacts:  listed((*Survey).examples, each(func(e Example) []string { return []string{e.Symbol, e.Language, e.Path, e.Code} })).ofModules(),
	manualFacts: answers{listed(func(s *Survey, ctx context.Context, m string) ([]Manual, error) {
		return s.documentation.manual(ctx, m)
	}, each(Manual.parts)).digest, func(s *Survey, ctx context.Context, f fact.Fact) (any, error) {
		return s.documentation.texts(ctx, f.Name)
	}}.ofModules(),
	extendFacts:      listed((*Survey).implements, each(func(i source.Implementation) []string { return []string{i.Type, i.Of.Module, i.Of.Name} })).ofModules(),
	baseFacts:        listed((*Survey).bases, each(func(b source.Base) []string { return []string{b.Type, b.Of.Module, b.Of.Name} })).ofModules(),
	languageFacts:    spoken(func(s *Survey, f fact.Fact) string { return s.modules[f.Name].Language }).ofModules(),
	pathFacts:        spoken(func(s *Survey, f fact.Fact) string { return s.files().kind(f.Name) }),
	readmeFacts:      {(*Survey).readmeDigest, (*Survey).readmeValue},
	quotedFacts:      listed((*Survey).quoted, digestIfAny),
	settingFacts:     spoken(func(s *Survey, f fact.Fact) string { return s.Settings[f.Name] }),
	listFacts:        listed((*Survey).filesFor, digestOf),
	reachedFacts:     held(func(s *Survey, file string) Publication { return s.publisher.publishedOf(file) }, Publication.Digest),
	descriptionFacts: held(func(s *Survey, m string) Description { return s.describer.descriptions()[m] }, Description.Digest),
	dividedFacts:     held(func(s *Survey, _ string) Division { return s.division() }, Division.digest),
	partFacts:        held(func(s *Survey, m string) []source.Part { return s.division().Parts[m] }, partsDigest),
	bundleFacts:      held(func(s *Survey, m string) Bundle { return s.division().Bundles[m] }, Bundle.digest),
	bundledFacts:     held(func(s *Survey, name string) []string { return s.bundled()[fact.New(bundledFacts, name)] }, digestIfAny),
}

// Families lists the families that a Survey answers.
func (s *Survey) Families() []fact.Family { return slices.Sorted(maps.Keys(families)) }

// Digest returns the present digest of a fact, or "" if its subject does not exist.
func (s *Survey) Digest(ctx context.Context, f fact.Fact) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil { // callers that combine many facts do not check it themselves
		return "", err
	}
	return families[f.Family].digest(s, ctx, f)
}

// Value returns the value of a fact, for the functions of this package that take a Reader.
func (s *Survey) Value(ctx context.Context, f fact.Fact) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a := families[f.Family]; a.value == nil {
		return a.digest(s, ctx, f)
	}
	return families[f.Family].value(s, ctx, f)
}

func (s *Survey) present(module string) *record {
	if s.modules[module] == nil {
		return &record{}
	}
	return s.record(module)
}

func (s *Survey) bodyDigest(ctx context.Context, f fact.Fact) (string, error) {
	v, err := s.around(ctx, f.Of)
	if err != nil || v == nil {
		return "", err
	}
	digest, _ := v.references.Body(f.Name)
	return string(digest), nil
}

func (s *Survey) moduleValue(ctx context.Context, f fact.Fact) (any, error) {
	if s.modules[f.Name] == nil {
		return (*Module)(nil), nil
	}
	return s.know(ctx, f.Name)
}

// Changed lists the facts that may differ since the last run; all is true when any fact may differ. A fact without a
// name covers all facts of its family with the same Of.
func (s *Survey) Changed() (facts []fact.Fact, all bool) {
	return slices.SortedFunc(maps.Keys(s.changed), func(a, b fact.Fact) int {
		return cmp.Or(strings.Compare(string(a.Family), string(b.Family)), strings.Compare(a.Of, b.Of), strings.Compare(a.Name, b.Name))
	}), s.full
}

// Own lists the changed files that causal generated, or all of them if the changes are unknown.
func (s *Survey) Own() []string { return s.update.own }

// Trigger lists the changes of sources and manifests since the last run that completed its work, as blob facts, or
// nothing if they are unknown. state identifies all sources and manifests; a manifest affects imports without a
// source change.
func (s *Survey) Trigger() (changes []fact.Change, state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(s.update.undone.Changes)) {
		c := s.update.undone.Changes[p]
		changes = append(changes, fact.Change{Fact: BlobFact(p), Before: c.Was, After: c.ID})
	}
	parts := make([]string, 0, 2*len(s.modules))
	for _, m := range slices.Sorted(maps.Keys(s.modules)) {
		parts = append(parts, m, s.modules[m].State)
	}
	s.files() // updates the manifests
	parts = append(parts, "")
	for _, m := range slices.Sorted(maps.Keys(s.paths.Manifests)) {
		parts = append(parts, m, s.paths.Manifests[m])
	}
	return changes, string(source.DigestOf(parts...))
}

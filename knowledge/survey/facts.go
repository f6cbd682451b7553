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

// The families of facts that a Survey answers, besides those of package fact: file, symbol, body, callers,
// callees, implementers, listing and absent.
const (
	linkFacts     fact.Family = "links"      // links <module>: where the imports of the module lead
	importerFacts fact.Family = "importers"  // importers <module>: which modules import it
	usageFacts    fact.Family = "usage"      // usage <module>: which of its names other modules use, by how many of them do
	moduleFacts   fact.Family = "modules"    // modules .: which modules there are
	flowFacts     fact.Family = "flows"      // flows <module>: how its code goes on from where others begin
	exampleFacts  fact.Family = "examples"   // examples <module>: what shows how its symbols are used
	manualFacts   fact.Family = "manual"     // manual <module>: what documents say of its symbols
	extendFacts   fact.Family = "implements" // implements <module>: what its types implement
	languageFacts fact.Family = "language"   // language <module>: the language of most of its files
	pathFacts     fact.Family = "path"       // path <path>: whether a file or a directory is there
	readmeFacts   fact.Family = "readme"     // readme <dir>: the README of the directory
	quotedFacts   fact.Family = "quoted"     // quoted <dir>: the names that the README of the directory sets as code
	settingFacts  fact.Family = "config"     // config <key>: a part of the configuration
	serviceFacts  fact.Family = "services"   // services .: which files name the providers of services of Java
	reachedFacts  fact.Family = "published"  // published <path>: what callers reach of a file, by the names that they type
)

// AllModules is the fact of which modules there are.
var AllModules = fact.New(moduleFacts, ".")

// AllServices is the fact of which files name the types of Java that provide services.
var AllServices = fact.New(serviceFacts, ".")

// Links is the fact of where the imports of a module lead.
func Links(module string) fact.Fact { return fact.New(linkFacts, module) }

// ImportersFact is the fact of which modules import a module.
func ImportersFact(module string) fact.Fact { return fact.New(importerFacts, module) }

// UsageFact is the fact of which names of a module others use, and which of them more than others.
func UsageFact(module string) fact.Fact { return fact.New(usageFacts, module) }

// FlowsFact is the fact of how the code of a module goes on from where others begin.
func FlowsFact(module string) fact.Fact { return fact.New(flowFacts, module) }

// ImplementsFact is the fact of what the types of a module implement.
func ImplementsFact(module string) fact.Fact { return fact.New(extendFacts, module) }

// LanguageFact is the fact of what language a module is mostly in.
func LanguageFact(module string) fact.Fact { return fact.New(languageFacts, module) }

// PathFact is the fact of whether there is a file or directory.
func PathFact(name string) fact.Fact { return fact.New(pathFacts, name) }

// BlobFact is the fact of what a file holds, to the byte.
func BlobFact(name string) fact.Fact { return fact.New(fact.Blobs, name) }

// ReadmeFact is the fact of what introduces a directory.
func ReadmeFact(dir string) fact.Fact { return fact.New(readmeFacts, dir) }

// QuotedFact is the fact of which names the README of a directory sets as code, which is less than all that it says.
func QuotedFact(dir string) fact.Fact { return fact.New(quotedFacts, dir) }

// SettingFact is the fact of what a part of the configuration says.
func SettingFact(key string) fact.Fact { return fact.New(settingFacts, key) }

// PublishedFact is the fact of what callers reach of a file.
func PublishedFact(file string) fact.Fact { return fact.New(reachedFacts, file) }

// answers of one family. Where there is no value, the digest says it all.
type answers struct {
	digest func(s *Survey, ctx context.Context, f fact.Fact) (string, error)
	value  func(s *Survey, ctx context.Context, f fact.Fact) (any, error)
}

var families = map[fact.Family]answers{
	fact.Files:       {digest: (*Survey).fileDigest},
	fact.Symbols:     {digest: (*Survey).symbolDigest},
	fact.Bodies:      {digest: (*Survey).bodyDigest},
	fact.Callers:     related((*vicinity).callers, referred),
	fact.Callees:     related((*vicinity).callees, referred),
	fact.Listings:    {(*Survey).listingDigest, (*Survey).moduleValue},
	fact.Absences:    {digest: (*Survey).absenceDigest},
	linkFacts:        {digest: (*Survey).linksDigest},
	importerFacts:    {(*Survey).importersDigest, (*Survey).importersValue},
	usageFacts:       {(*Survey).usageDigest, (*Survey).usageValue},
	moduleFacts:      {(*Survey).modulesDigest, (*Survey).modulesValue},
	flowFacts:        {(*Survey).flowsDigest, (*Survey).flowsValue},
	exampleFacts:     {(*Survey).examplesDigest, (*Survey).examplesValue},
	manualFacts:      {(*Survey).manualDigest, (*Survey).manualValue},
	extendFacts:      {(*Survey).implementsDigest, (*Survey).implementsValue},
	descriptionFacts: {(*Survey).descriptionDigest, (*Survey).descriptionValue},
	languageFacts:    {digest: (*Survey).languageDigest},
	pathFacts:        {digest: (*Survey).pathDigest},
	fact.Blobs:       {(*Survey).blobDigest, (*Survey).blobValue},
	readmeFacts:      {(*Survey).readmeDigest, (*Survey).readmeValue},
	quotedFacts:      {(*Survey).quotedDigest, (*Survey).quotedValue},
	settingFacts:     {digest: (*Survey).settingDigest},
	reachedFacts:     {(*Survey).publishedDigest, (*Survey).publishedValue},
	dividedFacts:     {(*Survey).dividedDigest, (*Survey).dividedValue},
	partFacts:        {(*Survey).partsDigest, (*Survey).partsValue},
	bundleFacts:      {(*Survey).bundleDigest, (*Survey).bundleValue},
	bundledFacts:     {(*Survey).bundledDigest, (*Survey).bundledValue},
	serviceFacts:     {(*Survey).servicesDigest, (*Survey).servicesValue},

	fact.Implementers: related((*vicinity).implementers, implementer),
}

// Families lists the families that a Survey answers.
func (s *Survey) Families() []fact.Family { return slices.Sorted(maps.Keys(families)) }

// Digest is what a fact is now; empty where there is no such thing.
func (s *Survey) Digest(ctx context.Context, f fact.Fact) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil { // also of whoever makes something of many facts, and polls nothing itself
		return "", err
	}
	return families[f.Family].digest(s, ctx, f)
}

// Value is what there is to read of a fact, for the functions of this package that take a Reader.
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

func (s *Survey) symbolDigest(_ context.Context, f fact.Fact) (string, error) {
	t, _ := s.table(f.Of)
	return string(t.Digest(f.Name)), nil
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
	k, err := s.know(ctx, f.Name)
	if err == nil && k.Uses == nil {
		s.join(k, s.record(f.Name).Uses)
	}
	return k, err
}

func (s *Survey) absenceDigest(_ context.Context, f fact.Fact) (string, error) {
	if s.files().Has(f.Name) {
		return "there", nil
	}
	return "", nil
}

func (s *Survey) modulesDigest(context.Context, fact.Fact) (string, error) {
	return string(source.DigestOf(slices.Sorted(maps.Keys(s.modules))...)), nil
}

func (s *Survey) modulesValue(context.Context, fact.Fact) (any, error) {
	return slices.Sorted(maps.Keys(s.modules)), nil
}

func (s *Survey) servicesDigest(context.Context, fact.Fact) (string, error) {
	return string(source.DigestOf(s.services()...)), nil
}

func (s *Survey) servicesValue(context.Context, fact.Fact) (any, error) { return s.services(), nil }

// services lists the files that name providers of services, sorted.
func (s *Survey) services() []string {
	var out []string
	for _, p := range s.files() {
		if source.IsService(p) && !s.Excluded(p) {
			out = append(out, p)
		}
	}
	return out
}

func (s *Survey) languageDigest(_ context.Context, f fact.Fact) (string, error) {
	if sum := s.modules[f.Name]; sum != nil {
		return sum.Language, nil
	}
	return "", nil
}

func (s *Survey) settingDigest(_ context.Context, f fact.Fact) (string, error) {
	return s.Settings[f.Name], nil
}

// Changed lists the facts that may be otherwise than the last run remembered them; all is true when that may be anything. A
// fact without a name stands for all of its family about what it is of.
func (s *Survey) Changed() (facts []fact.Fact, all bool) {
	return slices.SortedFunc(maps.Keys(s.changed), func(a, b fact.Fact) int {
		return cmp.Or(strings.Compare(string(a.Family), string(b.Family)), strings.Compare(a.Of, b.Of), strings.Compare(a.Name, b.Name))
	}), s.full
}

// Own lists the files of causal's own that somebody changed; where it is not known what changed, all that there are.
func (s *Survey) Own() []string { return s.own }

// Trigger lists what changed of sources and manifests since the last run that left nothing undone, as facts about blobs; nothing
// where that is not known. state identifies all of them that there are: a manifest leads imports elsewhere with no source changed.
func (s *Survey) Trigger() (changes []fact.Change, state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(s.undone.Changes)) {
		c := s.undone.Changes[p]
		changes = append(changes, fact.Change{Fact: BlobFact(p), Before: c.Was, After: c.ID})
	}
	parts := make([]string, 0, 2*len(s.modules))
	for _, m := range slices.Sorted(maps.Keys(s.modules)) {
		parts = append(parts, m, s.modules[m].State)
	}
	s.files() // brings the manifests along
	parts = append(parts, "")
	for _, m := range slices.Sorted(maps.Keys(s.paths.Manifests)) {
		parts = append(parts, m, s.paths.Manifests[m])
	}
	return changes, string(source.DigestOf(parts...))
}

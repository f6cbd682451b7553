package survey

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// Reader reads facts. A Reader that records each fact with its digest holds complete evidence.
type Reader interface {
	Read(f fact.Fact) (value any, err error)
}

// ErrNoModule is returned for a missing module.
var ErrNoModule = errors.New("there is no such module")

// Read returns the source of a module. It reads every fact that the result depends on: the listing, the files, the
// import targets and the used names of other modules. It returns ErrNoModule if there is no such module.
func Read(r Reader, module string) (*Module, error) {
	k, err := value[*Module](r, fact.New(fact.Listings, module))
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, fmt.Errorf("module %s: %w", module, ErrNoModule)
	}
	if _, err := r.Read(Links(module)); err != nil {
		return nil, err
	}
	for _, u := range k.Units() {
		if _, err := r.Read(fact.New(fact.Files, u.Path)); err != nil {
			return nil, err
		}
	}
	for _, u := range k.Uses {
		if u.Name == "" {
			continue
		}
		if _, err := r.Read(fact.Of(fact.Symbols, u.Module, u.Name)); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// Modules lists the modules by path.
func Modules(r Reader) ([]string, error) { return value[[]string](r, AllModules) }

// Importers holds the modules that import a module, by path: in code, and only in tests.
type Importers struct{ Code, Tests []string }

// The facts by name, each with the function that reads it.
var (
	// ImportersOf returns the importers of a module.
	ImportersFact, ImportersOf = familyOf[Importers](importerFacts)
	// UsageOf lists the names of a module that other modules use, most used first.
	UsageFact, UsageOf = familyOf[[]string](usageFacts)
	// FlowsOf returns a module's control flow from its entry points.
	FlowsFact, FlowsOf = familyOf[[]source.Flow](flowFacts)
	// ImplementsOf lists the interfaces, in the module and its dependencies, that the module's types certainly implement.
	ImplementsFact, ImplementsOf = familyOf[[]source.Implementation](extendFacts)
	// BasesOf lists the bases in the repository that a module's types name.
	BasesFact, BasesOf = familyOf[[]source.Base](baseFacts)
	// ExamplesOf lists the examples for a module's symbols, at most one each.
	ExamplesFact, ExamplesOf = familyOf[[]Example](exampleFacts)
	// ManualOf lists the descriptions of a module's symbols in documents, one per symbol.
	ManualFact, ManualOf = familyOf[[]Manual](manualFacts)
	// DescriptionOf returns the description of the package whose main source is in a module.
	DescriptionFact, DescriptionOf = familyOf[Description](descriptionFacts)
	// LanguageOf returns the main language of a module.
	LanguageFact, LanguageOf = familyOf[string](languageFacts)
	// PartsOf lists the parts of a large module.
	PartsFact, PartsOf = familyOf[[]source.Part](partFacts)
	// BundleOf returns the bundle of a small module, or the zero Bundle.
	BundleFact, BundleOf = familyOf[Bundle](bundleFacts)
	// PublishedOf returns the symbols of a file that callers reach. It is empty for languages without entry points.
	PublishedFact, PublishedOf = familyOf[Publication](reachedFacts)
	// Blob returns the exact content of a file, or nil if it is missing, too large or unreadable.
	BlobFact, Blob = familyOf[[]byte](fact.Blobs)
	// ReadmeOf returns the README of a directory.
	ReadmeFact, ReadmeOf = familyOf[Readme](readmeFacts)
	// QuotedOf lists the names in code spans of a directory's README, which change less often than its text.
	QuotedFact, QuotedOf = familyOf[[]string](quotedFacts)
	// Setting returns a part of the configuration, or "" if it is not set.
	SettingFact, Setting = familyOf[string](settingFacts)
)

func familyOf[T any](family fact.Family) (of func(name string) fact.Fact, read func(r Reader, name string) (T, error)) {
	of = func(name string) fact.Fact { return fact.New(family, name) }
	return of, func(r Reader, name string) (T, error) { return value[T](r, of(name)) }
}

// The settings that pages depend on, as facts name them.
const (
	Repository  = "repository" // its web address, or ""
	frontMatter = "docs.front_matter"
)

// Settings returns the settings that pages depend on, for the survey to answer.
func Settings(repository string, withFrontMatter bool) map[string]string {
	return map[string]string{Repository: repository, frontMatter: strconv.FormatBool(withFrontMatter)}
}

// FrontMatter reports whether pages have front matter.
func FrontMatter(r Reader) (bool, error) {
	v, err := Setting(r, frontMatter)
	return v == strconv.FormatBool(true), err
}

// CallersOf lists the references to a symbol in its module and in those whose imports lead to it, in the form of
// [Reach]. Positions are not part of the fact: a caller that shows them must read the files too.
func CallersOf(r Reader, module, symbol string) ([]source.Referred, error) {
	return value[[]source.Referred](r, fact.Of(fact.Callers, module, symbol))
}

// ImplementersOf lists the types that implement or extend a type, in its module and in those whose imports lead to
// it.
func ImplementersOf(r Reader, module, symbol string) ([]source.Implementer, error) {
	return value[[]source.Implementer](r, fact.Of(fact.Implementers, module, symbol))
}

// Exists reports whether a file or directory exists.
func Exists(r Reader, name string) (bool, error) {
	digest, err := value[string](r, PathFact(name))
	return digest != "", err
}

// Readme is a directory's README; the zero Readme means none.
type Readme struct {
	Path    string
	Content []byte
}

// Find returns the source of a module as Read does, or nil if there is no such module.
func Find(r Reader, module string) (*Module, error) {
	m, err := Read(r, module)
	if errors.Is(err, ErrNoModule) {
		return nil, nil
	}
	return m, err
}

// Ask reads a fact. It returns the zero value for a fact without a value.
func Ask[T any](r Reader, f fact.Fact) (T, error) {
	v, err := r.Read(f)
	t, _ := v.(T)
	return t, err
}

func value[T any](r Reader, f fact.Fact) (T, error) {
	v, err := r.Read(f)
	if err != nil {
		var none T
		return none, err
	}
	t, ok := v.(T)
	if !ok {
		return t, fmt.Errorf("read %s: unexpected type %T", f, v)
	}
	return t, nil
}

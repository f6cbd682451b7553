package survey

import (
	"errors"
	"fmt"

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

// ImportersOf returns the importers of a module.
func ImportersOf(r Reader, module string) (Importers, error) {
	return value[Importers](r, ImportersFact(module))
}

// UsageOf lists the names of a module that other modules use, most used first.
func UsageOf(r Reader, module string) ([]string, error) { return value[[]string](r, UsageFact(module)) }

// FlowsOf returns a module's control flow from its entry points.
func FlowsOf(r Reader, module string) ([]source.Flow, error) {
	return value[[]source.Flow](r, FlowsFact(module))
}

// ImplementsOf lists the interfaces, in the module and its dependencies, that the module's types certainly implement.
func ImplementsOf(r Reader, module string) ([]source.Implementation, error) {
	return value[[]source.Implementation](r, ImplementsFact(module))
}

// BasesOf lists the bases in the repository that a module's types name.
func BasesOf(r Reader, module string) ([]source.Base, error) {
	return value[[]source.Base](r, BasesFact(module))
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

// PublishedOf returns the symbols of a file that callers reach. It is empty for languages without entry points.
func PublishedOf(r Reader, file string) (Publication, error) {
	return value[Publication](r, PublishedFact(file))
}

// LanguageOf returns the main language of a module.
func LanguageOf(r Reader, module string) (string, error) { return said(r, LanguageFact(module)) }

// Exists reports whether a file or directory exists.
func Exists(r Reader, name string) (bool, error) {
	digest, err := said(r, PathFact(name))
	return digest != "", err
}

// Blob returns the content of a file, or nil if it is missing, too large or unreadable.
func Blob(r Reader, name string) ([]byte, error) { return value[[]byte](r, BlobFact(name)) }

// Readme is a directory's README; the zero Readme means none.
type Readme struct {
	Path    string
	Content []byte
}

// ReadmeOf returns the README of a directory.
func ReadmeOf(r Reader, dir string) (Readme, error) { return value[Readme](r, ReadmeFact(dir)) }

// QuotedOf lists the names in code spans of a directory's README.
func QuotedOf(r Reader, dir string) ([]string, error) { return value[[]string](r, QuotedFact(dir)) }

// Setting returns a part of the configuration, or "" if it is not set.
func Setting(r Reader, key string) (string, error) { return said(r, SettingFact(key)) }

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

func said(r Reader, f fact.Fact) (string, error) { return value[string](r, f) }

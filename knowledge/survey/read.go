package survey

import (
	"errors"
	"fmt"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// Reader reads facts. One that keeps what it was asked, with the digests, holds complete evidence of whatever is concluded
// from its answers.
type Reader interface {
	Read(f fact.Fact) (value any, err error)
}

// ErrNoModule is returned for a module that is not there.
var ErrNoModule = errors.New("there is no such module")

// Read returns what the source of a module says, and reads all that this follows from: which files there are, what is in
// each, where imports lead, and the names of other modules that are used. ErrNoModule when there is no such module.
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

// Importers are the modules that import a module, by path: those whose code does, and those of which only tests do.
type Importers struct{ Code, Tests []string }

// ImportersOf returns the importers of a module.
func ImportersOf(r Reader, module string) (Importers, error) {
	return value[Importers](r, ImportersFact(module))
}

// UsageOf lists the names of a module that the code of other modules uses, those that most modules use first.
func UsageOf(r Reader, module string) ([]string, error) { return value[[]string](r, UsageFact(module)) }

// FlowsOf returns how the code of a module goes on from where others begin.
func FlowsOf(r Reader, module string) ([]source.Flow, error) {
	return value[[]source.Flow](r, FlowsFact(module))
}

// ImplementsOf lists what the types of a module certainly implement, of what is there for that in the module and in those that it rests on.
func ImplementsOf(r Reader, module string) ([]source.Implementation, error) {
	return value[[]source.Implementation](r, ImplementsFact(module))
}

// BasesOf lists the bases that the types of a module name, of those in the repository.
func BasesOf(r Reader, module string) ([]source.Base, error) {
	return value[[]source.Base](r, BasesFact(module))
}

// CallersOf lists what names a symbol, in its module and in those whose imports lead to it, in the form of [Reach]. Where it stands
// is no part of the fact: whoever shows places reads the files as well.
func CallersOf(r Reader, module, symbol string) ([]source.Referred, error) {
	return value[[]source.Referred](r, fact.Of(fact.Callers, module, symbol))
}

// CalleesOf lists what the code of a symbol names. What holds of the places of CallersOf holds of these.
func CalleesOf(r Reader, module, symbol string) ([]source.Referred, error) {
	return value[[]source.Referred](r, fact.Of(fact.Callees, module, symbol))
}

// ImplementersOf lists the types that implement or extend a type, in its module and in those whose imports lead to it.
func ImplementersOf(r Reader, module, symbol string) ([]source.Implementer, error) {
	return value[[]source.Implementer](r, fact.Of(fact.Implementers, module, symbol))
}

// PublishedOf returns what callers reach of a file; nothing of one whose language has no entries.
func PublishedOf(r Reader, file string) (Publication, error) {
	return value[Publication](r, PublishedFact(file))
}

// LanguageOf is the language of most files of a module.
func LanguageOf(r Reader, module string) (string, error) { return said(r, LanguageFact(module)) }

// Exists reports whether there is a file or a directory.
func Exists(r Reader, name string) (bool, error) {
	digest, err := said(r, PathFact(name))
	return digest != "", err
}

// Blob returns the content of a file; nil when it is not there, is too large, or cannot be read.
func Blob(r Reader, name string) ([]byte, error) { return value[[]byte](r, BlobFact(name)) }

// Readme is what introduces a directory; the zero Readme stands for none.
type Readme struct {
	Path    string
	Content []byte
}

// ReadmeOf returns the README of a directory.
func ReadmeOf(r Reader, dir string) (Readme, error) { return value[Readme](r, ReadmeFact(dir)) }

// QuotedOf lists the names that the README of a directory sets as code.
func QuotedOf(r Reader, dir string) ([]string, error) { return value[[]string](r, QuotedFact(dir)) }

// Setting is what a part of the configuration says, empty where it says nothing.
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

// said returns a fact that is a word.
func said(r Reader, f fact.Fact) (string, error) { return value[string](r, f) }

// plain are uses without what they look like.
func plain(uses []Use) []source.Use {
	out := make([]source.Use, len(uses))
	for i, u := range uses {
		out[i] = source.Use{Module: u.Module, Name: u.Name}
	}
	return out
}

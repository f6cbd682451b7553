package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Traits are what differs between languages outside their readers. The package of each language registers its own; a
// language without a reader has the zero value.
type Traits struct {
	Name    string // as Language.Name
	Title   string // the display name, if it is not the capitalized name: "C++"
	Kin     string // the language whose entries apply too, for packages that mix two languages
	Entries bool   // manifests and entry files define the public files

	// Names.
	Separator        map[string]string                     // between the elements of a qualified name, by extension; nil means "."
	Constructor      string                                // name of a class's constructor
	Underscored      bool                                  // an underscore at the start of a name marks it as private
	Capitals         bool                                  // a capital at the start of a member's name makes it public
	Global           bool                                  // a name has the same meaning in every file
	Whole            bool                                  // code never omits the beginning of a dotted name
	Resolution       Resolution                            // rules of name resolution
	OpenNamespaces   bool                                  // namespaces have no declaration
	Unique           bool                                  // functions cannot be overloaded
	Overloads        bool                                  // several functions may have one name, each with its annotations in its own lines
	Public, Private  []string                              // modifiers of members that subtypes inherit, or do not inherit
	Abstract         []string                              // bases, and arguments of bases, that make a class abstract: "metaclass=ABCMeta"
	Virtual          bool                                  // subclasses only define the methods without a body
	DataClass        string                                // in the signature of classes whose fields are parameters of their constructors
	Auxiliary        func(s *Symbol) bool                  // exports that only serve signatures
	Renders          func(path string, s *Symbol) bool     // functions that build a view
	Local            bool                                  // callers need types that they cannot import: those in signatures of exports
	Alias            func(s *Symbol) string                // the name in the same file that a symbol may stand for, besides re-exports of one name
	Second           bool                                  // an alias in the same file is less known than its origin
	Modules          func(from Place, name string) []Place // files that may hold a module that a file declares
	Inside           func(u *Unit, s *Symbol) bool         // internal declarations; nil if the package of a file does not decide that
	Rooted, Unlisted string                                // attributes: of macros with names below the package's, and of exports outside the API
	Elsewhere        func(guard string) bool               // whether a build constraint excludes a file on the usual platform
	Own              []string                              // beginnings of imports from the own package

	// Files and directories.
	Packages              bool     // a directory is a package
	PackageFiles          []string // extensions of files whose directories may have the name of a fixture
	Imported              bool     // directories are imported by name
	Heads                 []string // stems of files that represent their directory: "index"
	Main                  string   // stem of files that only run
	Headers, Paired       []string // extensions: of declarations for callers, and of headers and implementations
	Ignores               func(name string) bool
	Built                 func(name string, content []byte) bool // files that a build writes, which no person reads
	ToolFiles, BuildFiles []string                               // base names of files for tools and for the build only
	Manifests             []string                               // base names of files that describe a package
	Root                  string                                 // the directory below which directories are packages
	Services              string                                 // the directory with the providers of services
	Commands              bool                                   // every file with an entry point is a program
	Scripts               []string                               // extensions of files whose program is named by a manifest only
	Nameless              bool                                   // that holds for each command
	Slashed               bool                                   // a route "/" below a prefix keeps its slash
	Suffixes              []string                               // extensions that imports may write or omit

	// Tests and packages.
	Test        func(dir string) string      // the command that tests a directory
	TestImports []string                     // imports that mark a test file, regardless of its name
	Examples    bool                         // tests contain functions that are examples
	Standard    func(imported string) bool   // whether an import is part of the standard library or the language
	Installed   func(imported string) string // the installable package of an import
	Nested      bool                         // imports are below the name of their package

	// Documentation.
	Fences        []string                 // names of the language at code blocks
	Wrapping      *Wrapping                // of snippets, if statements must be in functions
	Snippet       func(code string) string // turns a snippet into a file, in other languages
	Domain        *Domain                  // the language's part of Sphinx
	Docstrings    bool                     // documentation is in the body of its declaration
	Prose, Headed bool                     // documentation begins with the name and explains parameters in sentences, or it explains them in lists

	// Notation.
	Indented    bool     // blocks are indented, and comments begin with #
	Terminated  bool     // statements end with a semicolon
	Apostrophes bool     // apostrophes delimit strings
	LongStrings []string // begin strings of several lines
	Raw         string   // begins a string without escapes
	Dialect     *Dialect // of patterns; kin without one share it
}

// Wrapping is the code around a snippet without a function.
type Wrapping struct {
	Own, Ahead    string // the beginning of a snippet that is a whole file, and of other files
	Hoist         string // first words of lines outside functions
	Whole         string // present if the snippet declares functions
	Before, After string
}

// Domain is a language's part of Sphinx.
type Domain struct {
	Name       string                                         // "py"
	Directives map[string]bool                                // that describe a symbol; true for those that contain others
	Modular    bool                                           // the directives module and currentmodule name the module
	Code       []string                                       // directives with code
	Symbol     func(signature string) (name, language string) // that a signature declares
}

// Dialect is how patterns of code are read.
type Dialect struct {
	Name, Endings, Words string
	Hash                 bool // # begins a comment
	Prime                bool // ' does not always begin a literal
}

var (
	unread    = &Traits{}
	languages []*Traits // sorted by name
	owns      []string  // Own of all languages

	traits, byExtension, fences, domains, domainCode = map[string]*Traits{}, map[string]*Traits{}, map[string]string{}, map[string]string{}, map[string]string{}

	heads, mains, constructors, testImports = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
)

// RegisterTraits adds the traits of a language. The language's package calls it when it is initialized.
func RegisterTraits(l Language, t Traits) {
	t.Name = l.Name()
	traits[t.Name], languages = &t, append(languages, &t)
	slices.SortFunc(languages, func(a, b *Traits) int { return cmp.Compare(a.Name, b.Name) })
	for _, e := range l.Extensions() {
		byExtension[e] = &t
	}
	owns = append(owns, t.Own...)
	for _, f := range t.Fences {
		fences[f] = t.Name
	}
	for _, words := range []struct {
		set  map[string]bool
		list []string
	}{{heads, t.Heads}, {mains, []string{t.Main}}, {constructors, []string{t.Constructor}}, {testImports, t.TestImports}} {
		for _, w := range words.list {
			words.set[w] = w != ""
		}
	}
	if t.Domain != nil {
		domains[t.Domain.Name] = t.Name
		for _, kind := range t.Domain.Code {
			domainCode[kind] = t.Name
		}
	}
}

// AllTraits returns the traits of all languages with readers, sorted by name.
func AllTraits() []*Traits { return languages }

// TraitsOf returns the traits of a language.
func TraitsOf(language string) *Traits { return cmp.Or(traits[language], unread) }

// TraitsOfFile returns the traits of a file's language.
func TraitsOfFile(file string) *Traits { return cmp.Or(byExtension[path.Ext(file)], unread) }

// ByFile reports whether readers look for symbols by file.
func (t *Traits) ByFile() bool { return t.Name != "" && !t.Imported }

// IsHeader reports whether a file has declarations for callers.
func IsHeader(file string) bool { return slices.Contains(TraitsOfFile(file).Headers, path.Ext(file)) }

// IsHead reports whether a file with this stem represents its directory.
func IsHead(stem string) bool { return heads[stem] }

// IsConventional reports whether a language gives files with this stem a meaning.
func IsConventional(stem string) bool { return heads[stem] || mains[stem] }

// IsConstructor reports whether a member's name is that of a constructor in a language.
func IsConstructor(name string) bool { return constructors[name] }

// TrimOwn removes the names for the own package from the beginning of an import.
func TrimOwn(name string) string {
	for _, own := range owns {
		if rest, ok := strings.CutPrefix(name, own); ok {
			return TrimOwn(rest)
		} else if name == strings.TrimRight(own, ":") {
			return ""
		}
	}
	return name
}

// IsTestImport reports whether an import marks a test file.
func IsTestImport(name string) bool { return testImports[name] }

// Lists reports whether an exported symbol is part of the API.
func (t *Traits) Lists(s *Symbol) bool {
	return t.Unlisted == "" || !strings.Contains(s.Signature, t.Unlisted)
}

// IsToolFile reports whether a base name belongs to a language's tools.
func IsToolFile(base string) bool {
	t := TraitsOfFile(base)
	return slices.Contains(t.ToolFiles, base) || slices.Contains(t.BuildFiles, base)
}

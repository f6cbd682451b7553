package source

import (
	"iter"
	"maps"
	"path"
	"slices"
)

// Traits are what differs between languages outside their readers. The package of each language registers its own; a
// language without a reader has the zero value.
type Traits struct {
	// Title is the display name if it is not the capitalized name: "C++".
	Title string
	// Kin is the language whose entries apply too, for packages that mix two languages.
	Kin string
	// Entries is set if manifests and entry files define the public files.
	Entries bool

	// Separator separates the elements of a qualified name in a file with an extension; nil means ".".
	Separator map[string]string
	// Constructor is the name of a class's constructor.
	Constructor string
	// Underscored is set if an underscore at the start of a name marks it as private.
	Underscored bool
	// Global is set if a name has the same meaning in every file.
	Global bool
	// Local is set if callers need types that they cannot import: those in the signatures of exports.
	Local bool
	// Abstract lists the bases, and keyword arguments of bases, that make a class abstract: "ABC", "metaclass=ABCMeta".
	Abstract []string
	// Virtual is set if subclasses only define the methods without a body.
	Virtual bool
	// Public and Private are modifiers of members that subtypes inherit, or do not inherit.
	Public, Private []string
	// Unique is set if functions cannot be overloaded; OpenNamespaces if namespaces have no declaration.
	Unique, OpenNamespaces bool
	// Alias returns the name in the same file that a symbol other than a re-export of one name may stand for.
	Alias func(s *Symbol) string
	// Second is set if an alias in the same file is less known than its origin.
	Second bool
	// Modules lists the files that may hold a module that a file declares.
	Modules func(from Place, name string) []Place
	// Inside reports whether a declaration is internal; nil if the package of its file does not decide that.
	Inside func(u *Unit, s *Symbol) bool
	// Rooted is set if members and macros are named after the package, whatever file declares them.
	Rooted bool
	// Whole is set if code never omits the beginning of a dotted name.
	Whole bool
	// Nearby is set if code only refers to names of directories near its own without an import.
	Nearby bool
	// Resolution are the rules of name resolution.
	Resolution Resolution

	// Packages is set if a directory is a package; PackageFiles are the extensions of files whose packages may have the
	// name of a fixture directory.
	Packages     bool
	PackageFiles []string
	// Imported is set if directories are imported by name, and ByFile if readers look for symbols by file.
	Imported, ByFile bool
	// Heads are the stems of files that represent their directory: "index".
	Heads []string
	// Headers are the extensions of files with declarations for callers, and Paired those of headers and implementations.
	Headers, Paired []string
	// Ignores reports whether the language's tools ignore a file.
	Ignores func(name string) bool
	// ToolFiles and BuildFiles only configure tools and the build.
	ToolFiles, BuildFiles []string
	// Root is the directory below which directories are packages.
	Root string
	// Manifests are the base names of files that describe a package.
	Manifests []string
	// Commands is set if every file with an entry point is a program; Main is the stem of files that only run.
	Commands bool
	Main     string
	// Scripts are the extensions of files whose program is named by a manifest only; Nameless is set if that holds for each
	// command.
	Scripts  []string
	Nameless bool
	// Slashed is set if a route "/" below a prefix keeps its slash.
	Slashed bool
	// Suffixes are extensions that imports may write or omit.
	Suffixes []string

	// Test returns the command that tests a directory.
	Test func(dir string) string
	// Examples is set if tests contain functions that are examples.
	Examples bool
	// Standard reports whether an import is part of the standard library or the language.
	Standard func(name string) bool
	// Installed returns the installable package of an imported name.
	Installed func(name string) string
	// Nested is set if imported names are below the name of their package.
	Nested bool

	// Fences are the names of the language at code blocks.
	Fences []string
	// Wrapping turns a snippet into a file, if statements must be in functions; Snippet does it in other languages.
	Wrapping *Wrapping
	Snippet  func(code string) string
	// Domain is the language's part of Sphinx.
	Domain *Domain
	// Docstrings is set if documentation is in the body of its declaration, and Prose if it begins with the name and
	// explains parameters in sentences. Headed is set if it explains them in lists.
	Docstrings, Prose, Headed bool

	// Indented is set if blocks are indented and comments begin with #, and Terminated if statements end with a semicolon.
	Indented, Terminated bool
	// Apostrophes is set if apostrophes delimit strings.
	Apostrophes bool
	// LongStrings begin strings of several lines, and Raw one without escapes.
	LongStrings []string
	Raw         string
	// Dialect is how patterns of code are read. Kin without one share it.
	Dialect *Dialect
}

// Wrapping is the code around a snippet without a function.
type Wrapping struct {
	Own    string // the beginning of a snippet that is a whole file
	Ahead  string // the beginning of the file
	Hoist  string // first words of lines outside functions
	Whole  string // present if the snippet declares functions
	Before string
	After  string
}

// Domain is a language's part of Sphinx.
type Domain struct {
	Name       string          // "py"
	Directives map[string]bool // that describe a symbol; true for those that contain others
	Modular    bool            // the directives module and currentmodule name the module
	Code       []string        // directives with code
	// Symbol returns the name that a signature declares, and its language.
	Symbol func(signature string) (name, language string)
}

// Dialect is how patterns of code are read.
type Dialect struct {
	Name, Endings, Words string
	Hash                 bool // # begins a comment
	Prime                bool // ' does not always begin a literal
}

var (
	traits      = map[string]*Traits{}
	byExtension = map[string]string{} // language
	fences      = map[string]string{} // language
	domains     = map[string]string{} // language
	domainCode  = map[string]string{} // language of the code in a Sphinx directive
	heads       = map[string]bool{}
	mains       = map[string]bool{}

	constructors = map[string]bool{}
	zero         = &Traits{}
)

// RegisterTraits adds the traits of a language. The language's package calls it when it is initialized.
func RegisterTraits(l Language, t Traits) {
	traits[l.Name()] = &t
	for _, e := range l.Extensions() {
		byExtension[e] = l.Name()
	}
	for _, f := range t.Fences {
		fences[f] = l.Name()
	}
	for _, stem := range t.Heads {
		heads[stem] = true
	}
	mains[t.Main], constructors[t.Constructor] = t.Main != "", t.Constructor != ""
	if t.Domain == nil {
		return
	}
	domains[t.Domain.Name] = l.Name()
	for _, kind := range t.Domain.Code {
		domainCode[kind] = l.Name()
	}
}

// TraitsOf returns the traits of a language.
func TraitsOf(language string) *Traits {
	if t := traits[language]; t != nil {
		return t
	}
	return zero
}

// LanguageOf returns the language with a reader for a file, or "".
func LanguageOf(file string) string { return byExtension[path.Ext(file)] }

// TraitsOfFile returns the traits of a file's language.
func TraitsOfFile(file string) *Traits { return TraitsOf(LanguageOf(file)) }

// AllTraits iterates over the traits of all languages, sorted by name.
func AllTraits() iter.Seq2[string, *Traits] {
	return func(yield func(string, *Traits) bool) {
		for _, name := range slices.Sorted(maps.Keys(traits)) {
			if !yield(name, traits[name]) {
				return
			}
		}
	}
}

// IsHeader reports whether a file has declarations for callers.
func IsHeader(file string) bool { return slices.Contains(TraitsOfFile(file).Headers, path.Ext(file)) }

// IsConventional reports whether a language gives files with this stem a meaning.
func IsConventional(stem string) bool { return heads[stem] || mains[stem] }

// IsHead reports whether a file with this stem represents its directory.
func IsHead(stem string) bool { return heads[stem] }

// IsConstructor reports whether a member's name is that of a constructor in a language.
func IsConstructor(name string) bool { return constructors[name] }

// IsToolFile reports whether a base name belongs to a language's tools.
func IsToolFile(base string) bool {
	t := TraitsOfFile(base)
	return slices.Contains(t.ToolFiles, base) || slices.Contains(t.BuildFiles, base)
}

// Package source turns the files of a repository into what can be known about them without running them:
// modules, exported symbols with their signatures and documentation, imports, the behaviour surface, and the
// fingerprints that decide whether a conclusion drawn from them still holds.
//
// A Language reads one file at a time and never looks at another; a Resolver says where an import leads. Everything
// is deterministic: the same bytes give the same File, whatever the machine, the order or the time.
package source

import "context"

// Kind says what a Symbol is, in the words of its language's community.
type Kind string

// The closed set of symbol kinds. A language uses those that exist in it.
const (
	Func      Kind = "func"
	Method    Kind = "method"
	Type      Kind = "type" // type alias, typedef, Go defined type that is neither struct nor interface
	Struct    Kind = "struct"
	Class     Kind = "class"
	Interface Kind = "interface"
	Trait     Kind = "trait"
	Enum      Kind = "enum"
	Record    Kind = "record"
	Union     Kind = "union"
	Const     Kind = "const"
	Var       Kind = "var"
	Field     Kind = "field" // a class attribute or public field that stands on its own, as in Python and Java
	Macro     Kind = "macro"
	Namespace Kind = "namespace" // TypeScript namespace, Rust inline module, C++ namespace
	// Reexport passes on a name that is declared elsewhere: `from .a import f` in __init__.py, `export {x} from`,
	// `pub use`. Its Refs hold the local name (Name.As of the import) that it passes on.
	Reexport Kind = "reexport"
)

// Symbol is one declaration that other code, or a reader, can name.
type Symbol struct {
	// Name is dotted within the file's scope: "Login", "Server.Close", "Outer.Inner.run". Unique within a File:
	// overloads and conditional redefinitions are merged into one Symbol (signatures joined by "\n", in source
	// order; digests over all of them).
	Name string `json:"n"`
	Kind Kind   `json:"k"`
	// Signature is the declaration as a reader wants to see it: no body, no doc, one canonical spacing whatever the
	// formatting in the source. Decorators, attributes and annotations that matter to a caller come first, one a
	// line. A constant carries its value when the value is a short literal or expression (at most 80 bytes).
	Signature string `json:"s"`
	// Type says which parts of Signature are what: parameters, results, type parameters, modifiers. See Headers.
	Type Parts `json:"ty,omitempty"`
	// Doc is the documentation comment without comment markers, common indentation removed, "\n" line ends,
	// no trailing blanks. Empty when there is none.
	Doc string `json:"d,omitempty"`
	// Overloads are what is said of further declarations of the name that say something else, in source order. Doc is that of
	// the first which has any.
	Overloads []Overload `json:"v,omitempty"`
	// Exported reports whether code outside the module may name it, by the language's rules or conventions.
	Exported bool `json:"e,omitempty"`
	// Renamed marks a declaration that code outside of the file can name only as a Reexport beside it calls it.
	Renamed bool `json:"o,omitempty"`
	// Deprecated is the reason after the language's deprecation marker, or "deprecated" when it gives none.
	Deprecated string `json:"x,omitempty"`
	// Line and End are the first and last line of the declaration itself (1-based, doc comment not included).
	Line int `json:"l"`
	End  int `json:"m"`
	// Interface is the digest of what a dependant can see of this declaration by itself: names, signature, constant
	// value, decorators, attributes, fields that are visible; no documentation, no body, no position.
	Interface Digest `json:"i"`
	// Content is the digest of the declaration's whole token stream: its doc, its signature, its body; free of
	// formatting, positions and ordinary comments.
	Content Digest `json:"c"`
	// Code is the digest of the same without documentation; empty where there is none to leave out.
	Code Digest `json:"w,omitempty"`
	// Refs are the identifiers in the interface that may name other declarations of the same module or imported
	// ones: parameter, result, field and base types, constants used in a constant's value. Sorted, unique, dotted
	// where the source is ("pkg.Type"). Predeclared names need not be there.
	Refs []string `json:"r,omitempty"`
	// Body are the names that the whole declaration uses, its signature and its body, and does not bind itself. Sorted
	// by Name, Kind and Open; each once, with the first line.
	Body []Reference `json:"b,omitempty"`
	// Guard is the build constraint that the declaration stands under beside that of its file: `windows`, `test`,
	// `defined(SELF_TEST)`. Empty when it is always there.
	Guard string `json:"g,omitempty"`
	// Hidden marks a member that no code outside the module can select, whatever it is a member of, as a method that is
	// not exported is in Go. No dependant rests on it.
	Hidden bool `json:"h,omitempty"`
	// Bases are the types that a type extends, implements or embeds, as written and without type arguments, in source
	// order. A Name among Refs or Body may be one of them; here it is said.
	Bases []string `json:"t,omitempty"`
	// Shape is the type of a method in a form that can be compared between types: no parameter names, one spacing, and
	// "$" before each name that is not predeclared: "($Ctx, string) ($db.Row, error)". Set where a type implements an
	// interface by its methods alone (Go).
	Shape string `json:"y,omitempty"`
	// Each is set of a symbol that stands for others, whose names another file has.
	Each *Each `json:"z,omitempty"`
	// Requires are the methods that an interface declares itself, sorted by name, where types implement it by their
	// methods alone.
	Requires []Member `json:"q,omitempty"`
}

// Member is one method that an interface declares.
type Member struct {
	Name  string `json:"n"`
	Shape string `json:"y"` // as Symbol.Shape
}

// RefKind says how code uses what it names.
type RefKind string

// The kinds of references. A conversion and a constructor call use a type; a call uses what is called.
const (
	RefCall  RefKind = "call"
	RefType  RefKind = "type"
	RefValue RefKind = "value" // a constant, a variable, a function that is passed on
)

// Reference is one name that code uses and that it does not bind itself: no parameter, no local variable, no local
// import. Where it leads is for the module to say (see Module.References).
type Reference struct {
	// Name is dotted as written, from its first free name on: "digits", "money.Parse", "Server.flush" for a selection
	// from the receiver (this, self) of Server. Of an Open reference it is the last selector alone: "flush".
	Name string  `json:"n"`
	Kind RefKind `json:"k"`
	// Open marks a selection from a value whose type the syntax does not tell. It may mean any member of that name.
	Open bool `json:"o,omitempty"`
	Line int  `json:"l"` // 1-based
	// Order is its place among the references of a declaration, from 1 on, whatever the lines are: equal code has equal orders. A call
	// comes behind what its arguments call.
	Order int `json:"q,omitempty"`
	// Apart marks a reference that is no part of the declaration's own course: it stands in a function within the declaration, which
	// somebody may call later, or where something has failed.
	Apart bool `json:"a,omitempty"`
}

// Name is one name that an import makes available.
type Name struct {
	Name string `json:"n"`           // as the imported module calls it
	As   string `json:"a,omitempty"` // the local name, when it differs
}

// Import is one edge out of a file, as written.
type Import struct {
	// Path is what the source says: "example.com/shop/money", "money", ".a", "../money", "java.util.List",
	// "crate::money", "stdio.h".
	Path string `json:"p"`
	// Names are the names that the file takes from it or, where the module is bound as a whole, the members that
	// the file reaches through that binding (money.Parse -> "Parse"). Sorted by Name, unique.
	Names []Name `json:"n,omitempty"`
	// All means that the names cannot be listed: a wildcard, a dot import, an include, a binding that is passed on
	// as a value.
	All bool `json:"a,omitempty"`
	// Reexport means that everything it brings (All) is passed on: `export * from`, `pub use m::*`, and
	// `from m import *` in a package's __init__.py.
	Reexport bool `json:"r,omitempty"`
	// As is the local name that the module is bound to as a whole, when it is not the last element of Path: np, db. It is
	// "." where everything that it exports can be named as if the file declared it.
	As string `json:"as,omitempty"`
	// System is set where the syntax itself says that the target is not part of the repository: <stdio.h>.
	System bool `json:"s,omitempty"`
	Line   int  `json:"l"`
	// Guard is the build constraint that the import stands under beside that of its file, as in Symbol.
	Guard string `json:"g,omitempty"`
}

// FactKind says what part of the behaviour surface a Fact belongs to.
type FactKind string

// The behaviour surface: what a user of the running program meets.
const (
	Env  FactKind = "env"  // an environment variable that is read; Name is the variable
	Flag FactKind = "flag" // a command-line flag; Name as the user types it: "--addr", "-v"
	// Route is an HTTP route; Name is "GET /total", or "/total" when the method is not known. The path of a Route or a Mount may have
	// placeholders.
	Route FactKind = "route"
	Exit  FactKind = "exit" // an exit code; Name is the literal code: "1"
	// Command is a command or subcommand of the command line; Name is the word that the user types for it, empty where that
	// is computed.
	Command FactKind = "command"
	// Register is what code gives to a registry while the program starts: ID is what is registered, where the code says so, Of the
	// function that takes it, and Name the name that it is registered under, where that is a literal. All as the file writes them.
	Register FactKind = "register"
	// Naming is the name that a type gives itself: ID is the type, and Of the type of the value in which it says so, where that is
	// no mere text. A registry that asks for it has the type under this name. It is no element itself.
	Naming FactKind = "naming"
	// Join makes what has an ID a part of what another fact has for its ID (Of): a subcommand, or the flags that a function
	// adds. It is no element itself, and has no Name. Where its Usage is Hidden, what has the ID is no subcommand: its flags alone count.
	Join FactKind = "join"
	// Reads says that a function (ID) reads the environment variable whose name it is given first: itself, or through another
	// function (Of). Its Value is Fallback where what it is given behind that holds otherwise; else Default is what does.
	// With a Name, it reads the one that Name gives too, with the name that it is given for Unknown: "*_FILE".
	Reads FactKind = "reads"
	// Holds says what a constant or the field of a variable (ID) holds at first, as Default: flags elsewhere may begin with it. It is
	// no element itself, and has no Name.
	Holds FactKind = "holds"
	// Mount says that what is registered with a router (ID) stands behind that of another one (Of), with Name between: "/api".
	// Where its Usage is Fallback, Name holds unless a mount of the router has another one. The ID may be a PlaceID.
	Mount FactKind = "mount"
	// Config is a key of the configuration that a type (Of) is filled from, with its type as Value. Where the keys of another type
	// (ID) stand below it, it is none by itself; without a Name they stand beside it. One of Program says that a type (ID) is a
	// configuration as a whole, and is no key.
	Config FactKind = "config"
	// Data is a table that code creates, or a model whose values are kept in one (Value, "SQL" for a table): Name, the name of its table
	// where that is another one (Also), its columns (Doc, as package ddl writes them) and, of a model that others extend, ID. Of is what it
	// extends itself; where Usage is Hidden it is there for that alone. What a file says beside tables is for package ddl to read.
	Data FactKind = "data"
	// Job is what runs by a schedule, or because something puts it into a queue: its Name, its schedule (Usage), empty where there is none,
	// and its handler (Value).
	Job FactKind = "job"
	// Sets says that the configuration of a tool gives code a variable (Name): an operator does not set it.
	Sets FactKind = "sets"
)

// Named precedes the Name of an environment variable that has constants of other files of the module in it: their names, with
// a plus sign between them, Unknown, and texts, which have Text before them.
const (
	Named = "$"
	Text  = "\""
)

// Unknown marks a computed part in the Name of an environment variable or an exit code. It is the whole Name where
// nothing is known.
const Unknown = "*"

// Whole is the ID of whatever reads all variables of the environment, and Listed precedes the name of a list of variables
// that a loop of another file goes over. Variables of lists have them for their Of: they are none unless something reads them.
const (
	Whole  = "*environ"
	Listed = "*each "
)

// Required and Computed are what Usage says of a variable or a key of the configuration: without one nothing works, and the
// default is no literal.
const (
	Required = "required"
	Computed = "computed"
)

// Second is what Also of a fact says where the name of an environment variable is the second that a function is given.
const Second = "second"

// Fallback is the Value of a fact of the kind Reads about a function that is given a default too, and the Usage of a Mount that
// is one.
const Fallback = "fallback"

// Program is the ID of the command that an entry point itself is: of flags that belong to no command that code names. Nothing
// in code is called so.
const Program = "*"

// Served is the ID of the paths of all handlers that an application finds by their decorators: what it puts before them counts for the
// directories below it. Those without a version of their own are Versioned. Also of such a Mount are the paths that have no prefix.
const (
	Served    = "*served"
	Versioned = "*versioned"
)

// Hidden is the Usage of a command that its author does not show to users.
const Hidden = "hidden"

// Fact is one element of the behaviour surface. Only literals are facts: a name that is computed is left out, and so is any
// other part that is.
type Fact struct {
	Kind FactKind `json:"k"`
	Name string   `json:"n,omitempty"`
	Line int      `json:"l"`
	// ID is what code calls a command or a group of flags: the variable that holds it, the function that makes it. Dotted
	// where it is a member or another module's.
	ID string `json:"i,omitempty"`
	// Of is the ID of the command that a flag, a subcommand or a group belongs to. Of an environment variable it is the function
	// that is given its name: it is none unless that one reads it. Of a route it is the router, whose mounts say what comes before it.
	Of string `json:"o,omitempty"`
	// Also are other spellings, ", " between them: "-v" of a flag, aliases of a command. Of a route they are the functions that wrap the
	// handler.
	Also string `json:"a,omitempty"`
	// Value is what the author calls the value of a flag, or its type; empty of a switch. Of a route and a job it is the handler.
	Value string `json:"v,omitempty"`
	// Default is the value that holds where the user gives none, as the user would write it.
	Default string `json:"d,omitempty"`
	// Usage is the rest of a command's usage line, behind the words that name the command. Of a flag it is what code calls its
	// default, where another file declares that. Of a variable and of a key it is Required or Computed, of a job the schedule.
	Usage string `json:"u,omitempty"`
	// Guard is the condition under which alone it is there, or the platform: "windows".
	Guard string `json:"g,omitempty"`
	// Help is what the author says of it in a line or a sentence, and Doc what is said of a command or a flag at length.
	Help string `json:"h,omitempty"`
	Doc  string `json:"c,omitempty"`
}

// Example is a runnable example that the language's tools check, shown with the symbol that it belongs to.
type Example struct {
	Symbol string `json:"s,omitempty"` // empty: of the whole module
	Suffix string `json:"x,omitempty"` // distinguishes several examples of one symbol
	Doc    string `json:"d,omitempty"`
	Code   string `json:"c"`
	Output string `json:"o,omitempty"`
}

// File is all that is known of one file by itself.
type File struct {
	Language string `json:"l"`
	// Package is the name that the file declares for its module, where the language has one ("money", "com.x.shop").
	Package string `json:"p,omitempty"`
	// Doc is the module's documentation when this file carries it: package comment, module docstring,
	// @packageDocumentation, inner doc comment.
	Doc string `json:"d,omitempty"`
	// Test marks a file that only tests: it adds no public API, and its imports do not count as dependencies.
	Test bool `json:"t,omitempty"`
	// Tests are the names of the test functions in it, in any file, sorted.
	Tests []string `json:"ts,omitempty"`
	// Generated marks a file whose header says that a program wrote it.
	Generated bool `json:"g,omitempty"`
	// Main marks an entry point: package main with func main, `if __name__ == "__main__"`, a main method, a shebang.
	Main bool `json:"m,omitempty"`
	// Scoped is true where the file itself is a namespace (Python, TypeScript, Rust): two files of a directory may
	// then declare the same name. False where all files of a directory share one (Go, Java packages, C).
	Scoped bool `json:"f,omitempty"`
	// Strict is true where no code outside the module can name what is not exported (Go). False where that is a convention,
	// or means something narrower.
	Strict bool `json:"st,omitempty"`
	// Guard is the build constraint of the whole file, as written: the expression of a //go:build line, `#![cfg(…)]`.
	Guard string `json:"u,omitempty"`
	// MainGuard is the build constraint that alone makes the file an entry point: a main under `#ifdef` of a self test.
	MainGuard string `json:"mu,omitempty"`
	// Body are the names that code outside of all Symbols uses: statements of a module, initializers without a name.
	Body    []Reference `json:"r,omitempty"`
	Imports []Import    `json:"i,omitempty"`
	Symbols []Symbol    `json:"s,omitempty"`
	// Lists are the lists of names that it exports, as far as they are written out (JavaScript).
	Lists    map[string][]string `json:"ls,omitempty"`
	Facts    []Fact              `json:"b,omitempty"`
	Examples []Example           `json:"e,omitempty"`
	// Content is the digest of the file's token stream with documentation, directives and build tags, free of
	// formatting, positions and ordinary comments. Equal Content means: no page and no behaviour can differ.
	// A Test file's Content covers only what can be shown of it: Tests, Examples, Imports.
	Content Digest `json:"c"`
	// Problem says why the file could only be read in part, "line 12: expected ':'"; empty when all of it was.
	// Symbols then hold what could be recovered.
	Problem string `json:"pr,omitempty"`
}

// Language reads the files of one programming language. Implementations are stateless and safe for concurrent use.
type Language interface {
	// Name is the language's name in lower case: "go", "python", "typescript".
	Name() string
	// Version is raised whenever the File for some unchanged bytes changes: it is part of every cache key.
	Version() int
	// Extensions are the file endings that it reads, with the dot.
	Extensions() []string
	// Extract reads one file. path is slash-separated and relative to the repository's root; it serves to tell tests
	// and entry points and never shows in a digest. src has "\n" line ends. What cannot be read becomes File.Problem.
	// Its time and memory are in proportion to src: a token.Meter counts its steps, and ends it by a panic when it takes
	// more, or when ctx is done. Whoever is not a test of the language therefore calls the function Extract.
	Extract(ctx context.Context, path string, src []byte) File
	// Manifests are the base names of files that Resolver reads ("go.mod").
	Manifests() []string
	// Resolver prepares import resolution over one state of a repository.
	Resolver(p Project) Resolver
}

// Project is what a Resolver may know of a repository: its files and its manifests.
type Project interface {
	// Has reports whether a file is there.
	Has(path string) bool
	// HasDir reports whether a directory holds a file, at any depth.
	HasDir(dir string) bool
	// Sources lists the source files of one language, sorted.
	Sources(language string) []string
	// Manifests lists the files with that base name, sorted.
	Manifests(base string) []string
	// Read returns a manifest's content; false when it is not there. Other files cannot be read.
	Read(path string) ([]byte, bool)
}

// Resolver says where imports lead. It is safe for concurrent use.
type Resolver interface {
	// Resolve returns the places inside the repository that an import in file from leads to; none when it leads
	// outside. An import of several names may lead to several places: `from pkg import a, b` where a is a file.
	Resolve(from string, imp Import) []Target
}

// Aliaser is a Resolver of a language whose manifests give files other names than their paths do.
type Aliaser interface {
	// Aliases lists the import paths by which a file, which is there or is there no more, may be meant although they name
	// neither it nor one of its directories: the name of its package, what a compiler is told of it. More than these paths
	// may be meant with something behind them.
	Aliases(file string) []string
}

// Target is a place inside the repository that an import leads to.
type Target struct {
	// Dir is the module's directory, "." for the root.
	Dir string
	// File is the base name of the file that is meant, "" for all of the directory.
	File string
	// Names are the names used there, in the target file's own terms; nil with All.
	Names []Name
	All   bool
}

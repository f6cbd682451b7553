// Package source extracts facts from a repository's files by static analysis: modules, exported symbols with
// signatures and documentation, imports, the behaviour surface, and the digests that show whether a conclusion is out
// of date.
//
// A Language reads one file at a time; a Resolver resolves imports. Everything is deterministic: the same bytes give
// the same File on any machine, in any order, at any time.
package source

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// Kind is the kind of a Symbol, in its language's terms.
type Kind string

// The closed set of symbol kinds. A language uses the kinds that exist in it.
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
	Field     Kind = "field" // a separately declared class attribute or public field, as in Python and Java
	Macro     Kind = "macro"
	Namespace Kind = "namespace" // TypeScript namespace, Rust inline module, C++ namespace
	// Reexport forwards a name that is declared elsewhere: `from .a import f` in __init__.py, `export {x} from`, `pub
	// use`. Its Refs hold the local name (Name.As of the import).
	Reexport Kind = "reexport"
)

// Symbol is one declaration that code or a reader can name.
type Symbol struct {
	// Name is dotted within the file's scope: "Login", "Server.Close", "Outer.Inner.run". It is unique within a File:
	// overloads and conditional redefinitions are merged into one Symbol, with signatures joined by "\n" in source
	// order and digests over all of them.
	Name string `json:"n"`
	Kind Kind   `json:"k"`
	// Signature is the declaration without body and documentation, in one canonical spacing. Decorators, attributes
	// and annotations that matter to a caller come first, one per line. A constant includes its value if that is a
	// literal or expression of at most 80 bytes.
	Signature string `json:"s"`
	// Type locates the parts of Signature: parameters, results, type parameters, modifiers. See Headers.
	Type Parts `json:"ty,omitempty"`
	// Doc is the documentation comment without comment markers, common indentation and trailing blanks, with "\n"
	// line ends.
	Doc string `json:"d,omitempty"`
	// Overloads are the differing documentation of further declarations with the name, in source order. Doc is the
	// first documentation.
	Overloads []Overload `json:"v,omitempty"`
	// Exported reports whether code outside the module may name it, by the language's rules or conventions.
	Exported bool `json:"e,omitempty"`
	// Renamed marks a declaration that other files can name only by the name of a Reexport beside it.
	Renamed bool `json:"o,omitempty"`
	// Deprecated is the reason after the language's deprecation marker, or "deprecated" without one.
	Deprecated string `json:"x,omitempty"`
	// Line and End are the declaration's first and last line, 1-based, without the doc comment.
	Line int `json:"l"`
	End  int `json:"m"`
	// Interface is the digest of everything that a dependent can see of this declaration: names, signature, constant
	// value, decorators, attributes, visible fields; no documentation, body or position.
	Interface Digest `json:"i"`
	// Content is the digest of the declaration's token stream: documentation, signature and body, without formatting,
	// positions and ordinary comments.
	Content Digest `json:"c"`
	// Code is Content without documentation; empty if there is no documentation.
	Code Digest `json:"w,omitempty"`
	// Refs are the identifiers in the interface that may name other declarations of the module or imports: parameter,
	// result, field and base types, constants in a constant's value. Sorted, unique, dotted as in the source
	// ("pkg.Type"). Predeclared names are optional.
	Refs []string `json:"r,omitempty"`
	// Body are the free names of the whole declaration, signature and body. Sorted by Name, Kind and Open; each once,
	// with the first line.
	Body []Reference `json:"b,omitempty"`
	// Nests are the conditional branches of Body that are within others, and those around them.
	Nests []control.Nest `json:"j,omitempty"`
	// Guard is the declaration's build constraint in addition to the file's: `windows`, `test`, `defined(SELF_TEST)`.
	Guard string `json:"g,omitempty"`
	// Hidden marks a member that no code outside the module can select, such as an unexported Go method. No dependent
	// uses it.
	Hidden bool `json:"h,omitempty"`
	// Bases are the extended, implemented or embedded types, as written without type arguments, in source order.
	Bases []string `json:"t,omitempty"`
	// Shape is the type of a method in a comparable form: no parameter names, one spacing, and "$" before each name
	// that is not predeclared: "($Ctx, string) ($db.Row, error)". It is set if types implement interfaces by their
	// methods alone (Go).
	Shape string `json:"y,omitempty"`
	// Each is set for a symbol that represents members whose names are in another file.
	Each *Each `json:"z,omitempty"`
	// Requires are an interface's own methods, sorted by name, if types implement it by their methods alone.
	Requires []Member `json:"q,omitempty"`
	// Fields are the types of a struct's fields by name, and of a variable by an empty name, as written in the file, if
	// other files of the module can name them (Go). A type without a name is left out.
	Fields map[string]string `json:"u,omitempty"`
}

// Member is one method of an interface.
type Member struct {
	Name  string `json:"n"`
	Shape string `json:"y"` // as Symbol.Shape
}

// RefKind is the way in which code uses a name.
type RefKind string

// The kinds of references. A conversion or constructor call is a use of a type.
const (
	RefCall  RefKind = "call"
	RefType  RefKind = "type"
	RefValue RefKind = "value" // a constant, a variable, a function passed as a value
)

// Reference is one free name in code: not a parameter, local variable or local import. Resolving it needs the module
// (see NewReferences).
type Reference struct {
	// Name is dotted as written, starting at its first free name: "digits", "money.Parse", "Server.flush" for a
	// selection from the receiver (this, self) of Server, "money.New().Add" for one from a function's first result. For
	// an Open reference it is only the last selector: "flush".
	Name string  `json:"n"`
	Kind RefKind `json:"k"`
	// Open marks a selection from a value of unknown type. It may mean any member with the name.
	Open bool `json:"o,omitempty"`
	Line int  `json:"l"` // 1-based
	// Order grows in the order of execution, from 1 on: a call follows the calls in its arguments.
	Order int `json:"q,omitempty"`
	// Branch is the branch of the declaration's control flow that contains the reference.
	Branch control.Branch `json:"a,omitempty"`
}

// Name is one imported name.
type Name struct {
	Name string `json:"n"`           // in the imported module
	As   string `json:"a,omitempty"` // the local name, if different
}

// Import is one dependency of a file, as written.
type Import struct {
	// Path is the path in the source: "example.com/shop/money", "money", ".a", "../money", "java.util.List",
	// "crate::money", "stdio.h".
	Path string `json:"p"`
	// Names are the imported names or, if the module is bound as a whole, the members used through that binding
	// (money.Parse -> "Parse"). Sorted by Name, unique.
	Names []Name `json:"n,omitempty"`
	// All means that the names cannot be listed: a wildcard, a dot import, an include, a binding that is passed as a
	// value.
	All bool `json:"a,omitempty"`
	// Reexport means that all names are re-exported: `export * from`, `pub use m::*`, and `from m import *` in a
	// package's __init__.py.
	Reexport bool `json:"r,omitempty"`
	// As is the local name of the whole module if it differs from the last element of Path: np, db. It is "." if the
	// file can name all exports without a qualifier.
	As string `json:"as,omitempty"`
	// System marks an import that is syntactically outside the repository: <stdio.h>.
	System bool `json:"s,omitempty"`
	Line   int  `json:"l"`
	// Guard is the import's build constraint in addition to the file's, as in Symbol.
	Guard string `json:"g,omitempty"`
}

// FactKind is a part of the behaviour surface.
type FactKind string

// The kinds of the behaviour surface, which a user of the running program meets.
const (
	Env  FactKind = "env"  // an environment variable that the code reads; Name is the variable
	Flag FactKind = "flag" // a command-line flag; Name as the user types it: "--addr", "-v"
	// Route is an HTTP route; Name is "GET /total", or "/total" if the method is unknown. The path of a Route or a
	// Mount may have placeholders.
	Route FactKind = "route"
	Exit  FactKind = "exit" // an exit code; Name is the literal code: "1"
	// Command is a command or subcommand; Name is the word that the user types, empty if it is computed.
	Command FactKind = "command"
	// Register is a registration at program start: ID is the registered element if the code shows it, Of the
	// registering function, and Name the literal name, if any. All as written.
	Register FactKind = "register"
	// Naming is a name that a type gives itself: ID is the type, and Of the type of the value that has the name,
	// unless that is plain text. A registry that uses this value has the type under this name. It is not an element
	// itself.
	Naming FactKind = "naming"
	// Join makes a fact's ID part of another fact's ID (Of): a subcommand, or the flags that a function adds. It has
	// no Name and is not an element itself. If Usage is Hidden, only the flags of ID count.
	Join FactKind = "join"
	// Reads means that a function (ID) reads the environment variable named by its first argument, directly or
	// through another function (Of). Value is Fallback if the second argument is the default; otherwise the default
	// is Default. With a Name, it also reads the variable with the argument in the place of Unknown: "*_FILE".
	Reads FactKind = "reads"
	// Holds is the initial value (Default) of a constant or a variable's field (ID); flags elsewhere may begin with
	// it. It has no Name and is not an element itself.
	Holds FactKind = "holds"
	// Mount puts the routes of a router (ID) below another router's (Of), with Name as path prefix: "/api", and Value as the
	// functions that wrap them. If Usage
	// is Fallback, Name applies only without another mount of the router. The ID may be a PlaceID.
	Mount FactKind = "mount"
	// Config is a configuration key of a type (Of), with the key's type as Value. If the keys of another type (ID)
	// are below it, it is not a key itself; without a Name they are beside it. A Config of Program means that a type
	// (ID) is a whole configuration; with the Usage Fallback only if code of the same directory, or of one above or below it,
	// reads configurations. Such code has a Config of Program with the ID Program.
	Config FactKind = "config"
	// Data is a table, or a model stored in one (Value, "SQL" for a table): Name, the table's name if different
	// (Also), the columns (Doc, in the format of package ddl) and, for a model that others extend, ID. Of is the
	// model's base; Usage is Hidden if the model is only a base. Package ddl reads the rest of a schema file.
	Data FactKind = "data"
	// Job runs on a schedule or from a queue: Name, schedule (Usage), empty if there is none, and handler (Value).
	Job FactKind = "job"
	// Sets is a variable (Name) that a tool's configuration sets for the code: an operator does not set it.
	Sets FactKind = "sets"
)

// Named is the prefix of an environment variable's Name that uses constants of other files of the module. Their
// names, Unknown and texts with the prefix Text are joined with plus signs.
const (
	Named = "$"
	Text  = "\""
)

// Unknown marks a computed part in the Name of an environment variable or an exit code. It is the whole Name if
// nothing is known.
const Unknown = "*"

// Whole is the ID of code that reads all environment variables, and Listed precedes the name of a list of variables
// that another file loops over. Variables of lists have these as Of and count only if code reads them.
const (
	Whole  = "*environ"
	Listed = "*each "
)

// Keys precedes the library of a configuration whose keys have environment variables. Variables with it as Of have a key
// as Name. Value of its Reads fact has the texts that are replaced in a key and their replacements, or is Snake.
const (
	Keys  = "*keys "
	Snake = "snake"
)

// Required and Computed are values of Usage for a variable or configuration key: the program fails without it, or the
// default is not a literal. ValueOf precedes the variable whose value is the default.
const (
	Required = "required"
	Computed = "computed"
	ValueOf  = "value of "
)

// AtBuild is the Guard of a variable that the compiler reads.
const AtBuild = "build"

// Second is the value of Also if the name of the environment variable is the function's second argument.
const Second = "second"

// Fallback is the Value of a Reads fact about a function with a default argument, and the Usage of a default Mount.
const Fallback = "fallback"

// Handed is the Usage of a Mount of a router that the code hands out: unless another file mounts it, its prefix is
// unknown. A Route with this Usage counts only if its router is mounted; one with the
// Usage Fallback counts unless its handler has such routes.
const Handed = "handed"

// Inherited is the Usage of a Mount of a class (ID) with handlers that another class (Of) extends: that one is the handler; and of
// Data without own columns, which is a model if its base in another file is one.
const Inherited = "inherited"

// Program is the ID of the entry point's own command, for flags without a named command. It is not a valid
// identifier.
const Program = "*"

// Served is the ID of all handler paths that an application finds by decorators: its prefix applies to the
// directories below. Paths without a separate version are Versioned. Also of such a Mount lists the paths without a
// prefix.
const (
	Served    = "*served"
	Versioned = "*versioned"
)

// Methods precedes the name in the ID of a method of a value of unknown type: the only method of that name that is given
// a router.
const Methods = "*."

// Handlers is the ID of the functions of a module that receive a router and that no known code calls.
const Handlers = "*()"

// Hidden is the Usage of a command hidden from users.
const Hidden = "hidden"

// Fact is one element of the behaviour surface. Only literals are facts: computed names and parts are left out.
type Fact struct {
	Kind FactKind `json:"k"`
	Name string   `json:"n,omitempty"`
	Line int      `json:"l"`
	// ID is the code's name for a command or flag group: the variable that holds it or the function that makes it. It
	// is dotted for a member or another module's name.
	ID string `json:"i,omitempty"`
	// Of is the ID of the command that a flag, subcommand or group belongs to. For an environment variable it is the
	// function that takes the name, and the fact counts only if that function reads it. For a route it is the router,
	// whose mounts supply the path prefix.
	Of string `json:"o,omitempty"`
	// Also are other spellings, joined by ", ": "-v" for a flag, aliases for a command. For a route they are the
	// functions that wrap the handler.
	Also string `json:"a,omitempty"`
	// Value is a flag's value name or type; empty for a switch. For a route and a job it is the handler.
	Value string `json:"v,omitempty"`
	// Default is the default value, in the user's notation.
	Default string `json:"d,omitempty"`
	// Usage is the rest of a command's usage line. For a flag it is the code's name of the default, if another file
	// declares that. For a variable and a key it is Required, Computed, or ValueOf and a name; for a job the
	// schedule; for a route and a mount Handed or Fallback, for a mount also Inherited.
	Usage string `json:"u,omitempty"`
	// Guard is the fact's condition or platform: "windows"; AtBuild for a variable that the compiler reads.
	Guard string `json:"g,omitempty"`
	// Help is the author's short description, and Doc the long one of a command or flag.
	Help string `json:"h,omitempty"`
	Doc  string `json:"c,omitempty"`
}

// Example is a runnable example, checked by the language's tools and shown with its symbol.
type Example struct {
	Symbol string `json:"s,omitempty"` // empty for the whole module
	Suffix string `json:"x,omitempty"` // distinguishes several examples of one symbol
	Doc    string `json:"d,omitempty"`
	Code   string `json:"c"`
	Output string `json:"o,omitempty"`
}

// File is the result of reading one file alone.
type File struct {
	Language string `json:"l"`
	// Package is the module name that the file declares ("money", "com.x.shop").
	Package string `json:"p,omitempty"`
	// Doc is the module's documentation in this file: package comment, module docstring, @packageDocumentation, inner
	// doc comment.
	Doc string `json:"d,omitempty"`
	// Test marks a test file: it adds no public API, and its imports are not dependencies.
	Test bool `json:"t,omitempty"`
	// Tests are the names of the test functions in any file, sorted.
	Tests []string `json:"ts,omitempty"`
	// Generated marks a file with a header for generated code.
	Generated bool `json:"g,omitempty"`
	// Main marks an entry point: package main with func main, `if __name__ == "__main__"`, a main method, a shebang.
	Main bool `json:"m,omitempty"`
	// Scoped is true if the file is a namespace (Python, TypeScript, Rust), false if the files of a directory share
	// one (Go, Java packages, C).
	Scoped bool `json:"f,omitempty"`
	// Strict is true if no code outside the module can name unexported declarations (Go), false if that is a
	// convention or has a narrower meaning.
	Strict bool `json:"st,omitempty"`
	// Guard is the file's build constraint as written: the expression of a //go:build line, `#![cfg(…)]`.
	Guard string `json:"u,omitempty"`
	// MainGuard is the build constraint that makes the file an entry point: a main under `#ifdef` of a self test.
	MainGuard string `json:"mu,omitempty"`
	// Body are the free names of code outside Symbols: module statements, unnamed initializers.
	Body    []Reference `json:"r,omitempty"`
	Imports []Import    `json:"i,omitempty"`
	Symbols []Symbol    `json:"s,omitempty"`
	// Lists are the exported lists of literal names (JavaScript).
	Lists map[string][]string `json:"ls,omitempty"`
	// Unnamed is code without a declaration at which a flow may start.
	Unnamed  []Symbol  `json:"un,omitempty"`
	Facts    []Fact    `json:"b,omitempty"`
	Examples []Example `json:"e,omitempty"`
	// Content is the digest of the file's token stream with documentation, directives and build tags, without
	// formatting, positions and ordinary comments. Equal Content means equal pages and behaviour. For a Test file it
	// covers only Tests, Examples and Imports.
	Content Digest `json:"c"`
	// Problem says why the file could be read only in part: "line 12: expected ':'". Symbols then hold the recovered
	// declarations.
	Problem string `json:"pr,omitempty"`
}

// Language reads the files of one programming language. Implementations are stateless and safe for concurrent use.
type Language interface {
	// Name is the language's name in lower case: "go", "python", "typescript".
	Name() string
	// Version changes whenever the File for the same bytes changes. It is part of every cache key.
	Version() int
	// Extensions are the file extensions, with the dot.
	Extensions() []string
	// Extract reads one file. path is slash-separated and relative to the repository's root; it only identifies tests
	// and entry points and never affects a digest. src has "\n" line ends. Unreadable parts become File.Problem. Time
	// and memory are proportional to src: a token.Meter counts steps and panics over the budget or when ctx is done,
	// so callers other than the language's tests use the function Extract.
	Extract(ctx context.Context, path string, src []byte) File
	// Manifests are the base names of files that Resolver reads ("go.mod").
	Manifests() []string
	// Resolver prepares import resolution for one state of a repository.
	Resolver(p Project) Resolver
}

// Project is a Resolver's view of a repository: its files and manifests.
type Project interface {
	Has(path string) bool
	// HasDir reports whether a directory contains a file, at any depth.
	HasDir(dir string) bool
	// Sources lists the source files of one language, sorted.
	Sources(language string) []string
	// Manifests lists the files with a base name, sorted.
	Manifests(base string) []string
	// Read returns a manifest's content; false if it does not exist. Other files cannot be read.
	Read(path string) ([]byte, bool)
}

// Resolver resolves imports. It is safe for concurrent use.
type Resolver interface {
	// Resolve returns the repository places of an import in file from; nil if it leads outside. An import of several
	// names may have several targets: `from pkg import a, b` where a is a file.
	Resolve(from string, imp Import) []Target
}

// Aliaser is a Resolver of a language whose manifests give files names that differ from their paths.
type Aliaser interface {
	// Aliases lists import paths that may mean a file, existing or deleted, without naming it or one of its
	// directories: a package name, a compiler setting. Imports may extend these paths.
	Aliases(file string) []string
}

// Target is a place in the repository that an import leads to.
type Target struct {
	// Dir is the module's directory, "." for the root.
	Dir string
	// File is the target's base name, "" for the whole directory.
	File string
	// Names are the names used there, in the target file's terms; nil with All.
	Names []Name
	All   bool
}

// Package node holds the knowledge node: what is known about one module, what it was derived from, and what would
// make it wrong. Nodes are YAML files that people read in diffs and that branches merge, so they are written by one
// canonical encoder: fixed order, sorted lists, one spelling for every value.
package node

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// Where a purpose comes from.
const (
	FromDoc     = "doc"     // words of a package comment, a docstring or a README
	FromDerived = "derived" // composed from what is there, because nobody wrote it down
)

// Node is the knowledge about one module. All that its file holds is content: equal input gives equal content, but for the
// places of symbols. No line of the file sums up others: branches that change different symbols, or different files, of
// one module must merge. So what does sum up (Digest) is derived when the file is read, and what tells of the run that
// concluded it (LastVerified, Commit, FrameID) stands with that run's frame.
type Node struct {
	Module       string           `yaml:"module"`                 // short name: the package's, or the directory's
	Path         string           `yaml:"path"`                   // directory, "." for the root
	Language     string           `yaml:"language"`               // of most of its files
	Kind         string           `yaml:"kind,omitempty"`         // "command", "tests"; a library has none
	Purpose      string           `yaml:"purpose"`                // one sentence
	PurposeFrom  string           `yaml:"purpose_from"`           // FromDoc or FromDerived
	PurposeFile  string           `yaml:"purpose_file,omitempty"` // as canonical.Path writes it
	Doc          string           `yaml:"doc,omitempty"`          // all of the module's documentation, as written
	Dependencies []string         `yaml:"dependencies"`           // modules of this repository, by path
	Manifest     string           `yaml:"manifest,omitempty"`     // that describes the package whose main source this is
	Described    string           `yaml:"described,omitempty"`    // what it says
	PassesOn     []string         `yaml:"passes_on,omitempty"`    // those of them all of whose names it passes on
	External     []string         `yaml:"external,omitempty"`
	PublicAPI    []Symbol         `yaml:"public_api"`
	Behaviour    []Behavior       `yaml:"behaviour,omitempty"`
	Flows        []Step           `yaml:"flows,omitempty"`
	Implements   []Implementation `yaml:"implements,omitempty"`
	Examples     []Example        `yaml:"examples,omitempty"`
	Manual       []Described      `yaml:"manual,omitempty"`
	Tests        []string         `yaml:"-"` // names of test functions, of a node that was just derived: they stand in the source
	Sources      []Source         `yaml:"sources"`
	Uses         []Use            `yaml:"uses,omitempty"`
	// Stale says why the module could not be read again: the content is the last that could. Empty when it is fresh.
	Stale                 string `yaml:"stale,omitempty"`
	InvalidationCondition string `yaml:"invalidation_condition"` // in the file one alternative a line
	// Generator names the versions of everything that had a part in the content.
	Generator string `yaml:"generator"`

	// Digest is over all of the above but the places of symbols. The frame that concluded the node holds it too: of a node
	// that was edited by hand, or merged from two sides, no frame does.
	Digest source.Digest `yaml:"-"`

	LastVerified string `yaml:"-"` // day of the commit that was checked out; none before the first
	Commit       string `yaml:"-"` // that was checked out; none when a source was not committed
	FrameID      string `yaml:"-"` // "<session>/<frame>"
}

// Symbol is one element of a module's public API.
type Symbol struct {
	Name      string      `yaml:"name"`
	Kind      source.Kind `yaml:"kind"`
	Signature string      `yaml:"signature"`
	// Doc is the documentation as written: all of it in a node that was just derived, its first sentence in one that was
	// read. The rest stands in the source, which would otherwise be in the repository twice; Content covers it.
	Doc string `yaml:"doc,omitempty"`
	// Overloads are what is said of further declarations of the name: like the rest of Doc, they stand in the source.
	Overloads  []source.Overload `yaml:"-"`
	Deprecated string            `yaml:"deprecated,omitempty"`
	// As are the names by which callers know it, the first is the one to show, and Import is what they import for that.
	As     []string `yaml:"as,omitempty"`
	Import string   `yaml:"import,omitempty"`
	// Inside is set where no caller can reach it.
	Inside bool `yaml:"inside,omitempty"`
	// Aliases are other names under which the module offers it, where it passes on what one of its files declares.
	Aliases []string `yaml:"aliases,omitempty"`
	// From is the module that declares what a re-export passes on, where that is a module of this repository.
	From string `yaml:"from,omitempty"`
	File string `yaml:"file"` // base name
	// Content covers documentation and body: it tells which symbol of a file changed.
	Content source.Digest `yaml:"content"`
	// At is the commit at which Lines ("12-30") are right.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
}

// Behavior is one element of what a user of the running program meets, or says how others hang together (source.Join).
type Behavior struct {
	Kind source.FactKind `yaml:"kind"`
	Name string          `yaml:"name,omitempty"`
	File string          `yaml:"file"` // base name
	// ID and Of are as in source.Fact: names within the module, "dir#name" of another one.
	ID      string `yaml:"id,omitempty"`
	Of      string `yaml:"of,omitempty"`
	Also    string `yaml:"also,omitempty"`
	Value   string `yaml:"value,omitempty"`
	Default string `yaml:"default,omitempty"`
	Usage   string `yaml:"usage,omitempty"`
	Guard   string `yaml:"guard,omitempty"` // the build constraint or the platform that it is there under alone
	Help    string `yaml:"help,omitempty"`
	Doc     string `yaml:"doc,omitempty"`
	// At is the commit at which Line is right.
	At   string `yaml:"at,omitempty"`
	Line int    `yaml:"line,omitempty"`
}

// Step is one step of how the code goes on from where others begin (source.Flow). The first step of a flow is where it begins.
type Step struct {
	Flow   string `yaml:"flow"`             // where it begins: the name of a declaration of the module
	From   string `yaml:"from,omitempty"`   // what goes on to it, none where the flow begins
	Module string `yaml:"module,omitempty"` // another module, where it is none of this one
	Name   string `yaml:"name"`
	File   string `yaml:"file,omitempty"` // base name, of a step in this module
	Doc    string `yaml:"doc,omitempty"`  // the opening of its documentation, as written
	// Content, At and Lines are as of a symbol.
	Content source.Digest `yaml:"content,omitempty"`
	At      string        `yaml:"at,omitempty"`
	Lines   string        `yaml:"lines,omitempty"`
}

// Implementation says of a type of the module that it implements, or extends, what is declared for that (source.Implementation).
type Implementation struct {
	Type      string `yaml:"type"`
	Module    string `yaml:"module,omitempty"` // that declares the other one, where it is none of this one
	Interface string `yaml:"interface"`
}

// Example is a runnable example with the symbol that it shows, empty for the whole module, or, with a Path, a piece of a document or a
// statement that is quoted from there.
type Example struct {
	Symbol string `yaml:"symbol,omitempty"`
	Suffix string `yaml:"suffix,omitempty"`
	Doc    string `yaml:"doc,omitempty"`
	Code   string `yaml:"code"`
	Output string `yaml:"output,omitempty"`

	Language string `yaml:"language,omitempty"`
	Path     string `yaml:"path,omitempty"` // relative to the repository's root
	// At is the commit at which Lines ("12-30") are right.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
}

// Described says which document the documentation of a symbol is from that has none in the code. It is written in reStructuredText.
type Described struct {
	Symbol  string        `yaml:"symbol"`
	Path    string        `yaml:"path"`    // relative to the repository's root
	Content source.Digest `yaml:"content"` // of what is said there
	// At is the commit at which Lines ("12-30") are right.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
}

// Source is one file that the node was derived from.
type Source struct {
	Path        string        `yaml:"path"`                // relative to the repository's root
	Fingerprint source.Digest `yaml:"fingerprint"`         // of its content without formatting
	Language    string        `yaml:"language,omitempty"`  // where it is not the module's
	Role        string        `yaml:"role,omitempty"`      // "test", "generated", "entry point", "readme", or why it was not read
	Problem     string        `yaml:"problem,omitempty"`   // why it was read in part only
	Published   string        `yaml:"published,omitempty"` // digest of what callers reach of it, where entries decide that
	About       string        `yaml:"about,omitempty"`     // what the file says of itself, where it is a namespace
}

// Use is a name of another module that this one rests on, with the digest that it had. The file has both on one line,
// "Parse 77ab…".
type Use struct {
	Module    string
	Name      string // "*" for all; empty for an import by effect only
	Interface source.Digest
}

// seen is a use's line in the file.
func (u Use) seen() string {
	if u.Name == "" {
		return ""
	}
	return u.Name + " " + string(u.Interface)
}

// setSeen reads what seen wrote. A name may hold blanks, a digest does not.
func (u *Use) setSeen(line string) {
	if i := strings.LastIndexByte(line, ' '); i >= 0 {
		u.Name, u.Interface = line[:i], source.Digest(line[i+1:])
	}
}

// UnmarshalYAML reads a use, in the earlier form as well, which had a key for each part.
func (u *Use) UnmarshalYAML(n *yaml.Node) error {
	var form struct {
		Module    string        `yaml:"module"`
		Seen      string        `yaml:"seen"`
		Name      string        `yaml:"name"`
		Interface source.Digest `yaml:"interface"`
	}
	if err := n.Load(&form, yaml.WithKnownFields(), yaml.WithUniqueKeys(false)); err != nil {
		return err
	}
	*u = Use{form.Module, form.Name, form.Interface}
	if form.Seen != "" {
		u.setSeen(form.Seen)
	}
	return nil
}

// Fresh reports whether nothing keeps the node from being shown as it is.
func (n *Node) Fresh() bool { return n.Stale == "" }

// Problems lists the files that were read in part only, "path: problem".
func (n *Node) Problems() []string {
	var out []string
	for _, s := range n.Sources {
		if s.Problem != "" {
			out = append(out, canonical.Path(s.Path)+": "+s.Problem)
		}
	}
	return out
}

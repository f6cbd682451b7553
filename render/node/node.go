// Package node holds the knowledge node: what is known about one module, what it was derived from, and what would
// make it wrong. Nodes are YAML files that people read in diffs and that branches merge, so they are written by one
// canonical encoder: fixed order, sorted lists, one spelling for every value.
package node

import (
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// Where a purpose comes from.
const (
	FromDoc     = "doc"     // words of a package comment, a docstring or a README
	FromModel   = "model"   // a sentence of a model, in Prose
	FromDerived = "derived" // composed from what is there, because nobody wrote it down
)

// Node is the knowledge about one module. Its file holds what a reader of the module's page sees, and no digest of a source: an
// edit that changes no statement changes no line. No line sums up others, so that branches that change different symbols merge.
// Digest and Whole are computed, and provenance (LastVerified, Commit, FrameID) is kept with the frame of the run that concluded it.
type Node struct {
	Module       string     `yaml:"module"`                 // short name: the package's, or the directory's
	Path         string     `yaml:"path"`                   // directory, "." for the root
	Language     string     `yaml:"language"`               // of most of its files
	Kind         string     `yaml:"kind,omitempty"`         // "command", "tests"; a library has none
	Purpose      string     `yaml:"purpose"`                // one sentence
	PurposeFrom  string     `yaml:"purpose_from"`           // FromDoc or FromDerived
	PurposeFile  string     `yaml:"purpose_file,omitempty"` // as canonical.Path writes it
	Doc          string     `yaml:"doc,omitempty"`          // all of the module's documentation, as written
	Dependencies []string   `yaml:"dependencies"`           // modules of this repository, by path
	Manifest     string     `yaml:"manifest,omitempty"`     // that describes the package whose main source this is
	Described    string     `yaml:"described,omitempty"`    // what it says
	PassesOn     []string   `yaml:"passes_on,omitempty"`    // those of them all of whose names it passes on
	External     []string   `yaml:"external,omitempty"`
	PublicAPI    []Symbol   `yaml:"public_api"`
	Behaviour    []Behavior `yaml:"behaviour,omitempty"`
	Flows        []Step     `yaml:"flows,omitempty"`
	// Brings are modules of this repository that are imported for what they do when they are loaded.
	Brings     []string         `yaml:"brings,omitempty"`
	Implements []Implementation `yaml:"implements,omitempty"`
	Examples   []Example        `yaml:"examples,omitempty"`
	Manual     []Described      `yaml:"manual,omitempty"`
	Tests      []string         `yaml:"-"` // names of test functions, of a node that was just derived: they stand in the source
	Sources    []Source         `yaml:"sources"`
	// Prose is a model's text about the module. ProseEvidence lists the code that it was shown for that, each line with a digest.
	Prose         []Sentence `yaml:"prose,omitempty"`
	ProseEvidence []Evidence `yaml:"prose_evidence,omitempty"`
	// Outrun lists changed evidence as Markdown: if there is any, the prose is out of date.
	Outrun []string `yaml:"-"`
	// Stale says why the module could not be read again: the content is the last that could. Empty when it is fresh.
	Stale                 string `yaml:"stale,omitempty"`
	InvalidationCondition string `yaml:"invalidation_condition"` // in the file one alternative a line

	// Digest is over all that the file says but the places of symbols.
	Digest source.Digest `yaml:"-"`
	// Outdated is set on a node that was read from a file in an earlier format.
	Outdated bool `yaml:"-"`

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
	// read. The rest is in the source.
	Doc string `yaml:"doc,omitempty"`
	// Overloads are what is said of further declarations of the name: like the rest of Doc, they stand in the source.
	Overloads []source.Overload `yaml:"-"`
	// Type locates the parts of Signature. Like Doc, it is in the source.
	Type       source.Parts `yaml:"-"`
	Deprecated string       `yaml:"deprecated,omitempty"`
	// As are the names by which callers know it, the first is the one to show, and Import is what they import for that.
	As     []string `yaml:"as,omitempty"`
	Import string   `yaml:"import,omitempty"`
	// Inside is set where no caller can reach it.
	Inside bool `yaml:"inside,omitempty"`
	// Aliases are other names under which the module offers it, where it passes on what one of its files declares.
	Aliases []string `yaml:"aliases,omitempty"`
	// Inherited is the member of a base that callers reach through a type which extends it, by its name in the module From, or in
	// this one; Source is its file, relative to the repository's root. DocFrom is the overridden member with the documentation.
	Inherited string `yaml:"inherited,omitempty"`
	Source    string `yaml:"source,omitempty"`
	DocFrom   string `yaml:"doc_from,omitempty"`
	// From is the module that declares what a re-export passes on, where that is a module of this repository.
	From string `yaml:"from,omitempty"`
	File string `yaml:"file"` // base name
	// At is the commit at which Lines ("12-30") are right.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
}

// Behavior is one element of what a user of the running program meets, or says how others hang together (source.Join).
type Behavior struct {
	Kind source.FactKind `yaml:"kind"`
	Name string          `yaml:"name,omitempty"`
	File string          `yaml:"file"` // base name
	// In is the file of the module that declares the handler of a route, where it is another one; a base name.
	In string `yaml:"in,omitempty"`
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
	// At and Lines are as of a symbol.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
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

// Described says which document describes a symbol: its documentation is from there, or the document says more than the code (Also).
type Described struct {
	Symbol string `yaml:"symbol"`
	Path   string `yaml:"path"`             // relative to the repository's root
	Anchor string `yaml:"anchor,omitempty"` // of the heading, in Markdown
	Also   bool   `yaml:"also,omitempty"`
	// At is the commit at which Lines ("12-30") are right.
	At    string `yaml:"at,omitempty"`
	Lines string `yaml:"lines,omitempty"`
}

// Source is one file that the node was derived from.
type Source struct {
	Path     string `yaml:"path"`               // relative to the repository's root
	Language string `yaml:"language,omitempty"` // where it is not the module's
	Role     string `yaml:"role,omitempty"`     // "test", "generated", "entry point", "readme", or why it was not read
	Problem  string `yaml:"problem,omitempty"`  // why it was read in part only
	About    string `yaml:"about,omitempty"`    // what the file says of itself, where it is a namespace
}

// Sentence is a sentence that a model wrote, for one slot of a page. A Sentence without a text says that the model was asked about the
// slot and had nothing to say.
type Sentence struct {
	Slot string `yaml:"slot"`
	Text string `yaml:"text,omitempty"`
	// Cites are its sources: FILE, or FILE#NAME of a declaration, with the base name of the file.
	Cites []string `yaml:"cites,omitempty"`
}

// Evidence is a part of the code that a model was shown, with a digest without formatting.
type Evidence struct {
	Of     string `yaml:"of"` // the kind and the name, separated by a space
	Digest string `yaml:"digest"`
}

// Says returns the sentence about the purpose that readers see, its source, and what it cites if a model wrote it.
func (n *Node) Says() (purpose, from string, cites []string) {
	if list, _ := n.ProseIn("purpose"); len(list) > 0 {
		return list[0].Text, FromModel, list[0].Cites
	}
	return n.Purpose, n.PurposeFrom, nil
}

// ProseIn returns the sentences that a model wrote for a slot; asked reports whether there is an answer.
func (n *Node) ProseIn(slot string) (list []Sentence, asked bool) {
	for _, s := range n.Prose {
		if s.Slot == slot {
			asked = true
			if s.Text != "" {
				list = append(list, s)
			}
		}
	}
	return list, asked
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

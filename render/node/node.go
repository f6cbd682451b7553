// Package node holds the knowledge node: the facts about one module, their sources, and the invalidation condition.
// Nodes are YAML files that people review and that branches merge, so one canonical encoder writes them: fixed order,
// sorted lists, one spelling for every value.
package node

import (
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// The sources of a purpose.
const (
	FromDoc     = "doc"     // a package comment, a docstring or a README
	FromModel   = "model"   // a model's sentence, in Prose
	FromDerived = "derived" // composed from the module's contents
)

// Node is the knowledge about one module. Its file has the contents of the module's page and no source digest: an edit
// that changes no statement changes no line. No line summarizes others, which lets branches that change different
// symbols merge. Digest and Whole are computed. Provenance (LastVerified, Commit, FrameID) is stored with the frame of
// the run that concluded the node.
type Node struct {
	Module       string   `yaml:"module"`                             // short name: the package's, or the directory's
	Path         string   `form:"path"                   yaml:"path"` // directory, "." for the root
	Language     string   `yaml:"language"`                           // of most files
	Kind         string   `yaml:"kind,omitempty"`                     // "command" or "tests"; empty for a library
	Purpose      string   `yaml:"purpose"`
	PurposeFrom  string   `yaml:"purpose_from"`                                      // FromDoc or FromDerived
	PurposeFile  string   `yaml:"purpose_file,omitempty"`                            // as written by canonical.Path
	Doc          string   `form:"prose"                  yaml:"doc,omitempty"`       // the module's complete documentation, as written
	Manifest     string   `form:"path"                   yaml:"manifest,omitempty"`  // of the package whose main source this is
	Described    string   `yaml:"described,omitempty"`                               // the manifest's description
	Dependencies []string `form:"path"                   yaml:"dependencies"`        // modules of this repository, by path
	PassesOn     []string `form:"path"                   yaml:"passes_on,omitempty"` // dependencies that it re-exports completely
	External     []string `yaml:"external,omitempty"`
	// Brings lists modules of this repository that are imported for their side effects.
	Brings     []string         `form:"path"                 yaml:"brings,omitempty"`
	PublicAPI  []Symbol         `yaml:"public_api"`
	Behaviour  []Behavior       `yaml:"behaviour,omitempty"`
	Flows      []Step           `yaml:"flows,omitempty"`
	Implements []Implementation `yaml:"implements,omitempty"`
	Examples   []Example        `yaml:"examples,omitempty"`
	Manual     []Described      `yaml:"manual,omitempty"`
	Tests      []string         `yaml:"-"` // names of test functions; only in a newly derived node, not in the file
	Sources    []Source         `yaml:"sources"`
	// Prose is a model's text about the module. ProseEvidence lists the code that the model was shown, with digests.
	Prose         []Sentence `yaml:"prose,omitempty"`
	ProseEvidence []Evidence `yaml:"prose_evidence,omitempty"`
	// Outrun lists changed evidence as Markdown. If there is any, the prose is out of date.
	Outrun []string `yaml:"-"`
	// Stale is the reason why the module could not be read again and the content is older. It is empty for a fresh
	// node.
	Stale                 string `yaml:"stale,omitempty"`
	InvalidationCondition string `form:"condition"       yaml:"invalidation_condition"` // one alternative per line in the file

	// Digest covers the file without the positions of symbols.
	Digest source.Digest `yaml:"-"`
	// Outdated is set on a node that was read from a file in an earlier format.
	Outdated bool `yaml:"-"`

	LastVerified string `yaml:"-"` // day of the checked-out commit; empty before the first
	Commit       string `yaml:"-"` // checked out; empty with uncommitted sources
	FrameID      string `yaml:"-"` // "<session>/<frame>"
}

// Symbol is one element of a module's public API.
type Symbol struct {
	Name      string      `yaml:"name"`
	Kind      source.Kind `yaml:"kind"`
	Signature string      `yaml:"signature"`
	// Doc is the documentation as written: complete in a newly derived node, the first sentence in one that was loaded.
	Doc string `form:"opening" yaml:"doc,omitempty"`
	// Overloads are the documentations of further declarations of the name. Like the rest of Doc, they are not in the
	// file.
	Overloads []source.Overload `yaml:"-"`
	// Type locates the parts of Signature. It is not in the file.
	Type       source.Parts `yaml:"-"`
	Deprecated string       `yaml:"deprecated,omitempty"`
	// As lists the names that callers use, the preferred one first; Import is the matching import path.
	As     []string `yaml:"as,omitempty"`
	Import string   `yaml:"import,omitempty"`
	// Inside marks a symbol that no caller can reach.
	Inside bool `yaml:"inside,omitempty"`
	// Aliases are other names under which the module re-exports it.
	Aliases []string `yaml:"aliases,omitempty"`
	// Inherited is the name of the inherited member in the module From, or in this one; Source is its file, relative to
	// the root. DocFrom is the overridden member with the documentation.
	Inherited string `yaml:"inherited,omitempty"`
	Source    string `form:"path"                yaml:"source,omitempty"`
	DocFrom   string `yaml:"doc_from,omitempty"`
	// From is the module of this repository that declares a re-exported symbol.
	From string `form:"path" yaml:"from,omitempty"`
	// Guard is the build constraint, if the signature does not show it.
	Guard string `yaml:"guard,omitempty"`
	File  string `form:"path"            yaml:"file"` // base name
	// At is the commit at which Lines ("12-30") are right.
	At    string `form:"place" yaml:"at,omitempty"`
	Lines string `form:"place" yaml:"lines,omitempty"`
}

// Behavior is one element of the behaviour surface, or a join of others (source.Join).
type Behavior struct {
	Kind source.FactKind `yaml:"kind"`
	Name string          `yaml:"name,omitempty"`
	File string          `form:"path"           yaml:"file"` // base name
	// In is the base name of the file of the module that declares a route's handler, if it is another file.
	In string `form:"path" yaml:"in,omitempty"`
	// ID and Of are as in source.Fact: names within the module, or "dir#name" of another one.
	ID      string `yaml:"id,omitempty"`
	Of      string `yaml:"of,omitempty"`
	Also    string `yaml:"also,omitempty"`
	Value   string `yaml:"value,omitempty"`
	Default string `yaml:"default,omitempty"`
	Usage   string `yaml:"usage,omitempty"`
	Guard   string `yaml:"guard,omitempty"` // build constraint or platform
	Help    string `yaml:"help,omitempty"`
	Doc     string `form:"prose"             yaml:"doc,omitempty"`
	// At is the commit at which Line is right.
	At   string `form:"place" yaml:"at,omitempty"`
	Line int    `form:"place" yaml:"line,omitempty"`
}

// Step is one step of a flow (source.Flow). The first step is the flow's start.
type Step struct {
	Flow   string `yaml:"flow"`                                   // its start: the name of a declaration of the module
	From   string `yaml:"from,omitempty"`                         // the caller; empty for the start
	Module string `form:"path"           yaml:"module,omitempty"` // if another module
	Name   string `yaml:"name"`
	// Within, When and More are as in source.Step.
	When   string `yaml:"when,omitempty"`
	Within int    `yaml:"within,omitempty"`
	More   int    `yaml:"more,omitempty"`
	File   string `form:"path"             yaml:"file,omitempty"` // base name, of a step in this module
	Doc    string `form:"prose"            yaml:"doc,omitempty"`  // the opening of its documentation, as written
	// At and Lines are as in Symbol.
	At    string `form:"place" yaml:"at,omitempty"`
	Lines string `form:"place" yaml:"lines,omitempty"`
}

// Implementation says that a type of the module implements or extends an extension point (source.Implementation).
type Implementation struct {
	Type      string `yaml:"type"`
	Module    string `form:"path"            yaml:"module,omitempty"` // that declares it, if another module
	Interface string `yaml:"interface"`                               // as written if it is not in the repository
	Guard     string `yaml:"guard,omitempty"`                         // build constraint
}

// Example is a runnable example with its symbol, empty for the whole module. With a Path it is a quotation from a
// document or from code.
type Example struct {
	Symbol string `yaml:"symbol,omitempty"`
	Suffix string `yaml:"suffix,omitempty"`
	Doc    string `form:"prose"            yaml:"doc,omitempty"`
	Code   string `yaml:"code"`
	Output string `yaml:"output,omitempty"`

	Language string `yaml:"language,omitempty"`
	Path     string `form:"path"               yaml:"path,omitempty"` // relative to the root
	// At is the commit at which Lines ("12-30") are right.
	At    string `form:"place" yaml:"at,omitempty"`
	Lines string `form:"place" yaml:"lines,omitempty"`
}

// Described names the document that describes a symbol: the source of its documentation, or an addition to it (Also).
type Described struct {
	Symbol string `yaml:"symbol"`
	Path   string `form:"path"             yaml:"path"` // relative to the root
	Anchor string `yaml:"anchor,omitempty"`             // of the heading, in Markdown
	Also   bool   `yaml:"also,omitempty"`
	// At is the commit at which Lines ("12-30") are right.
	At    string `form:"place" yaml:"at,omitempty"`
	Lines string `form:"place" yaml:"lines,omitempty"`
}

// Source is one file that the node was derived from.
type Source struct {
	Path     string `form:"path"               yaml:"path"` // relative to the root
	Language string `yaml:"language,omitempty"`             // if not the module's
	Role     string `yaml:"role,omitempty"`                 // "test", "generated", "entry point", "readme", or the reason for not reading it
	Problem  string `yaml:"problem,omitempty"`              // why it was read only in part
	About    string `yaml:"about,omitempty"`                // the file's documentation, if it is a namespace
}

// Sentence is a model's sentence for one slot of a page. An empty Text records that the model had no answer for the
// slot.
type Sentence struct {
	Slot string `yaml:"slot"`
	Text string `yaml:"text,omitempty"`
	// Cites are its sources: FILE, or FILE#NAME of a declaration, with the base name of the file.
	Cites []string `yaml:"cites,omitempty"`
}

// Evidence is a part of the code that a model was shown, with a digest that ignores formatting.
type Evidence struct {
	Of     string `yaml:"of"` // the kind and the name, separated by a space
	Digest string `yaml:"digest"`
}

// Says returns the purpose that readers see, its source, and the cites if a model wrote it.
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

// Fresh reports whether the node is up to date.
func (n *Node) Fresh() bool { return n.Stale == "" }

// Problems lists the files that were read only in part, as "path: problem".
func (n *Node) Problems() []string {
	var out []string
	for _, s := range n.Sources {
		if s.Problem != "" {
			out = append(out, canonical.Path(s.Path)+": "+s.Problem)
		}
	}
	return out
}

// Package ecma reads TypeScript and JavaScript with one lexer and one outline of declarations. It builds no syntax
// tree: the lexer pairs brackets, and the outline skips code that declares nothing.
package ecma

import (
	"context"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

const version = 45

// Language is TypeScript or JavaScript.
type Language struct{ name string }

// Supported languages.
var (
	TypeScript source.Language = Language{"typescript"}
	JavaScript source.Language = Language{"javascript"}
)

var extensions = map[string][]string{
	"typescript": {".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"},
	"javascript": {".js", ".jsx", ".mjs", ".cjs"},
}

// Name implements source.Language.
func (l Language) Name() string { return l.name }

// Version implements source.Language.
func (l Language) Version() int { return version }

// Extensions implements source.Language.
func (l Language) Extensions() []string { return slices.Clone(extensions[l.name]) }

type extractor struct {
	meter *kernel.Meter

	l    *lexer
	h    *source.Hasher
	path string
	src  []byte
	t    []token
	// token stream for digests
	stream kernel.Stream

	javascript bool
	testFile   bool
	main       bool
	ambient    bool // inside a `declare` declaration
	misses     int  // failed searches for a closing >
	moduleDoc  int  // index of the module comment, or -1

	renderer   renderer // its buffer is reused between signatures
	scopes     []scope
	open       []int // open scopes, outermost first
	current    int
	symbols    []symbol
	index      map[string]int
	exports    []localExport
	documented []span

	imports     []source.Import
	bindings    map[string]int // imports of whole modules, by local name
	taken       map[int]bool   // require calls that are already imports
	facts       []source.Fact
	sql         []source.Fact // SQL statements built by calls
	known       map[string]bool
	commandLine bool // may define a command line
	matters     bool // a rule may apply to the file
	exported    int  // token that names the default export of the file
	tests       []string
	topCalls    []string // functions called at top level that may declare tests

	spans        []ownSpan
	shown        []ownSpan
	classes      map[int]string
	fields       map[string]string // types of fields, by "Class.field"
	receivers    map[int]string    // holders of function values, by first token
	aliased      map[int]string    // signature behind an alias, by symbol
	constructors map[string]bool   // functions with prototype methods
	body         []source.Reference
	binder       *binder
	literals     []ownSpan // function literals that handle routes or commands, by their index in unnamed
	unnamed      []source.Symbol
	tree         *surface.Tree

	lists         map[string]list // by bound name
	exportedLists map[string][]string

	objects   []object
	instances []instance
	whole     map[string]bool // names of objects that are the file's whole export
	extended  map[string]bool // names to which the file adds members
}

// largest bounds the file size: offsets are 32 bits.
const largest = 1 << 30

// Extract implements source.Language.
func (l Language) Extract(ctx context.Context, name string, src []byte) source.File {
	if len(src) > largest {
		return source.File{Language: l.name, Scoped: true, Content: source.DigestOf(string(src)), Problem: "line 1: expected a smaller file"}
	}
	return l.scan(ctx, name, src, (*extractor).extract)
}

// scan splits a file into tokens for do.
func (l Language) scan(ctx context.Context, name string, src []byte, do func(*extractor) source.File) source.File {
	jsx := readsJSX(name)
	if isComponent(name) {
		src, jsx = scriptsOf(src)
	}
	f := do(newExtractor(ctx, name, src, jsx, l.name == "javascript"))
	f.Language = l.name
	return f
}

func newExtractor(ctx context.Context, name string, src []byte, jsx, javascript bool) *extractor {
	meter := kernel.NewMeter(ctx, len(src))
	l := scan(&meter, src, jsx)
	return &extractor{
		meter: &meter, l: l, t: l.tokens, h: source.NewHasher(), path: name, src: src, javascript: javascript,
		index: map[string]int{}, taken: map[int]bool{}, known: map[string]bool{}, classes: map[int]string{}, fields: map[string]string{},
		whole: map[string]bool{}, extended: map[string]bool{}, bindings: map[string]int{}, receivers: map[int]string{},
		aliased: map[int]string{}, constructors: map[string]bool{}, lists: map[string]list{},
	}
}

func (x *extractor) extract() source.File {
	x.frame()
	doc := x.findModuleDoc()
	x.outline()
	x.uses()
	x.bodies()
	x.testFile = x.onlyTests()
	x.surface()
	x.placedRoutes()
	x.data()
	return x.file(doc)
}

func (x *extractor) file(doc string) source.File {
	f := source.File{
		Doc: doc, Test: x.testFile, Scoped: true, Generated: source.HasGenerator(x.src, "//"),
		Main: x.l.shebang || x.main, Imports: x.imports, Facts: x.facts, Problem: x.l.problem.String(),
		Body: x.body, Lists: x.exportedLists, Unnamed: x.codeWithoutNames(),
	}
	f.Symbols = slices.Grow(f.Symbols, len(x.symbols))
	for i := range x.symbols {
		s := &x.symbols[i]
		if s.signatures != nil {
			s.Signature = string(s.signatures)
		}
		s.Refs = source.Unique(s.Refs)
		f.Symbols = append(f.Symbols, x.symbols[i].Symbol)
	}
	if f.Test {
		f.Tests, f.Facts = source.Unique(x.tests), nil
		f.Content = source.TestContent(&f)
	} else {
		f.Content = x.digestFile(f)
	}
	return f
}

// readsJSX reports whether < may start a JSX element.
func readsJSX(name string) bool {
	return !slices.Contains([]string{".ts", ".mts", ".cts"}, path.Ext(name))
}

// runsItself recognises `require.main === module` and `import.meta.main`; i is at main.
func (x *extractor) runsItself(i int) bool {
	if !x.textIs(i, "main") || !x.at(i-1).isPunct('.') {
		return false
	}
	return x.at(i-2).isKeyword(kRequire) || x.textIs(i-2, "meta") && x.at(i-4).isKeyword(kImport)
}

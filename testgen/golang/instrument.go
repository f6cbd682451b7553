package golang

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

// Source is one file of a package.
type Source struct {
	Name string
	Data []byte
}

// Instrumented is the source of a package that records the blocks it reaches and contains all mutants, each behind a
// switch, so one build serves all. Line numbers are unchanged.
type Instrumented struct {
	Files   []Source
	Support Source           // the functions that they call
	Mutants []testgen.Mutant // mutant i has the number i+1
	lines   []string         // file:line of each mutant
}

// SupportFile is the name of the file with the functions that instrumented source calls.
const SupportFile = "zz_causal_support.go"

const mostOfPackage = 3000

// Instrument instruments the files of a package. wanted selects the functions to mutate; without lists IDs of mutants
// to leave out.
func Instrument(files []Source, wanted func(function string) bool, without map[string]bool) (*Instrumented, error) {
	out := &Instrumented{}
	places, pkg := 0, ""
	for _, f := range files {
		s, err := parseSource(f)
		if err != nil {
			return nil, fmt.Errorf("instrument %s: %w", f.Name, err)
		}
		pkg = s.tree.Name.Name
		for _, d := range s.tree.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil || d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_") {
				continue
			}
			places = s.count(d, places)
			if name := functionName(d); wanted(name) {
				out.weave(s, name, d, without)
			}
		}
		out.Files = append(out.Files, Source{f.Name, s.woven()})
	}
	out.Support = Source{SupportFile, fmt.Appendf(nil, support, pkg, places+1, len(out.Mutants)+1)}
	return out, nil
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	return receiver(d.Recv) + "." + d.Name.Name
}

func (out *Instrumented) weave(s *sourceFile, name string, d *ast.FuncDecl, without map[string]bool) {
	for _, m := range mutantsOf(s, name, d) {
		if without[m.id] || len(out.Mutants) >= mostOfPackage || slices.ContainsFunc(out.Mutants, func(o testgen.Mutant) bool { return o.ID == m.id }) {
			continue
		}
		out.Mutants = append(out.Mutants, testgen.Mutant{ID: m.id, Func: name})
		out.lines = append(out.lines, fmt.Sprintf("%s:%d", s.name, s.set.Position(m.from).Line))
		n := len(out.Mutants)
		s.edits = append(s.edits, edit{s.offset(m.from), s.offset(m.to), numbered(m.before, n), numbered(m.after, n), len(s.edits)})
	}
}

func numbered(text string, n int) string { return strings.ReplaceAll(text, number, strconv.Itoa(n)) }

// At returns the mutants that begin on a line of a file.
func (out *Instrumented) At(file string, line int) (ids []string) {
	for i, at := range out.lines {
		if at == fmt.Sprintf("%s:%d", file, line) {
			ids = append(ids, out.Mutants[i].ID)
		}
	}
	return ids
}

// support is the source of SupportFile. The step limit ends mutants that loop or recurse forever.
const support = `package %s

var (
	CausalPlaces [%d]bool
	CausalAsked  [%d]bool
	CausalMutant int
	CausalSteps  int64
	CausalMost   int64 = 1 << 62
)

func causalPlace(n int) {
	CausalPlaces[n] = true
	if CausalSteps++; CausalSteps > CausalMost {
		panic("the mutant does not come to an end")
	}
}

func causalMutant(n int) bool {
	CausalAsked[n] = true
	return CausalMutant == n
}
`

type sourceFile struct {
	name  string
	data  []byte
	set   *token.FileSet
	tree  *ast.File
	edits []edit
}

type edit struct {
	from, to      int
	before, after string
	order         int // among edits of the same range; the first is outermost
}

func parseSource(f Source) (*sourceFile, error) {
	s := &sourceFile{name: f.Name, data: f.Data, set: token.NewFileSet()}
	var err error
	s.tree, err = parser.ParseFile(s.set, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
	return s, err
}

func (s *sourceFile) offset(p token.Pos) int { return s.set.PositionFor(p, false).Offset }

func (s *sourceFile) text(n ast.Node) string {
	return string(s.data[s.offset(n.Pos()):s.offset(n.End())])
}

// count adds a mark to each block of a function and returns the last number used.
func (s *sourceFile) count(d *ast.FuncDecl, places int) int {
	mark := func(at token.Pos) {
		places++
		s.edits = append(s.edits, edit{s.offset(at), s.offset(at), fmt.Sprintf(" causalPlace(%d); ", places), "", len(s.edits)})
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			mark(n.Colon + 1)
		case *ast.CommClause:
			mark(n.Colon + 1)
		case *ast.IfStmt:
			mark(n.Body.Lbrace + 1)
			if b, ok := n.Else.(*ast.BlockStmt); ok {
				mark(b.Lbrace + 1)
			}
		case *ast.ForStmt:
			mark(n.Body.Lbrace + 1)
		case *ast.RangeStmt:
			mark(n.Body.Lbrace + 1)
		case *ast.FuncLit:
			mark(n.Body.Lbrace + 1)
		}
		return true
	})
	mark(d.Body.Lbrace + 1)
	return places
}

func (s *sourceFile) woven() []byte {
	type piece struct {
		at, rank, tie, order int
		text                 string
	}
	var pieces []piece
	for _, e := range s.edits {
		if e.from == e.to {
			pieces = append(pieces, piece{e.from, 1, 0, e.order, e.before})
			continue
		}
		// At one position, ends precede starts; ends go innermost first, starts outermost first.
		pieces = append(pieces, piece{e.from, 2, -e.to, e.order, e.before}, piece{e.to, 0, -e.from, -e.order, e.after})
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank), cmp.Compare(a.tie, b.tie), cmp.Compare(a.order, b.order))
	})
	var b bytes.Buffer
	last := 0
	for _, p := range pieces {
		b.Write(s.data[last:p.at])
		b.WriteString(p.text)
		last = p.at
	}
	b.Write(s.data[last:])
	return b.Bytes()
}

package golang

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// seed is a value to try.
type seed = testgen.Seed

// edge returns a value at the edge.
func edge(v spec.Value, why string) seed {
	return seed{Value: v, From: testgen.FromBoundary, Why: why}
}

type seeds struct {
	testgen.Seeds

	pkg      *Package
	function *function
	lengths  []int64           // lengths that the function checks
	indexes  []int64           // constant indexes that it reads
	made     map[string][]seed // cache of constructed, by type
}

// longestSeed limits the bytes of a text, mostSeeds the number of seeds of one kind.
const (
	longestSeed = 120
	mostSeeds   = 40
)

const whyDoc = "the documentation names it"

// seedsOf collects candidate values for a function from documentation, tests and code.
func (p *Package) seedsOf(f *function) *seeds {
	s := &seeds{Seeds: testgen.Seeds{Longest: longestSeed, Most: mostSeeds}, pkg: p, function: f, made: map[string][]seed{}}
	for _, said := range p.docsFor(f) {
		s.documented(said.text, said.why)
	}
	for _, t := range p.tests {
		if mentions(t, testgen.LastName(f.name)) {
			s.literals(t.Body, testgen.FromTest, t.Name.Name+" uses it")
		}
	}
	s.literals(f.decl.Body, testgen.FromLiteral, f.name+" contains it")
	for _, callee := range p.near(f) {
		s.literals(callee.decl.Body, testgen.FromLiteral, callee.name+" contains it")
	}
	p.cousins(f, s)
	p.packaged(f, s)
	for _, x := range p.tables(f) {
		s.literals(x, testgen.FromLiteral, "a table of the package has it")
	}
	return s
}

// cousins adds texts with which the documentation calls other functions with the same result type.
func (p *Package) cousins(f *function, s *seeds) {
	makes := resultName(f.decl)
	if base, _, ok := strings.Cut(f.name, "."); ok {
		makes = base
	}
	if p.types[makes] == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		other := p.funcs[name]
		if other == f || other.decl.Recv != nil || resultName(other.decl) != makes {
			continue
		}
		for _, from := range []struct{ text, prefix, why string }{{p.doc, "", "the documentation of the package calls " + name + " with it"}, {p.readme, p.Name + ".", "the README calls " + name + " with it"}} {
			for _, call := range callsIn(from.text, from.prefix+name) {
				for _, x := range call.Args {
					if text, ok := literalText(x); ok {
						s.Text(text, testgen.FromDoc, from.why)
					}
				}
			}
		}
	}
}

func literalText(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

type said struct{ text, why string }

// docsFor returns the documentation relevant to the inputs of a function: its own, that of its receiver or result type,
// and that of its callees.
func (p *Package) docsFor(f *function) (out []said) {
	add := func(g *ast.CommentGroup, of string) {
		if g != nil {
			out = append(out, said{g.Text(), "the documentation of " + of + " names it"})
		}
	}
	add(f.decl.Doc, f.name)
	if len(out) > 0 {
		out[0].why = whyDoc
	}
	base, _, method := strings.Cut(f.name, ".")
	if !method {
		base = resultName(f.decl)
	}
	if d := p.types[base]; d != nil {
		add(d.doc, base)
		for _, writer := range []string{"String", "MarshalText"} {
			if w := p.funcs[base+"."+writer]; w != nil && w != f {
				add(w.decl.Doc, w.name)
			}
		}
	}
	for _, callee := range p.near(f) {
		add(callee.decl.Doc, callee.name)
	}
	return out
}

func resultName(d *ast.FuncDecl) string {
	if d.Type.Results == nil || len(d.Type.Results.List) == 0 {
		return ""
	}
	return typeName(d.Type.Results.List[0].Type, nil)
}

// near returns the functions of the package that the body names.
func (p *Package) near(f *function) (out []*function) {
	for _, name := range p.called(f) {
		if g := p.funcs[name]; g != nil && g.decl.Body != nil && g != f {
			out = append(out, g)
		}
	}
	return out
}

func (p *Package) tables(f *function) (out []ast.Node) {
	for _, name := range p.called(f) {
		if v := p.vars[name]; v != nil {
			if lit, ok := v.value.(*ast.CompositeLit); ok {
				out = append(out, lit)
			}
		}
	}
	return out
}

func (p *Package) called(f *function) (names []string) {
	seen := map[string]bool{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
			seen[id.Name] = true
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

func mentions(d *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

var (
	inDoc   = lazyregexp.New("\"((?:[^\"\\\\\n]|\\\\.)*)\"|`([^`\n]*)`|“([^”\n]*)”")
	numeral = lazyregexp.New(`(?:^|[\s(=,])(-?\d{1,18})\b`)
	// structured matches versions, dates and addresses such as 1.2.3-beta+build or 10.0.0.0/8.
	structured = lazyregexp.New(`(?:^|[\s(,])([~^<>=!v]{0,3}\d+(?:[.:/+-][0-9A-Za-z*]+)+)`)
	// forms matches words in which x is a placeholder for a digit.
	forms = lazyregexp.New(`[{\w:.-]*x{3,}[\w}:.-]*`)
	// numbering matches text after which a number is part of a name.
	numbering = lazyregexp.New(`(?i)(?:rfc|version|type|section|chapter|go|issue|iso|ieee|[A-Z]) $`)
	objects   = lazyregexp.New(`\{"[^\n]*?\}|\[[^\n]*?\]`)
	dates     = strings.NewReplacer("YYYY", "2024", "MM", "02", "DD", "29", "HH", "13", "hh", "13", "mm", "14", "SS", "15", "ss", "15")
)

func (s *seeds) documented(doc, why string) {
	for _, m := range inDoc.FindAllStringSubmatch(doc, -1) {
		text := m[1] + m[2] + m[3]
		if unquoted, err := strconv.Unquote(`"` + m[1] + `"`); err == nil && m[1] != "" {
			text = unquoted
		}
		s.named(text, why)
	}
	for _, text := range objects.FindAllString(doc, -1) {
		if json.Valid([]byte(text)) {
			s.named(text, why)
		}
	}
	for _, form := range forms.FindAllString(doc, -1) {
		s.named(form, why)
	}
	for _, m := range structured.FindAllStringSubmatch(doc, -1) {
		s.named(m[1], why)
	}
	for _, m := range numeral.FindAllStringSubmatchIndex(doc, -1) {
		if numbering.MatchString(doc[max(0, m[2]-16):m[2]]) {
			continue
		}
		if n, err := strconv.ParseInt(doc[m[2]:m[3]], 10, 64); err == nil {
			s.Number(n, testgen.FromDoc, why)
		}
	}
}

// named adds a text, filling in placeholders.
func (s *seeds) named(text, why string) {
	filled, digit := []byte(text), 0
	if forms.MatchString(text) {
		for i, c := range filled {
			if c == 'x' {
				filled[i] = "0123456789abcdef"[digit%16]
				digit++
			}
		}
	}
	if strings.Contains(text, "YYYY") {
		filled = []byte(dates.Replace(text))
	}
	if string(filled) != text {
		s.Text(string(filled), testgen.FromDoc, strings.TrimSuffix(why, " it")+" the form "+text)
		return
	}
	s.Text(text, testgen.FromDoc, why)
}

// literals adds the literals of code, and the neighbours of integers. Messages are no input and left out.
func (s *seeds) literals(body ast.Node, from, why string) {
	if body == nil || body == (*ast.BlockStmt)(nil) {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" && len(n.Args) == 2 {
				s.length(sum(n.Args[1]))
			}
			return !speaks(n)
		case *ast.IndexExpr:
			if at, ok := decimal(n.Index); ok {
				s.indexes = append(s.indexes, int64(at))
			}
		case *ast.BinaryExpr:
			s.measured(n.X, n.Y)
			s.measured(n.Y, n.X)
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, x := range c.(*ast.CaseClause).List {
					s.measured(n.Tag, x)
				}
			}
		case *ast.ArrayType:
			s.length(sum(n.Len))
		case *ast.BasicLit:
			s.literal(n, from, why)
		}
		return true
	})
}

// speaking matches functions called with messages or patterns.
var speaking = lazyregexp.New(`^(Errorf?|Fatalf?|Logf?|Skipf?|Run|Panicf?|panic|New|Wrapf?|Sprintf|Fprintf|Printf|Errorln|MustCompile|Compile)$`)

func speaks(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && f.Sel.Name == "New" {
			return x.Name == "errors"
		}
		return speaking.MatchString(f.Sel.Name) || looksUp(f)
	}
	return false
}

// looksUp reports whether a method takes the name of a header or parameter.
func looksUp(f *ast.SelectorExpr) bool {
	switch f.Sel.Name {
	case "FormValue", "PostFormValue", "PathValue", "HandleFunc":
		return true
	case "Get", "Set", "Add", "Del", "Has":
		return slices.Contains([]string{"Header", "Query", "Form", "PostForm"}, ownerOf(f))
	}
	return false
}

// ownerOf returns the last name in the operand of a method call, such as Query for r.URL.Query().Get.
func ownerOf(f *ast.SelectorExpr) string {
	x := f.X
	if call, ok := x.(*ast.CallExpr); ok {
		x = call.Fun
	}
	if s, ok := x.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

func (s *seeds) literal(lit *ast.BasicLit, from, why string) {
	switch lit.Kind {
	case token.STRING:
		if text, err := strconv.Unquote(lit.Value); err == nil && !strings.Contains(text, "%") {
			s.Text(text, from, why)
		}
	case token.CHAR:
		if r, _, _, err := strconv.UnquoteChar(strings.Trim(lit.Value, "'"), '\''); err == nil {
			s.Text(string(r), from, why)
		}
	case token.INT:
		n, err := strconv.ParseInt(lit.Value, 0, 64)
		if err != nil || n == math.MinInt64 || n == math.MaxInt64 {
			return
		}
		s.Number(n, from, why)
		for _, near := range []int64{n + 1, n - 1} {
			s.Number(near, from, "next to "+lit.Value+", which "+strings.TrimSuffix(why, " it"))
		}
	}
}

func (s *seeds) measured(x, with ast.Expr) {
	if call, ok := x.(*ast.CallExpr); ok {
		if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "len" {
			s.length(sum(with))
		}
	}
}

// sum evaluates an integer literal or a sum of literals; 0 for other expressions.
func sum(x ast.Expr) int64 {
	if b, ok := x.(*ast.BinaryExpr); ok && b.Op == token.ADD {
		if one, two := sum(b.X), sum(b.Y); one > 0 && two > 0 {
			return one + two
		}
		return 0
	}
	n, _ := decimal(x)
	return int64(n)
}

func (s *seeds) length(n int64) {
	if n >= 2 && n <= 64 && !slices.Contains(s.lengths, n) && len(s.lengths) < 12 {
		s.lengths = append(s.lengths, n)
	}
}

func filled(n int64) string { return strings.Repeat("0123456789abcdef", 4)[:n] }

func sorted(list []seed) []seed { return testgen.ByOrigin(list, origins) }

package golang_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

const base = `// Package money holds amounts.
package money

import (
	"os"
	"strconv"
)

// Scale is how many small units make one large one.
const Scale = 100

// Parse reads an amount.
func Parse(s string) (int, error) {
	n, err := digits(s)
	return n * Scale, err
}

func digits(s string) (int, error) {
	if s == "a b" {
		return 0, nil
	}
	return strconv.Atoi(s)
}

// Addr is where to listen.
func Addr() string { return os.Getenv("SHOP_ADDR") }
`

func TestConformance(t *testing.T) {
	parse := "// Parse reads an amount.\nfunc Parse(s string) (int, error) {\n\tn, err := digits(s)\n\treturn n * Scale, err\n}\n"
	digits := base[strings.Index(base, "func digits"):strings.Index(base, "// Addr")]
	sourcetest.Run(t, sourcetest.Fixture{
		Language: golang.Language{}, Path: "money/money.go", Base: base,
		Target: "Parse", Other: "Addr", Const: "Scale", Hidden: "digits",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "\tn, err := digits(s)\n", New: "\t// whole\n\tn, err := digits(s) /* here */\n"},
			"comment between declarations": {Old: "func digits", New: "// digits are digits\n\nfunc digits"},
			"comment at the top":           {Old: "// Package money", New: "// Copyright someone.\n\n// Package money"},
			"blank lines":                  {Old: "import (", New: "\n\n\nimport ("},
			"formatting":                   {Old: "n * Scale, err", New: "n*Scale,\n\t\terr"},
			"body":                         {Old: "n * Scale", New: "n + Scale"},
			"string literal":               {Old: "return n * Scale, err", New: "_ = \"a  b\"\n\treturn n * Scale, err"},
			"doc comment":                  {Old: "// Parse reads an", New: "// Parse reads one"},
			"module doc":                   {Old: "holds amounts", New: "keeps amounts"},
			"signature":                    {Old: "Parse(s string)", New: "Parse(s string, base int)"},
			"result type":                  {Old: "Parse(s string) (int, error)", New: "Parse(s string) (int64, error)"},
			"constant value":               {Old: "Scale = 100", New: "Scale = 1000"},
			"hidden signature":             {Old: "digits(s string) (int, error)", New: "digits(s string) (n int, err error)"},
			"target hidden":                {Old: "func Parse(", New: "func parse("},
			"symbol added":                 {Old: "func digits", New: "// Zero is nothing.\nfunc Zero() int { return 0 }\n\nfunc digits"},
			"symbols swapped":              {Old: parse + "\n" + digits, New: digits + parse + "\n"},
			"import added":                 {Old: "\t\"os\"\n", New: "\t\"fmt\"\n\t\"os\"\n"},
			"environment variable":         {Old: "func digits(s string) (int, error) {\n", New: "func digits(s string) (int, error) {\n\t_ = os.Getenv(\"SHOP_BASE\")\n"},
			"syntax error":                 {Old: "n, err := digits(s)\n", New: "n, err := := digits(s)\n"},
		},
		Without: map[string]string{"decorator": "Go has none"},
	})
}

func extract(t *testing.T, name, src string) source.File {
	t.Helper()
	f := golang.Language{}.Extract(context.Background(), name, []byte(src))
	sourcetest.CheckFile(t, f)
	return f
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	src := `package p
import ( "io"; db "example.com/x/database" )
type Amount int64
type Pair[K comparable, V any] struct { Key K; value V; io.Reader ` + "`json:\"r\"`" + ` }
// Store keeps.
type Store interface {
	// Get gets.
	Get(ctx Ctx, id string) (db.Row, error)
	hidden()
}
func (p *Pair[K, V]) Set(k K,
	v V) { }
func (p Pair[K, V]) private() {}
func Map[T, U any](in []T, f func(T) U) (out []U) { return }
var ErrX, ErrY = io.EOF, newErr("y")
var Default = &Pair[string, int]{Key: "a"}
const ( A = iota; B; C = 1 << iota )
const Limit = Max * 2
type Alias = Amount
`
	f := extract(t, "p.go", src)
	want := map[string]struct{ sig, refs string }{
		"Amount":   {"type Amount int64", ""},
		"Pair":     {"type Pair[K comparable, V any] struct {\n\tKey K\n\tio.Reader `json:\"r\"`\n\t// not exported: more fields\n}", "io.Reader"},
		"Store":    {"type Store interface {\n\t// Get gets.\n\tGet(ctx Ctx, id string) (db.Row, error)\n\t// not exported: more methods\n}", "Ctx db.Row"},
		"Pair.Set": {"func (p *Pair[K, V]) Set(k K, v V)", ""},
		"Map":      {"func Map[T, U any](in []T, f func(T) U) (out []U)", ""},
		"ErrX":     {"var ErrX = io.EOF", "io.EOF"},
		"ErrY":     {`var ErrY = newErr("y")`, "newErr"},
		"Default":  {"var Default = &Pair[string, int]{…}", "Pair"},
		"A":        {"const A = 0", ""},
		"B":        {"const B = 1", ""},
		"C":        {"const C = 1 << iota", ""},
		"Limit":    {"const Limit = Max * 2", "Max"},
		"Alias":    {"type Alias = Amount", "Amount"},

		"Pair.private": {"func (p Pair[K, V]) private()", ""},
	}
	for _, s := range f.Symbols {
		w, ok := want[s.Name]
		if !ok {
			t.Errorf("unexpected symbol %s", s.Name)
			continue
		}
		delete(want, s.Name)
		if s.Signature != w.sig || strings.Join(s.Refs, " ") != w.refs {
			t.Errorf("%s: got %q refs %v\nwant %q refs %s", s.Name, s.Signature, s.Refs, w.sig, w.refs)
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	f := extract(t, "p.go", `package p
import ( "a/money"; alias "a/cart"; . "a/dot"; _ "a/side"; "a/go-odd"; "gopkg.in/yaml.v3"; "a/thing/v2"; "a/unseen" )
func f() { money.Parse(""); money.Scale(); alias.X(); odd.Y(); yaml.Z(); thing.W() }
func g(money cart) { money.total() } // hides the package
`)
	got := map[string]source.Import{}
	for _, i := range f.Imports {
		i.Line = 0
		got[i.Path] = i
	}
	one := func(as, p string, names ...string) source.Import {
		i := source.Import{Path: p, As: as}
		for _, n := range names {
			i.Names = append(i.Names, source.Name{Name: n})
		}
		return i
	}
	for _, want := range []source.Import{
		one("", "a/money", "Parse", "Scale"), one("alias", "a/cart", "X"), {Path: "a/dot", All: true, As: "."}, one("", "a/side"),
		one("odd", "a/go-odd", "Y"), one("yaml", "gopkg.in/yaml.v3", "Z"), one("thing", "a/thing/v2", "W"), {Path: "a/unseen", All: true},
	} {
		if !reflect.DeepEqual(got[want.Path], want) {
			t.Errorf("got %+v, want %+v", got[want.Path], want)
		}
	}
}

func TestBehaviour(t *testing.T) {
	t.Parallel()
	f := extract(t, "main.go", `package main
import ("flag"; "os"; "net/http")
func main() {
	addr := flag.String("addr", ":80", "")
	cmd.Flags().BoolVarP(&v, "verbose", "v", false, "")
	http.HandleFunc("GET /total", nil)
	r.Get("/items/{id}", nil)
	header.Get("/x")
	m["a"].Get("X-Y", nil)
	if os.Getenv("HOME") == "" { os.Exit(3) }
}
`)
	var got []string
	for _, x := range f.Facts {
		got = append(got, string(x.Kind)+" "+x.Name)
	}
	want := []string{"env HOME", "exit 3", "flag --verbose", "flag -addr", "route GET /items/{id}", "route GET /total"}
	if !reflect.DeepEqual(got, want) || !f.Main {
		t.Errorf("got %v main %v, want %v", got, f.Main, want)
	}
}

func TestTestFiles(t *testing.T) {
	t.Parallel()
	src := `package money_test
func TestParse(t *testing.T) { check() }
func Testing() {}
func FuzzParse(f *testing.F) {}
func ExampleParse_big() {
	a, err := money.Parse("12.50")
	fmt.Println(a, err)
	// Output: 12.50 <nil>
}
func ExampleAmount_String() { }
`
	f := extract(t, "money/money_test.go", src)
	if !f.Test || !reflect.DeepEqual(f.Tests, []string{"TestParse", "FuzzParse"}) && !reflect.DeepEqual(f.Tests, []string{"FuzzParse", "TestParse"}) {
		t.Errorf("tests %v", f.Tests)
	}
	want := []source.Example{
		{Symbol: "Parse", Suffix: "big", Code: "a, err := money.Parse(\"12.50\")\nfmt.Println(a, err)", Output: "12.50 <nil>"},
		{Symbol: "Amount.String"},
	}
	if !reflect.DeepEqual(f.Examples, want) {
		t.Errorf("examples %+v", f.Examples)
	}
	edited := extract(t, "money/money_test.go", strings.Replace(src, "check()", "check(1)", 1))
	if edited.Content != f.Content {
		t.Error("an edit of a test's body must not change what can be shown")
	}
	renamed := extract(t, "money/money_test.go", strings.Replace(src, "FuzzParse", "FuzzAll", 1))
	if renamed.Content == f.Content {
		t.Error("a renamed test must change what can be shown")
	}
}

func TestTestFilesWithoutExamples(t *testing.T) {
	t.Parallel()
	f := extract(t, "money/money_test.go", "package money_test\n\nimport (\n\t\"example.com/shop/money\"\n\tx \"testing\"\n)\n\nconst text = `\nfunc TestInText(t *testing.T) {\n`\n\n"+
		"/*\nfunc TestInComment() {\n*/\nvar r, q = '\"', \"//\"\n\nfunc TestOne(t *x.T) {\n\tf := func() { _ = 4 / 2 }\n\tf()\n}\n\nfunc (s *suite) TestMethod() {}\n\nfunc TestMain(m *x.M) {}\n"+
		"func FuzzTwo(f *x.F) {}\nfunc Testing() {}\nfunc TestGeneric[T any](t *x.T) {}\n")
	if want := []string{"FuzzTwo", "TestGeneric", "TestOne"}; !reflect.DeepEqual(f.Tests, want) {
		t.Errorf("tests %v, want %v", f.Tests, want)
	}
	if len(f.Imports) != 2 || f.Imports[0].Path != "example.com/shop/money" || f.Imports[0].Line != 4 || f.Problem != "" || f.Package != "money_test" {
		t.Errorf("file %+v", f)
	}
}

// TestSameTokens holds the token hasher to spellings of one program.
func TestSameTokens(t *testing.T) {
	t.Parallel()
	same := [][2]string{
		{"func f() { g(a, b) }", "func f() {\n\tg(\n\t\ta,\n\t\tb,\n\t)\n}"},
		{"func f() int { return 1 }", "func f() int {\n\treturn 1\n}"},
		{"func f() { a.b().c() }", "func f() {\n\ta.\n\t\tb().\n\t\tc()\n}"},
		{"func f() { x := T{1, 2}; _ = x }", "func f() {\n\tx := T{\n\t\t1,\n\t\t2,\n\t}\n\t_ = x\n}"},
	}
	for _, c := range same {
		if a, b := extract(t, "p.go", "package p\n"+c[0]), extract(t, "p.go", "package p\n"+c[1]); a.Content != b.Content {
			t.Errorf("differ:\n%s\n%s", c[0], c[1])
		}
	}
	different := [][2]string{
		{"func f() { return; x() }", "func f() { return x() }"},
		{`func f() { g("a b") }`, `func f() { g("a  b") }`},
		{"func f() { a(); b() }", "func f() { b(); a() }"},
		{"//go:noinline\nfunc f() {}", "func f() {}"},
	}
	for _, c := range different {
		if a, b := extract(t, "p.go", "package p\n"+c[0]), extract(t, "p.go", "package p\n"+c[1]); a.Content == b.Content {
			t.Errorf("equal:\n%s\n%s", c[0], c[1])
		}
	}
}

func TestResolver(t *testing.T) {
	t.Parallel()
	p := sourcetest.Project{Languages: []source.Language{golang.Language{}}, Files: map[string]string{
		"go.mod": "module example.com/shop\n", "money/money.go": "", "main.go": "",
		"tools/go.mod": "module example.com/shop/tools\n", "tools/gen/gen.go": "",
	}}
	r := golang.Language{}.Resolver(p)
	for path, want := range map[string]string{
		"example.com/shop": ".", "example.com/shop/money": "money", "example.com/shop/tools/gen": "tools/gen",
		"example.com/shop/none": "", "example.com/shopping": "", "fmt": "",
	} {
		got := ""
		for _, target := range r.Resolve("x/x.go", source.Import{Path: path}) {
			got = target.Dir
		}
		if got != want {
			t.Errorf("%s resolves to %q, want %q", path, got, want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(base)
	f.Add("package p\nfunc (")
	f.Add("package p\nimport \"github.com/spf13/cobra\"\nfunc () F(c *cobra.Command) { c.AddCommand(&cobra.Command{Use: \"a\"}) }")
	f.Add("package p\nvar x = 1 /*")
	nested := "package p\nimport \"github.com/caarlos0/env\"\ntype A struct { A int `env:\"A_B\"` // a\n}\n"
	for outer := range "BCDEFGHI" {
		nested += fmt.Sprintf("type %c struct { a, b, c, d, e, f, g, h %c }\n", 'B'+outer, 'A'+outer)
	}
	f.Add(nested)
	f.Add("//go:build ignore\npackage p; const a, b = iota")
	f.Fuzz(func(t *testing.T, src string) {
		f, _ := sourcetest.Hostile(t, golang.Language{}, "a.go", []byte(src))
		costtest.Hold(t, []byte(src), func(src []byte) { sourcetest.Hostile(t, golang.Language{}, "a.go", src) })
		sourcetest.CheckFile(t, f)
		if !strings.Contains(src, "line ") { // a directive may number lines as it likes
			sourcetest.CheckLines(t, f, []byte(src))
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "http", "*.go"))
	if len(files) == 0 {
		b.Skip("the standard library's source is not on this machine")
	}
	var sources [][]byte
	total := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sources, total = append(sources, src), total+len(src)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for i, src := range sources {
			golang.Language{}.Extract(context.Background(), files[i], src)
		}
	}
}

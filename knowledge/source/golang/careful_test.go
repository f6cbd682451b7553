package golang

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// valid are sources whose tokens are not easily told apart.
var valid = []string{
	`package p; import "pkg"; func f(a ...pkg.A) pkg.B { g(b...); x.pkg.C(); x().pkg.D(); m[0].pkg.E(); return pkg.F{} }`,
	`package p; import "pkg"; var _, _ = 1..pkg.A, 1.5.pkg.B; var _ = 1 .pkg.C + .5.pkg.D + 0x1p-2.pkg.E + 'a'.pkg.F + "".pkg.G`,
	"package p; import \"pkg\"; func f() {\n\tpkg.\n\t\tA.\n\t\tB()\n\tpkg /* here */ . /* there */ C()\n\tx.\n\t\tpkg.D()\n}",
	`package p; import "pkg"; type T[P pkg.A] struct { pkg.B; *pkg.C; d, e pkg.D }; func (T[P]) m(<-chan pkg.E) (pkg.F)`,
	`package p; import . "a"; import _ "b"; import ("c"; d "c"); func f() { c.A(); d.A(); c.B(); c.A() }`,
	`package p; import "pkg"; var a = [...]pkg.A{{pkg.B: 1}, []pkg.C{}[0]}; func f() { switch pkg := pkg.D.(type) { case pkg.E: } }`,
	"package p\nimport \"os\"\nfunc f() { os.Getenv(\"A\"); os. Getenv (`B`); os.Getenv(/**/ \"C\"); os.Exit(2); os.Exit(n); (os.Exit)(3) }",
	"package p\nfunc f() {\n\tflags.Var(\n\t\tx,\n\t\t\"a\",\n\t)\n\tcmd.Flags().String(\"b\" + \"c\")\n\tcmd.Flags().Int(\"d\")\n\tr.\n\t\tGet(\"/e\", nil).Post(`/f`, nil)\n}",
	"package p\nvar x = flag.Int(\"in\", 1, \"\")\nvar y = func() { r.Handle(\"/lit\", h) }\ntype t [1]struct{ f [len(os.Getenv(\"x\"))]int }",
	"package p\nconst (\n\t// A is.\n\tA = iota // first\n\tB\n\t_\n\t// C is.\n\tC, D = 1 << iota, x.iota\n)\nvar e, f = map[string]int{iota: 1}, 2",
	"package p\nvar (\n\ta = []struct{\n\t\t// F is.\n\t\tF int // a field\n\t}{{1}}\n\tb = func(x struct{ G int /* no */ }) { var y struct{ H int } }\n\t// c is.\n\tc interface{ M() /* m */ } = d\n)",
	"package p\ntype (\n\t// A is.\n\tA struct{ B, c int; D }\n\tE[T interface{ ~int }] interface{ F(); g() }\n\tH = func(struct{ I int })\n)",
	"// Package p is.\n//\n// Deprecated: no.\npackage p; const a, b = 1, 'x'; var c, d = f(); var g int = iota; func init() {}; func _() {}",
	"package p\n\n//line other.go:100\nfunc b() {}\n\n//line other.go:1\nfunc a() {}\n",
	"//go:build ignore\n\npackage main\nimport \"flag\"\nfunc main() { flag.Bool(\"x\", false, \"\") }",
	"package p\nvar a = `\r\n`\r\n\r\nvar b = 1 +\r\n\t2\r\n",
}

// TestCarefully compares the token-based reader with the syntax tree, on valid source.
func TestCarefully(t *testing.T) {
	t.Parallel()
	for _, src := range valid {
		if !same(t, "p.go", src) {
			t.Errorf("does not parse: %s", src)
		}
	}
	err := filepath.WalkDir(filepath.Join("..", "..", ".."), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		src, err := os.ReadFile(p)
		same(t, p, string(src))
		same(t, strings.TrimSuffix(p, "_test.go")+".go", string(src))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// same compares both ways to read a file; false when it is broken, and there is only one.
func same(t *testing.T, name, src string) bool {
	t.Helper()
	got, want := extract(name, []byte(src), false), extract(name, []byte(src), true)
	if got.Problem == "" && !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n%s\ngot  %+v\nwant %+v", name, src, got, want)
	}
	return got.Problem == ""
}

func FuzzCarefully(f *testing.F) {
	for _, src := range valid {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		same(t, "p.go", src)
		same(t, "p_test.go", src+"\nfunc Example() {}\n")
	})
}

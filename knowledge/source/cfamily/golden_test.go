package cfamily

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"declarations.c", "declarations.hpp", "branches.h"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		language := C
		if strings.HasSuffix(name, ".hpp") {
			language = CPP
		}
		f := language.Extract(context.Background(), name, src)
		sourcetest.CheckFile(t, f)
		got, err := json.MarshalIndent(f, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(string(want)) != string(got) {
			t.Errorf("%s differs from its golden file; run with -update and look at the difference", name)
		}
	}
}

// pieces are combined by the property tests and seed the fuzzer.
var pieces = []string{"int", " f", "(", ")", "{", "}", "[", "]", "<", ">", ";", ",", ":", "::", "=", "\n", "#if A\n", "#else\n",
	"#endif\n", "#define X(a) a\n", "#if 0\n", "struct ", "class ", "enum ", "template", "namespace ", "operator", "typedef ", "\"",
	"'", "/*", "*/", "//", "\\\n", "R\"x(", ")x\"", "requires ", "using ", "friend ", "public", "~", "*", "&", "FOO", " x", "1'0", "\x00",
	"\xff", "catch", "extern \"C\" ", "__attribute__", "...", "/** d */", "TEST(a,b)", "static ",
	"int f(int a) { ", "for (", "if (", "else ", "case ", "return ", "->", ".", "b * c", "auto [x] = ", "[](int a) {", "this->", "goto ", "?", "catch ("}

func TestAnyInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(r, "pieces"), ""))
		for _, name := range []string{"a.c", "a.h", "a.cc", "a.hpp"} {
			language := C
			if strings.HasPrefix(filepath.Ext(name), ".cc") || name == "a.hpp" {
				language = CPP
			}
			f := language.Extract(context.Background(), name, src)
			sourcetest.CheckFile(r2t{t, r}, f)
			checkBodies(r2t{t, r}, f, src)
			if !reflect.DeepEqual(f, language.Extract(context.Background(), name, src)) {
				r.Fatalf("two readings differ")
			}
		}
	})
}

// r2t forwards the errors of CheckFile to the property test, which then minimizes the input.
type r2t struct {
	testing.TB
	r *rapid.T
}

func (t r2t) Errorf(format string, args ...any) { t.r.Errorf(format, args...) }
func (t r2t) Error(args ...any)                 { t.r.Error(args...) }
func (t r2t) Helper()                           {}

// TestHostileInput reads long repetitions: time must grow with the size and nesting must not matter.
func TestHostileInput(t *testing.T) {
	for _, piece := range append([]string{"a<", "struct a:", "struct a{", "f(a)a;", "f(a) f(a); ", "namespace a{", "template<", "#if A\n{\n#else\n",
		"enum{", "A::", "operator ", "a b:", "[[", "(a*", "#if A\n", "f(", "int f(){", "class A{", "/**/\n", "///\n", "A=", "a,", "int a=b<c,",
		"\n}", "namespace a{\n}", "void f(", "template<class T>", "requires ", "{\nx;", "using a::", "struct option o[]={{\"a\",", "main(){",
		"getopt(a,b,", "typedef struct{", "static ", "a a,", "int a(int b);", "A(b)\n", "x\\\n", "int f(){for(", "void f(){if(a)", "void f(){if(a);else ", "void f(){a b;", "void f(){struct a{", "void f(){[](int a){", "int f(int(*a)(",
		"#define A int a=b;\n", "void f(){a:", "void f(){a?b:", "class A:B{int f(){g();}};", "#ifdef A\nint a;\n#endif\n", "#if A||B\nint a;\n#else\n"}, pieces...) {
		src := []byte(strings.Repeat(piece, 50_000/len(piece)))
		sourcetest.Hostile(t, C, "a.c", src)
		sourcetest.Hostile(t, CPP, "a.cc", src)
	}
}

func FuzzExtract(f *testing.F) {
	for _, name := range []string{"declarations.c", "declarations.hpp", "branches.h"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for name, l := range map[string]source.Language{"a.h": C, "a.cc": CPP} {
			costtest.Hold(t, src, func(src []byte) { sourcetest.Hostile(t, l, name, src) })
			f, _ := sourcetest.Hostile(t, l, name, src)
			sourcetest.CheckFile(t, f)
			checkBodies(t, f, src)
		}
	})
}

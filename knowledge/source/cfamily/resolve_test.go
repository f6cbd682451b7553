package cfamily

import (
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// meant is what clang takes a name for.
type meant struct {
	name  string
	bound bool // a parameter or local variable, or where one is declared
	field bool // a member that is selected
}

// refReader maps offsets to the meanings of the names in a file.
type refReader struct {
	clangReader
	locals map[string]bool // by the ids of declarations
	said   map[int]meant
	enums  int // how many enumerations are around this place
}

var localKinds = map[string]bool{"ParmVarDecl": true, "BindingDecl": true, "NonTypeTemplateParmDecl": true}

func (r *refReader) visit(n *clangNode, inFunction bool) {
	_, inFile, macro := r.place(&n.Loc)
	at := n.Loc.Offset
	function := strings.HasSuffix(n.Kind, "FunctionDecl") || strings.HasPrefix(n.Kind, "CXX") && strings.HasSuffix(n.Kind, "Decl") &&
		n.Kind != "CXXRecordDecl"
	if n.Kind == "LambdaExpr" {
		return // its content is repeated elsewhere
	}
	if localKinds[n.Kind] || n.Kind == "VarDecl" && inFunction {
		r.locals[n.ID] = true
		if inFile && !macro && n.Name != "" {
			r.said[at] = meant{name: n.Name, bound: true}
		}
	}
	if inFunction && (n.Kind == "FieldDecl" || n.Kind == "CXXMethodDecl") {
		r.locals[n.ID] = true
	}
	r.place(&n.Range.Begin)
	_, inFile, macro = r.place(&n.Range.End)
	if at = n.Range.End.Offset; inFile && !macro {
		switch {
		case n.Kind == "DeclRefExpr" && n.ReferencedDecl != nil && (r.enums == 0 || n.ReferencedDecl.Kind != "EnumConstantDecl"):
			d := n.ReferencedDecl
			r.said[at] = meant{name: d.Name, bound: localKinds[d.Kind] || r.locals[d.ID]}
		case n.Kind == "MemberExpr":
			r.said[at] = meant{name: n.Name, field: true, bound: r.locals[n.ReferencedMemberDecl]}
		}
	}
	if n.Kind == "EnumDecl" {
		r.enums++
		defer func() { r.enums-- }()
	}
	for i := range n.Inner {
		r.visit(&n.Inner[i], inFunction || function)
	}
}

// tally counts references by what clang says of them.
type tally struct{ files, seen, certain, judged, wrong, expected, missed int }

// TestResolvesAsClang compares the references that are called certain with what clang resolves the names to, over the
// files of testdata/refs or of CAUSAL_CORPUS. A name in a macro's arguments is not compared.
func TestResolvesAsClang(t *testing.T) {
	clang, err := exec.LookPath("clang")
	if err != nil {
		t.Skip("clang is not installed")
	}
	dirs := []string{filepath.Join("testdata", "refs")}
	if os.Getenv("CAUSAL_CORPUS") != "" {
		dirs = corpus()
	}
	for _, lang := range []struct {
		name  string
		ends  []string
		flags []string
	}{
		{"c", []string{".c"}, []string{"-x", "c", "-D_GNU_SOURCE"}},
		{"c++", []string{".cc", ".cpp"}, []string{"-x", "c++", "-std=c++17"}},
	} {
		t.Run(lang.name, func(t *testing.T) {
			var sum tally
			for _, dir := range dirs {
				for _, file := range filesBelow(t, dir, lang.ends) {
					flags := append([]string{"-I" + dir, "-I" + path.Dir(file), "-I" + filepath.Join(dir, "include")}, lang.flags...)
					sum.judge(t, clang, file, flags)
				}
			}
			if sum.judged == 0 {
				t.Skip("clang could read none of the files")
			}
			wrong, missed := float64(sum.wrong)/float64(sum.judged), float64(sum.missed)/float64(max(sum.expected, 1))
			t.Logf("%d files, %d references, %.1f %% certain, of which %d were judged and %d (%.2f %%) are wrong; %d of %d names are not seen",
				sum.files, sum.seen, 100*float64(sum.certain)/float64(sum.seen), sum.judged, sum.wrong, 100*wrong, sum.missed, sum.expected)
			if wrong > 0.005 || missed > 0.02 {
				t.Errorf("%.4f of the certain references are wrong, %.4f of the names are not seen", wrong, missed)
			}
		})
	}
}

func filesBelow(t *testing.T, dir string, ends []string) []string {
	var out []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		for _, end := range ends {
			if err == nil && d.Type().IsRegular() && path.Ext(name) == end {
				out = append(out, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// judge compares one file, if clang can read it.
func (s *tally) judge(t *testing.T, clang, file string, flags []string) {
	src, err := os.ReadFile(file)
	if err != nil || len(src) > 1<<20 {
		return
	}
	cmd := exec.Command(clang, append(append([]string{"-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"}, flags...), file)...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &refReader{clangReader: clangReader{want: file}, locals: map[string]bool{}, said: map[int]meant{}}
	decodeErr := stream(pipe, func(n *clangNode) { r.visit(n, false) })
	_, _ = io.Copy(io.Discard, pipe)
	if err := cmd.Wait(); err != nil || decodeErr != nil {
		return
	}
	s.files++
	at := map[int]bool{}
	report := func(offset int, format string, args ...any) {
		if s.wrong+s.missed < 40 {
			line := 1 + strings.Count(string(src[:offset]), "\n")
			t.Logf("%s:%d: "+format, append([]any{file, line}, args...)...)
		}
	}
	for _, ref := range tracesOf(file, src) {
		s.seen++
		at[ref.token] = true
		certain := ref.how&source.AsOpen == 0
		if certain {
			s.certain++
		}
		want, ok := r.said[ref.token]
		if !ok || !certain {
			continue
		}
		s.judged++
		last := ref.name[strings.LastIndexByte(ref.name, '.')+1:]
		if want.bound || want.name != last || want.field && !strings.Contains(ref.name, ".") {
			s.wrong++
			report(ref.token, "%s is %+v", ref.name, want)
		}
	}
	for offset, want := range r.said {
		if want.bound || want.name == "" || strings.HasPrefix(want.name, "operator") || !strings.HasPrefix(string(src[offset:]), want.name) ||
			offset > 4 && strings.HasSuffix(string(src[:offset]), "std::") || slices.Contains(standard, want.name) {
			continue
		}
		s.expected++
		if !at[offset] {
			s.missed++
			report(offset, "nothing for %+v", want)
		}
	}
}

// trace is a reference with its token.
type trace struct {
	name  string
	how   source.How
	token int
}

// tracesOf reads a file and returns its references; their tokens are given as offsets.
func tracesOf(name string, src []byte) []trace {
	language := C
	if path.Ext(name) != ".c" {
		language = CPP
	}
	f := lex(new(kernel.Meter), src)
	f.dropAlternatives()
	o := &outline{file: f, cpp: language == CPP, header: header(name), namespaces: map[string]bool{}}
	if !o.cpp {
		f.demote()
	}
	o.match = f.matchBrackets()
	o.run()
	o.macros()
	u := newUses(o)
	var out []trace
	traced := func() {
		for _, m := range u.found.List {
			out = append(out, trace{valid(u.Text(m.Name)), m.How, int(f.tokens[m.At].start)})
		}
	}
	for i := range o.found {
		if e := &o.found[i]; e.macro == 0 {
			u.walkEntry(e)
			traced()
		}
	}
	u.walkRest()
	traced()
	return out
}

package cfamily

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// clangNode is a declaration in clang's dump of a syntax tree.
type clangNode struct {
	ID, Kind, Name       string
	ReferencedDecl       *clangNode
	ReferencedMemberDecl string
	IsInline, IsImplicit bool
	Loc                  clangLoc
	Range                struct{ Begin, End clangLoc }
	Inner                []clangNode
	PreviousDecl         string
	ParentDeclContextID  string `json:"parentDeclContextId"`
	CompleteDefinition   bool
	TagUsed              string
}

type clangLoc struct {
	File                      string
	Line, Offset              int
	SpellingLoc, ExpansionLoc *clangLoc
}

// clangReader follows the positions of a dump, in which a file or line is named only when it changes.
type clangReader struct {
	file  string
	line  int
	want  string
	cpp   bool
	names map[string][]int // qualified name -> lines
}

func (r *clangReader) place(l *clangLoc) (line int, inFile, macro bool) {
	if l.ExpansionLoc != nil {
		r.place(l.SpellingLoc)
		line, inFile, _ = r.place(l.ExpansionLoc)
		return line, inFile, true
	}
	if l.File != "" {
		r.file = l.File
	}
	if l.Line != 0 {
		r.line = l.Line
	}
	return r.line, r.file == r.want, false
}

var clangKinds = map[string]bool{"FunctionDecl": true, "CXXMethodDecl": true, "CXXConstructorDecl": true,
	"CXXDestructorDecl": true, "CXXConversionDecl": true, "RecordDecl": true, "CXXRecordDecl": true, "EnumDecl": true,
	"TypedefDecl": true, "TypeAliasDecl": true, "VarDecl": true}

func (r *clangReader) visit(n *clangNode, prefix string, hidden bool) {
	line, inFile, macro := r.place(&n.Loc)
	r.place(&n.Range.Begin)
	r.place(&n.Range.End)
	inner := prefix
	record := n.Kind == "RecordDecl" || n.Kind == "CXXRecordDecl"
	function := strings.HasSuffix(n.Kind, "FunctionDecl") || strings.HasPrefix(n.Kind, "CXX") && !record
	wanted := clangKinds[n.Kind] && !hidden && inFile && !macro && !n.IsImplicit && n.Name != "" &&
		!strings.HasPrefix(n.Name, "operator ") && // clang spells the types of conversions in its own way
		(!(record || n.Kind == "EnumDecl") || n.CompleteDefinition || n.Kind == "EnumDecl" && len(n.Inner) > 0) &&
		!(n.Kind == "VarDecl" && r.cpp && strings.Contains(prefix, "\x00"))
	if wanted && n.ParentDeclContextID == "" {
		own, _, _ := strings.Cut(n.Name, "<")
		if strings.HasPrefix(n.Name, "operator") {
			own = n.Name
		}
		name := strings.ReplaceAll(prefix, "\x00", "") + own
		if (record || n.Kind == "EnumDecl") && !r.cpp {
			name = n.Name
		}
		r.names[name] = append(r.names[name], line)
	}
	switch {
	case n.Kind == "NamespaceDecl" && n.Name != "" && !n.IsInline:
		inner = prefix + n.Name + "."
	case record:
		inner = prefix + n.Name + ".\x00"
	}
	hide := hidden || function || n.Kind == "VarDecl" || strings.HasSuffix(n.Kind, "SpecializationDecl")
	seen := 0
	for i := range n.Inner {
		c := &n.Inner[i]
		h := hide
		if n.Kind == "FunctionTemplateDecl" && strings.HasSuffix(c.Kind, "Decl") && (clangKinds[c.Kind]) {
			seen++
			h = h || seen > 1 // instantiations
		}
		r.visit(c, inner, h)
	}
}

// clangNames lists what clang sees declared in a file, and the lines that survive preprocessing; false when clang
// cannot read it alone.
func clangNames(t *testing.T, clang, file string, cpp bool, include []string) (map[string][]int, map[int]bool, bool) {
	args := []string{"-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"}
	lang := "c"
	if cpp {
		lang = "c++"
	}
	common := []string{"-x", lang}
	if cpp {
		common = append(common, "-std=c++20")
	}
	for _, d := range include {
		common = append(common, "-I"+d)
	}
	cmd := exec.Command(clang, append(append(args, common...), file)...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &clangReader{want: file, cpp: cpp, names: map[string][]int{}}
	decodeErr := stream(pipe, func(n *clangNode) { r.visit(n, "", false) })
	_, _ = io.Copy(io.Discard, pipe)
	if err := cmd.Wait(); err != nil || decodeErr != nil {
		return nil, nil, false
	}
	return r.names, liveLines(clang, file, common), true
}

// stream hands out the children of the root one by one: a whole dump may not fit into memory.
func stream(in io.Reader, visit func(*clangNode)) error {
	d := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		if s, ok := tok.(string); ok && s == "inner" {
			break
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		var n clangNode
		if err := d.Decode(&n); err != nil {
			return err
		}
		visit(&n)
	}
	return nil
}

// liveLines are the lines of the file that the preprocessor leaves.
func liveLines(clang, file string, common []string) map[int]bool {
	out, _ := exec.Command(clang, append(append([]string{"-E", "-w"}, common...), file)...).Output()
	live := map[int]bool{}
	line, inside := 0, false
	for _, text := range bytes.Split(out, []byte{'\n'}) {
		if bytes.HasPrefix(text, []byte("# ")) {
			fields := strings.Fields(string(text))
			line, _ = strconv.Atoi(fields[1])
			inside = len(fields) > 2 && fields[2] == strconv.Quote(file)
			continue
		}
		if inside && len(bytes.TrimSpace(text)) > 0 {
			live[line] = true
		}
		line++
	}
	return live
}

// agreement counts how our reading and clang's compare.
type agreement struct{ files, both, missing, extra, problems int }

func (a *agreement) compare(f source.File, clang map[string][]int, live map[int]bool, report func(string)) {
	a.files++
	if f.Problem != "" {
		a.problems++
		report(f.Problem)
	}
	ours := map[string]source.Symbol{}
	for _, s := range f.Symbols {
		ours[s.Name] = s
	}
	known := map[string]bool{}
	for name, lines := range clang {
		s, ok := suffix(ours, name)
		known[s.Name] = true
		// A symbol that several branches declare has the position of the first, which clang may not read.
		if ok && (!live[s.Line] || slices.ContainsFunc(lines, func(n int) bool { return n >= s.Line && n <= s.End })) {
			a.both++
			continue
		}
		a.missing++
		report(fmt.Sprintf("missing %s at %v (ours: %v %d-%d)", name, lines, ok, s.Line, s.End))
	}
	for _, s := range f.Symbols {
		switch s.Kind {
		case source.Macro, source.Const, source.Reexport, source.Namespace:
			continue
		}
		if !known[s.Name] && !strings.Contains(s.Name, "operator ") && !strings.Contains(s.Signature, "friend ") && live[s.Line] && live[s.End] {
			a.extra++
			report(fmt.Sprintf("extra %s %s at %d", s.Kind, s.Name, s.Line))
		}
	}
}

// suffix finds the symbol of a name; macros may hide some of the namespaces around it from us.
func suffix(ours map[string]source.Symbol, name string) (source.Symbol, bool) {
	for {
		if s, ok := ours[name]; ok {
			return s, true
		}
		_, rest, ok := strings.Cut(name, ".")
		if !ok {
			return source.Symbol{}, false
		}
		name = rest
	}
}

func corpus() []string {
	if dirs := os.Getenv("CAUSAL_CORPUS"); dirs != "" {
		return strings.Split(dirs, ":")
	}
	return []string{"/usr/include"}
}

func sourceFiles(t testing.TB, extensions ...string) []string {
	var out []string
	for _, dir := range corpus() {
		err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains(extensions, path.Ext(p)) {
				out = append(out, p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

// TestAgainstClang compares names and lines with clang's over files that clang can read by themselves.
func TestAgainstClang(t *testing.T) {
	clang, err := exec.LookPath("clang")
	if err != nil {
		t.Skip("clang is not installed")
	}
	extensions := []string{".c", ".h"}
	if os.Getenv("CAUSAL_CORPUS_CPP") == "1" {
		extensions = []string{".cc", ".cpp", ".hpp", ".cxx", ".h"}
	}
	files := sourceFiles(t, extensions...)
	if len(files) == 0 {
		t.Skip("no C files are installed")
	}
	var sum agreement
	for i := 0; i < len(files); i += max(1, len(files)/testmode.Of(12, 600)) {
		compareFile(t, clang, files[i], &sum)
	}
	if sum.both == 0 {
		t.Skip("clang could read none of the files")
	}
	precision := float64(sum.both) / float64(sum.both+sum.extra)
	recall := float64(sum.both) / float64(sum.both+sum.missing)
	t.Logf("files %d, symbols %d, precision %.4f, recall %.4f, problems %d", sum.files, sum.both+sum.missing, precision,
		recall, sum.problems)
	if precision < 0.95 || recall < 0.95 {
		t.Errorf("precision %.4f, recall %.4f", precision, recall)
	}
}

func compareFile(t *testing.T, clang, file string, sum *agreement) {
	src, err := os.ReadFile(file)
	if err != nil || len(src) > 1<<20 {
		return
	}
	lang := C
	if e := path.Ext(file); e != ".c" && e != ".h" {
		lang = CPP
	}
	f := lang.Extract(context.Background(), file, src)
	cpp := lang == CPP || path.Ext(file) == ".h" && lex(new(kernel.Meter), src).plainlyCPP()
	if cpp != (os.Getenv("CAUSAL_CORPUS_CPP") == "1") {
		return // C by default: clang takes seconds for a header of the C++ library
	}
	dir := path.Dir(file)
	include := []string{dir, path.Join(dir, "include"), path.Dir(dir), path.Join(path.Dir(dir), "include")}
	include = append(include, corpus()...)
	names, live, ok := clangNames(t, clang, file, cpp, include)
	if !ok {
		return
	}
	sum.compare(f, names, live, func(line string) {
		if os.Getenv("CAUSAL_CORPUS") != "" {
			t.Logf("%s: %s", file, line)
		}
	})
}

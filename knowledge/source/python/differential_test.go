package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// corpus lists Python files of this machine: those below CAUSAL_CORPUS, or the standard library. If
// the run is not a long one, it is a sample of every so many files.
func corpus(t testing.TB, sample int) []string {
	t.Helper()
	roots := filepath.SplitList(os.Getenv("CAUSAL_CORPUS"))
	if len(roots) == 0 {
		roots = []string{standardLibraryDir(t)}
	}
	var files []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains(Language{}.Extensions(), filepath.Ext(p)) {
				files = append(files, p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) > sample && !testmode.Long() {
		step := len(files) / sample
		var some []string
		for i := 0; i < len(files); i += step {
			some = append(some, files[i])
		}
		files = some
	}
	if len(files) == 0 {
		t.Skip("no Python files found")
	}
	return files
}

func standardLibraryDir(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Skip("python3 is not installed: ", err)
	}
	return strings.TrimSpace(string(out))
}

// seen is the oracle's report on a file.
type seen struct {
	Path, Error, Doc string
	Symbols          []struct {
		Name, Kind, Doc string
		Line, End       int
	}
	Imports [][]any
	Members [][2]string
	Bare    []string
}

func oracle(t *testing.T, files []string) []seen {
	t.Helper()
	return ask[seen](t, "oracle.py", files)
}

// ask runs a script of testdata over files and reads one answer a line.
func ask[T any](t *testing.T, script string, files []string) []T {
	t.Helper()
	cmd := exec.Command("python3", filepath.Join("testdata", script))
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("python3 cannot run %s: %v: %s", script, err, errors.String())
	}
	var all []T
	lines := bufio.NewReader(bytes.NewReader(out))
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			return all
		}
		var one T
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

type tally struct{ files, skipped, symbols, missing, extra, wrong, docs, imports, uses, problems int }

// TestAgainstCPython compares every file with what CPython's parser sees in it.
func TestAgainstCPython(t *testing.T) {
	t.Parallel()
	var sum tally
	for _, want := range oracle(t, corpus(t, 40)) {
		if want.Error != "" {
			sum.skipped++
			continue
		}
		src, err := os.ReadFile(want.Path)
		if err != nil {
			t.Fatal(err)
		}
		sum.files++
		got := Language{}.Extract(context.Background(), filepath.ToSlash(want.Path), src)
		sourcetest.CheckFile(t, got)
		if got.Problem != "" {
			sum.problems++
			t.Errorf("%s: %s", want.Path, got.Problem)
		}
		sum.compareSymbols(t, want, got)
		sum.compareImports(t, want, got)
		sum.compareUses(t, want, got)
	}
	t.Logf("%+v", sum)
}

func (s *tally) compareSymbols(t *testing.T, want seen, got source.File) {
	byName := map[string]source.Symbol{}
	for _, sym := range got.Symbols {
		if sym.Kind != source.Reexport {
			byName[sym.Name] = sym
		}
	}
	if got.Doc != valid(want.Doc) {
		s.docs++
		t.Errorf("%s: module doc %q, want %q", want.Path, got.Doc, want.Doc)
	}
	for _, w := range want.Symbols {
		s.symbols++
		g, ok := byName[w.Name]
		delete(byName, w.Name)
		switch {
		case !ok:
			s.missing++
			t.Errorf("%s:%d: %s is missing", want.Path, w.Line, w.Name)
		case w.Kind != "" && string(g.Kind) != w.Kind || g.Line != w.Line || g.End != w.End:
			s.wrong++
			t.Errorf("%s:%d: %s is %s %d-%d, want %s %d-%d", want.Path, w.Line, w.Name, g.Kind, g.Line, g.End, w.Kind, w.Line, w.End)
		}
		if w.Doc == "" && (g.Kind == source.Field || g.Kind == source.Const || g.Kind == source.Var) {
			continue // parsers do not know the comments and strings that document an assignment
		}
		if doc, _, _ := strings.Cut("\n\n"+g.Doc, "\n\n:param "); g.Doc != valid(w.Doc) && doc != strings.TrimSuffix("\n\n"+valid(w.Doc), "\n\n") {
			s.docs++
			t.Errorf("%s:%d: %s: doc\n%q, want\n%q", want.Path, w.Line, w.Name, g.Doc, w.Doc)
		}
	}
	for _, g := range byName {
		s.extra++
		t.Errorf("%s:%d: %s is not there", want.Path, g.Line, g.Name)
	}
}

func (s *tally) compareImports(t *testing.T, want seen, got source.File) {
	have := map[string]bool{}
	for _, imp := range got.Imports {
		var names []string
		for _, n := range imp.Names {
			names = append(names, n.Name)
		}
		key, err := json.Marshal([]any{imp.Path, imp.Line})
		if err != nil {
			t.Fatal(err)
		}
		have[string(key)] = true
		for _, n := range names {
			have[string(key)+n] = true
		}
	}
	for _, w := range want.Imports {
		s.imports++
		key, err := json.Marshal([]any{w[0], w[2]})
		if err != nil {
			t.Fatal(err)
		}
		if !have[string(key)] {
			t.Errorf("%s: import %v is missing", want.Path, w)
		}
		for _, n := range w[1].([]any) {
			if !have[string(key)+n.(string)] {
				t.Errorf("%s: import %v: name %v is missing", want.Path, w, n)
			}
		}
	}
}

// compareUses checks that no use of an imported module is missed.
func (s *tally) compareUses(t *testing.T, want seen, got source.File) {
	all, members := map[string]bool{}, map[[2]string]bool{}
	for _, imp := range got.Imports {
		all[imp.Path] = all[imp.Path] || imp.All
		for _, n := range imp.Names {
			members[[2]string{imp.Path, n.Name}] = true
		}
	}
	for _, w := range want.Members {
		s.uses++
		if !all[w[0]] && !members[w] {
			t.Errorf("%s: use of %s.%s is missing", want.Path, w[0], w[1])
		}
	}
	for _, w := range want.Bare {
		s.uses++
		if !all[w] {
			t.Errorf("%s: %s is used as a value", want.Path, w)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	files := corpus(b, 400)
	var sources [][]byte
	var total int64
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, src)
		total += int64(len(src))
	}
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		for i, src := range sources {
			Language{}.Extract(context.Background(), files[i], src)
		}
	}
}

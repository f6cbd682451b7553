package ecma

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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

// sampled bounds the files of a run that does not read all of them.
const sampled = 40

// corpus lists source files that are on this machine: below CAUSAL_CORPUS, or below where node keeps packages.
func corpus(t testing.TB) []string {
	t.Helper()
	roots := []string{"/usr/lib/node_modules", "/usr/local/lib/node_modules", "/usr/share/nodejs"}
	if dirs := os.Getenv("CAUSAL_CORPUS"); dirs != "" {
		roots = filepath.SplitList(dirs)
	}
	var files []string
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && languageOf(name) != nil {
				files = append(files, name)
			}
			return nil
		})
	}
	slices.Sort(files)
	if !testmode.Long() && len(files) > sampled {
		step := len(files) / sampled
		for i := range sampled {
			files[i] = files[i*step]
		}
		files = files[:sampled]
	}
	return files
}

func languageOf(name string) source.Language {
	for _, l := range []source.Language{TypeScript, JavaScript} {
		if slices.Contains(l.Extensions(), filepath.Ext(name)) {
			return l
		}
	}
	return nil
}

type oracleSymbol struct {
	Kind, Name          string
	Line                int
	Exported, Doc, Late bool
}

type oracleFile struct {
	File    string
	Errors  int
	Imports []string
	Symbols []oracleSymbol
}

// oracle asks the TypeScript compiler what each file declares.
func oracle(t *testing.T, files []string) []oracleFile {
	t.Helper()
	var result []oracleFile
	ask(t, "testdata/oracle.cjs", files, func(line []byte) error {
		var f oracleFile
		err := json.Unmarshal(line, &f)
		result = append(result, f)
		return err
	})
	return result
}

// ask runs a script that asks the TypeScript compiler about files, and reads its lines.
func ask(t *testing.T, script string, files []string, read func(line []byte) error) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	compiler := os.Getenv("CAUSAL_TYPESCRIPT")
	if compiler == "" {
		compiler = "typescript"
	}
	if err := exec.Command(node, "-e", "require("+fmt.Sprintf("%q", compiler)+")").Run(); err != nil {
		t.Skip("the typescript package is not found by node: set NODE_PATH or CAUSAL_TYPESCRIPT")
	}
	cmd := exec.Command(node, script, compiler)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("run the compiler: %v", err)
	}
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<30)
	for scanner.Scan() {
		if err := read(scanner.Bytes()); err != nil {
			t.Fatalf("read the compiler's output: %v", err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("run the compiler: %v", err)
	}
}

func TestCompilerAgrees(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	if len(files) == 0 {
		t.Skip("no source files found: set CAUSAL_CORPUS=dir:dir")
	}
	var count struct{ files, symbols, missing, extra, problems, broken, imports, importDiffs int }
	for _, want := range oracle(t, files) {
		src, err := os.ReadFile(want.File)
		if err != nil {
			t.Fatal(err)
		}
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
		got := languageOf(want.File).Extract(context.Background(), filepath.Base(want.File), src)
		sourcetest.CheckFile(t, got)
		if want.Errors > 0 {
			count.broken++
			continue
		}
		count.files++
		if got.Problem != "" {
			count.problems++
			t.Logf("%s: problem: %s", want.File, got.Problem)
		}
		missing, extra := compareSymbols(got, want)
		count.symbols += len(want.Symbols)
		count.missing += len(missing)
		count.extra += len(extra)
		for _, m := range missing[:min(len(missing), 5)] {
			t.Logf("%s: missing %s", want.File, m)
		}
		for _, e := range extra[:min(len(extra), 5)] {
			t.Logf("%s: extra   %s", want.File, e)
		}
		count.imports += len(want.Imports)
		for _, imp := range want.Imports {
			if !slices.ContainsFunc(got.Imports, func(i source.Import) bool { return fmt.Sprintf("%s %d", i.Path, i.Line) == imp }) {
				count.importDiffs++
				t.Logf("%s: missing import %s", want.File, imp)
			}
		}
	}
	t.Logf("%+v", count)
	if bad := count.missing + count.extra + count.importDiffs; count.files > 0 && float64(bad) > 0.001*float64(count.symbols+count.imports) {
		t.Errorf("%d differences in %d symbols and %d imports", bad, count.symbols, count.imports)
	}
	if float64(count.problems) > 0.002*float64(count.files) {
		t.Errorf("%d problems in %d valid files", count.problems, count.files)
	}
}

// compareSymbols lists the differences. The compiler's syntax tree does not have CommonJS exports, which the outline has.
func compareSymbols(got source.File, want oracleFile) (missing, extra []string) {
	parsed := map[string]oracleSymbol{}
	for _, s := range want.Symbols {
		parsed[s.Name] = s
	}
	found := map[string]source.Symbol{}
	for _, s := range got.Symbols {
		found[s.Name] = s
		if _, ok := parsed[s.Name]; !ok && languageOf(want.File) == TypeScript {
			extra = append(extra, fmt.Sprintf("%s %s line %d", s.Kind, s.Name, s.Line))
		}
	}
	for _, w := range want.Symbols {
		g, ok := found[w.Name]
		same := ok && string(g.Kind) == w.Kind && g.Line == w.Line && (w.Late || g.Exported == w.Exported)
		// a comment that speaks of the file belongs to no declaration, whatever that declares; one without text
		// documents nothing
		docs := (g.Doc != "") == w.Doc || got.Doc != "" && g.Line == got.Symbols[0].Line
		if languageOf(want.File) == JavaScript {
			same, docs = ok, true
		}
		if !same || !docs {
			missing = append(missing, fmt.Sprintf("%+v: have %s line %d exported %v doc %q", w, g.Kind, g.Line, g.Exported, g.Doc))
		}
	}
	return missing, extra
}

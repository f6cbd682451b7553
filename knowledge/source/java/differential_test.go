package java

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// outlined holds the declarations of a file as comparable lines, from the compiler or this package.
type outlined struct {
	rejected bool
	lines    []string
}

// TestAgreesWithTheCompiler compares declarations, imports and documentation with javac's parser over real sources.
func TestAgreesWithTheCompiler(t *testing.T) {
	java := os.Getenv("CAUSAL_JAVA")
	if java == "" {
		java = "java"
	}
	if _, err := exec.LookPath(java); err != nil {
		t.Skip("java is not installed")
	}
	files := corpus(t)
	if len(files) == 0 {
		t.Skip("no Java sources: set CAUSAL_CORPUS=dir:dir")
	}
	want := compilerOutlines(t, java, files)
	var read, rejected, problems, agreed, symbols, extra, missing int
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w := want[file]
		if w.rejected {
			rejected++
			continue
		}
		read++
		got, problem := outlineOf(file, src)
		if problem != "" {
			problems++
			t.Logf("%s: false problem: %s", file, problem)
		}
		more, less := difference(got, w.lines), difference(w.lines, got)
		symbols += len(w.lines)
		extra, missing = extra+len(more), missing+len(less)
		if len(more)+len(less) == 0 {
			agreed++
			continue
		}
		if differing := read - agreed; differing <= 20 {
			t.Logf("%s:\n  only here: %q\n  only javac: %q", file, head(more), head(less))
		}
	}
	t.Logf("%d files, %d rejected by the compiler, %d agree, %d false problems; %d entries, precision %.6f, recall %.6f",
		len(files), rejected, agreed, problems, symbols,
		ratio(symbols-missing, symbols-missing+extra), ratio(symbols-missing, symbols))
	if problems > 0 {
		t.Errorf("%d valid files are given a problem", problems)
	}
	// A file of testdata and two of the JDK differ in one entry each.
	if allowed := max(3, symbols/2000); missing > allowed || extra > allowed {
		t.Errorf("%d entries only here, %d only in the compiler", extra, missing)
	}
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func head(list []string) []string { return list[:min(len(list), 5)] }

// difference lists the elements of a that are not in b, counting repetitions. Both are sorted.
func difference(a, b []string) []string {
	var out []string
	for i, j := 0, 0; i < len(a); {
		switch {
		case j == len(b) || a[i] < b[j]:
			out = append(out, a[i])
			i++
		case a[i] == b[j]:
			i++
			j++
		default:
			j++
		}
	}
	return out
}

// outlineOf lists the declarations and imports of a file in the form of testdata/oracle/Outline.java.
func outlineOf(name string, src []byte) ([]string, string) {
	u := read(kernel.Meter{}, strings.ReplaceAll(string(src), "\r\n", "\n"))
	p := &parser{unit: u, base: filepath.Base(name)}
	p.run()
	var out []string
	if p.pkg != "" {
		out = append(out, "package\t"+p.pkg)
	}
	for _, imp := range p.imports {
		full := imp.Path
		if imp.All {
			full += ".*"
		} else {
			full += "." + imp.Names[0].Name
		}
		out = append(out, fmt.Sprintf("import\t%s\t%d", full, imp.Line))
	}
	for _, d := range p.decls {
		if d.kind == "func" || d.kind == "var" {
			continue
		}
		line, end := p.lines(d)
		entry := fmt.Sprintf("%s\t%s\t%d\t%v\t%v", d.kind, d.name, line, d.exported, p.doc(d.all.From) != "")
		if isType(d.kind) || d.kind == "method" {
			entry += fmt.Sprintf("\t%d", end)
		}
		out = append(out, entry)
	}
	sort.Strings(out)
	return out, u.problem.String()
}

// compilerOutlines runs testdata/oracle/Outline.java over files.
func compilerOutlines(t *testing.T, java string, files []string) map[string]outlined {
	t.Helper()
	var args []string
	for _, pkg := range []string{"code", "tree"} {
		args = append(args, "--add-exports", "jdk.compiler/com.sun.tools.javac."+pkg+"=ALL-UNNAMED")
	}
	cmd := exec.Command(java, append(args, filepath.Join("testdata", "oracle", "Outline.java"))...)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Skipf("java cannot run the outline (a JDK of version 17 or later is needed): %v\n%s", err, stderr.String())
	}
	out := map[string]outlined{}
	var name string
	var current outlined
	keep := func() {
		sort.Strings(current.lines)
		out[name] = current
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		switch {
		case fields[0] == "file":
			keep()
			name, current = fields[1], outlined{}
		case fields[0] == "error":
			current.rejected = true
		case fields[0] == "const" || fields[0] == "field":
			current.lines = append(current.lines, strings.Join(fields[:5], "\t"))
		default:
			current.lines = append(current.lines, lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	keep()
	return out
}

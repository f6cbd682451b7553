package java

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// resolution is the compiler's meaning of a name: a line of testdata/oracle/Resolve.java.
type resolution struct {
	kind, name, owner, receiver string
	alone, nested               bool
}

// isType reports whether it names a type.
func (r resolution) isType() bool {
	switch r.kind {
	case "CLASS", "INTERFACE", "ENUM", "RECORD", "ANNOTATION_TYPE":
		return true
	}
	return false
}

// tally counts references by the compiler's judgement.
type tally struct{ seen, certain, judged, wrong, missed, expected int }

// TestResolvesAsTheCompiler compares the references that are called certain with what javac resolves the names to,
// over the files of this package's own and those of CAUSAL_CORPUS.
func TestResolvesAsTheCompiler(t *testing.T) {
	java := os.Getenv("CAUSAL_JAVA")
	if java == "" {
		java = "java"
	}
	if _, err := exec.LookPath(java); err != nil {
		t.Skip("java is not installed")
	}
	dirs := []string{filepath.Join("testdata", "refs")}
	if list := os.Getenv("CAUSAL_CORPUS"); list != "" {
		dirs = filepath.SplitList(list)
	}
	var sum tally
	for _, dir := range dirs {
		files := below(t, dir)
		said := resolutions(t, java, dir, files)
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			abs, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			if at, ok := said[abs]; ok && !bytes.ContainsAny(src, "\r") && !bytes.Contains(src, []byte(`\u`)) {
				sum.judge(t, name, src, at)
			}
		}
	}
	t.Logf("%d references, %.1f %% certain, of which %d were judged and %d (%.2f %%) are wrong; %d of %d names are not seen",
		sum.seen, 100*ratio(sum.certain, sum.seen), sum.judged, sum.wrong, 100*ratio(sum.wrong, max(sum.judged, 1)),
		sum.missed, sum.expected)
	if sum.judged == 0 {
		t.Fatal("nothing was compared")
	}
	if ratio(sum.wrong, sum.judged) > 0.005 {
		t.Errorf("%d of %d certain references are wrong", sum.wrong, sum.judged)
	}
	if ratio(sum.missed, max(sum.expected, 1)) > 0.005 {
		t.Errorf("%d of %d names are not seen", sum.missed, sum.expected)
	}
}

// trace is a reference with its token.
type trace struct {
	name  string
	how   source.How
	token int32
}

// traces reads a file and returns its references with their tokens.
func traces(name string, src []byte) (*parser, []trace) {
	u := read(kernel.Meter{}, string(src))
	p := &parser{unit: u, base: filepath.Base(name)}
	p.run()
	w := newWalker(p)
	w.walk(symbols(p, newDigester(u)))
	var out []trace
	for _, m := range w.mentions.List {
		out = append(out, trace{string(w.Spell(nil, m.Name)), m.How, m.At})
	}
	return p, out
}

// judge compares one file.
func (s *tally) judge(t *testing.T, name string, src []byte, said map[int]resolution) {
	p, list := traces(name, src)
	imported := map[string]bool{}
	for _, imp := range p.imports {
		for _, n := range imp.Names {
			imported[n.Name] = true
		}
	}
	units := utf16Offsets(p.src)
	at := map[int]bool{}
	report := func(format string, args ...any) {
		if s.wrong+s.missed < 60 {
			t.Logf("%s:%s", name, fmt.Sprintf(format, args...))
		}
	}
	for _, r := range list {
		s.seen++
		offset := units[p.toks[r.token].start]
		at[offset] = true
		if r.how&source.AsOpen > 0 {
			continue
		}
		s.certain++
		want, ok := said[offset]
		if !ok {
			continue
		}
		s.judged++
		if !agrees(r, want, imported) {
			s.wrong++
			report("%d: %v %s is %+v", p.line(r.token), r.how, r.name, want)
		}
	}
	for i := range p.toks {
		want, ok := said[units[p.toks[i].start]]
		if !ok || p.toks[i].kind != word || passedOver(p, int32(i), want) {
			continue
		}
		s.expected++
		if !at[units[p.toks[i].start]] {
			s.missed++
			report("%d: nothing for %+v", p.line(int32(i)), want)
		}
	}
}

// passedOver reports whether no reference is wanted for a name: it is bound in the body, part of a longer name, or
// leads to nothing that a repository declares.
func passedOver(p *parser, i int32, r resolution) bool {
	predeclared := func(name string) bool {
		last, ok := strings.CutPrefix(name, "java.lang.")
		last, _, _ = strings.Cut(last, ".")
		return ok && slices.Contains(javaLang, last)
	}
	switch {
	case r.kind == "local", r.name == "class", r.name == "this", r.name == "super", r.owner == "", strings.HasSuffix(r.receiver, "[]"):
		return true
	case r.isType():
		return predeclared(r.owner) || p.kind(i+1) == '.' || p.kind(i+1) == operator && p.text(i+1) == "::"
	case predeclared(r.owner), predeclared(r.receiver), strings.HasPrefix(r.receiver, "java.lang.Class"):
		return true
	}
	return r.kind == "CONSTRUCTOR"
}

// agrees reports whether a certain reference names the compiler's target.
func agrees(r trace, want resolution, imported map[string]bool) bool {
	named := func(full, name string) bool { return full == name || strings.HasSuffix(full, "."+name) }
	dot := strings.LastIndexByte(r.name, '.')
	switch {
	case want.kind == "local":
		return false
	case want.name == "class":
		return r.how == source.AsType && named(want.receiver, r.name)
	case want.isType():
		if want.alone && dot < 0 && want.nested && !imported[r.name] {
			return false
		}
		return named(want.owner, r.name)
	case want.kind == "CONSTRUCTOR":
		return r.how != source.AsValue && (named(want.owner, r.name) || dot > 0 && named(want.owner, r.name[:dot]))
	case (r.how == source.AsCall) != (want.kind == "METHOD") && r.how != source.AsValue:
		return false
	case dot < 0:
		return r.name == want.name && imported[r.name]
	}
	return r.name[dot+1:] == want.name && (named(want.owner, r.name[:dot]) || named(want.receiver, r.name[:dot]))
}

// utf16Offsets gives for each byte offset of src the offset in UTF-16 units.
func utf16Offsets(src string) []int {
	out := make([]int, len(src)+1)
	n := 0
	for i, r := range src {
		size := max(utf8.RuneLen(r), 1)
		for k := i; k < min(i+size, len(src)); k++ {
			out[k] = n
		}
		n++
		if r > 0xffff {
			n++
		}
	}
	out[len(src)] = n
	return out
}

// resolutions runs testdata/oracle/Resolve.java over the files below dir.
func resolutions(t *testing.T, java, dir string, files []string) map[string]map[int]resolution {
	t.Helper()
	args := []string{filepath.Join("testdata", "oracle", "Resolve.java")}
	if _, err := os.Stat(filepath.Join(dir, "java", "lang", "Object.java")); err == nil {
		args = append(args, "--patch-module", "java.base="+dir)
	}
	cmd := exec.Command(java, args...)
	var names []string
	for _, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		if base := filepath.Base(f); base != moduleInfo {
			names = append(names, abs)
		}
	}
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Skipf("java cannot resolve names (a JDK of version 17 or later is needed): %v\n%s", err, stderr.String())
	}
	out := map[string]map[int]resolution{}
	var current map[int]resolution
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if fields[0] == "file" {
			current = map[int]resolution{}
			out[fields[1]] = current
			continue
		}
		at, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) != 7 {
			t.Fatalf("cannot read %q", line)
		}
		current[at] = resolution{kind: fields[1], name: fields[2], owner: fields[3], receiver: fields[4],
			alone: fields[5] == "alone", nested: fields[6] != "PACKAGE"}
	}
	return out
}

package rust

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// resolved is a path in the compiler's tree with its meaning.
type resolved struct {
	kind string // Def(Fn, Local, PrimTy, …
	def  string // the definition that it leads to
	name string // its first name
}

// place is where a token starts; columns count characters.
type spot struct {
	file         string
	line, column int
}

var spanLine = regexp.MustCompile(`^span: (.*?):(\d+):(\d+): \d+:\d+ \(#\d+\),$`)

// readResolved lists the paths of the compiler's tree by where they start.
func readResolved(r io.Reader) map[spot][]resolved {
	out := map[spot][]resolved{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), 1<<24)
	var at spot
	var p resolved
	state := 0
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		switch {
		case bytes.HasSuffix(line, []byte("Path {")):
			state, p, at = 1, resolved{}, spot{}
		case state == 1:
			if m := spanLine.FindSubmatch(line); m != nil {
				at.file = string(m[1])
				_, _ = fmt.Sscan(string(m[2]), &at.line)
				_, _ = fmt.Sscan(string(m[3]), &at.column)
			}
			state = 2
		case state == 2:
			p.kind = strings.TrimRight(strings.TrimPrefix(string(line), "res: "), "({ ,")
			if state = 3; p.kind != "Def" {
				state = 4
			}
		case state == 3:
			p.kind = strings.TrimRight(string(line), "(,")
			state = 4
		case state == 4 && p.def == "" && bytes.HasPrefix(line, []byte("DefId(")):
			p.def = strings.TrimRight(string(line[6:]), "),")
		case state == 4 && bytes.HasPrefix(line, []byte("ident: ")):
			name, _, _ := strings.Cut(string(line[7:]), "#")
			p.name = strings.TrimSuffix(name, ",")
			if at.file != "" && p.kind != "PerNS" {
				out[at] = append(out[at], p)
			}
			state = 0
		}
	}
	return out
}

// compilerResolved has the compiler resolve the names of a crate.
func compilerResolved(t *testing.T, root, edition string, features []string) map[spot][]resolved {
	args := []string{"-Zunpretty=hir-tree", "--edition", edition, "--crate-type", "lib", "--crate-name", "checked", root}
	for _, f := range features {
		args = append(args, "--cfg", fmt.Sprintf("feature=%q", f))
	}
	cmd := exec.Command("rustc", args...)
	cmd.Env = append(os.Environ(), "RUSTC_BOOTSTRAP=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	found := readResolved(out)
	_ = cmd.Wait() // a crate whose dependencies are not there is still resolved in itself
	return found
}

// verdicts counts how references fare.
type verdicts struct {
	files, references, certain, compared, members, wrong, expected, missing int
}

// TestReferences compares the references of bodies with the compiler: a certain reference must be a path to something that the code does
// not bind itself, and every path to an item of the crate must be found.
func TestReferences(t *testing.T) {
	if _, err := exec.LookPath("rustc"); err != nil {
		t.Skip("rustc is not installed")
	}
	var total verdicts
	roots := []string{"testdata/names/lib.rs"}
	for _, dir := range filepath.SplitList(os.Getenv("CAUSAL_CORPUS")) {
		roots = append(roots, crateRoots(t, dir)...)
	}
	for _, root := range roots {
		edition, features := settings(root)
		found := compilerResolved(t, root, edition, features)
		var v verdicts
		v.crate(t, filepath.Dir(root), found)
		t.Logf("%s: %+v", root, v)
		total.add(v)
	}
	t.Logf("%+v: %.1f%% certain, %.2f%% of the compared wrong, %.2f%% missing", total, 100*float64(total.certain)/float64(total.references),
		100*float64(total.wrong)/float64(max(total.compared, 1)), 100*float64(total.missing)/float64(max(total.expected, 1)))
	if total.compared == 0 {
		t.Error("nothing was compared")
	}
	if total.wrong*200 > total.compared || total.missing*50 > total.expected {
		t.Error("too many references are wrong or missing")
	}
}

func (v *verdicts) add(w verdicts) {
	v.files += w.files
	v.references += w.references
	v.certain += w.certain
	v.compared += w.compared
	v.members += w.members
	v.wrong += w.wrong
	v.expected += w.expected
	v.missing += w.missing
}

func crateRoots(t *testing.T, dir string) []string {
	var roots []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "lib.rs" && filepath.Base(filepath.Dir(path)) == "src" {
			roots = append(roots, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return roots
}

// settings are the edition and the default features that the manifest of a crate gives.
func settings(root string) (edition string, features []string) {
	content, _ := os.ReadFile(filepath.Join(filepath.Dir(root), "..", "Cargo.toml"))
	m := manifest.Read(content)
	if edition = m.Table("package").Text("edition"); edition == "" {
		edition = "2021"
	}
	all := m.Table("features")
	for todo := []string{"default", "std", "alloc"}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		list, ok := all[name].([]any)
		if !ok || slices.Contains(features, name) {
			continue
		}
		features = append(features, name)
		for _, f := range list {
			if s, ok := f.(string); ok {
				todo = append(todo, s)
			}
		}
	}
	return edition, features
}

// crate compares the files below dir that the compiler resolved paths in.
func (v *verdicts) crate(t *testing.T, dir string, found map[spot][]resolved) {
	files := map[string]bool{}
	for at := range found {
		if strings.HasPrefix(at.file, dir+"/") {
			files[at.file] = true
		}
	}
	sorted := make([]string, 0, len(files))
	for f := range files {
		sorted = append(sorted, f)
	}
	slices.Sort(sorted)
	for _, file := range sorted {
		v.file(t, file, found)
	}
}

func (v *verdicts) file(t *testing.T, file string, found map[spot][]resolved) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p problem
	o := &outline{meter: new(kernel.Meter), src: src, problem: &p}
	o.toks = balance(src, lex(o.meter, src, &p), &p)
	o.run()
	if o.testing {
		return
	}
	o.imports()
	symbols := o.symbols()
	w := newWalker(o, symbols)
	w.file(symbols)
	v.files++
	c := comparison{v: v, t: t, file: file, walker: w, o: o, found: found, seen: map[spot]bool{}, known: map[string]bool{}, kinds: map[string]source.Kind{}, ranges: o.conditions()}
	for _, s := range symbols {
		c.known[s.Name] = true
		c.kinds[s.Name] = s.Kind
	}
	for i, s := range symbols {
		c.symbol(s, owned(w.found.List, i))
	}
	for _, m := range owned(w.found.List, source.NoOwner) {
		c.seen[o.spot(file, int(m.At))] = true
	}
	c.missing()
}

func owned(list []source.Mention, owner int) (out []source.Mention) {
	for _, m := range list {
		if int(m.Owner) == owner {
			out = append(out, m)
		}
	}
	return out
}

func (o *outline) spot(file string, at int) spot {
	start := int(o.toks[at].start)
	line := bytes.LastIndexByte(o.src[:start], '\n') + 1
	return spot{file, int(o.toks[at].line), utf8.RuneCount(o.src[line:start]) + 1}
}

type comparison struct {
	*walker
	v     *verdicts
	t     *testing.T
	file  string
	o     *outline
	found map[spot][]resolved
	known map[string]bool
	kinds map[string]source.Kind
	seen  map[spot]bool
	// ranges are the parts under a condition.
	ranges []guarded
}

// conditional reports whether the token may not be compiled.
func (c *comparison) conditional(at int) bool {
	return slices.ContainsFunc(c.ranges, func(g guarded) bool { return g.start <= at && at < g.end })
}

func (c *comparison) symbol(s source.Symbol, list []source.Mention) {
	compiled := false
	for _, m := range list {
		if at := c.o.spot(c.file, int(m.At)); len(c.found[at]) > 0 {
			compiled = true
		}
	}
	for _, m := range list {
		c.v.references++
		at := c.o.spot(c.file, int(m.At))
		c.seen[at] = true
		if m.How&source.AsOpen > 0 {
			continue
		}
		c.v.certain++
		if !compiled || s.Kind == source.Reexport || s.Kind == source.Macro {
			continue
		}
		c.mention(s, m, int(m.At), at)
	}
}

func (c *comparison) mention(s source.Symbol, m source.Mention, token int, at spot) {
	o := c.o
	if o.is(token-1, ".") {
		c.v.members++
		return
	}
	paths := c.found[at]
	if len(paths) == 0 && o.is(token-1, "::") {
		at.column -= 2
		paths = c.found[at]
	}
	if len(paths) == 0 {
		end := token + 1
		for o.is(end, "::") {
			end += 2
		}
		if c.conditional(token) || o.is(token-1, "as") || o.is(end, "!") || o.class(token) == text || o.inAttribute(token) || o.inside(token, "macro") {
			return // macros are gone from the compiler's tree
		}
		c.v.compared++
		c.v.wrong++
		c.t.Logf("%s:%d: %s names %s, but there is no path", c.file, at.line, s.Name, c.words.Text(m.Name))
		return
	}
	c.v.compared++
	for _, p := range paths {
		if p.name == o.name(token) || p.name == "{{root}}" || strings.HasPrefix(p.name, "$") || o.is(token, "crate") {
			if why := c.wrong(m, p); why != "" {
				c.v.wrong++
				c.t.Logf("%s:%d: %s names %s, but it is %s", c.file, at.line, s.Name, c.words.Text(m.Name), why)
			}
			return
		}
	}
}

// wrong returns the reason why a certain reference is wrong.
func (c *comparison) wrong(m source.Mention, p resolved) string {
	switch p.kind {
	case "PrimTy":
		if c.o.uses[p.name] != "" {
			return "" // the module of that name leads on to the type
		}
		return p.kind
	case "Local", "TyParam", "ConstParam":
		return p.kind + " " + p.def
	}
	first, _, _ := strings.Cut(c.words.Text(m.Name), ".")
	if !strings.HasPrefix(p.def, "0:") || !c.known[first] || p.kind == "SelfCtor" {
		return ""
	}
	def := strings.TrimSuffix(p.def, "::{constructor#0}")
	last := def[strings.LastIndexByte(def, ':')+1:]
	if !slices.Contains(strings.Split(c.words.Text(m.Name), "."), last) && c.o.uses[first] == "" {
		return p.kind + " " + p.def
	}
	return ""
}

// inAttribute reports whether the token is between the brackets of an attribute.
func (o *outline) inAttribute(at int) bool {
	for i := at; i >= 0 && !o.is(i, ";") && !o.is(i, "{"); i-- {
		if o.is(i, "[") && (o.is(i-1, "#") || o.is(i-1, "!") && o.is(i-2, "#")) {
			return int(o.toks[i].mate) > at
		}
	}
	return false
}

// inside reports whether the token is an argument of the call of a macro.
func (o *outline) inside(at int, _ string) bool {
	for i := at; i >= 0; i-- {
		if o.class(i) == opener && int(o.toks[i].mate) > at && opensMacro(o.src, o.toks, i) {
			return true
		}
	}
	return false
}

// missing counts the paths to items of the crate that no reference speaks of.
func (c *comparison) missing() {
	at := map[spot]int{}
	for i := range c.o.toks {
		if !c.o.toks[i].skip && c.o.toks[i].class == word {
			at[c.o.spot(c.file, i)] = i
		}
	}
	for s, paths := range c.found {
		i, ok := at[s]
		if s.file != c.file || !ok || c.o.inside(i, "") {
			continue
		}
		for _, p := range paths {
			if !strings.HasPrefix(p.def, "0:") || p.name != c.o.name(i) || slices.Contains([]string{"Local", "TyParam", "ConstParam", "AssocTy"}, p.kind) || p.name == "Self" {
				continue
			}
			c.v.expected++
			if !c.seen[s] && !c.local(p, i) {
				c.v.missing++
				c.t.Logf("%s:%d: %s %s is not seen", s.file, s.line, p.kind, p.def)
			}
			break
		}
	}
}

// local reports whether a definition is inside of a function.
func (c *comparison) local(p resolved, i int) bool {
	parts := strings.Split(p.def, "::")
	for n, part := range parts[1 : len(parts)-1] {
		if strings.HasPrefix(part, "{impl#") {
			if rest := parts[n+2:]; len(rest) > 1 && !strings.HasPrefix(rest[1], "{") {
				return true
			}
			continue
		}
		for name, kind := range c.kinds {
			if (kind == source.Func || kind == source.Method) && (name == part || strings.HasSuffix(name, "."+part)) {
				return true
			}
		}
		if strings.HasPrefix(part, "{") {
			return true
		}
	}
	before := string(c.o.text(i - 1))
	return c.inHead(i) || before == "struct" || before == "enum" || before == "union" // derived code has their positions
}

// inHead reports whether the token is in the head of an impl block, which names its own type.
func (c *comparison) inHead(at int) bool {
	return slices.ContainsFunc(c.o.impls, func(s *scope) bool { return s.head <= at && at < s.headEnd })
}

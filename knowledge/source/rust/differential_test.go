package rust

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// stride is a prime, so its multiples reach every file.
const stride = 7919

// sampled is how many files of the corpus are read when not all of them are.
const sampled = 12

// TestDifferential compares declarations, visibility, documentation and imports with the compiler's own parser.
func TestDifferential(t *testing.T) {
	if _, err := exec.LookPath("rustc"); err != nil {
		t.Skip("rustc is not installed")
	}
	own, _ := filepath.Glob("testdata/*.rs")
	files := append(slices.Clone(own), corpusFiles()...)
	var total agreement
	for i := range min(len(files), testmode.Of(len(own)+sampled, len(files))) {
		// a stride that visits files from everywhere when not all of them are read
		file := files[i*stride%len(files)]
		if len(files)%stride == 0 {
			file = files[i]
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree, ok := parseWithCompiler(file)
		if !ok {
			total.unparsed++
			continue
		}
		total.compare(t, file, src, tree)
	}
	t.Logf("%d files (%d that rustc does not parse left out), %d declarations, %d missing, %d extra, %d imports, %d missing",
		total.files, total.unparsed, total.declarations, total.missing, total.extra, total.imports, total.lost)
	if total.declarations == 0 {
		t.Error("nothing was compared")
	}
}

type agreement struct {
	files, unparsed, declarations, missing, extra, imports, lost int
}

func (a *agreement) compare(t *testing.T, file string, src []byte, tree *node) {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	var p problem
	o := &outline{meter: new(kernel.Meter), src: src, problem: &p, keep: true}
	o.toks = balance(src, lex(o.meter, src, &p), &p)
	o.run()
	if p.String() != "" {
		t.Errorf("%s: %s, but rustc reads it", file, &p)
	}
	want := compilerReading{}
	want.items(tree.child("items: ["), scopeOf{exported: true})
	want.uses(tree)
	got := ownReading(o)
	a.files++
	a.declarations += len(want.declared)
	a.imports += len(want.used)
	missing, extra := difference(want.declared, got.declared)
	lost, _ := difference(want.used, got.used)
	a.missing += len(missing)
	a.extra += len(extra)
	a.lost += len(lost)
	for _, d := range missing {
		t.Errorf("%s: missing %s", file, d)
	}
	for _, d := range extra {
		t.Errorf("%s: extra %s", file, d)
	}
	for _, d := range lost {
		t.Errorf("%s: missing import %s", file, d)
	}
}

// difference returns what only a and only b hold, as multisets.
func difference(a, b []string) (onlyA, onlyB []string) {
	count := map[string]int{}
	for _, s := range b {
		count[s]++
	}
	for _, s := range a {
		if count[s] == 0 {
			onlyA = append(onlyA, s)
		} else {
			count[s]--
		}
	}
	for s, n := range count {
		for range n {
			onlyB = append(onlyB, s)
		}
	}
	slices.Sort(onlyB)
	return onlyA, onlyB
}

// reading is what one side found, in a form that compares.
type reading struct{ declared, used []string }

func ownReading(o *outline) reading {
	var r reading
	for _, it := range o.items {
		name := it.name
		if it.form == using || it.scope.wrapper != "" || it.kind == source.Macro && it.form == plain {
			continue // a re-export, or something that the compiler's parser does not look into or names otherwise
		}
		if it.form == merged {
			name = "impl"
		}
		doc := o.doc(it.attrs, it.first, outerDoc) != ""
		if it.form == merged {
			doc = false
		}
		public := it.exported && !(it.scope.kind == inImpl)
		r.declared = append(r.declared, declaration(it.kind, name, int(o.toks[it.first].line), public, doc))
	}
	for i := range o.toks {
		if o.is(i, "use") && o.class(i) == word {
			if leaves, end := o.useTree(i + 1); o.is(end, ";") {
				for _, l := range leaves {
					r.used = append(r.used, spelled(l))
				}
			}
		}
	}
	return r
}

func declaration(kind source.Kind, name string, line int, public, doc bool) string {
	return fmt.Sprintf("%s %s at %d public=%v doc=%v", kind, name, line, public, doc)
}

func spelled(l leaf) string {
	if l.glob {
		return l.path + "::*"
	}
	return l.full() + " as " + l.local()
}

// node is one value of the compiler's tree in its debug format.
type node struct {
	label    string
	children []*node
}

// child returns the first child with that label, nil without one; also of nil.
func (n *node) child(label string) *node {
	if n != nil {
		for _, c := range n.children {
			if c.label == label {
				return c
			}
		}
	}
	return nil
}

// field returns the value after "name: " of a child without children.
func (n *node) field(name string) string {
	if n != nil {
		for _, c := range n.children {
			if rest, ok := strings.CutPrefix(c.label, name+": "); ok {
				return strings.TrimSuffix(rest, ",")
			}
		}
	}
	return ""
}

func (n *node) visit(see func(*node)) {
	stack := []*node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		see(top)
		stack = append(stack, top.children...)
	}
}

func parseWithCompiler(file string) (*node, bool) {
	for _, edition := range []string{"2021", "2015", "2024"} {
		cmd := exec.Command("rustc", "-Zunpretty=ast-tree", "--edition", edition, "--crate-type", "lib", file)
		cmd.Env = append(os.Environ(), "RUSTC_BOOTSTRAP=1")
		if out, err := cmd.Output(); err == nil {
			return parseTree(out), true
		}
	}
	return nil, false
}

func parseTree(out []byte) *node {
	root := &node{}
	stack := []*node{root}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "":
		case strings.ContainsRune("})]", rune(line[0])):
			stack = stack[:len(stack)-1]
		default:
			n := &node{label: line}
			top := stack[len(stack)-1]
			top.children = append(top.children, n)
			if strings.ContainsRune("{([", rune(line[len(line)-1])) {
				stack = append(stack, n)
			}
		}
	}
	return root.children[0]
}

// compilerReading turns the compiler's tree into a reading.
type compilerReading struct{ reading }

type scopeOf struct {
	prefix   string
	exported bool
	trait    bool
	impl     bool
}

var compilerKinds = map[string]source.Kind{
	"Struct": source.Struct, "Enum": source.Enum, "Union": source.Union, "Trait": source.Trait, "TraitAlias": source.Trait,
	"Const": source.Const, "Static": source.Var, "TyAlias": source.Type, "Type": source.Type, "Fn": source.Func,
	"Mod": source.Namespace, "MacroDef": source.Macro,
}

func (r *compilerReading) items(list *node, s scopeOf) {
	if list == nil {
		return
	}
	for _, item := range list.children {
		r.item(item, s)
	}
}

func (r *compilerReading) item(item *node, s scopeOf) {
	var kindNode *node
	for _, c := range item.children {
		if strings.HasPrefix(c.label, "kind: ") {
			kindNode = c
		}
	}
	if kindNode == nil || len(kindNode.children) == 0 {
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(kindNode.label, "kind: "), "(")
	line := 0
	if span := item.field("span"); span != "" {
		parts := strings.Split(span, ":")
		if len(parts) > 3 {
			_, _ = fmt.Sscan(parts[len(parts)-4], &line)
		}
	}
	public := s.exported && (item.child("vis: Visibility {").field("kind") == "Public" || s.trait)
	switch name {
	case "Impl":
		r.implementation(kindNode.children[0], line, s)
		return
	case "ForeignMod":
		kindNode.visit(func(n *node) {
			if n.label == "items: [" {
				r.items(n, s)
			}
		})
		return
	}
	kind, ok := compilerKinds[name]
	if !ok {
		return
	}
	ident := identOf(kindNode)
	if ident == "_" || hasAttr(item, "proc_macro_derive") {
		return
	}
	if name == "Fn" && (s.trait || s.impl) {
		kind = source.Method
	}
	if name == "MacroDef" {
		rules := strings.Contains(treeText(kindNode), "macro_rules: true")
		public = s.exported && public && !rules || rules && hasAttr(item, "macro_export")
	}
	r.declared = append(r.declared, declaration(kind, s.prefix+ident, line, public && !s.impl, hasDoc(item)))
	inner := scopeOf{prefix: s.prefix + ident + ".", exported: public}
	switch name {
	case "Mod":
		if loaded := kindNode.child("Loaded("); loaded != nil {
			r.items(loaded.child("["), inner)
		}
	case "Trait":
		inner.trait = true
		r.items(kindNode.children[0].child("items: ["), inner)
	}
}

func (r *compilerReading) implementation(impl *node, line int, s scopeOf) {
	if impl.child("of_trait: Some(") != nil {
		r.declared = append(r.declared, declaration(source.Method, "impl", line, false, false))
		return
	}
	self := selfType(impl.child("self_ty: Ty {"))
	r.items(impl.child("items: ["), scopeOf{prefix: s.prefix + self + ".", impl: true})
}

func selfType(ty *node) string {
	name := "?"
	if path := ty.child("kind: Path("); path != nil {
		for _, c := range path.children {
			if segments := c.child("segments: ["); segments != nil {
				name = cleanIdent(segments.children[len(segments.children)-1].field("ident"))
			}
		}
	}
	return name
}

func identOf(kind *node) string {
	n := kind
	if len(n.children) == 1 && len(n.children[0].children) > 0 {
		n = n.children[0]
	}
	if id := n.field("ident"); id != "" {
		return cleanIdent(id)
	}
	for _, c := range kind.children {
		if strings.HasSuffix(c.label, "#0,") && !strings.Contains(c.label, " ") {
			return cleanIdent(strings.TrimSuffix(c.label, ","))
		}
	}
	return "?"
}

func cleanIdent(s string) string {
	if i := strings.LastIndexByte(s, '#'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimPrefix(s, "r#")
}

func hasDoc(item *node) bool {
	attrs := item.child("attrs: [")
	found := false
	if attrs != nil {
		for _, a := range attrs.children {
			if a.field("style") != "Outer" {
				continue
			}
			if d := a.child("kind: DocComment("); d != nil {
				text := strings.TrimSuffix(strings.TrimSpace(d.children[len(d.children)-1].label), ",")
				found = found || strings.Trim(strings.ReplaceAll(strings.ReplaceAll(text, `\n`, ""), `\t`, ""), "\" *") != ""
			} else if attrName(a) == "doc" {
				all := treeText(a)
				found = found || strings.Contains(all, "Eq") && strings.Contains(all, "LitKind") || strings.Contains(all, "kind: Str")
			}
		}
	}
	return found
}

func hasAttr(item *node, name string) bool {
	attrs := item.child("attrs: [")
	if attrs == nil {
		return false
	}
	return slices.ContainsFunc(attrs.children, func(a *node) bool { return attrName(a) == name })
}

func attrName(a *node) string {
	name := ""
	a.visit(func(n *node) {
		if n.label == "segments: [" && name == "" && len(n.children) > 0 {
			name = cleanIdent(n.children[0].field("ident"))
		}
	})
	return name
}

func treeText(n *node) string {
	var b strings.Builder
	n.visit(func(n *node) { b.WriteString(n.label + "\n") })
	return b.String()
}

func (r *compilerReading) uses(tree *node) {
	tree.visit(func(n *node) {
		if n.label == "kind: Use(" && len(n.children) > 0 {
			r.useTree(n.children[0], "")
		}
	})
}

func (r *compilerReading) useTree(tree *node, prefix string) {
	var segments []string
	if list := tree.child("prefix: Path {").child("segments: ["); list != nil {
		for _, s := range list.children {
			segments = append(segments, cleanIdent(s.field("ident")))
		}
	}
	if len(segments) > 0 && segments[0] == "{{root}}" {
		segments = segments[1:]
	}
	path := join(prefix, strings.Join(segments, "::"))
	switch simple := tree.child("kind: Simple("); {
	case simple != nil:
		module, name := splitLast(path)
		as := ""
		for _, c := range simple.children {
			if c.label == "Some(" {
				as = cleanIdent(c.children[0].label)
			}
		}
		r.used = append(r.used, spelled(named(module, name, as)))
	case strings.HasPrefix(tree.field("kind"), "Glob"):
		r.used = append(r.used, path+"::*")
	default:
		r.nested(tree.child("kind: Nested {"), path)
	}
}

func (r *compilerReading) nested(list *node, path string) {
	if list == nil {
		return
	}
	items := list.child("items: [")
	if items == nil {
		return
	}
	for _, pair := range items.children {
		for _, c := range pair.children {
			if c.label == "UseTree {" {
				r.useTree(c, path)
			}
		}
	}
}

// Package store is the directory of knowledge in a repository: it defines the location of each file, and writes files
// such that a run killed at any moment leaves every file whole and no path leads outside.
package store

import (
	"path"
	"strings"
	"unicode/utf8"
)

// Locations relative to the repository's root.
const (
	Top       = ".causal"
	Config    = Top + "/config.yml"
	nodesDir  = Top + "/nodes"
	framesDir = Top + "/frames"
	specsDir  = Top + "/specs"
	// Reviews and Principles hold the plugins' data about closed changes.
	Reviews    = Top + "/reviews"
	Principles = Top + "/principles"
	// Skills holds the programs of the repository, and the model answers for their pages.
	Skills = Top + "/skills"
	// Answers holds the answers that a user keeps.
	Answers = Top + "/answers"
	// Overview is a model's text about the repository.
	Overview = Top + "/overview.yml"
	// Log is the append-only ledger: its files are never rewritten.
	Log = Top + "/log"
	// rootName replaces the path "." of the root module.
	rootName = "_root"
	// listName is the name of the module list, in the directory of the module pages.
	listName = "README"
	// partMark precedes the part in the name of a page about a part of a module. It is escaped in paths.
	partMark = "~"
)

// Layout names the files of one repository.
type Layout struct {
	// Docs is the directory of rendered pages, relative to the root.
	Docs string
	// Apart is the subdirectory for sessions of runs that are independent of the units of other runs; empty for the
	// shared directory.
	Apart string
}

// Node returns the node file of a module.
func (Layout) Node(module string) string { return nodesDir + "/" + fileName(module) + ".yml" }

// Frames returns the file of a session's call tree.
func (l Layout) Frames(session string) string { return l.FramesDir() + "/" + session + ".yml" }

// Spec returns the file of the test spec of a symbol.
func (Layout) Spec(module, symbol string) string {
	return specsDir + "/" + fileName(module) + "/" + fileName(symbol) + ".yml"
}

// SpecOf returns the module and the symbol of a test spec file; false for other files.
func (l Layout) SpecOf(file string) (module, symbol string, ok bool) {
	name, ok := strings.CutPrefix(file, specsDir+"/")
	if ok {
		name, ok = strings.CutSuffix(name, ".yml")
	}
	dir, base := path.Split(name)
	if !ok || dir == "" {
		return "", "", false
	}
	module, symbol = moduleName(strings.TrimSuffix(dir, "/")), unescape(base)
	return module, symbol, l.Spec(module, symbol) == file
}

// NodesDir returns the directory of the nodes.
func (Layout) NodesDir() string { return nodesDir }

// SpecsDir returns the directory of the test specs.
func (Layout) SpecsDir() string { return specsDir }

// Page returns the page of a module.
func (l Layout) Page(module string) string { return l.Docs + "/modules/" + fileName(module) + ".md" }

// Part returns the page of a part of a module.
func (l Layout) Part(module, part string) string {
	return l.Docs + "/modules/" + fileName(module) + partMark + fileName(part) + ".md"
}

// Bundle returns the page of a bundle of small modules.
func (l Layout) Bundle(dir, name string) string {
	if dir == "." {
		return l.Docs + "/modules/" + partMark + name + ".md"
	}
	return l.Docs + "/modules/" + fileName(dir) + "/" + partMark + name + ".md"
}

// PartOf returns the module or bundle directory, and the part, of an owned page; false for other files.
func (l Layout) PartOf(file string) (of, part string, bundle, ok bool) {
	name, ok := strings.CutPrefix(file, l.Docs+"/modules/")
	if ok {
		name, ok = strings.CutSuffix(name, ".md")
	}
	dir, base := path.Split(name)
	of, part, found := strings.Cut(base, partMark)
	switch {
	case !ok || !found:
		return "", "", false, false
	case of == "" && dir == "":
		return ".", unescape(part), true, true
	case of == "":
		return moduleName(strings.TrimSuffix(dir, "/")), unescape(part), true, true
	}
	return moduleName(dir + of), unescape(part), false, true
}

// Index returns the entry page.
func (l Layout) Index() string { return l.Docs + "/index.md" }

// Overview returns a page about the whole repository.
func (l Layout) Overview(name string) string { return l.Docs + "/" + name + ".md" }

// ModuleList returns the page that lists the modules. GitHub shows it for the directory of module pages.
func (l Layout) ModuleList() string { return l.Docs + "/modules/" + listName + ".md" }

// Guide returns the page that coding agents read first.
func (l Layout) Guide() string { return l.Docs + "/llms.txt" }

// IsDir reports whether a path is always a directory of causal, or a parent of one.
func (l Layout) IsDir(file string) bool {
	return under(nodesDir, file) || under(framesDir, file) || under(Reviews, file) || under(Principles, file) || under(Answers, file) || under(Skills, file) || under(l.Docs+"/modules", file)
}

// MayBeDir reports whether a path is a directory of causal if a module has that name.
func (l Layout) MayBeDir(file string) bool {
	return under(file, nodesDir) && path.Ext(file) != ".yml" || under(file, l.Docs+"/modules") && path.Ext(file) != ".md"
}

// longestName is the limit of common file systems, in bytes.
const longestName = 255

// Fits reports whether a module's name fits in file names, with escapes and extensions.
func (l Layout) Fits(module string) bool {
	for name := range strings.SplitSeq(l.Node(module), "/") {
		if len(name) > longestName {
			return false
		}
	}
	return true
}

// Owns reports whether causal generated a file; such files are never sources.
func (l Layout) Owns(file string) bool {
	return under(file, Top) || under(file, l.Docs) || IsTest(file)
}

// generated lists the prefixes and suffixes of generated test files.
var generated = [][2]string{{"zz_causal_", "_test.go"}, {"test_causal_", ".py"}, {"", ".causal.test.ts"}}

// IsTest reports whether a file is named like a generated test.
func IsTest(file string) bool {
	base := path.Base(file)
	for _, g := range generated {
		if strings.HasPrefix(base, g[0]) && strings.HasSuffix(base, g[1]) {
			return true
		}
	}
	return false
}

// IsNode reports whether an owned path is a node.
func (Layout) IsNode(file string) bool { return under(file, nodesDir) && path.Ext(file) == ".yml" }

// IsPage reports whether a path is a page of a module or of the whole repository.
func (l Layout) IsPage(file string) bool {
	return under(file, l.Docs) && path.Ext(file) == ".md" || file == l.Guide()
}

// IsFrames reports whether a path is a session's call tree.
func (l Layout) IsFrames(file string) bool {
	return path.Dir(file) == l.FramesDir() && path.Ext(file) == ".yml"
}

// SessionOf returns the session of a call tree file.
func (l Layout) SessionOf(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, l.FramesDir()+"/"), ".yml")
}

// ModuleOf returns the module of an owned file; false for other files.
func (l Layout) ModuleOf(file string) (string, bool) {
	name, ok := strings.CutPrefix(file, nodesDir+"/")
	if file == l.ModuleList() {
		return "", false
	}
	if ok {
		name, ok = strings.CutSuffix(name, ".yml")
	} else if under(file, l.Docs) {
		if name, ok = strings.CutPrefix(file, l.Docs+"/modules/"); ok {
			name, ok = strings.CutSuffix(name, ".md")
		}
	}
	if !ok || strings.Contains(path.Base(name), partMark) {
		return "", false
	}
	return moduleName(name), true
}

func under(file, dir string) bool {
	return strings.HasPrefix(file, dir) && (len(file) == len(dir) || file[len(dir)] == '/')
}

// fileName turns a module path into a valid file path on every system. It escapes Windows device names, characters
// that Windows rejects, invalid UTF-8, and names that collide with those of the root or the module list.
func fileName(module string) string {
	if module == "." {
		return rootName
	}
	var b strings.Builder
	b.Grow(len(module))
	for segment := range strings.SplitSeq(module, "/") {
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		escape(&b, segment)
	}
	return b.String()
}

func moduleName(name string) string {
	if name == rootName {
		return "."
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = unescape(p)
	}
	return strings.Join(parts, "/")
}

const hexDigits = "0123456789ABCDEF"

var refused = func() (table [256]bool) {
	for c := range table {
		table[c] = c < 0x20 || c == 0x7f || strings.IndexByte(`%<>:"|?*\`+partMark, byte(c)) >= 0
	}
	return table
}()

func escape(b *strings.Builder, segment string) {
	if special(segment) {
		b.WriteByte('_')
	}
	written := 0
	text := utf8.ValidString(segment)
	for i := range len(segment) {
		c := segment[i]
		last := i == len(segment)-1 && (c == '.' || c == ' ')
		if !refused[c] && !last && (text || c < utf8.RuneSelf) {
			continue
		}
		b.WriteString(segment[written:i])
		b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		written = i + 1
	}
	b.WriteString(segment[written:])
}

func unescape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			hi, lo := strings.IndexByte(hexDigits, name[i+1]), strings.IndexByte(hexDigits, name[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	s := b.String()
	if strings.HasPrefix(s, "_") && special(s[1:]) {
		return s[1:]
	}
	return s
}

// special reports names that need a leading underscore, and names that could be mistaken for such.
func special(segment string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(segment, "_")), ".")
	switch stem {
	case "con", "prn", "aux", "nul", "readme":
		return true
	case "root":
		return strings.HasPrefix(segment, "_")
	}
	if len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) {
		return stem[3] >= '1' && stem[3] <= '9'
	}
	return false
}

// FramesDir returns the directory of the sessions' call trees.
func (l Layout) FramesDir() string { return path.Join(framesDir, l.Apart) }

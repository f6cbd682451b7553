// Package store is the directory of knowledge in a repository: where each thing lies, and how it is written there so
// that a run killed at any moment leaves every file whole and no path leads outside.
package store

import (
	"path"
	"strings"
	"unicode/utf8"
)

// Where things lie, relative to the repository's root.
const (
	Top       = ".causal"
	Config    = Top + "/config.yml"
	nodesDir  = Top + "/nodes"
	framesDir = Top + "/frames"
	specsDir  = Top + "/specs"
	// Reviews and Principles are what plugins keep of changes that were closed.
	Reviews    = Top + "/reviews"
	Principles = Top + "/principles"
	// Skills are the programs of the repository, and the answers of a model for their pages.
	Skills = Top + "/skills"
	// Answers are those to questions that a user keeps.
	Answers = Top + "/answers"
	// Overview is a model's text about the repository.
	Overview = Top + "/overview.yml"
	// Log is the ledger: files that are added to it and never written again.
	Log = Top + "/log"
	// rootName stands for the root module, whose path is "." and gives no file name.
	rootName = "_root"
	// listName is the name of the page beside those of the modules that lists them.
	listName = "README"
	// partMark stands in the names of pages before the part of a module that they are about. In a path it is escaped.
	partMark = "~"
)

// Layout names the files of one repository.
type Layout struct {
	// Docs is the directory of rendered pages, relative to the root.
	Docs string
	// Apart is the directory of the sessions, below that of all, of runs which know nothing of the units of others; empty for that itself.
	Apart string
}

// Node is the node file of a module.
func (Layout) Node(module string) string { return nodesDir + "/" + fileName(module) + ".yml" }

// Frames is the file of a session's call tree.
func (l Layout) Frames(session string) string { return l.FramesDir() + "/" + session + ".yml" }

// Spec is the file of the test spec of a symbol of a module.
func (Layout) Spec(module, symbol string) string {
	return specsDir + "/" + fileName(module) + "/" + fileName(symbol) + ".yml"
}

// SpecOf returns the module and the symbol that the file of a test spec is about; false for other files.
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

// NodesDir is the directory of the nodes.
func (Layout) NodesDir() string { return nodesDir }

// SpecsDir is the directory of the test specs.
func (Layout) SpecsDir() string { return specsDir }

// Page is the rendered page of a module.
func (l Layout) Page(module string) string { return l.Docs + "/modules/" + fileName(module) + ".md" }

// Part is the rendered page of a part of a module.
func (l Layout) Part(module, part string) string {
	return l.Docs + "/modules/" + fileName(module) + partMark + fileName(part) + ".md"
}

// Bundle is the rendered page of small modules of a directory that are told of together.
func (l Layout) Bundle(dir, name string) string {
	if dir == "." {
		return l.Docs + "/modules/" + partMark + name + ".md"
	}
	return l.Docs + "/modules/" + fileName(dir) + "/" + partMark + name + ".md"
}

// PartOf returns the module, or the directory of a bundle, and the part of it that an owned page is about; false for other files.
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

// Index is the entry page.
func (l Layout) Index() string { return l.Docs + "/index.md" }

// Overview is a page about the repository as a whole.
func (l Layout) Overview(name string) string { return l.Docs + "/" + name + ".md" }

// ModuleList is the page that lists the modules. It is what GitHub shows of the directory of their pages.
func (l Layout) ModuleList() string { return l.Docs + "/modules/" + listName + ".md" }

// Guide is what coding agents read first of the pages.
func (l Layout) Guide() string { return l.Docs + "/llms.txt" }

// IsDir reports whether a path is where a directory of causal's always is, or one that leads there.
func (l Layout) IsDir(file string) bool {
	return under(nodesDir, file) || under(framesDir, file) || under(Reviews, file) || under(Principles, file) || under(Answers, file) || under(Skills, file) || under(l.Docs+"/modules", file)
}

// MayBeDir reports whether a path is where a directory of causal's is when there is a module of that name.
func (l Layout) MayBeDir(file string) bool {
	return under(file, nodesDir) && path.Ext(file) != ".yml" || under(file, l.Docs+"/modules") && path.Ext(file) != ".md"
}

// longestName is how long a name may be on the file systems that repositories are checked out on.
const longestName = 255

// Fits reports whether the files of a module can be called after it: a name may get longer by what is escaped in it, and all
// of them get an ending.
func (l Layout) Fits(module string) bool {
	for name := range strings.SplitSeq(l.Node(module), "/") {
		if len(name) > longestName {
			return false
		}
	}
	return true
}

// Owns reports whether a path belongs to causal: such files are never sources.
func (l Layout) Owns(file string) bool {
	return under(file, Top) || under(file, l.Docs) || IsTest(file)
}

// generated are the names of files with generated tests, by what stands before and behind what they test.
var generated = [][2]string{{"zz_causal_", "_test.go"}, {"test_causal_", ".py"}, {"", ".causal.test.ts"}}

// IsTest reports whether a file is called like one with generated tests.
func IsTest(file string) bool {
	base := path.Base(file)
	for _, g := range generated {
		if strings.HasPrefix(base, g[0]) && strings.HasSuffix(base, g[1]) {
			return true
		}
	}
	return false
}

// IsNode, IsPage and IsFrames tell what an owned path is.
func (Layout) IsNode(file string) bool { return under(file, nodesDir) && path.Ext(file) == ".yml" }

// IsPage reports whether a path is where a module's page, or one about the repository as a whole, lies.
func (l Layout) IsPage(file string) bool {
	return under(file, l.Docs) && path.Ext(file) == ".md" || file == l.Guide()
}

// IsFrames reports whether a path is where a session's frames lie.
func (l Layout) IsFrames(file string) bool {
	return path.Dir(file) == l.FramesDir() && path.Ext(file) == ".yml"
}

// SessionOf returns the session whose frames a file holds.
func (l Layout) SessionOf(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, l.FramesDir()+"/"), ".yml")
}

// ModuleOf returns the module that an owned file is about; false for other files.
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

// fileName turns a module path into a path that is a valid file name on every system: device names of Windows and
// characters that it refuses are escaped, and so is a name that is no UTF-8, which others refuse, and what would collide
// with the root's name or with that of the list of modules.
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

// refused are the bytes that some system refuses in a file name.
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

// special are the names that need a leading underscore, and those that such an underscore could be taken for.
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

// FramesDir is the directory of the sessions' call trees.
func (l Layout) FramesDir() string { return path.Join(framesDir, l.Apart) }

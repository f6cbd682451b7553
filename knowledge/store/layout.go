// Package store is the directory of knowledge in a repository: where each thing lies, and how it is written there so
// that a run killed at any moment leaves every file whole and no path leads outside.
package store

import (
	"path"
	"strings"
)

// Where things lie, relative to the repository's root.
const (
	Top       = ".causal"
	Config    = Top + "/config.yml"
	nodesDir  = Top + "/nodes"
	framesDir = Top + "/frames"
	// rootName stands for the root module, whose path is "." and gives no file name.
	rootName = "_root"
)

// Layout names the files of one repository.
type Layout struct {
	// Docs is the directory of rendered pages, relative to the root.
	Docs string
}

// Node is the node file of a module.
func (Layout) Node(module string) string { return nodesDir + "/" + fileName(module) + ".yml" }

// Frames is the file of a session's call tree.
func (Layout) Frames(session string) string { return framesDir + "/" + session + ".yml" }

// Page is the rendered page of a module.
func (l Layout) Page(module string) string { return l.Docs + "/modules/" + fileName(module) + ".md" }

// Index is the entry page.
func (l Layout) Index() string { return l.Docs + "/index.md" }

// Owns tells whether a path belongs to causal: such files are never sources.
func (l Layout) Owns(file string) bool {
	return under(file, Top) || under(file, l.Docs)
}

// IsNode, IsPage and IsFrames tell what an owned path is.
func (Layout) IsNode(file string) bool { return under(file, nodesDir) && path.Ext(file) == ".yml" }

// IsPage tells whether a path is where a module's page or the index lies.
func (l Layout) IsPage(file string) bool { return under(file, l.Docs) && path.Ext(file) == ".md" }

// IsFrames tells whether a path is where a session's frames lie.
func (Layout) IsFrames(file string) bool { return under(file, framesDir) && path.Ext(file) == ".yml" }

// SessionOf returns the session whose frames a file holds.
func (Layout) SessionOf(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(file, framesDir+"/"), ".yml")
}

// ModuleOf returns the module that an owned file is about; false for other files.
func (l Layout) ModuleOf(file string) (string, bool) {
	for prefix, ext := range map[string]string{nodesDir + "/": ".yml", l.Docs + "/modules/": ".md"} {
		if name, ok := strings.CutPrefix(file, prefix); ok {
			if name, ok = strings.CutSuffix(name, ext); ok {
				return moduleName(name), true
			}
		}
	}
	return "", false
}

func under(file, dir string) bool {
	return strings.HasPrefix(file, dir) && (len(file) == len(dir) || file[len(dir)] == '/')
}

// fileName turns a module path into a path that is a valid file name on every system: device names of Windows and
// characters that it refuses are escaped, and so is what would collide with the root's name.
func fileName(module string) string {
	if module == "." {
		return rootName
	}
	parts := strings.Split(module, "/")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "/")
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

func escape(segment string) string {
	var b strings.Builder
	if special(segment) {
		b.WriteByte('_')
	}
	for i := 0; i < len(segment); i++ {
		c := segment[i]
		last := i == len(segment)-1 && (c == '.' || c == ' ')
		if c < 0x20 || c == 0x7f || last || strings.IndexByte(`%<>:"|?*\`, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
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
	case "con", "prn", "aux", "nul", "root":
		return stem != "root" || strings.HasPrefix(segment, "_")
	}
	if len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) {
		return stem[3] >= '1' && stem[3] <= '9'
	}
	return false
}

// FramesDir is the directory of the sessions' call trees.
func (Layout) FramesDir() string { return framesDir }

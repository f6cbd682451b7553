package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Target is what somebody asks about, taken apart: what is typed can be a path and can be a name.
type Target struct {
	Text   string   // as it was typed
	Dir    string   // where, from the repository's root
	Paths  []string // that it can be, from the root: first as seen from Dir
	Anchor string   // what stands behind "#"
	Bare   string   // without what a language writes around a name
	Name   string   // the same with a dot between its parts, however the language writes that
}

// blanks may stand around a target that was copied from a page.
const blanks = " \t\r\n`"

// ParseTarget reads a target that was typed in a directory of the repository at root. Both are absolute.
func ParseTarget(root, dir, text string) Target {
	t := Target{Text: strings.Trim(text, blanks), Dir: "."}
	if rel, ok := below(root, dir); ok {
		t.Dir = rel
	}
	name := t.Text
	if at := strings.IndexByte(t.Text, '#'); at > 0 {
		name, t.Anchor = t.Text[:at], t.Text[at+1:]
	}
	t.Paths = pathsOf(root, t.Dir, name)
	t.Bare = strings.TrimSuffix(strings.TrimPrefix(t.Text, "@"), "()")
	t.Name = dotted(t.Bare)
	return t
}

// pathsOf are the paths that a text can be. One that says where it begins is nothing else; any other can be seen from
// the directory, as in a shell, and from the root, as on pages.
func pathsOf(root, dir, text string) []string {
	if text == "" {
		return nil
	}
	if filepath.IsAbs(text) {
		if rel, ok := below(root, text); ok {
			return []string{rel}
		}
		return nil
	}
	text = filepath.ToSlash(text)
	begins := []string{dir, "."}
	if first, _, _ := strings.Cut(text, "/"); first == "." || first == ".." {
		begins = begins[:1]
	}
	var out []string
	for _, from := range begins {
		if p := path.Join(from, text); inside(p) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// below is the way from a directory to something in it.
func below(root, name string) (string, bool) {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	return rel, inside(rel)
}

// inside reports whether a clean path leads to the root or to something below it. It need be no text.
func inside(p string) bool { return filepath.IsLocal(filepath.FromSlash(p)) }

var dots = strings.NewReplacer("::", ".", "/", ".", "#", ".")

// dotted is a name with dots between its parts.
func dotted(name string) string { return strings.Trim(dots.Replace(name), ".") }

package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Target is a parsed question target. The text can be a path or a name.
type Target struct {
	Text   string   // as typed
	Dir    string   // where it was typed, relative to the root
	Paths  []string // possible paths relative to the root, the one relative to Dir first
	Anchor string   // after "#"
	Bare   string   // without the punctuation that a language puts around a name
	Name   string   // Bare with dots as separators
}

// blanks may surround a target that was copied from a page.
const blanks = " \t\r\n`"

// ParseTarget parses a target that was typed in a directory of the repository at root. Both are absolute.
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

// pathsOf lists the possible paths of a text. An explicit path has one meaning. Any other may be relative to the
// directory, as in a shell, or to the root, as on pages.
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

func below(root, name string) (string, bool) {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	return rel, inside(rel)
}

// inside reports whether a clean path is local to the root. It need not be valid UTF-8.
func inside(p string) bool { return filepath.IsLocal(filepath.FromSlash(p)) }

var dots = strings.NewReplacer("::", ".", "/", ".", "#", ".")

func dotted(name string) string { return strings.Trim(dots.Replace(name), ".") }

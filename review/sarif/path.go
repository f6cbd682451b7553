package sarif

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// scheme is what begins an absolute address; one letter is a drive.
var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]+:`)

// mostBases is how far an address is followed from base to base: they may lead in a circle.
const mostBases = 16

// cleanRoots are the names of the root as they begin the paths of files in it.
func cleanRoots(roots []string) []string {
	var out []string
	for _, root := range roots {
		if root = path.Clean(strings.ReplaceAll(root, `\`, "/")); isAbsolute(root) {
			out = append(out, strings.TrimSuffix(root, "/")+"/")
		}
	}
	return out
}

// path returns a path relative to the root, or the reason why there is none. The file may not exist. outside is the absolute path if that is
// not below the root: another machine or container may have written it.
func (r *run) path(where location) (name, outside, dropped string) {
	if where.URI == "" {
		return "", "", "without a path"
	}
	from, base, why := r.resolve(where)
	if why != "" {
		if why != onAnotherMachine {
			from = ""
		}
		return "", from, why + shown(where.URI)
	}
	name = path.Clean(from)
	// A path below a base that is here is told from the root; a base of another machine is taken for the root.
	if inside, ok := r.inRoot(base + from); ok {
		name, base = inside, ""
	}
	switch {
	case isAbsolute(name) || name == ".." || strings.HasPrefix(name, "../"):
		return "", path.Clean(base + from), "outside of the repository" + shown(where.URI)
	case name == ".":
		return "", "", "without a path"
	case len(name) > longestPath || strings.IndexByte(name, 0) >= 0:
		return "", "", "at a path that no file has" + shown(where.URI)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return "", "", "in git's own files" + shown(where.URI)
		}
	}
	if isAbsolute(base) {
		outside = path.Clean(base + from)
	}
	return name, outside, ""
}

// onAnotherMachine is the reason for addresses with a host name.
const onAnotherMachine = "on another machine"

// resolve follows an address from base to base. It ends with a path that is absolute, or is from the root, or is from an absolute base,
// which then ends with a slash.
func (r *run) resolve(where location) (name, base, dropped string) {
	name, dropped = filePath(string(where.URI))
	for range mostBases {
		if dropped != "" || isAbsolute(name) {
			return name, "", dropped
		}
		next, ok := r.bases[string(where.Base)]
		if !ok {
			return name, "", ""
		}
		where = next
		if next.URI == "" {
			continue
		}
		above, elsewhere := filePath(string(next.URI))
		if elsewhere != "" || isAbsolute(above) {
			return name, above + "/", ""
		}
		name = above + "/" + name
	}
	return "", "", "below bases that lead in a circle"
}

// filePath is the path in an address. Tools write more into addresses than may stand there: what is no escape is itself, as are
// "?" and "#", and a backslash separates as in Windows.
func filePath(uri string) (name, dropped string) {
	uri = strings.ReplaceAll(uri, `\`, "/")
	if kind := scheme.FindString(uri); kind != "" {
		if !strings.EqualFold(kind, "file:") {
			return "", "no file"
		}
		uri = uri[len(kind):]
		if rest, ok := strings.CutPrefix(uri, "//"); ok {
			host, _, _ := strings.Cut(rest, "/")
			if host != "" && !strings.EqualFold(host, "localhost") {
				dropped = onAnotherMachine
			}
			uri = rest[len(host):]
		}
	}
	if plain, err := url.PathUnescape(uri); err == nil {
		uri = plain
	}
	if len(uri) > 2 && uri[0] == '/' && isDrive(uri[1:]) {
		uri = uri[1:]
	}
	return uri, dropped
}

// isAbsolute reports whether a path is from the root of a machine, of whichever system.
func isAbsolute(name string) bool { return strings.HasPrefix(name, "/") || isDrive(name) }

func isDrive(name string) bool {
	return len(name) >= 3 && name[1] == ':' && name[2] == '/' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z'
}

// inRoot is a path from the root, where it is below that.
func (r *run) inRoot(name string) (string, bool) {
	for _, root := range r.roots {
		if inside, ok := strings.CutPrefix(path.Clean(name), root); ok {
			return inside, true
		}
	}
	return "", false
}

// shown is an address at the end of a reason.
func shown(uri text) string { return fmt.Sprintf(": %q", clip(string(uri), longestName)) }

// encode is the address of a path from the root. A colon would make a scheme of what stands before it.
func encode(name string) string {
	return strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")
}

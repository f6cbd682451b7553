package sarif

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// scheme matches the scheme of an absolute URI. A single letter is a drive.
var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]+:`)

// mostBases limits the chain of URI bases, which may be cyclic.
const mostBases = 16

func cleanRoots(roots []string) []string {
	var out []string
	for _, root := range roots {
		if root = path.Clean(strings.ReplaceAll(root, `\`, "/")); isAbsolute(root) {
			out = append(out, strings.TrimSuffix(root, "/")+"/")
		}
	}
	return out
}

// path returns a path relative to the root, or the reason why there is none. The file may not exist. outside is the
// absolute path if it is not below the root: another machine or container may have written it.
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
	// A path below a local base becomes relative to the root. A base of another machine counts as the root.
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

const onAnotherMachine = "on another machine"

// resolve follows a URI through its bases. The name is an absolute path or relative to the root, or base is an
// absolute path with a final slash.
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

// filePath returns the path of a URI. Tools often do not escape URIs, so invalid escapes, "?" and "#" are literal,
// and a backslash is a separator.
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

func isAbsolute(name string) bool { return strings.HasPrefix(name, "/") || isDrive(name) }

func isDrive(name string) bool {
	return len(name) >= 3 && name[1] == ':' && name[2] == '/' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z'
}

func (r *run) inRoot(name string) (string, bool) {
	for _, root := range r.roots {
		if inside, ok := strings.CutPrefix(path.Clean(name), root); ok {
			return inside, true
		}
	}
	return "", false
}

func shown(uri text) string { return fmt.Sprintf(": %q", clip(string(uri), longestName)) }

// encode returns the URI of a path. It escapes colons, which would end a scheme.
func encode(name string) string {
	return strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")
}

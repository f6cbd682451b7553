package cfamily

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	automakeHeaders = lazyregexp.New(`(?m)^(?:nobase_)?(?:dist_)?(\w+)_HEADERS[ \t]*\+?=((?:[^\n]*\\\n)*[^\n]*)`)
	automakeDir     = lazyregexp.New(`(?m)^(\w+)dir[ \t]*=[ \t]*\$[({]includedir[)}]([^\s$]*)[ \t]*$`)
)

// automake lists the headers that a Makefile.am installs by name: in include_HEADERS and in variables with a known
// directory. With pkginclude_HEADERS the directory is unknown, and the result is empty.
func automake(dir, text string) []installed {
	places := map[string]string{"include": ""}
	for _, m := range automakeDir.FindAllStringSubmatch(text, -1) {
		places[m[1]] = strings.Trim(m[2], "/")
	}
	var out []installed
	for _, m := range automakeHeaders.FindAllStringSubmatch(text, -1) {
		at, known := places[m[1]]
		if m[1] == "pkginclude" {
			return nil
		}
		for _, word := range strings.Fields(strings.ReplaceAll(m[2], "\\\n", " ")) {
			word = strings.TrimPrefix(word, "$(srcdir)/")
			if !known || strings.ContainsAny(word, "$@#") || !header(word) || len(out) == mostInstalled {
				continue
			}
			where := at
			if strings.HasPrefix(m[0], "nobase_") {
				where = path.Join(at, path.Dir(word))
			}
			out = append(out, installed{path: path.Join(dir, word), at: where})
		}
	}
	return out
}

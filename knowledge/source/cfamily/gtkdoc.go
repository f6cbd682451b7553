package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

var (
	gtkHead  = lazyregexp.New(`^(?:(?:struct|union|enum|typedef) )?(\w+)(?: ?\(\))?(?: ?:|\s+[-–—] )[ \t]*((?:\([^()\n]*\)[: ]*)*)`)
	gtkField = lazyregexp.New(`^@(\w+|\.\.\.): ?((?:\([^()\n]*\)[: ]*)*)(.*)`)
	gtkMark  = lazyregexp.New(`(^|[\s(])(?:%(-?\d+|[A-Z_][A-Z_\d]+)|@(\w+)|#([A-Z]\w+))\b`)
)

// ownText turns a comment of gtk-doc or kernel-doc, which begins with the name of its symbol, into one that Doxygen
// reads: the description first, then the parameters. Other comments are unchanged.
func ownText(doc string, s *source.Symbol) string {
	m := gtkHead.FindStringSubmatch(doc)
	if m == nil || m[1] != s.Name[strings.LastIndexByte(s.Name, '.')+1:] {
		return doc
	}
	field, before := "- `", "`: "
	if s.Kind == source.Func || s.Kind == source.Method || s.Kind == source.Macro {
		field, before = "@param ", " "
	}
	var text, fields []string
	inField := false
	for _, line := range strings.Split(strings.TrimPrefix(doc, m[0]), "\n") {
		f := gtkField.FindStringSubmatch(line)
		inField = f != nil || inField && line != ""
		if f != nil {
			line = f[3]
		}
		line = gtkMark.ReplaceAllString(line, "$1`$2$3$4`")
		if f != nil {
			line = field + f[1] + before + line
		} else if word, rest, ok := strings.Cut(line, ":"); ok && (word == "Returns" || word == "Return") {
			line, inField = "@return"+rest, true
		}
		if inField {
			fields = append(fields, line)
		} else {
			text = append(text, line)
		}
	}
	return strings.TrimSpace(strings.TrimSpace(strings.Join(text, "\n")) + "\n\n" + strings.Join(fields, "\n"))
}

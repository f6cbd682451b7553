package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// longestPath is how many bytes a path has that is put together.
const longestPath = 1024

// path is the path that an argument at token i spells out: literals, their sums and f-strings. What is computed becomes a placeholder.
func (r *routeReader) path(i, end int) string {
	var b strings.Builder
	for b.Len() < longestPath && i < end {
		switch r.toks[i].kind {
		case str:
			b.WriteString(r.literalAt(i))
			i++
		case fpart:
			for first := true; i < end && (first || r.toks[i].kind == fpart); first = false {
				text, open := fieldText(r.text(i))
				b.WriteString(text)
				if i++; !open {
					break
				}
				from := i
				for i < end && r.toks[i].kind != fpart {
					i++
				}
				name, last := "", from
				if r.isName(from, end) {
					name, last = r.dotted(from, end)
				}
				if last+1 != i {
					name = ""
				}
				b.WriteString(source.Placeholder(name))
			}
		case name:
			text, last := r.dotted(i, end)
			b.WriteString(source.Placeholder(text))
			i = last + 1
		default:
			return source.Placeholder("")
		}
		switch {
		case r.is(i, end, "+"):
			i++
		case i >= end || r.is(i, end, ",") || r.is(i, end, ")"):
			return b.String()
		case r.toks[i].kind != str && r.toks[i].kind != fpart: // "/a" "/b" are one literal
			return source.Placeholder("")
		}
	}
	return b.String()
}

// fieldText is the text of a piece of an f-string, and reports whether a field follows.
func fieldText(piece string) (text string, open bool) {
	if strings.HasPrefix(piece, "}") {
		piece = piece[1:]
	} else {
		piece = piece[strings.IndexAny(piece, `"'`)+1:]
	}
	piece, open = strings.CutSuffix(piece, "{")
	if !open {
		piece = strings.TrimRight(piece, `"'`)
	}
	return strings.NewReplacer("{{", "{", "}}", "}").Replace(strings.TrimLeft(piece, `"'`)), open
}

// dotted is the dotted name at token i, and its last token.
func (r *routeReader) dotted(i, end int) (text string, last int) {
	text = r.text(i)
	for r.is(i+1, end, ".") && r.isName(i+2, end) && len(text) < longestDotted {
		i += 2
		text += "." + r.text(i)
	}
	return text, i
}

// deepestCall is how deep calls stand in each other around a handler.
const deepestCall = 4

// named is what code calls an argument at token i, with the calls that wrap it: auth(list). It is empty for anything else.
func (r *routeReader) named(i, end int) string {
	text, _ := r.wrapped(i, end, 0)
	return text
}

func (r *routeReader) wrapped(i, end, depth int) (text string, next int) {
	if !r.isName(i, end) || depth == deepestCall {
		return "", end
	}
	text, i = r.dotted(i, end)
	if i++; !r.is(i, end, "(") {
		if !r.is(i, end, ",") && !r.is(i, end, ")") {
			return "", end
		}
		return text, i
	}
	if view, ok := strings.CutSuffix(text, ".as_view"); ok {
		return view, r.closing(i, end)
	}
	var inner []string
	for at := i + 1; at < end && !r.is(at, end, ")"); {
		var arg string
		if arg, at = r.wrapped(at, end, depth+1); arg == "" || !r.is(at, end, ",") && !r.is(at, end, ")") {
			return "", end
		}
		inner = append(inner, arg)
		if r.is(at, end, ",") {
			at++
		}
	}
	return text + "(" + strings.Join(inner, ",") + ")", r.closing(i, end)
}

// closing is the token behind the bracket that is opened at a token.
func (r *routeReader) closing(open, end int) int {
	depth := 0
	for i := open; i < min(end, open+mostTokens); i++ {
		if depth += r.depth(i); depth == 0 {
			return i + 1
		}
	}
	return end
}

// argument finds the value of a keyword argument in a call whose arguments begin at from; end when it is not there.
func (x *reader) argument(from, end int, key string) int {
	depth := 0
	for i := from; i < end && depth >= 0; i++ {
		depth += x.depth(i)
		if depth == 0 && x.isName(i, end) && x.is(i+1, end, "=") && x.text(i) == key {
			return min(i+2, end)
		}
	}
	return end
}

// position finds the argument at a position in a call whose arguments begin at from; end when there is none, or it has a keyword.
func (x *reader) position(from, end, n int) int {
	depth := 0
	for i := from; i < end && depth >= 0; i++ {
		if n == 0 {
			if x.is(i, end, ")") || x.isName(i, end) && x.is(i+1, end, "=") {
				return end
			}
			return i
		}
		if depth += x.depth(i); depth == 0 && x.is(i, end, ",") {
			n--
		}
	}
	return end
}

// urlpatterns is the name under which a file of Django lists its paths.
const urlpatterns = "urlpatterns"

// mostIncluded is how many lists of paths may stand in each other.
const mostIncluded = 32

// included is a list of paths that stands in a call, up to a token.
type included struct {
	end    int
	prefix string
}

// inside is what comes before a path at token i: that of the list that it stands in.
func (r *routeReader) inside(i int) string {
	for len(r.nested) > 0 && r.nested[len(r.nested)-1].end <= i {
		r.nested = r.nested[:len(r.nested)-1]
	}
	if len(r.nested) == 0 {
		return ""
	}
	return strings.TrimSuffix(r.nested[len(r.nested)-1].prefix, "/")
}

// nest opens the list of paths that begins at a token.
func (r *routeReader) nest(open, end int, prefix string) {
	r.nested = append(r.nested, included{r.closing(open, end), prefix})
}

// djangoPath reads path("x/", view) and path("x/", include("app.urls")) of the list that has a name.
func (r *routeReader) djangoPath(i, end int, list string, expression bool) {
	before := r.inside(i)
	if r.position(i+2, end, 1) >= end || len(r.nested) > mostIncluded {
		return
	}
	path := r.path(i+2, end)
	if expression {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$")
	}
	path = before + "/" + strings.TrimPrefix(path, "/")
	view := r.position(i+2, end, 1)
	if r.isName(view, end) && r.text(view) == "include" && r.is(view+1, end, "(") {
		r.include(view+1, end, list, path)
		return
	}
	if handler := r.named(view, end); !strings.HasSuffix(handler, ".urls") {
		r.note(source.Fact{Kind: source.Route, Name: path, Of: list, Value: handler}, i)
	}
}

// include reads what stands behind a path: a module, a list of the file, or a list in place.
func (r *routeReader) include(open, end int, list, path string) {
	at := open + 1
	if r.is(at, end, "(") { // with a name for all of them
		at++
	}
	switch module := r.literalAt(at); {
	case module != "":
		r.note(source.Fact{Kind: source.Mount, ID: source.PlaceID(strings.ReplaceAll(module, ".", "/"), urlpatterns), Of: list, Name: path}, open)
	case r.is(at, end, "["):
		r.nest(at, end, path)
	default:
		if name := r.named(at, end); name != "" {
			r.note(source.Fact{Kind: source.Mount, ID: name, Of: list, Name: path}, open)
		}
	}
}

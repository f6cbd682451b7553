package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// pick is the argument with a keyword or, where there is none, at a position among those without.
func pick(args []argument, key string, position int) (found argument, ok bool) {
	for _, a := range args {
		if a.key != "" && a.key == key {
			return a, true
		}
		if a.key == "" {
			if position == 0 {
				found, ok = a, true
			}
			position--
		}
	}
	return found, ok
}

// longestPath is how many bytes a path has that is put together.
const longestPath = 1024

// path is the path that an argument spells out: literals, their sums and f-strings. Computed parts become placeholders.
func (r *routeReader) path(a argument) string {
	var b strings.Builder
	for i := a.from; i < a.to && b.Len() < longestPath; i++ {
		switch kind := r.toks[i].kind; {
		case kind == str:
			b.WriteString(r.literalAt(i))
		case kind == fpart:
			text, open := fieldText(r.text(i))
			b.WriteString(text)
			if open {
				i = r.field(i+1, a.to, &b)
			}
		case kind == name:
			text, last := r.dotted(i, a.to)
			if last+1 < a.to && !r.is(last+1, a.to, "+") {
				return source.Placeholder("")
			}
			b.WriteString(source.Placeholder(text))
			i = last
		case !r.is(i, a.to, "+"):
			return source.Placeholder("")
		}
	}
	return b.String()
}

// field writes the field of an f-string at token i, and returns its last token.
func (r *routeReader) field(i, end int, b *strings.Builder) int {
	text, last := "", i
	if r.isName(i, end) {
		text, last = r.dotted(i, end)
	}
	for i < end && r.toks[i].kind != fpart {
		i++
	}
	if last+1 != i {
		text = ""
	}
	b.WriteString(source.Placeholder(text))
	return i - 1
}

// fieldText is the text of a piece of an f-string, and reports whether a field follows.
func fieldText(piece string) (text string, open bool) {
	if strings.HasPrefix(piece, "}") {
		piece = piece[1:]
	} else {
		piece = piece[strings.IndexAny(piece, `"'`)+1:]
	}
	piece, open = strings.CutSuffix(piece, "{")
	text = strings.ReplaceAll(strings.Trim(piece, `"'`), "{{", "{")
	return strings.ReplaceAll(text, "}}", "}"), open
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

// deepestCall bounds the nesting of calls around a handler.
const deepestCall = 4

// named is what code calls an argument, with the calls that wrap it: auth(list). It is empty for anything else.
func (r *routeReader) named(a argument, depth int) string {
	if !r.isName(a.from, a.to) || depth == deepestCall {
		return ""
	}
	text, i := r.dotted(a.from, a.to)
	if i++; i == a.to {
		return text
	}
	if view, ok := strings.CutSuffix(text, ".as_view"); ok {
		return view
	}
	var inner []string
	for r.is(i, a.to, "(") { // auth(role)(view) has two
		i++
		for _, arg := range r.arguments(i - 1) {
			if name := r.named(arg, depth+1); name != "" {
				inner = append(inner, name)
			}
			if i = arg.to; r.is(i, a.to, ",") {
				i++
			}
		}
		i++
	}
	if i < a.to {
		return ""
	}
	return text + "(" + strings.Join(inner, ",") + ")"
}

// urlpatterns is the name under which a file of Django lists its paths.
const urlpatterns = "urlpatterns"

// mostIncluded bounds the nesting of lists of paths.
const mostIncluded = 32

// included is a list of paths in a call, up to a token.
type included struct {
	end    int
	prefix string
}

// inside is the prefix of a path at token i: that of the list around it.
func (r *routeReader) inside(i int) string {
	for len(r.nested) > 0 && r.nested[len(r.nested)-1].end <= i {
		r.nested = r.nested[:len(r.nested)-1]
	}
	if len(r.nested) == 0 {
		return ""
	}
	return strings.TrimSuffix(r.nested[len(r.nested)-1].prefix, "/")
}

// djangoPath reads path("x/", view) and path("x/", include("app.urls")) of the list that has a name.
func (r *routeReader) djangoPath(i int, list string, expression bool) {
	before, args := r.inside(i), r.arguments(i+1)
	if len(args) < 2 || len(r.nested) > mostIncluded {
		return
	}
	path, view := r.path(args[0]), args[1]
	if expression {
		path = strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$")
	}
	path = before + "/" + strings.TrimPrefix(path, "/")
	if r.isName(view.from, view.to) && r.text(view.from) == "include" && r.is(view.from+1, view.to, "(") {
		r.include(r.arguments(view.from+1), list, path, i)
	} else if handler := r.named(view, 0); !strings.HasSuffix(handler, ".urls") {
		r.note(source.Fact{Kind: source.Route, Name: path, Of: list, Value: handler}, i)
	}
}

// include reads the target of a path: a module, a list of the file, or a list in place.
func (r *routeReader) include(args []argument, list, path string, i int) {
	if len(args) > 0 && r.is(args[0].from, args[0].to, "(") { // with a name for all of them
		args = r.arguments(args[0].from)
	}
	if len(args) == 0 {
		return
	}
	f := source.Fact{Kind: source.Mount, ID: r.named(args[0], 0), Of: list, Name: path}
	if module := r.literalAt(args[0].from); module != "" {
		f.ID = source.PlaceID(strings.ReplaceAll(module, ".", "/"), urlpatterns)
	}
	if r.is(args[0].from, args[0].to, "[") {
		r.nested = append(r.nested, included{args[0].to, path})
	} else if f.ID != "" {
		r.note(f, i)
	}
}

package python

import "strings"

// cut is a token range omitted from a signature.
type cut struct{ from, to int }

// annotatedDocs reads parameter documentation in types, Annotated[T, Doc("text")], as docstring fields, and returns
// cuts that reduce the signature to the plain types.
func (x *reader) annotatedDocs(from, end int) (fields string, cuts []cut) {
	var b strings.Builder
	depth, parameter := 0, -1
	for i := from; i < end; i++ {
		if depth == 1 && x.isName(i, end) && x.is(i+1, end, ":") {
			parameter = i
		}
		if parameter >= 0 && x.isName(i, end) && x.text(i) == "Annotated" && x.is(i+1, end, "[") {
			last := min(x.closes(i+1, end), end-1)
			if doc, found := x.annotatedDoc(i, last); doc != "" {
				cuts = append(cuts, found...)
				writeField(&b, x.text(parameter), doc)
			}
			i, parameter = last, -1
			continue
		}
		depth += x.depth(i)
	}
	return b.String(), cuts
}

// annotatedDoc reads the Annotated at token i, whose bracket closes at last. If it holds only documentation, the cuts
// leave just the type.
func (x *reader) annotatedDoc(i, last int) (doc string, cuts []cut) {
	first := i
	for first > 1 && x.is(first-1, last, ".") && x.isName(first-2, last) {
		first -= 2
	}
	others := false
	from, element := i+2, 0
	for at, depth := from, 0; at <= last; at++ {
		if depth == 0 && (at == last || x.is(at, last, ",")) {
			switch text, ok := x.docCall(from, at); {
			case ok && element > 0:
				doc = text
				cuts = append(cuts, cut{from - 1, at}) // including the preceding comma
			case element > 0 && at > from:
				others = true
			}
			from, element = at+1, element+1
			continue
		}
		depth += x.depth(at)
	}
	if doc == "" || others {
		return doc, cuts
	}
	return doc, append([]cut{{first, i + 2}}, cut{cuts[0].from, last + 1})
}

func (x *reader) docCall(from, to int) (string, bool) {
	for x.isName(from, to) && x.is(from+1, to, ".") {
		from += 2
	}
	if !x.isName(from, to) || x.text(from) != "Doc" || !x.is(from+1, to, "(") || !x.is(to-1, to, ")") {
		return "", false
	}
	end := to - 1
	if x.is(end-1, end, ",") {
		end--
	}
	doc, ok := x.lone(from+2, end)
	return strings.TrimSpace(doc), ok
}

// writeField writes ":param name: text" with continuation lines indented.
func writeField(b *strings.Builder, name, doc string) {
	b.WriteString(":param " + name + ": ")
	for n, line := range strings.Split(doc, "\n") {
		if n > 0 {
			b.WriteByte('\n')
			if line != "" {
				b.WriteString("    ")
			}
		}
		b.WriteString(line)
	}
	b.WriteByte('\n')
}

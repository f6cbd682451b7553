package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (o *outline) macros() {
	for i := range o.directives {
		d := &o.directives[i]
		if d.name != "define" || d.from == d.to || o.words[d.from].kind != identifier || o.guard(i) {
			continue
		}
		o.found = append(o.found, entry{name: string(o.spelling(o.words[d.from])), kind: source.Macro, macro: i + 1,
			exported: o.header})
	}
}

func (o *outline) guard(i int) bool {
	d := o.directives[i]
	valued := i == 1 && d.to-d.from == 2 && string(o.spelling(o.words[d.from+1])) == "1" && len(o.directives) > 2 &&
		(o.directives[2].name != "endif" || o.directives[2].at > 0) // not a default alone
	if i == 0 || d.to-d.from != 1 && !valued || d.at != 0 {
		return false
	}
	before := o.directives[i-1]
	if !before.opens() || before.to == before.from || before.at != 0 {
		return false
	}
	tested := o.words[before.to-1]
	if string(o.spelling(tested)) == ")" && before.to-before.from > 1 {
		tested = o.words[before.to-2]
	}
	return string(o.spelling(tested)) == string(o.spelling(o.words[d.from])) && o.branches[before.branch].parent == 0
}

// macroSymbol builds a macro's symbol; parameters and replacement are its interface.
func (b *builder) macroSymbol(e *entry) source.Symbol {
	d := &b.directives[e.macro-1]
	words := b.words[d.from:d.to]
	s := source.Symbol{Name: valid(e.name), Kind: source.Macro, Exported: e.exported, Line: int(d.line), End: int(d.last)}
	value := 1
	var params map[string]bool
	if len(words) > 1 && words[1].start == words[0].end && words[1].id == '(' && words[1].kind == punctuation {
		params = map[string]bool{}
		for value = 2; value < len(words) && string(b.spelling(words[value])) != ")"; value++ {
			params[string(b.spelling(words[value]))] = true
		}
		value = min(value+1, len(words))
	}
	b.line.tokens = words
	s.Signature = "#define " + render(&b.line, nil, true, span{From: 0, To: value})
	if shown := render(&b.line, nil, true, span{From: value, To: len(words)}); len(shown) <= maxValue && shown != "" {
		s.Signature += " " + shown
	}
	s.Doc = b.docs.before(d.at, int32(e.macro-1), d.line)
	if s.Doc == "" {
		s.Doc = b.docs.inside(d, int32(e.macro-1))
	}
	s.Doc = ownText(s.Doc, &s)
	b.hasher.Reset()
	b.conditions(d.branch)
	b.hasher.AddBytes(b.canon[d.canon:d.canonEnd])
	s.Interface = b.hasher.Sum()
	b.hasher.Reset()
	b.hasher.Add(s.Doc)
	b.hasher.AddBytes(b.canon[d.canon:d.canonEnd])
	s.Content = b.hasher.Sum()
	list := refs{outline: b.outline, names: b.names[:0]}
	for _, w := range words[value:] {
		if name := b.spelling(w); w.kind == identifier && w.id == none && !params[string(name)] {
			list.names = append(list.names, valid(string(name)))
		}
	}
	s.Refs, b.names = list.sorted(e.name), list.names
	s.Deprecated = deprecated(s.Doc, strings.TrimSpace(s.Signature))
	return s
}

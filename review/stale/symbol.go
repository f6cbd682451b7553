package stale

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// namesSymbol reports whether a piece of code names a symbol of the project. A span that is the name and nothing else does; what more
// code is around it, the less likely it is a name of something else has to be.
func namesSymbol(p piece, n Name) bool {
	for from := 0; ; {
		at := wordAt(p.text, n.Text, from)
		if at < 0 {
			return false
		}
		end := at + len(n.Text)
		from = end
		q := qualifier(p.text[:at])
		switch {
		case end < len(p.text) && strings.IndexByte("-/", p.text[end]) >= 0 || at > 0 && strings.IndexByte("-/$@", p.text[at-1]) >= 0: // a part of another name
		case q != "" && !n.qualified(q):
		case q == "" && at > 0 && p.text[at-1] == '.' && !n.Member:
		case !p.fenced && alone(p.text, at, end):
			if q != "" || distinctive(n.Text) || n.Text[0] >= 'A' && n.Text[0] <= 'Z' || strings.HasPrefix(p.text[end:], "(") {
				return true
			}
		case distinctive(n.Text) || q != "":
			return true
		}
	}
}

// qualifier is the name before the last dot, or colons, of a text that ends with these; empty where there is none.
func qualifier(before string) string {
	for _, mark := range []string{"::", "->", ".", "#"} {
		if text, ok := strings.CutSuffix(before, mark); ok {
			at := len(text)
			for at > 0 && (isWord(text[at-1]) || text[at-1] == '-') {
				at--
			}
			return text[at:]
		}
	}
	return ""
}

// qualified reports whether a symbol may have a name before it. Members are selected from variables of any name.
func (n Name) qualified(by string) bool {
	by = strings.ToLower(by)
	if n.Member && distinctive(n.Text) {
		return true
	}
	return slices.ContainsFunc(n.Qualifiers, func(q string) bool {
		return q == by || strings.ReplaceAll(q, "-", "_") == strings.ReplaceAll(by, "-", "_")
	})
}

// alone reports whether a text is a name that stands from at to end, with what it is selected from, and with what it is called.
func alone(text string, at, end int) bool {
	before, after := strings.TrimLeft(text[:at], " &*"), strings.TrimSpace(text[end:])
	for i := range len(before) {
		if !isWord(before[i]) && strings.IndexByte(".:#->", before[i]) < 0 {
			return false
		}
	}
	return after == "" || after[0] == '(' && after[len(after)-1] == ')' && strings.Count(after, "(") == strings.Count(after, ")")
}

var (
	declares = lazyregexp.New(`\b(?:func|def|class|type|const|let|var|val|function|fn|struct|interface|enum|trait|union|macro_rules!|#define|public|private|static|void|int)\s+(?:\([^()]*\)\s*)?([\pL_][\pL\pN_]*)`)
	assigns  = lazyregexp.New(`(?:^|[\s,(])([\pL_][\pL\pN_]*)\s*(?:,\s*[\pL_][\pL\pN_]*\s*)?(?::=|=[^=>])`)
	imports  = lazyregexp.New(`(?:\bfrom\s+|\brequire\(\s*|\buse\s+|\bimport\s+)['"]?([\w@./:-]+)`)
)

// declares reports whether the code of the document declares such a name itself, or takes it from somewhere else.
func (d *document) declares(n Name, pieces []int) bool {
	for _, i := range pieces {
		p := d.pieces[i]
		if !p.fenced {
			continue
		}
		for _, form := range []*lazyregexp.Regexp{declares, assigns} {
			for _, m := range form.FindAllStringSubmatch(p.text, -1) {
				if m[1] == n.Text {
					return true
				}
			}
		}
		if m := imports.FindStringSubmatch(p.text); m != nil && m[1][0] != '.' && !n.from(m[1]) {
			return true
		}
	}
	return false
}

// from reports whether an import path may lead to the module of a symbol.
func (n Name) from(imported string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(imported, func(c rune) bool { return c == '/' || c == '.' || c == ':' || c == '@' }), n.qualified)
}

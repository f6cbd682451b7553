package stale

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/review/change"
)

// namesSymbol reports whether a piece names a symbol of the project. A span that is only the name counts. With other
// code around it, the name must be distinctive or qualified.
func namesSymbol(p piece, n Name) bool {
	for from := 0; ; {
		at := change.WordAt(p.text, n.Text, from)
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

// qualifier returns the name before a final dot, colons, arrow or hash, or "".
func qualifier(before string) string {
	for _, mark := range []string{"::", "->", ".", "#"} {
		if text, ok := strings.CutSuffix(before, mark); ok {
			at := len(text)
			for at > 0 && (change.IsWord(text[at-1]) || text[at-1] == '-') {
				at--
			}
			return text[at:]
		}
	}
	return ""
}

// qualified reports whether a symbol may have a qualifier. Members may follow variables of any name.
func (n Name) qualified(by string) bool {
	by = strings.ToLower(by)
	if n.Member && distinctive(n.Text) {
		return true
	}
	return slices.ContainsFunc(n.Qualifiers, func(q string) bool {
		return q == by || strings.ReplaceAll(q, "-", "_") == strings.ReplaceAll(by, "-", "_")
	})
}

func alone(text string, at, end int) bool {
	before, after := strings.TrimLeft(text[:at], " &*"), strings.TrimSpace(text[end:])
	for i := range len(before) {
		if !change.IsWord(before[i]) && strings.IndexByte(".:#->", before[i]) < 0 {
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

// declares reports whether the document's code declares the name itself or imports it from elsewhere.
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

func (n Name) from(imported string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(imported, func(c rune) bool { return c == '/' || c == '.' || c == ':' || c == '@' }), n.qualified)
}

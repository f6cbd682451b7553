package render

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
)

func (p *page) footer() {
	n := p.node
	p.line(keep.Footer + "\n<summary>Why this page says what it says</summary>")
	p.line("The facts come from the files above, the words from the comments in them. The page is stale when")
	terms, more := fewTerms(n.InvalidationCondition, listBytes)
	p.line(markdown.Fence("", terms))
	if more {
		p.line("or for another reason that %s names.", p.nodeLink())
	}
	p.line("Written by %s. %s tells the whole chain; %s holds what was read, with the content of each file by hash.",
		markdown.Code(n.Generator), markdown.Code("causal why "+shellWord(n.Path)), p.nodeLink())
	p.b.WriteString("</details>\n")
}

// fewTerms are as many alternatives of a condition as there is room for by their bytes, each on a line of its own, and
// whether some are left out.
func fewTerms(condition string, room int) (terms string, more bool) {
	terms = strings.ReplaceAll(condition, " or ", "\nor ")
	for at := 0; ; {
		end := len(terms)
		if n := strings.IndexByte(terms[at:], '\n'); n >= 0 {
			end = at + n
		}
		if room -= end - at; room < 0 {
			return terms[:max(at-1, 0)], true
		}
		if end == len(terms) {
			return terms, false
		}
		at = end + 1
	}
}

// shellWord quotes a path that a shell would take apart, or that is no text.
func shellWord(s string) string {
	if !utf8.ValidString(s) {
		literal := strconv.Quote(s)
		return "$'" + strings.ReplaceAll(literal[1:len(literal)-1], "'", `\'`) + "'"
	}
	if strings.ContainsAny(s, " \t\n\"'$`\\&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

package render

import (
	"strings"

	"github.com/causaldocs/causal/render/markdown"
)

func (p *page) footer() {
	n := p.node
	p.line(footerOpen + "\n<summary>Why this page says what it says</summary>")
	p.line("The facts come from the files above, the words from the comments in them. The page is stale when")
	terms, more := few(terms(n.InvalidationCondition), listBytes)
	p.line("%s", markdown.Fence("", strings.Join(terms, "\n")))
	if more > 0 {
		p.line("or for one of %s.", count(more, "other reason"))
	}
	p.line("Written by %s. %s tells the whole chain; %s holds what was read, with the content of each file by hash.",
		markdown.Code(n.Generator), markdown.Code("causal why "+shellWord(n.Path)), p.nodeLink())
	p.b.WriteString("</details>\n")
}

// terms are the alternatives of a condition, each on a line of its own.
func terms(condition string) []string {
	return strings.Split(strings.ReplaceAll(condition, " or ", "\nor "), "\n")
}

// shellWord quotes a path that a shell would take apart.
func shellWord(s string) string {
	if strings.ContainsAny(s, " \t\n\"'$`\\&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

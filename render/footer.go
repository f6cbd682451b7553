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
	p.line(keep.Footer + "\n<summary>Sources of this page</summary>")
	p.line("Facts are from the files above, descriptions from their comments. %s shows the evidence and the condition; %s is the same in YAML.",
		markdown.Code("causal why "+shellWord(n.Path)), p.nodeLink())
	p.b.WriteString("</details>\n")
}

// shellWord quotes a path with shell metacharacters or invalid UTF-8.
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

package stale

import (
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var target = lazyregexp.New(`\]\(\s*<?([^()<>\s]+)>?(?:\s+["'][^"'\n]*["'])?\s*\)|^ {0,3}\[[^\]]+\]:\s*<?([^<>\s]+)|<(?:a|img)\s[^<>]*?\b(?:href|src)\s*=\s*["']([^"'<>\s]+)["']`)

func (r *reader) links(n ast.Node) {
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		line := string(s.Value(r.source))
		for _, at := range target.FindAllStringSubmatchIndex(line, -1) {
			if strings.Count(line[:at[0]], "`")%2 == 0 {
				to := line[max(at[2], at[4], at[6]):max(at[3], at[5], at[7])]
				r.pieces = append(r.pieces, piece{text: to, line: r.lineOf(s.Start), past: r.level > 0, link: true, around: r.sentenceAt(s.Start + at[0])})
			}
		}
	}
}

// leadsTo reports whether a link of the document leads to a file: relative to its own directory, or to the root if it
// begins with "/".
func (d *document) leadsTo(link, file string) bool {
	link, _, _ = strings.Cut(link, "#")
	link, _, _ = strings.Cut(link, "?")
	if plain, err := url.PathUnescape(link); err == nil {
		link = plain
	}
	if rooted, ok := strings.CutPrefix(link, "/"); ok {
		return path.Clean(rooted) == file
	}
	return link != "" && path.Join(path.Dir(d.path), link) == file
}

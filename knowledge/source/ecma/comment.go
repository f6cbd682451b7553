package ecma

import (
	"bytes"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// firstDoc is the index of the first documentation comment at or after token i.
func (x *extractor) firstDoc(i int) int {
	return sort.Search(len(x.l.docs), func(n int) bool { return int(x.l.docs[n].next) >= i })
}

func (x *extractor) docBefore(i int) (doc, deprecated string) {
	for n := x.firstDoc(i+1) - 1; n >= 0 && int(x.l.docs[n].next) == i && n != x.moduleDoc; n-- {
		c := x.l.docs[n]
		if doc = docText(x.src[c.off:c.end]); !declares(doc) {
			return doc, deprecation(doc)
		}
	}
	if i > 0 && x.at(i).kind == tIdent && source.HoldsDefaults(x.path) {
		return source.RemarkIn(string(x.src[x.at(i-1).end:x.at(i).off])).Of(x.text(i)), ""
	}
	return "", ""
}

func docText(raw []byte) string {
	raw = bytes.TrimSuffix(bytes.TrimPrefix(raw, []byte("/**")), []byte("*/"))
	lines := strings.Split(strings.ToValidUTF8(string(raw), "\uFFFD"), "\n")
	starred := true
	for _, line := range lines[1:] {
		trimmed := strings.TrimSpace(line)
		starred = starred && (trimmed == "" || trimmed[0] == '*')
	}
	for i, line := range lines {
		if i > 0 && starred {
			lines[i] = strings.TrimPrefix(strings.TrimLeft(line, " \t"), "*")
		}
	}
	return source.Unindent(lines, false)
}

func deprecation(doc string) string {
	_, text, found := strings.Cut(doc, "@deprecated")
	if !found {
		return ""
	}
	var words []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if i > 0 && (line == "" || line[0] == '@') {
			break
		}
		words = append(words, strings.Fields(line)...)
	}
	if len(words) == 0 {
		return "deprecated"
	}
	return strings.Join(words, " ")
}

var moduleTag = lazyregexp.New(`@(?:packageDocumentation|module|file[oO]verview|file)(?:$|[^\w$\\\x{80}-\x{10FFFF}])`)

// findModuleDoc looks for a comment about the whole file: it is marked as one, or it is the first comment and does not
// precede a declaration. Tool directives are skipped.
func (x *extractor) findModuleDoc() string {
	x.moduleDoc = -1
	for n, c := range x.l.docs {
		text := docText(x.src[c.off:c.end])
		switch {
		case n == 0 && moduleTag.MatchString(text):
		case c.next > 0:
			return ""
		case isLicense(text) || declares(text) || forTools(text):
			continue
		case !moduleTag.MatchString(text) && !x.standsAlone(n):
			return ""
		}
		x.moduleDoc = n
		return text
	}
	return ""
}

// standsAlone reports whether the code after a top comment is not something it could document.
func (x *extractor) standsAlone(n int) bool {
	next := int(x.l.docs[n].next)
	followed := n+1 < len(x.l.docs) && int(x.l.docs[n+1].next) == next
	imports := x.at(next).isKeyword(kImport) && !x.at(next+1).isPunct('(')
	return followed || imports || next >= len(x.t)
}

// declares reports whether a comment is itself a declaration for the type checker.
func declares(doc string) bool {
	for line := range strings.SplitSeq(doc, "\n") {
		tag, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch tag {
		case "@import", "@typedef", "@callback":
			return true
		}
	}
	return false
}

// forTools reports whether a comment has only tags and no description.
func forTools(doc string) bool {
	return strings.HasPrefix(doc, "@") && !strings.Contains(doc, "@description") && !strings.Contains(doc, "@desc ") && !strings.Contains(doc, "@summary")
}

func isLicense(text string) bool { return license.MatchString(text[:min(len(text), 300)]) }

var license = lazyregexp.New(`(?i)^(?:@license|copyright|\(c\))|licensed under|all rights reserved|spdx-license-identifier`)

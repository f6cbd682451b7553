package java

import (
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// docBefore returns the index of the doc comment before token i, or -1. Of several the last counts, as in javadoc.
func (u *unit) docBefore(i int32) int {
	n := sort.Search(len(u.comments), func(k int) bool { return u.comments[k].before > i })
	for n--; n >= 0 && u.comments[n].before == i; n-- {
		if u.comments[n].doc {
			return n
		}
	}
	return -1
}

func (u *unit) doc(i int32) string {
	n := u.docBefore(i)
	if n < 0 {
		return ""
	}
	return u.commentText(u.comments[n])
}

// fileDoc returns the documentation of the package or module declared at token i. In package-info.java an adjacent
// ordinary comment counts too. License headers never count.
func (u *unit) fileDoc(i int32, base string) string {
	if doc := u.doc(i); source.HasLicence(doc) {
		return ""
	} else if doc != "" || base != packageInfo {
		return doc
	}
	n := sort.Search(len(u.comments), func(k int) bool { return u.comments[k].before > i })
	if n == 0 || u.comments[n-1].before != i {
		return ""
	}
	first := n - 1
	for first > 0 && u.comments[first-1].before == i && u.adjacent(u.comments[first-1].end, u.comments[first].start) {
		first--
	}
	if !u.adjacent(u.comments[n-1].end, u.toks[i].start) {
		return ""
	}
	var texts []string
	for _, c := range u.comments[first:n] {
		if text := u.commentText(c); u.src[c.start+1] == '/' || !source.HasLicence(text) {
			texts = append(texts, text)
		}
	}
	if doc := strings.TrimSpace(strings.Join(texts, "\n")); !source.HasLicence(doc) {
		return doc
	}
	return ""
}

func (u *unit) adjacent(from, to int32) bool {
	return strings.Count(u.src[from:to], "\n") <= 1
}

func (u *unit) commentText(c comment) string {
	raw := u.src[c.start:c.end]
	var lines []string
	if raw[1] == '/' {
		for line := range strings.SplitSeq(raw, "\n") {
			lines = append(lines, strings.TrimLeft(strings.TrimLeft(line, " \t\f"), "/"))
		}
		return u.shown(source.Unindent(lines, true))
	}
	raw = strings.TrimSuffix(raw, "*/")
	raw = strings.TrimRight(strings.TrimLeft(raw[1:], "*"), "* \t\r\n\f")
	for line := range strings.SplitSeq(raw, "\n") {
		if len(lines) > 0 {
			if stripped := strings.TrimLeft(line, " \t\f"); strings.HasPrefix(stripped, "*") {
				line = strings.TrimLeft(stripped, "*")
			}
		}
		lines = append(lines, line)
	}
	return u.shown(source.Unindent(lines, false))
}

// deprecation returns the text of the @deprecated tag, or "deprecated" if there is only an empty tag or the
// annotation.
func deprecation(doc string, annotated bool) string {
	reason := ""
	found := false
	for line := range strings.SplitSeq(doc, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "@deprecated"); ok && !found {
			found = true
			reason = strings.TrimSpace(rest)
			continue
		}
		if found {
			if strings.HasPrefix(line, "@") {
				break
			}
			reason = strings.TrimSpace(reason + " " + line)
		}
	}
	switch {
	case reason != "":
		return reason
	case found || annotated:
		return "deprecated"
	}
	return ""
}

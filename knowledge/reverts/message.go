package reverts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Limits of the text of one commit.
const (
	longestTitle  = 1 << 10 // bytes
	longestReason = 4 << 10
)

var (
	reverting = lazyregexp.New(`(?i)\b(?:revert|reapply|back(?:s|ed)? ?out)`)
	statement = lazyregexp.New(`(?i)^this reverts (?:commits?|merge commits?) (.*)$`)
	continued = lazyregexp.New(`(?i)^(?:reversing )?changes made to [0-9a-f]{7,64}\.?$`)
	commitID  = lazyregexp.New(`\b[0-9a-f]{7,64}\b`)
	pullOnly  = lazyregexp.New(`^Reverts [\w.-]+/[\w.-]+#[0-9]+\.?$`)
	trailer   = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9-]*: |git-svn-id:|\(cherry picked from commit )`)
	merging   = lazyregexp.New(`^Merge (?:pull request|branch|remote-tracking branch) `)
)

// named returns the commits that a message says it reverts, as full or abbreviated IDs. Without such a title, the
// body only quotes the messages of other commits.
func named(message string) (out []string) {
	head, body, _ := strings.Cut(message, "\n")
	if !reverting.MatchString(head) {
		return nil
	}
	for line := range strings.Lines(body) {
		m := statement.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		ids, _, _ := strings.Cut(m[1], "reversing")
		for _, id := range commitID.FindAllString(ids, -1) {
			if len(out) < mostNamed {
				out = append(out, id)
			}
		}
	}
	return out
}

// title returns the subject of a commit on one line; for a merge commit of a pull request, that of the pull request.
func title(message string) string {
	head, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if first, _, _ := strings.Cut(strings.TrimSpace(body), "\n"); merging.MatchString(head) && first != "" && !trailer.MatchString(first) {
		head = first
	}
	return beginning(strings.Join(strings.Fields(head), " "), longestTitle)
}

// because returns the body of a message without trailers and the lines that name reverted commits.
func because(message string) string {
	_, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	var paragraphs [][]string
	var current []string
	for line := range strings.Lines(body + "\n\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" && len(current) > 0:
			paragraphs, current = append(paragraphs, current), nil
		case line == "", statement.MatchString(line), continued.MatchString(line), pullOnly.MatchString(line):
		default:
			current = append(current, line)
		}
	}
	if n := len(paragraphs); n > 0 && trailers(paragraphs[n-1]) {
		paragraphs = paragraphs[:n-1]
	}
	var out []string
	for _, lines := range paragraphs {
		out = append(out, unwrapped(lines))
	}
	return beginning(strings.Join(out, "\n\n"), longestReason)
}

// unwrapped joins the lines of a paragraph, except lists and other lines that begin with a sign.
func unwrapped(lines []string) string {
	text := lines[0]
	for _, line := range lines[1:] {
		if first, _ := utf8.DecodeRuneInString(line); unicode.IsLetter(first) || strings.ContainsRune("`'\"(", first) {
			text += " " + line
		} else {
			text += "\n" + line
		}
	}
	return text
}

// trailers reports whether a paragraph only has trailers.
func trailers(lines []string) bool {
	for _, line := range lines {
		if !trailer.MatchString(line) {
			return false
		}
	}
	return true
}

// beginning truncates a text between two characters.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

package reverts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Limits of what is told of one commit.
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

// named are the commits that one says it reverts, in full or by their beginnings. A commit that does not say so in its title as well only carries
// the messages of others.
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

// title is what a commit is about, on one line: its subject, or what is merged where it is one of those that services make for a pull request.
func title(message string) string {
	head, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if first, _, _ := strings.Cut(strings.TrimSpace(body), "\n"); merging.MatchString(head) && first != "" && !trailer.MatchString(first) {
		head = first
	}
	return beginning(strings.Join(strings.Fields(head), " "), longestTitle)
}

// because is what a message says beside its title and which commits it reverts.
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

// unwrapped is a paragraph on one line, but for lists and what else begins its lines with a sign.
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

// trailers reports whether a paragraph has nothing but lines for programs.
func trailers(lines []string) bool {
	for _, line := range lines {
		if !trailer.MatchString(line) {
			return false
		}
	}
	return true
}

// beginning is so much of a text, between two characters.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

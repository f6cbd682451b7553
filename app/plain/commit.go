package plain

import "github.com/causaldocs/causal/knowledge/lazyregexp"

// longestInCommit is how many bytes of one text a commit message shows: whoever reads a log reads a line.
const longestInCommit = 200

// References are what GitHub looks for in the message of a commit, where nothing like a code span holds it back: a mention
// tells people, a number of an issue behind "fixes" closes it. A space within makes two words of them.
var references = lazyregexp.New(`(?i)@[a-z0-9]|#[0-9]|gh-[0-9]|://|\*\*\*`)

// switches are what programs that run checks obey: "[skip ci]" and its kin.
var switches = lazyregexp.New(`(?i)\[([^\[\]]*(?:skip|\bno\b|\bci\b)[^\[\]]*)\]`)

// InCommit is a text within a line of a commit message. It has to stand behind a word of ours: what begins a line of the last
// paragraph may be a trailer.
func InCommit(text string) string {
	text = switches.ReplaceAllString(Line(text, longestInCommit), "($1)")
	return references.ReplaceAllStringFunc(text, func(found string) string {
		return found[:len(found)-1] + " " + found[len(found)-1:]
	})
}

package plain

import "github.com/causaldocs/causal/knowledge/lazyregexp"

// longestInCommit bounds the bytes of one text in a commit message.
const longestInCommit = 200

// References matches the text that GitHub interprets in a commit message, where code spans have no effect: a mention
// notifies users, an issue number after "fixes" closes it. A space inside breaks them.
var references = lazyregexp.New(`(?i)@[a-z0-9]|#[0-9]|gh-[0-9]|://|\*\*\*`)

// switches matches commands to CI such as "[skip ci]".
var switches = lazyregexp.New(`(?i)\[([^\[\]]*(?:skip|\bno\b|\bci\b)[^\[\]]*)\]`)

// InCommit returns a text for a line of a commit message. Put a word in front of it: a line of the last paragraph could
// be a trailer.
func InCommit(text string) string {
	text = switches.ReplaceAllString(Line(text, longestInCommit), "($1)")
	return references.ReplaceAllStringFunc(text, func(found string) string {
		return found[:len(found)-1] + " " + found[len(found)-1:]
	})
}

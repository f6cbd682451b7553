package githubsim

import (
	"html/template"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var comment = lazyregexp.New(`(?s)<!--.*?-->`)

// rendered returns Markdown as preformatted text without HTML comments.
func rendered(text string) template.HTML {
	return template.HTML("<pre>" + template.HTMLEscapeString(comment.ReplaceAllString(text, "")) + "</pre>") //nolint:gosec // escaped
}

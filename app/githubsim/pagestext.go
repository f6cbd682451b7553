package githubsim

import (
	"html/template"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var comment = lazyregexp.New(`(?s)<!--.*?-->`)

// rendered shows Markdown as it was written, without comments.
func rendered(text string) template.HTML {
	return template.HTML("<pre>" + template.HTMLEscapeString(comment.ReplaceAllString(text, "")) + "</pre>") //nolint:gosec // escaped
}

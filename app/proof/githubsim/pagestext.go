package githubsim

import (
	"html/template"
	"regexp"
)

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// rendered shows Markdown as it was written, without comments.
func rendered(text string) template.HTML {
	return template.HTML("<pre>" + template.HTMLEscapeString(comment.ReplaceAllString(text, "")) + "</pre>") //nolint:gosec // escaped
}

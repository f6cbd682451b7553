package github

import "github.com/causaldocs/causal/knowledge/redact"

// Redact removes everything that looks like a token from a text.
func Redact(text string) string { return redact.Tokens(text) }

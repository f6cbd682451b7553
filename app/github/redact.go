package github

import "github.com/causaldocs/causal/knowledge/redact"

// Redact takes everything out of a text that looks like a token.
func Redact(text string) string { return redact.Tokens(text) }

package github

import "github.com/causaldocs/causal/app/redact"

// Redact takes everything out of a text that looks like a token.
func Redact(text string) string { return redact.Tokens(text) }

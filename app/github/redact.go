package github

import "github.com/causaldocs/causal/knowledge/lazyregexp"

// secrets are the forms of what must not be shown: GitHub's tokens, also the long form that holds a JSON web token,
// such tokens by themselves, and credentials in an address.
var secrets = lazyregexp.New(`\bgh[a-z]_[A-Za-z0-9_.\-]+` +
	`|\bgithub_pat_[A-Za-z0-9_]+` +
	`|\beyJ[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]*` +
	`|://[^/\s:@]+:[^/\s@]+@`)

// Redact takes everything out of a text that looks like a token.
func Redact(text string) string {
	return secrets.ReplaceAllStringFunc(text, func(secret string) string {
		if secret[0] == ':' {
			return "://[redacted]@"
		}
		return "[redacted]"
	})
}

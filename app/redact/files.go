package redact

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// secretFile matches the well-known names of files that hold secrets, in small letters.
var secretFile = lazyregexp.New(`^(?:\.env(?:\..+)?|.+\.env|\.envrc|\.netrc|_netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd|\.dockercfg|\.git-credentials|credentials|` +
	`(?:client_)?secrets?\.(?:ya?ml|json|toml|env|ini|properties|txt)|.*service[-_]?account.*\.json|id_(?:rsa|dsa|ecdsa|ed25519).*|` +
	`.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate|tfvars)(?:\.backup)?|terraform\.rc|\.terraformrc)$`)

// secretDirs are directories of which no file is shown.
var secretDirs = map[string]bool{".git": true, ".ssh": true, ".aws": true, ".gnupg": true, ".kube": true, ".docker": true}

// openFile matches the names of examples and public halves, which hold no secret.
var openFile = lazyregexp.New(`^(?:\.env\.(?:example|sample|template|dist)|.+\.pub)$`)

// IsSecretFile reports whether a file has a name that is well known for secrets, or lies in such a directory.
func IsSecretFile(file string) bool {
	file = strings.ToLower(file)
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if secretDirs[dir] {
			return true
		}
	}
	base := path.Base(file)
	return secretFile.MatchString(base) && !openFile.MatchString(base)
}

package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
)

const signatureHeader = "X-Hub-Signature-256"

// checkSecrets rejects configurations with which anybody could sign.
func checkSecrets(secrets []string) error {
	if len(secrets) == 0 {
		return errors.New("no webhook secret is set: without one, anybody could send deliveries")
	}
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			return errors.New("a webhook secret is empty")
		}
	}
	return nil
}

type signature struct {
	given []byte
	made  []hash.Hash // one for each secret
}

// readSignature parses the header; false if it is invalid. SHA-1 is not supported.
func readSignature(header string, secrets []string) (*signature, bool) {
	digits, ok := strings.CutPrefix(header, "sha256=")
	if !ok || len(digits) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	given, err := hex.DecodeString(digits)
	if err != nil {
		return nil, false
	}
	s := &signature{given: given}
	for _, secret := range secrets {
		s.made = append(s.made, hmac.New(sha256.New, []byte(secret)))
	}
	return s, true
}

func (s *signature) Write(p []byte) (int, error) {
	for _, mac := range s.made {
		_, _ = mac.Write(p) // a hash never fails
	}
	return len(p), nil
}

// holds reports whether the signature matches any secret. It tries all of them, in constant time.
func (s *signature) holds() bool {
	var found bool
	for _, mac := range s.made {
		found = hmac.Equal(mac.Sum(nil), s.given) || found
	}
	return found
}

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

// checkSecrets refuses what would let anybody sign.
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

// signature is what a delivery was signed with, and what the secrets make of its body as it arrives.
type signature struct {
	given []byte
	made  []hash.Hash // by each of the secrets
}

// readSignature reads the header; false when it is no signature. SHA-1 is not taken.
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

// Write takes the next piece of the body.
func (s *signature) Write(p []byte) (int, error) {
	for _, mac := range s.made {
		_, _ = mac.Write(p) // a hash never fails
	}
	return len(p), nil
}

// holds reports whether the signature is that of the body by any of the secrets. All of them are tried whatever the first
// says, and bytes are compared in constant time.
func (s *signature) holds() bool {
	var found bool
	for _, mac := range s.made {
		found = hmac.Equal(mac.Sum(nil), s.given) || found
	}
	return found
}

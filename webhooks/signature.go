package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// readSignature parses the header; nil if it is invalid. SHA-1 is not supported.
func readSignature(header string) []byte {
	digits, ok := strings.CutPrefix(header, "sha256=")
	given, err := hex.DecodeString(digits)
	if !ok || err != nil || len(given) != sha256.Size {
		return nil
	}
	return given
}

// signedWith reports whether the signature matches any secret. It tries all of them, in constant time.
func signedWith(secrets []string, body, signature []byte) bool {
	var found bool
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		found = hmac.Equal(mac.Sum(nil), signature) || found
	}
	return found
}

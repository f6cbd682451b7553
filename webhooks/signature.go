package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// signed reports whether header is the signature of body by any of the secrets. All of them are tried whatever the first
// says, and bytes are compared in constant time. SHA-1 is not taken.
func signed(body []byte, header string, secrets []string) bool {
	digits, ok := strings.CutPrefix(header, "sha256=")
	if !ok || len(digits) != hex.EncodedLen(sha256.Size) {
		return false
	}
	given, err := hex.DecodeString(digits)
	if err != nil {
		return false
	}
	var found bool
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		found = hmac.Equal(mac.Sum(nil), given) || found
	}
	return found
}

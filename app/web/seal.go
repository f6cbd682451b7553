package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

type seal struct{ aead cipher.AEAD }

// newSeal derives the key from a secret of any length.
func newSeal(secret []byte) (*seal, error) {
	key := sha256.Sum256(secret)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("prepare sessions: %w", err)
	}
	// Random nonces are safe for 2^32 values of one key.
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("prepare sessions: %w", err)
	}
	return &seal{aead}, nil
}

// close encrypts a value for one purpose. It cannot be opened for another.
func (s *seal) close(purpose string, value any) string {
	data, _ := json.Marshal(value)                         // strings and times only: it cannot fail
	sealed := s.aead.Seal(nil, nil, data, []byte(purpose)) //nolint:gosec // the nonce is made by Seal
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// open decrypts a value of close, and reports whether it is valid for the purpose.
func (s *seal) open(purpose, text string, into any) bool {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	data, err := s.aead.Open(nil, nil, sealed, []byte(purpose))
	return err == nil && json.Unmarshal(data, into) == nil
}

package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// seal encrypts what is kept in browsers, so that nobody but a server with the same key can read it or make it.
type seal struct{ aead cipher.AEAD }

// newSeal takes a secret of any length that has the strength of a key.
func newSeal(secret []byte) (*seal, error) {
	key := sha256.Sum256(secret)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("prepare sessions: %w", err)
	}
	// Its nonces are random, which is safe for four thousand million values of one key.
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("prepare sessions: %w", err)
	}
	return &seal{aead}, nil
}

// close encrypts a value for one purpose: for another it does not open.
func (s *seal) close(purpose string, value any) string {
	data, _ := json.Marshal(value)                         // strings and times only: it cannot fail
	sealed := s.aead.Seal(nil, nil, data, []byte(purpose)) //nolint:gosec // the nonce is made by Seal
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// open reports whether a text was made by close for this purpose, and reads the value.
func (s *seal) open(purpose, text string, into any) bool {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	data, err := s.aead.Open(nil, nil, sealed, []byte(purpose))
	return err == nil && json.Unmarshal(data, into) == nil
}

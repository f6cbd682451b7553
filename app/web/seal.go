package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"
)

// seal keeps values in encrypted cookies, so logins need no server state and are valid on every replica.
type seal struct {
	aead   cipher.AEAD
	secure bool // the server is reached by HTTPS
}

// newSeal derives the key from a secret of any length.
func newSeal(secret []byte, secure bool) *seal {
	key := sha256.Sum256(secret)
	block, _ := aes.NewCipher(key[:])              // fails for keys of other sizes only
	aead, _ := cipher.NewGCMWithRandomNonce(block) // fails for other ciphers only; random nonces are safe for 2^32 values of one key
	return &seal{aead, secure}
}

// cookie returns a cookie of a kind, without a value; it removes the cookie if lasts is negative. Lax, because users follow
// links from pull requests, and GitHub redirects here. Forms of other sites are rejected separately.
func (s *seal) cookie(kind string, lasts time.Duration) *http.Cookie {
	if s.secure {
		kind = "__Host-" + kind
	}
	return &http.Cookie{ //nolint:gosec // without encryption a browser keeps no secure cookie
		Name: kind, Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(lasts.Seconds()),
	}
}

// keep returns a cookie with a value.
func (s *seal) keep(kind string, value any, lasts time.Duration) *http.Cookie {
	c := s.cookie(kind, lasts) //nolint:gosec // as above
	c.Value = s.close(c.Name, value)
	return c
}

// read reads the value of a request's cookie, and reports whether it is valid.
func (s *seal) read(r *http.Request, kind string, into any) bool {
	name := s.cookie(kind, 0).Name
	c, err := r.Cookie(name)
	return err == nil && s.open(name, c.Value, into)
}

// end returns a cookie that removes another.
func (s *seal) end(kind string) *http.Cookie { return s.cookie(kind, -time.Second) }

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

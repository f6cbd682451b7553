package ledger

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/causaldocs/causal/knowledge/store"
)

// File is a log file without events: a key or a checkpoint. Like a batch it is named by its content and immutable.
type File struct {
	Path string // relative to the repository's root
	Data []byte
}

const (
	keysDir   = store.Log + "/keys"
	keyEnding = ".pub"
)

// IsKey reports whether a path is that of a public key.
func IsKey(file string) bool {
	return strings.HasPrefix(file, keysDir+"/") && path.Ext(file) == keyEnding
}

// Signer signs checkpoints with an Ed25519 key. Signatures are deterministic.
type Signer struct {
	note.Signer
	key string
}

// NewSecret generates the private key of a signer, as one line of text. random must return 32 secret bytes.
func NewSecret(random io.Reader, name string) (string, error) {
	secret, _, err := note.GenerateKey(random, name)
	if err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	return secret, nil
}

// NewSigner returns a signer with a private key.
func NewSigner(secret string) (*Signer, error) {
	secret = strings.TrimSpace(secret)
	s, err := note.NewSigner(secret)
	if err != nil {
		return nil, fmt.Errorf("read a private key: %w", err)
	}
	encoded := strings.SplitN(secret, "+", 5)[4] // after PRIVATE, KEY, the name and the hash
	seed, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, errors.New("read a private key: it is none of Ed25519")
	}
	public, _ := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(s.Name(), public)
	if err != nil {
		return nil, fmt.Errorf("read a private key: %w", err)
	}
	return &Signer{s, key}, nil
}

// SignerOf returns a signer whose private key derives from 32 secret bytes.
func SignerOf(seed []byte, name string) (*Signer, error) {
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("make a key: of %d bytes, and it takes %d", len(seed), ed25519.SeedSize)
	}
	private := ed25519.NewKeyFromSeed(seed)
	public, _ := private.Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return SignerElsewhere(key, func(text []byte) ([]byte, error) { return ed25519.Sign(private, text), nil })
}

// SignerElsewhere returns a signer with a remote private key. The remote side should call SignCheckpoint.
func SignerElsewhere(key string, sign func(text []byte) ([]byte, error)) (*Signer, error) {
	v, err := ParseKey(key)
	if err != nil {
		return nil, err
	}
	return &Signer{elsewhere{v, sign}, strings.TrimSuffix(key, "\n")}, nil
}

type elsewhere struct {
	note.Verifier

	sign func(text []byte) ([]byte, error)
}

func (e elsewhere) Sign(text []byte) ([]byte, error) { return e.sign(text) }

// SignCheckpoint signs the text of a checkpoint for a remote caller, and rejects any other text.
func (s *Signer) SignCheckpoint(text []byte) ([]byte, error) {
	if _, err := parseCheckpoint(string(text)); err != nil {
		return nil, fmt.Errorf("sign a checkpoint: %w", err)
	}
	return s.Sign(text)
}

// Key returns the public key as one line of text.
func (s *Signer) Key() string { return s.key }

// KeyFile returns the log file with the public key.
func (s *Signer) KeyFile() File {
	data := []byte(s.key + "\n")
	return File{path.Join(keysDir, sumOf(data)+keyEnding), data}
}

// longestKey limits the file of a key, in bytes.
const longestKey = 1 << 10

func (f File) readKey() (note.Verifier, *Problem) {
	if len(f.Data) > longestKey {
		return nil, &Problem{Kind: Unreadable, File: f.Path, Detail: fmt.Sprintf("it has %d bytes, and %d are the most", len(f.Data), longestKey)}
	}
	if !f.named() {
		return nil, &Problem{Kind: Edited, File: f.Path, Detail: "its content does not match its name"}
	}
	v, err := ParseKey(string(f.Data))
	if err != nil {
		return nil, &Problem{Kind: Unreadable, File: f.Path, Detail: err.Error()}
	}
	return v, nil
}

// ParseKey parses a public key, which must be canonical.
func ParseKey(text string) (note.Verifier, error) {
	text = strings.TrimSuffix(text, "\n")
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, fmt.Errorf("%.100q is no key to verify with: %w", text, err)
	}
	encoded := strings.SplitN(text, "+", 3)[2] // after the name and the hash
	public, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil {
		var again string
		if again, err = note.NewEd25519VerifierKey(v.Name(), public[1:]); err == nil && again != text {
			err = errors.New("it is written in another way than such keys are")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%.100q is no key to verify with: %w", text, err)
	}
	return v, nil
}

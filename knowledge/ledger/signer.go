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

// File is a file of the log that holds no events: a key or a checkpoint. Like a batch it is named by its bytes, and never written again.
type File struct {
	Path string // relative to the repository's root
	Data []byte
}

const (
	keysDir   = store.Log + "/keys"
	keyEnding = ".pub"
)

// IsKey reports whether a path is where the key lies by which checkpoints are verified.
func IsKey(file string) bool {
	return strings.HasPrefix(file, keysDir+"/") && path.Ext(file) == keyEnding
}

// Signer signs checkpoints with an Ed25519 key. The same of the same has the same bytes.
type Signer struct {
	note.Signer
	key string
}

// NewSecret makes the private key of a signer, as one line of text. random gives the 32 bytes that nobody else may know.
func NewSecret(random io.Reader, name string) (string, error) {
	secret, _, err := note.GenerateKey(random, name)
	if err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	return secret, nil
}

// NewSigner returns the signer that has a private key.
func NewSigner(secret string) (*Signer, error) {
	secret = strings.TrimSpace(secret)
	s, err := note.NewSigner(secret)
	if err != nil {
		return nil, fmt.Errorf("read a private key: %w", err)
	}
	encoded := strings.SplitN(secret, "+", 5)[4] // behind PRIVATE, KEY, the name and the hash
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

// SignerOf returns the signer whose private key follows from 32 bytes that nobody else may know.
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

// SignerElsewhere returns the signer that has a private key somewhere else, where sign has a text signed: that place is wise to use
// SignCheckpoint.
func SignerElsewhere(key string, sign func(text []byte) ([]byte, error)) (*Signer, error) {
	v, err := ParseKey(key)
	if err != nil {
		return nil, err
	}
	return &Signer{elsewhere{v, sign}, strings.TrimSuffix(key, "\n")}, nil
}

// elsewhere is a note.Signer that has what it signs signed by a function.
type elsewhere struct {
	note.Verifier

	sign func(text []byte) ([]byte, error)
}

func (e elsewhere) Sign(text []byte) ([]byte, error) { return e.sign(text) }

// SignCheckpoint signs the text of a checkpoint for somebody who is not to have the key, and nothing else.
func (s *Signer) SignCheckpoint(text []byte) ([]byte, error) {
	if _, err := parseCheckpoint(string(text)); err != nil {
		return nil, fmt.Errorf("sign a checkpoint: %w", err)
	}
	return s.Sign(text)
}

// Key is the public key by which others verify what is signed, as one line of text.
func (s *Signer) Key() string { return s.key }

// KeyFile is the file of the log that tells the key to others.
func (s *Signer) KeyFile() File {
	data := []byte(s.key + "\n")
	return File{path.Join(keysDir, sumOf(data)+keyEnding), data}
}

// longestKey is how many bytes the file of a key may have.
const longestKey = 1 << 10

// readKey reads the file of a key.
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

// ParseKey reads a key by which checkpoints are verified: a line of text, which has one form.
func ParseKey(text string) (note.Verifier, error) {
	text = strings.TrimSuffix(text, "\n")
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, fmt.Errorf("%.100q is no key to verify with: %w", text, err)
	}
	encoded := strings.SplitN(text, "+", 3)[2] // behind the name and the hash
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

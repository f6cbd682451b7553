package gitstore

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's object format, not a choice
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
)

type format struct {
	name   string
	size   int // hexadecimal digits of an id
	hasher func() hash.Hash
}

var (
	sha1Format   = format{name: "sha1", size: 40, hasher: sha1.New}
	sha256Format = format{name: "sha256", size: 64, hasher: sha256.New}
)

func formatOf(conf settings) format {
	if conf.get("extensions.objectformat") == sha256Format.name {
		return sha256Format
	}
	return sha1Format
}

func (f format) isID(text string) bool {
	if len(text) != f.size {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (f format) blob(size int64) hash.Hash {
	h := f.hasher()
	h.Write([]byte("blob " + strconv.FormatInt(size, 10) + "\x00"))
	return h
}

func (f format) hashBytes(content []byte) string {
	h := f.blob(int64(len(content)))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

func (f format) hashStream(r io.Reader, size int64) (string, bool, error) {
	h := f.blob(size)
	n, err := io.Copy(h, r)
	if err != nil {
		return "", false, fmt.Errorf("hash: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), n == size, nil
}

type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// BlobID returns git's id of a blob of a known size, and false if the stream has another size.
func (r *Repo) BlobID(content io.Reader, size int64) (id string, ok bool, err error) {
	return r.tree.format.hashStream(content, size)
}

package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// kept stores answers of earlier runs, one file each, which may be deleted at any time. A nil kept stores nothing.
type kept struct {
	dir   string
	size  int64 // of all files; valid once swept
	swept bool
}

// Bounds of the stored answers.
const (
	mostKept    = 64 << 20 // bytes
	keptEnding  = ".json"
	leftAfter   = mostKept * 3 / 4 // remaining bytes after the oldest answers are removed
	keptVersion = "1"              // increment when the request format changes meaning
)

func keptIn(dir string) *kept {
	if dir == "" {
		return nil
	}
	return &kept{dir: filepath.Join(dir, "model")}
}

// digest identifies a request to a model.
func digest(s Settings, q prompt.Request) string {
	data, err := json.Marshal([]any{keptVersion, s.Provider, s.Name, q})
	if err != nil {
		return "" // an invalid schema, which formOf refuses
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (k *kept) file(key string) string { return filepath.Join(k.dir, key[:2], key[2:]+keptEnding) }

// outcome is a stored answer, or the reason why it was invalid.
type outcome struct {
	prompt.Response

	Wrong string `json:",omitempty"`
}

// wrongFor is how long a request with an invalid answer is not repeated.
const wrongFor = 24 * time.Hour

// read returns a stored outcome, and updates the file time of an answer as its last use.
func (k *kept) read(key string) (r outcome, ok bool) {
	if k == nil || key == "" {
		return r, false
	}
	data, err := os.ReadFile(k.file(key))
	if err != nil || json.Unmarshal(data, &r) != nil {
		return outcome{}, false
	}
	now := time.Now()
	if r.Wrong != "" {
		info, err := os.Stat(k.file(key))
		return r, err == nil && now.Sub(info.ModTime()) < wrongFor
	}
	_ = os.Chtimes(k.file(key), now, now) // fails in a read-only clone
	return r, true
}

// write is atomic because other runs may read concurrently.
func (k *kept) write(key string, r outcome) error {
	if k == nil || key == "" {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := atomic.Write(k.file(key), data, 0o600); err != nil {
		return err
	}
	k.size += int64(len(data))
	k.sweep()
	return nil
}

// sweep removes the least recently used answers above mostKept.
func (k *kept) sweep() {
	if k.swept && k.size <= mostKept {
		return
	}
	k.size, k.swept = atomic.Limit(k.dir, mostKept, leftAfter, fs.FileInfo.Size), true
}

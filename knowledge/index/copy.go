package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Copy copies the index to another directory, for a run whose result may be discarded. It skips an index that is
// missing, damaged or in use, because an index can be rebuilt.
func Copy(from, to string) error {
	name := filepath.Join(from, fileName)
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) || truncated(name) {
		return nil
	}
	x, err := open(name)
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	return errors.Join(x.CopyTo(to), x.Close())
}

// CopyTo copies an open index to another directory, without uncommitted batches.
func (x *Index) CopyTo(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = x.db.View(func(tx *bolt.Tx) error { return tx.CopyFile(filepath.Join(dir, fileName), 0o644) })
	}
	if err != nil {
		return fmt.Errorf("copy index: %w", err)
	}
	return nil
}

// Exists reports whether there is an index in a directory.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// Move replaces the index of another directory by this one. Both must be closed.
func Move(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("move index: %w", err)
	}
	// The size file is last: a size below that of its index is harmless.
	for _, name := range []string{fileName, fileName + sizeSuffix} {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return fmt.Errorf("move index: %w", err)
		}
	}
	return nil
}

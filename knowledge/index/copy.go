package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Copy makes a copy of the index in one directory in another one, for a run that may turn out not to count. An index that is
// missing, damaged or in use is not copied: it is made again, and costs only time.
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

// CopyTo makes a copy of an open index in another directory. Uncommitted batches are not in it.
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

// Move puts the index of one directory in the place of that in another one. Both must be closed.
func Move(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("move index: %w", err)
	}
	// the size goes last: one that is too small for its index does no harm
	for _, name := range []string{fileName, fileName + sizeSuffix} {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return fmt.Errorf("move index: %w", err)
		}
	}
	return nil
}

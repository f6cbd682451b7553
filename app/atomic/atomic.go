// Package atomic writes files that other processes may read at the same time.
package atomic

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Leftover matches the base names of the files that killed processes left.
const Leftover = ".new-*"

// Write writes a file as a whole or not at all, and creates its directory.
func Write(name string, data []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), Leftover)
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Chmod(mode), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

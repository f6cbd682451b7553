package server

import (
	"fmt"
	"os"
	"runtime"
)

// everybody has the permission bits of users who are neither owner nor in the group.
const everybody = 0o007

// openData creates the data directory, and refuses one that other users can access: it has the App's key, the database
// and copies of private repositories. An empty directory is made private.
func openData(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("open the data directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("open the data directory: %w", err)
	}
	if runtime.GOOS == "windows" || info.Mode().Perm()&everybody == 0 { // Windows uses access control lists
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("open the data directory: %w", err)
	}
	if len(entries) == 0 && os.Chmod(dir, 0o700) == nil {
		return nil
	}
	return fmt.Errorf("all users of this machine can read the data directory %s (its mode is %03o), which holds the App's key, the database and "+
		"copies of repositories: run `chmod 700 %s`, or let --data name a new directory within it", dir, info.Mode().Perm(), dir)
}

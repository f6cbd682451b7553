package atomic

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limit removes the oldest files below dir until the others weigh at most left, if they weigh more than most in total. It
// returns the weight of the remaining files.
func Limit(dir string, most, left int64, weigh func(fs.FileInfo) int64) (total int64) {
	type file struct {
		name   string
		weight int64
		at     time.Time
	}
	var all []file
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // an unreadable file is not counted
		}
		if info, err := d.Info(); err == nil {
			all = append(all, file{name, weigh(info), info.ModTime()})
			total += weigh(info)
		}
		return nil
	})
	if total <= most {
		return total
	}
	slices.SortFunc(all, func(a, b file) int { return a.at.Compare(b.at) })
	for _, f := range all {
		if total > left && os.Remove(f.name) == nil {
			total -= f.weight
		}
	}
	return total
}

package action

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
)

const (
	// mostLogs bounds the files of the input sarif: a job has one per linter and perhaps per directory.
	mostLogs = 100
	// largestLogs bounds their total size. Files are read one by one, and the worst case takes ten seconds.
	largestLogs = 64 << 20
)

type log struct {
	file string
	name string
}

// findLogs lists the files matching the input sarif, and notes about patterns without a match.
func (j *job) findLogs() (found []log, notes []string, err error) {
	var files []string
	for line := range strings.Lines(j.sarif) {
		pattern := strings.TrimSpace(line)
		if pattern == "" {
			continue
		}
		matches, err := j.match(pattern)
		if err != nil {
			return nil, nil, err
		}
		if len(matches) == 0 {
			notes = append(notes, fmt.Sprintf("No file matches %s of the input sarif: the review runs without it.", pattern))
		}
		files = append(files, matches...)
	}
	slices.Sort(files)
	var size int64
	for _, file := range slices.Compact(files) {
		name := file
		if rel, err := filepath.Rel(j.workspace, file); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("%w: the input sarif matches %s, which is not a file", ErrUsage, name)
		}
		found, size = append(found, log{file, name}), size+info.Size()
		switch {
		case size > largestLogs:
			return nil, nil, fmt.Errorf("%w: the files that the input sarif matches are larger than %d MiB; %s has %d MiB", ErrUsage, largestLogs>>20, name, info.Size()>>20)
		case len(found) > mostLogs:
			return nil, nil, fmt.Errorf("%w: the input sarif matches more than %s", ErrUsage, summary.Count(mostLogs, "file"))
		}
	}
	return found, notes, nil
}

func (j *job) match(pattern string) ([]string, error) {
	if strings.Contains(pattern, "**") {
		return nil, fmt.Errorf("%w: the input sarif has %s: `*` matches within one name, and `**` is not supported; write `*/*.sarif` for the next level", ErrUsage, pattern)
	}
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(j.workspace, pattern)
	}
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w: the input sarif has %s: %w", ErrUsage, pattern, err)
	}
	return matches, nil
}

// readLogs parses linter output. Its paths may start with any name of the checkout.
func (j *job) readLogs(root string, files []log) (*workspace.Logs, error) {
	roots := []string{root, j.dir}
	if real, err := filepath.EvalSymlinks(j.dir); err == nil {
		roots = append(roots, real)
	}
	logs := workspace.NewLogs()
	for _, f := range files {
		if err := logs.Add(f.file, f.name, roots...); err != nil {
			return nil, fmt.Errorf("%w: the input sarif: %w", ErrUsage, err)
		}
	}
	return logs, nil
}

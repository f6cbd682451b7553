package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// commit adds new files to the index, then commits only the given paths. If git refuses, it removes the new files from
// the index again.
func (c *cli) commit(ctx context.Context, changes []Change, message string) error {
	var all, fresh []string
	for _, change := range changes {
		all = append(all, change.Path)
		if change.Kind == Untracked {
			fresh = append(fresh, change.Path)
		}
	}
	if len(fresh) > 0 {
		err := c.git.write(ctx, list(fresh), "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul")
		if err != nil {
			return err
		}
	}
	err := c.git.write(ctx, list(all), "-c", "gc.auto=0", "-c", "maintenance.auto=false", "commit", "--quiet", "--only",
		"--cleanup=whitespace", "--message="+message, "--pathspec-from-file=-", "--pathspec-file-nul")
	if err == nil || len(fresh) == 0 {
		return err
	}
	undo := c.git.write(context.WithoutCancel(ctx), list(fresh), "update-index", "--force-remove", "-z", "--stdin")
	if undo != nil {
		undo = fmt.Errorf("the new files stay marked as intended to add: %w", undo)
	}
	return errors.Join(err, undo)
}

// stage uses update-index because `git add` fails on a path that is neither in the work tree nor in the index.
func (c *cli) stage(ctx context.Context, paths []string) error {
	return c.git.write(ctx, list(paths), "update-index", "--add", "--remove", "--replace", "-z", "--stdin")
}

func list(paths []string) *strings.Reader {
	return strings.NewReader(strings.Join(paths, "\x00") + "\x00")
}

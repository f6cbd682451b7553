package trial

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// settings make git independent of the user's configuration.
var settings = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "safe.directory=*", "-c", "core.quotePath=off", "-c", "submodule.recurse=false", "-c", "gc.auto=0", "-c", "commit.gpgSign=false",
}

// Git runs git in a directory with in as standard input, without the user's configuration, hooks and large-file filters. It returns the
// standard output, also on an error.
func Git(ctx context.Context, dir string, in io.Reader, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", slices.Concat(settings, args)...)
	c.Dir, c.Stdin = dir, in
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_LFS_SKIP_SMUDGE=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	return out.String(), nil
}

// Clone makes a work tree that borrows the objects of the repository that contains dir, with nothing checked out.
func Clone(ctx context.Context, dir, into string) error {
	common, err := Git(ctx, dir, nil, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err == nil {
		_, err = Git(ctx, ".", nil, "clone", "--quiet", "--shared", "--no-checkout", strings.TrimSpace(common), into)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	return nil
}

// Output runs a command and returns its standard output and standard error.
func Output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "NO_COLOR=1")
	out, err := c.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return string(out), nil
}

package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func (c *cli) blobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error {
	return c.batch(ctx, ids, "blob", limit, yield)
}

// batch reads objects of one type in the order of names. It skips contents larger than limit
// bytes.
func (c *cli) batch(ctx context.Context, names []string, kind string, limit int64, yield func(Blob) error) error {
	take := func(out *bufio.Reader, name string) error {
		found, err := readAnswer(out, name, kind, limit)
		if err == nil {
			err = yield(found)
		}
		return err
	}
	if done, err := c.objects.ask(ctx, names, take); done {
		return err
	}
	return c.stream(ctx, strings.NewReader(strings.Join(names, "\n")+"\n"), func(out *bufio.Reader) error {
		for _, name := range names {
			if err := take(out, name); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch", "--buffer")
}

// stream calls read with git's output while git runs. An error of read ends git and is returned as is, except errTorn, for
// which git has the reason.
func (c *cli) stream(ctx context.Context, stdin io.Reader, read func(out *bufio.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, stderr := c.git.command(ctx, false, args...)
	cmd.Stdin = stdin
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	reading := read(bufio.NewReaderSize(stdout, 64<<10))
	if reading != nil && !errors.Is(reading, errTorn) {
		cancel()
		_ = cmd.Wait()
		return reading
	}
	if err := failure(ctx, args[0], cmd.Wait(), stderr.String()); err != nil {
		return err
	}
	return reading
}

var (
	// errTorn means that git ended before its last answer.
	errTorn    = errors.New("git cat-file: output ends early")
	errGarbled = errors.New("git cat-file: unexpected answer")
)

// trusted is the largest buffer, in bytes, allocated on the strength of an announced size.
const trusted = 1 << 20

// readAnswer parses "id type size\n", the content and a newline; or "name missing\n".
func readAnswer(out *bufio.Reader, name, kind string, limit int64) (Blob, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return Blob{}, errTorn
	}
	line = strings.TrimSuffix(line, "\n")
	if line == name+" missing" || line == name+" ambiguous" {
		return Blob{}, fmt.Errorf("%s: %w", name, ErrUnknownObject)
	}
	f := strings.Split(line, " ")
	if len(f) != 3 {
		return Blob{}, fmt.Errorf("%w %q", errGarbled, line)
	}
	size, err := strconv.ParseInt(f[2], 10, 63)
	if err != nil || size < 0 {
		return Blob{}, fmt.Errorf("%w %q", errGarbled, line)
	}
	found := Blob{ID: f[0], Size: size}
	if size > limit || f[1] != kind {
		if _, err := io.CopyN(io.Discard, out, size); err != nil {
			return Blob{}, errTorn
		}
	} else {
		var content bytes.Buffer
		content.Grow(int(min(size, trusted)))
		if _, err := io.CopyN(&content, out, size); err != nil {
			return Blob{}, errTorn
		}
		found.Content = content.Bytes()
	}
	switch end, err := out.ReadByte(); {
	case err != nil:
		return Blob{}, errTorn
	case end != '\n':
		return Blob{}, fmt.Errorf("%w %q", errGarbled, line)
	}
	if f[1] != kind {
		return Blob{}, fmt.Errorf("%s is a %s, not a %s: %w", name, f[1], kind, ErrUnknownObject)
	}
	return found, nil
}

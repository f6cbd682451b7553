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

func (c *cli) blobs(ctx context.Context, ids []string, yield func(id string, content []byte) error) error {
	return c.batch(ctx, ids, "blob", yield)
}

// batch reads objects of one type through a single git process, in the order of names.
func (c *cli) batch(ctx context.Context, names []string, kind string, yield func(string, []byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, stderr := c.git.command(ctx, false, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	out := bufio.NewReaderSize(stdout, 64<<10)
	var reading error
	for _, name := range names {
		var o answer
		if o, reading = readAnswer(out, name, kind); reading == nil {
			reading = yield(o.id, o.content)
		}
		if reading != nil {
			break
		}
	}
	if reading != nil && !errors.Is(reading, errTorn) {
		cancel()
		_ = cmd.Wait() // it was told to stop: how it ends says nothing
		return reading
	}
	if err := failure(ctx, "cat-file", cmd.Wait(), stderr.String()); err != nil {
		return err
	}
	return reading
}

// errTorn means that git ended before it had answered.
var errTorn = errors.New("git cat-file: output ends early")

// answer is what cat-file says about one name.
type answer struct {
	id      string
	content []byte
}

// trusted is the size up to which memory is set aside before the content is there.
const trusted = 1 << 20

// readAnswer reads "id type size\n", the content and a line end; or "name missing\n".
func readAnswer(out *bufio.Reader, name, kind string) (answer, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return answer{}, errTorn
	}
	line = strings.TrimSuffix(line, "\n")
	if line == name+" missing" || line == name+" ambiguous" {
		return answer{}, fmt.Errorf("%s: %w", name, ErrUnknownObject)
	}
	f := strings.Split(line, " ")
	if len(f) != 3 {
		return answer{}, fmt.Errorf("git cat-file: unexpected answer %q", line)
	}
	size, err := strconv.ParseInt(f[2], 10, 63)
	if err != nil || size < 0 {
		return answer{}, fmt.Errorf("git cat-file: unexpected answer %q", line)
	}
	if f[1] != kind {
		return answer{}, fmt.Errorf("%s is a %s, not a %s: %w", name, f[1], kind, ErrUnknownObject)
	}
	var content bytes.Buffer
	content.Grow(int(min(size, trusted)))
	if _, err := io.CopyN(&content, out, size); err != nil {
		return answer{}, errTorn
	}
	if _, err := out.Discard(1); err != nil {
		return answer{}, errTorn
	}
	return answer{id: f[0], content: content.Bytes()}, nil
}

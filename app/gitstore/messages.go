package gitstore

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// longestMessage is in bytes, about ten times the longest messages in practice.
const longestMessage = 64 << 10

// Messages calls yield with the ancestors of rev, newest first and children before parents. It omits ancestors of since
// unless since is empty. An error of yield stops it and is returned as is.
func (r *Repo) Messages(ctx context.Context, rev, since string, yield func(Message) error) error {
	if err := checkRevisions(rev, cmp.Or(since, rev)); err != nil {
		return err
	}
	return r.backend.messages(ctx, rev, since, yield)
}

func (c *cli) messages(ctx context.Context, rev, since string, yield func(Message) error) error {
	args := []string{"log", "--date-order", "--no-show-signature", "--encoding=UTF-8", "-z", "--format=%H%x00%an%x00%at%x00%B"}
	between, err := c.between(ctx, rev, since)
	if err != nil {
		return err
	}
	return c.stream(ctx, nil, func(out *bufio.Reader) error {
		for {
			m, err := readMessage(out)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil {
				err = yield(m)
			}
			if err != nil {
				return err
			}
		}
	}, slices.Concat(args, between, []string{"--"})...)
}

// between returns the arguments of git log for the ancestors of rev, without those of since unless it is empty.
func (c *cli) between(ctx context.Context, rev, since string) ([]string, error) {
	at, err := c.resolve(ctx, rev)
	if err != nil || since == "" {
		return []string{at.ID}, err
	}
	before, err := c.resolve(ctx, since)
	return []string{at.ID, "^" + before.ID}, err
}

// readMessage reads the four NUL-terminated fields of a commit. It returns io.EOF after the last one.
func readMessage(out *bufio.Reader) (Message, error) {
	var fields [4]string
	for i := range fields {
		var err error
		if fields[i], err = readField(out); errors.Is(err, io.EOF) && i > 0 {
			return Message{}, errors.New("git log: output ends early")
		} else if err != nil {
			return Message{}, err
		}
	}
	unix, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return Message{}, fmt.Errorf("git log: commit %s has the date %q", fields[0], fields[2])
	}
	return Message{ID: fields[0], Author: valid(strings.TrimSpace(fields[1])), When: time.Unix(unix, 0).UTC(), Text: said(fields[3])}, nil
}

// readField reads up to a NUL and keeps at most longestMessage+1 bytes.
func readField(out *bufio.Reader) (string, error) {
	var kept []byte
	for {
		part, err := out.ReadSlice(0)
		kept = append(kept, part[:min(len(part), longestMessage+1-len(kept))]...)
		switch {
		case err == nil:
			return strings.TrimSuffix(string(kept), "\x00"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

func said(message string) string {
	return strings.Trim(valid(message[:min(len(message), longestMessage)]), "\n")
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

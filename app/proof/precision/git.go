package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/proof/trial"
)

// commit is a commit with the number of its changed files.
type commit struct {
	id, parent, subject string
	files               int
}

// history lists the last first-parent commits that have a parent, oldest first.
func history(ctx context.Context, dir string, n int) ([]commit, error) {
	out, err := trial.Git(ctx, dir, nil, "log", "--first-parent", "--diff-merges=first-parent", "--reverse", "--min-parents=1", "--max-count="+strconv.Itoa(n),
		"--no-renames", "--name-only", "-z", "--format=%x01%H %P%x02%s%x03")
	if err != nil {
		return nil, err
	}
	var list []commit
	for one := range strings.SplitSeq(out, "\x01") {
		head, files, ok := strings.Cut(one, "\x03")
		if !ok {
			continue
		}
		ids, subject, _ := strings.Cut(head, "\x02")
		names := strings.Fields(ids)
		if len(names) < 2 {
			return nil, errors.New("git log: a commit has no parent")
		}
		files = strings.Trim(files, "\x00\n")
		c := commit{id: names[0], parent: names[1], subject: subject}
		if files != "" {
			c.files = strings.Count(files, "\x00") + 1
		}
		list = append(list, c)
	}
	return list, nil
}

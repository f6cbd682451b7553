package gitstore

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

type commitObject struct {
	Commit
	parents []string
}

func parseCommit(id string, raw []byte) (commitObject, error) {
	c := commitObject{Commit: Commit{ID: id}}
	header, message, _ := bytes.Cut(raw, []byte("\n\n"))
	dated := false
	for line := range strings.SplitSeq(string(header), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.parents = append(c.parents, value)
		case "author":
			name, _, _ := strings.Cut(value, " <")
			c.Author = strings.ToValidUTF8(strings.TrimSpace(name), "\uFFFD")
		case "committer":
			c.When, dated = parseIdentDate(value)
		}
	}
	if c.Tree == "" || !dated {
		return commitObject{}, fmt.Errorf("commit %s cannot be read", id)
	}
	c.Subject = subject(string(message))
	return c, nil
}

// parseIdentDate parses the time of "Name <mail> 1767225600 +0100".
func parseIdentDate(ident string) (time.Time, bool) {
	_, date, ok := strings.Cut(ident[strings.LastIndexByte(ident, '>')+1:], " ")
	if !ok {
		return time.Time{}, false
	}
	seconds, _, _ := strings.Cut(date, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(unix, 0).UTC(), err == nil
}

// subject returns the first paragraph of a message as one line of valid UTF-8.
func subject(message string) string {
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		line = strings.TrimSpace(line)
		if line == "" && len(lines) > 0 {
			break
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.ToValidUTF8(strings.Join(lines, " "), "\uFFFD")
}

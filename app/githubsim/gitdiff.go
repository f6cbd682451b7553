package githubsim

import (
	"strconv"
	"strings"
)

// change is a file that differs between two trees.
type change struct {
	status             string // in GitHub's words
	path, before, id   string
	additions, removed int
	patch              string
}

// statuses are GitHub's words for git's letters.
var statuses = map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}

// diff lists what differs between two trees, with the patches.
func (b bare) diff(from, to string) ([]change, error) {
	trees := []string{from, to}
	out, err := b.ask(trees, "diff-tree", "-r", "-M", "-z", "--raw", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	changes := parseRaw(out)
	out, err = b.ask(trees, "diff-tree", "-r", "-M", "-z", "--numstat", from, to)
	if err != nil {
		return nil, err
	}
	countLines(changes, out)
	out, err = b.ask(trees, "diff-tree", "-r", "-M", "-p", from, to)
	if err != nil {
		return nil, err
	}
	attachPatches(changes, out)
	return changes, nil
}

// parseRaw reads records of ":mode mode id id letter" and one path, or two for a rename.
func parseRaw(out string) []change {
	var changes []change
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(fields[i])
		c := change{status: statuses[head[4][0]], path: fields[i+1], id: head[3]}
		if c.id == zero {
			c.id = head[2]
		}
		if c.status == "renamed" || c.status == "copied" {
			c.before, c.path = c.path, fields[i+2]
			i++
		}
		changes = append(changes, c)
	}
	return changes
}

// countLines reads the numbers of lines, which come in the order of the changes.
func countLines(changes []change, out string) {
	fields := strings.Split(out, "\x00")
	for i, n := 0, 0; i < len(fields) && n < len(changes); i, n = i+1, n+1 {
		numbers := strings.SplitN(fields[i], "\t", 3)
		if len(numbers) < 3 {
			return
		}
		changes[n].additions, _ = strconv.Atoi(numbers[0]) // a binary file has a dash
		changes[n].removed, _ = strconv.Atoi(numbers[1])
		if numbers[2] == "" { // a rename has its two names in the next fields
			i += 2
		}
	}
}

// attachPatches gives each change its hunks.
func attachPatches(changes []change, out string) {
	files := strings.Split("\n"+out, "\ndiff --git ")
	for i := range changes {
		if i+1 >= len(files) {
			return
		}
		if _, hunks, ok := strings.Cut(files[i+1], "\n@@"); ok {
			changes[i].patch = "@@" + strings.TrimSuffix(hunks, "\n")
		}
	}
}

// touched lists for each commit which paths it added, changed and removed, relative to its first parent.
func (b bare) touched(commits []commit) error {
	var in strings.Builder
	for _, c := range commits {
		in.WriteString(strings.Join(append([]string{c.id}, c.parents[:min(1, len(c.parents))]...), " ") + "\n")
	}
	out, err := b.run(in.String(), "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-abbrev", "--no-renames")
	if err != nil {
		return err
	}
	changes := map[string][]change{}
	id, fields := "", strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i++ {
		if !strings.HasPrefix(fields[i], ":") {
			id = fields[i]
			continue
		}
		changes[id] = append(changes[id], parseRaw(fields[i]+"\x00"+fields[i+1]+"\x00")...)
		i++
	}
	for i, c := range commits {
		commits[i].files = changes[c.id]
	}
	return nil
}

// patch is how one file differs between two trees, as a file of its own whatever became of others.
func (b bare) patch(from, to, name string) (string, error) {
	out, err := b.ask([]string{from, to}, "diff-tree", "-r", "--no-renames", "-p", from, to, "--", ":(literal)"+name)
	if err != nil {
		return "", err
	}
	changes := make([]change, 1)
	attachPatches(changes, out)
	return changes[0].patch, nil
}

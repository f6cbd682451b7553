package gitstore

import (
	"fmt"
	"strings"
)

// porcelain is the parsed output of `git status --porcelain=v2 --branch -z`.
type porcelain struct {
	head    string
	branch  string
	records []record
}

type record struct {
	kind           byte // '1' changed, 'u' unmerged, '?' untracked
	staged         bool
	unstaged       bool
	inHead, onDisk Mode
	id             string // in HEAD
	path           string
}

const (
	changedFields  = 8  // 1 XY sub mH mI mW hH hI path
	unmergedFields = 10 // u XY sub m1 m2 m3 mW h1 h2 h3 path
)

// parsePorcelain treats lines that statusArguments rules out as errors.
func parsePorcelain(out string) (porcelain, error) {
	var p porcelain
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if line == "" {
			continue
		}
		var err error
		switch line[0] {
		case '#':
			p.header(line)
		case '1':
			err = p.changed(line)
		case 'u':
			err = p.unmerged(line)
		case '?':
			err = p.untracked(line)
		default:
			err = unexpected(line)
		}
		if err != nil {
			return porcelain{}, err
		}
	}
	return p, nil
}

func unexpected(line string) error { return fmt.Errorf("git status: unexpected line %q", line) }

// header ignores headers that newer git versions add.
func (p *porcelain) header(line string) {
	if id, ok := strings.CutPrefix(line, "# branch.oid "); ok && id != "(initial)" {
		p.head = id
	}
	if branch, ok := strings.CutPrefix(line, "# branch.head "); ok && branch != "(detached)" {
		p.branch = branch
	}
}

func (p *porcelain) changed(line string) error {
	f := strings.SplitN(line, " ", changedFields+1)
	if len(f) != changedFields+1 || len(f[1]) != 2 || f[8] == "" {
		return unexpected(line)
	}
	inHead, okHead := modeOf(f[3])
	onDisk, okDisk := modeOf(f[5])
	if !okHead || !okDisk {
		return unexpected(line)
	}
	r := record{kind: '1', staged: f[1][0] != '.', unstaged: f[1][1] != '.', inHead: inHead, onDisk: onDisk, path: f[8]}
	if inHead != "" {
		r.id = f[6]
	}
	p.records = append(p.records, r)
	return nil
}

func (p *porcelain) unmerged(line string) error {
	f := strings.SplitN(line, " ", unmergedFields+1)
	if len(f) != unmergedFields+1 || f[10] == "" {
		return unexpected(line)
	}
	ours, okOurs := modeOf(f[4])
	onDisk, okDisk := modeOf(f[6])
	if !okOurs || !okDisk {
		return unexpected(line)
	}
	r := record{kind: 'u', inHead: ours, onDisk: onDisk, path: f[10]}
	if ours != "" {
		r.id = f[8]
	}
	p.records = append(p.records, r)
	return nil
}

// untracked skips directories, which are nested repositories.
func (p *porcelain) untracked(line string) error {
	path, ok := strings.CutPrefix(line, "? ")
	if !ok || path == "" {
		return unexpected(line)
	}
	if !strings.HasSuffix(path, "/") {
		p.records = append(p.records, record{kind: '?', path: path})
	}
	return nil
}

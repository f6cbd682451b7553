// Package principle turns recurring findings into rules of a project. A pattern that was found in several merged
// changes, and was not dismissed more often than fixed, becomes a file in .causal/principles. Users can read, reword,
// demote or decline it.
//
// Counts are derived from the records of the changes, so branches merge: the next run derives them again. Edits by
// users stay.
package principle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/record"
)

// Dir is the directory of the principles.
const Dir = store.Principles

// Status is the status of a principle.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Candidate Status = "candidate" // waits for approval
	Demoted   Status = "demoted"   // dismissed too often, or demoted by a user
	Declined  Status = "declined"  // rejected by a user
	Expired   Status = "expired"   // not found for long
)

var statuses = []Status{Active, Candidate, Demoted, Declined, Expired}

// closed reports whether a principle ended for good: causal no longer edits its file or promotes its pattern.
func (s Status) closed() bool { return s == Demoted || s == Declined }

// Principle is the content of a file.
type Principle struct {
	Slug      string     `yaml:"principle"`
	Rule      string     `yaml:"rule"`
	Why       string     `yaml:"why"`
	Check     *Check     `yaml:"check"` // nil if a user deleted it
	Evidence  []Evidence `yaml:"evidence"`
	Authors   int        `yaml:"authors"`
	Dismissed int        `yaml:"dismissed"`
	Status    Status     `yaml:"status"`
	Condition string     `yaml:"invalidation_condition"`
}

// Check identifies violations. Language and Shape are set if the code alone identifies them.
type Check struct {
	Pattern  string           `yaml:"pattern"`
	Severity finding.Severity `yaml:"severity"`
	Language string           `yaml:"language,omitempty"`
	Shape    string           `yaml:"shape,omitempty"`
}

// Evidence is one change in which the pattern was found.
type Evidence struct {
	Key     string `yaml:"key"`
	Finding string `yaml:"finding"`
	FixedBy string `yaml:"fixed_by,omitempty"`
	At      string `yaml:"at"`
}

// Path returns the file of a principle.
func Path(slug string) string { return Dir + "/" + slug + ".yml" }

// SlugOf returns the slug of a principle's file, and false for other files.
func SlugOf(name string) (string, bool) {
	slug, ok := strings.CutSuffix(path.Base(name), ".yml")
	return slug, ok && Path(slug) == name && record.CheckKey(slug) == nil
}

// largest is the size limit of a file in bytes. The file has a line for each change with the pattern.
const largest = 4 << 20

// All reads the files of all principles, by path.
func All(files record.Kept) (map[string][]byte, error) {
	names, err := files.List(Dir)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, name := range names {
		if _, ok := SlugOf(name); !ok {
			continue
		}
		data, err := files.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrOccupied) {
			return nil, fmt.Errorf("read principles: %w", err)
		}
		all[name] = append([]byte{}, data...) // empty for an unreadable file
	}
	return all, nil
}

// Read parses the file of a principle.
func Read(name string, data []byte) (*Principle, error) {
	f, err := read(name, data)
	if err != nil {
		return nil, err
	}
	return &f.Principle, nil
}

type file struct {
	Principle
	text string
	keys []section // in file order
}

type section struct {
	key        string
	first, end int
}

// read parses a principle. Unknown keys belong to the user. In a merge conflict it reads our side, because derived
// keys are derived again.
func read(name string, data []byte) (*file, error) {
	slug, _ := SlugOf(name)
	f, err := parse(slug, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func parse(slug string, data []byte) (*file, error) {
	if len(data) > largest {
		return nil, fmt.Errorf("larger than %d MB", largest>>20)
	}
	f := &file{text: ours(string(data))}
	root, err := canonical.Document([]byte(f.text))
	if err != nil {
		return nil, err
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("it is no list of keys and values")
	}
	if err := plain(root); err != nil {
		return nil, err
	}
	if err := root.Load(&f.Principle, yaml.WithUniqueKeys(false)); err != nil {
		return nil, err
	}
	switch {
	case f.Slug != slug:
		return nil, fmt.Errorf("principle is %q: it must match the file name, %s", f.Slug, slug)
	case !slices.Contains(statuses, f.Status):
		return nil, fmt.Errorf("status is %q: it may be active, candidate, demoted, declined or expired", f.Status)
	case f.Check != nil && (f.Check.Pattern == "" || !f.Check.Severity.Valid()):
		return nil, errors.New("check has no pattern or no severity: delete the whole key, or restore it")
	}
	return f, f.divide(root.Content[0].Content)
}

// plain rejects aliases, which let a small file expand to a large one.
func plain(root *yaml.Node) error {
	for todo := []*yaml.Node{root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		if todo = append(todo[:len(todo)-1], n.Content...); n.Kind == yaml.AliasNode {
			return fmt.Errorf("line %d: a principle has no aliases", n.Line)
		}
	}
	return nil
}

func (f *file) divide(content []*yaml.Node) error {
	lines := strings.SplitAfter(f.text, "\n")
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Column != 1 || len(f.keys) > 0 && content[i].Line-1 <= f.keys[len(f.keys)-1].first {
			return fmt.Errorf("line %d: each key must start at the beginning of a line", content[i].Line)
		}
		s := section{key: content[i].Value, first: content[i].Line - 1, end: len(lines)}
		if i+2 < len(content) {
			s.end = content[i+2].Line - 1
		}
		for s.end > s.first+1 && between(lines[s.end-1]) {
			s.end--
		}
		f.keys = append(f.keys, s)
	}
	return nil
}

// between reports whether a line at the end of a key does not belong to it: blank lines and comments stay.
func between(line string) bool {
	return strings.TrimSpace(line) == "" || line[0] == '#' || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
}

func ours(text string) string {
	if !strings.Contains(text, "<<<<<<< ") {
		return text
	}
	var b bytes.Buffer
	other := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
		case strings.HasPrefix(line, "|||||||"), strings.HasPrefix(line, "======="):
			other = true
		case strings.HasPrefix(line, ">>>>>>> "):
			other = false
		case !other:
			b.WriteString(line)
		}
	}
	return b.String()
}

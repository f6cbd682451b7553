package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// repository is the subject of ten questions.
type repository struct {
	Name      string     `yaml:"repository"` // with its owner
	Commit    string     `yaml:"commit"`     // of the code that the answers were read in
	Language  string     `yaml:"language"`
	Questions []question `yaml:"questions"`
}

// question is a question about the code, from an issue.
type question struct {
	Text   string   `yaml:"text"`
	Asked  string   `yaml:"asked"`  // the issue in which it was asked
	Answer string   `yaml:"answer"` // the answer, and its place in the code
	Path   []string `yaml:"path"`   // the pages or their sections that are clicked on, from the entry page on; "/README.md" is a document
	Needle string   `yaml:"needle"` // the words of the last page that answer; empty when no page does
}

// mostClicks is how far an answer may be from the entry page.
const mostClicks = 2

//go:embed repositories/*.yml
var files embed.FS

// readRepositories reads all that is asked, by the names of the files.
func readRepositories() ([]repository, error) {
	names, err := fs.Glob(files, "repositories/*.yml")
	if err != nil {
		return nil, fmt.Errorf("list the repositories: %w", err)
	}
	var out []repository
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		r, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func decode(data []byte) (repository, error) {
	var r repository
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&r); err != nil {
		return r, err
	}
	for i, q := range r.Questions {
		if err := q.check(); err != nil {
			return r, fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return r, nil
}

// inDocument reports whether the answer is in a document that people wrote.
func (q question) inDocument() bool {
	return len(q.Path) > 0 && strings.HasPrefix(q.Path[len(q.Path)-1], "/")
}

// check validates a question.
func (q question) check() error {
	switch {
	case q.Text == "" || q.Answer == "" || !strings.Contains(q.Asked, "#"):
		return errors.New("the text, the thread or the answer is missing")
	case len(q.Path) > mostClicks:
		return fmt.Errorf("%d clicks", len(q.Path))
	case q.Needle == "" && len(q.Path) > 0:
		return errors.New("clicks that lead to no answer")
	}
	for _, to := range q.Path {
		page, _, _ := strings.Cut(strings.TrimPrefix(to, "/"), "#")
		if !fs.ValidPath(page) || path.Ext(page) != ".md" && (to[0] != '/' || !slices.Contains([]string{".rst", ".adoc", ".txt"}, path.Ext(page))) {
			return fmt.Errorf("%s is not a page", page)
		}
	}
	return nil
}

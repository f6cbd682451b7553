package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/render/node"
)

// repository is one whose pages are judged.
type repository struct {
	Name     string `yaml:"repository"` // with its owner
	Commit   string `yaml:"commit"`
	Language string `yaml:"language"`
}

//go:embed repositories.yml
var repositoryFile []byte

func readRepositories() ([]repository, error) {
	var out []repository
	decoder := yaml.NewDecoder(bytes.NewReader(repositoryFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("read the repositories: %w", err)
	}
	return out, nil
}

// workshop is where the pages are made.
type workshop struct{ dir, causal string }

// build builds the program that makes the pages, when none was given.
func (w *workshop) build(ctx context.Context) (err error) {
	if w.causal != "" {
		w.causal, err = filepath.Abs(w.causal) // it is run in other directories
		return err
	}
	w.causal = filepath.Join(w.dir, "causal")
	return command(ctx, "", "go", "build", "-o", w.causal, "github.com/causaldocs/causal")
}

// makeNodes makes the pages of a repository in a copy of its clone, and returns what they are made from, by path. Places have lines
// only where there is a configuration.
func (w *workshop) makeNodes(ctx context.Context, r repository, clones string) ([]*node.Node, error) {
	name := path.Base(r.Name)
	from, err := filepath.Abs(filepath.Join(clones, name))
	if err != nil {
		return nil, err
	}
	to := filepath.Join(w.dir, "clones", name)
	for _, c := range []struct {
		dir  string
		args []string
	}{
		{"", []string{"git", "clone", "--quiet", "--no-checkout", from, to}},
		{to, []string{"git", "checkout", "--quiet", "--detach", r.Commit}},
		{to, []string{"git", "remote", "set-url", "origin", "https://github.com/" + r.Name}},
		{to, []string{w.causal, "init", "--yes"}},
		{to, []string{w.causal, "update"}},
	} {
		if err := command(ctx, c.dir, c.args[0], c.args[1:]...); err != nil {
			return nil, err
		}
	}
	return readNodes(os.DirFS(filepath.Join(to, ".causal", "nodes")))
}

func readNodes(files fs.FS) ([]*node.Node, error) {
	var out []*node.Node
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		n, err := node.Decode(data)
		if err != nil {
			return fmt.Errorf("read the node %s: %w", name, err)
		}
		out = append(out, n)
		return nil
	})
	return out, err
}

// command runs a program, and tells what it said when it fails.
func command(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "NO_COLOR=1")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

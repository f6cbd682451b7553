package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"

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

// readNodes reads what the pages of a repository are made from.
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

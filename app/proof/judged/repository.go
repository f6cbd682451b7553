package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// repository is a repository at the judged commit.
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

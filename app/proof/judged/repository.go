package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"
)

// repository is a repository at the judged commit.
type repository struct {
	Name     string `yaml:"repository"` // with its owner
	Commit   string `yaml:"commit"`
	Language string `yaml:"language"`
	Set      string `yaml:"set"` // repositories that are drawn from together
}

//go:embed repositories.yml
var repositoryFile []byte

// readRepositories returns the repositories of a set, or all of them if it is empty.
func readRepositories(set string) ([]repository, error) {
	var out []repository
	decoder := yaml.NewDecoder(bytes.NewReader(repositoryFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("read the repositories: %w", err)
	}
	if set == "" {
		return out, nil
	}
	return slices.DeleteFunc(out, func(r repository) bool { return r.Set != set }), nil
}

// Command openapi cuts GitHub's official OpenAPI description down to the operations and webhooks that the simulated GitHub
// serves, which app/githubsim/openapi/operations.txt lists, without its prose, and writes it there next to its licence:
//
//	go -C app/proof run ./openapi
//
// It takes the description from the npm package @octokit/openapi: from the directory given with -package, or with npm.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// home is where the description is kept, from app/proof.
const home = "../githubsim/openapi"

// release is the package that the description is taken from.
const release = "@octokit/openapi@23.0.2"

// webhook marks an operation that GitHub calls at the App, and not the other way round.
const webhook = "WEBHOOK"

func main() {
	dir := flag.String("package", "", "directory with the unpacked package; empty: npm gets it")
	flag.Parse()
	if err := run(context.Background(), *dir); err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string) error {
	if dir == "" {
		scratch, err := os.MkdirTemp("", "openapi")
		if err != nil {
			return err
		}
		defer os.RemoveAll(scratch)
		if dir, err = unpack(ctx, scratch); err != nil {
			return err
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "generated", "api.github.com.json"))
	if err != nil {
		return fmt.Errorf("read the description: %w", err)
	}
	var full object
	if err := json.Unmarshal(raw, &full); err != nil {
		return fmt.Errorf("read the description: %w", err)
	}
	operations, err := os.ReadFile(filepath.Join(home, "operations.txt"))
	if err != nil {
		return err
	}
	sliced, err := cut(full, strings.Split(strings.TrimSpace(string(operations)), "\n"))
	if err != nil {
		return err
	}
	if err := mend(sliced); err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, "LICENSE"), append([]byte("description.json.gz is part of "+release+":\n\n"), licence...), 0o644); err != nil {
		return err
	}
	return write(filepath.Join(home, "description.json.gz"), sliced)
}

// unpack has npm get the package and returns the directory it is in.
func unpack(ctx context.Context, dir string) (string, error) {
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", release)
	pack.Dir, pack.Stderr = dir, os.Stderr
	out, err := pack.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w", release, err)
	}
	archive := strings.TrimSpace(string(out))
	if out, err := exec.CommandContext(ctx, "tar", "-xzf", filepath.Join(dir, archive), "-C", dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpack %s: %w: %s", archive, err, out)
	}
	return filepath.Join(dir, "package"), nil
}

// write compresses without name and time, for reproducible bytes.
func write(name string, doc object) error {
	data, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(data); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, packed.Bytes(), 0o644)
}

type object = map[string]any

// cut returns the description of some operations, with everything that they refer to.
func cut(full object, operations []string) (object, error) {
	paths := object{}
	for _, line := range operations {
		method, path, _ := strings.Cut(line, " ")
		item, ok := find(full, method, path)
		if !ok {
			return nil, fmt.Errorf("the description knows no operation %q", line)
		}
		if method == webhook {
			method, path = "POST", "/webhooks/"+path
		}
		entry, _ := paths[path].(object)
		if entry == nil {
			entry = object{}
			paths[path] = entry
		}
		entry[strings.ToLower(method)] = strip(item, false)
	}
	info := full["info"].(object)
	return object{
		"openapi": full["openapi"], "paths": paths, "components": components(full, paths),
		"info": object{"title": info["title"], "version": info["version"], "license": info["license"]},
	}, nil
}

// absent are lines and positions that the real answers have as null: those of remarks that are outdated, and of remarks on
// a file as a whole.
var absent = []string{"line", "original_line", "position"}

// mend corrects the places where the package contradicts itself or the real answers: in the list of installations an
// account is said to be a user and an enterprise at once, in an installation either; and a remark to have a line always.
func mend(sliced object) error {
	account := below(sliced, "paths", "/app/installations", "get", "responses", "200", "content", "application/json", "schema", "items", "properties", "account")
	if account["allOf"] == nil {
		return errors.New("the account in the list of installations needs no mending any more: remove that from mend")
	}
	account["anyOf"] = account["allOf"]
	delete(account, "allOf")
	remarks := []object{
		below(sliced, "components", "schemas", "pull-request-review-comment"), below(sliced, "components", "schemas", "review-comment"),
		below(sliced, "components", "schemas", "webhooks_review_comment"),
	}
	for _, remark := range remarks {
		mended := false
		for _, name := range absent {
			if line := below(remark, "properties", name); line["type"] == "integer" && line["nullable"] == nil {
				line["nullable"], mended = true, true
			}
		}
		if !mended {
			return errors.New("a remark needs no mending any more, or is called otherwise: see mend")
		}
	}
	return nil
}

// below returns the object at a path of keys, or an empty object.
func below(at object, keys ...string) object {
	for _, key := range keys {
		at, _ = at[key].(object)
	}
	if at == nil {
		return object{}
	}
	return at
}

func find(full object, method, path string) (any, bool) {
	section, verb := "paths", strings.ToLower(method)
	if method == webhook {
		section, verb = "x-webhooks", "post"
	}
	item, _ := full[section].(object)[path].(object)
	operation, ok := item[verb]
	return operation, ok
}

// components collects all referenced components, transitively.
func components(full, paths object) object {
	out := object{}
	todo := references(paths)
	for len(todo) > 0 {
		section, name, _ := strings.Cut(strings.TrimPrefix(todo[0], "#/components/"), "/")
		todo = todo[1:]
		kept, _ := out[section].(object)
		if kept == nil {
			kept = object{}
			out[section] = kept
		}
		if _, ok := kept[name]; ok {
			continue
		}
		kept[name] = strip(full["components"].(object)[section].(object)[name], false)
		todo = append(todo, references(kept[name])...)
	}
	return out
}

func references(value any) []string {
	var out []string
	switch v := value.(type) {
	case object:
		for key, below := range v {
			if text, ok := below.(string); ok && key == "$ref" {
				out = append(out, text)
				continue
			}
			out = append(out, references(below)...)
		}
	case []any:
		for _, below := range v {
			out = append(out, references(below)...)
		}
	}
	return out
}

// prose lists the keys that a validator does not need.
var prose = []string{
	"deprecated", "description", "example", "examples", "externalDocs", "summary", "tags", "title", "x-github", "x-octokit",
}

// named lists the keys whose value maps names to things: a property may well be called description.
var named = []string{"headers", "parameters", "properties", "responses", "schemas"}

func strip(value any, names bool) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for key, below := range v {
			if names || !slices.Contains(prose, key) {
				out[key] = strip(below, !names && slices.Contains(named, key))
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, below := range v {
			out[i] = strip(below, false)
		}
		return out
	}
	return value
}

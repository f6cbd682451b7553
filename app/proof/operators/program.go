package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
)

// program is one that is asked.
type program struct {
	name    string // the first word of its commands
	library string // that its command line is made with
	// module and version are what the registry of Go calls it, and build is its package. Of a program of Python, module is
	// the package that is installed, and run how it is called.
	module, version, build string
	// Of a program of node, module and version are what the registry of npm calls it, and run is its file.
	run     []string
	help    string // the word that asks for help
	heldOut bool   // the readers were not mended for it
}

// workshop is where programs are built.
type workshop struct{ dir, causal string }

func (w *workshop) buildCausal(ctx context.Context) error {
	w.causal = filepath.Join(w.dir, "causal")
	return trial.Build(ctx, w.causal)
}

// command runs a program and returns what it says.
func command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "COLUMNS=1000", "NO_COLOR=1", "PAGER=cat", "TERM=dumb")
	out, err := c.CombinedOutput()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return out, nil
}

// ask returns what a program tells of its commands, and what the page tells.
func (w *workshop) ask(ctx context.Context, p program) (told, page surface, err error) {
	src := filepath.Join(w.dir, p.name)
	call, err := w.prepare(ctx, p, src)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range [][]string{{"git", "init", "-q"}, {w.causal, "update"}} {
		if _, err = command(ctx, src, c[0], c[1:]...); err != nil {
			return nil, nil, err
		}
	}
	text, err := os.ReadFile(filepath.Join(src, "docs", "causal", "commands.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without a page it tells nothing
		return nil, nil, err
	}
	told = surface{}
	if err = crawl(ctx, p, call, nil, told); err != nil {
		return nil, nil, err
	}
	return told, readPage(string(text), p.name), nil
}

// prepare puts the source of a program into a directory, and returns how to call the program.
func (w *workshop) prepare(ctx context.Context, p program, src string) (call []string, err error) {
	if p.build != "" {
		return w.prepareGo(ctx, p, src)
	}
	if p.version != "" {
		return w.prepareNode(ctx, p, src)
	}
	where, err := command(ctx, "", "python3", "-c", "import os, sys, "+p.module+"; print(os.path.dirname("+p.module+".__file__))")
	if err != nil {
		return nil, errNotInstalled
	}
	dir := strings.TrimSpace(string(where))
	if err = os.CopyFS(filepath.Join(src, p.module), os.DirFS(dir)); err != nil {
		return nil, err
	}
	manifest := "[project]\nname = \"" + p.name + "\"\n" // what installers leave of it is elsewhere
	return p.run, os.WriteFile(filepath.Join(src, "pyproject.toml"), []byte(manifest), 0o600)
}

func (w *workshop) prepareNode(ctx context.Context, p program, src string) (call []string, err error) {
	home := filepath.Join(w.dir, "npm-"+p.name)
	if err = os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	if _, err = command(ctx, home, "npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", home, p.module+"@"+p.version); err != nil {
		return nil, err
	}
	where := filepath.Join(home, "node_modules", p.module)
	return []string{"node", filepath.Join(where, p.run[0])}, os.CopyFS(src, os.DirFS(where))
}

// errNotInstalled is returned for a program of Python whose package is not there: it is not compared.
var errNotInstalled = errors.New("not installed here")

func (w *workshop) prepareGo(ctx context.Context, p program, src string) (call []string, err error) {
	out, err := command(ctx, w.dir, "go", "mod", "download", "-json", p.module+"@"+p.version)
	if err != nil {
		return nil, err
	}
	var module struct{ Dir string }
	if err = json.Unmarshal(out, &module); err != nil {
		return nil, fmt.Errorf("read what go says of %s: %w", p.module, err)
	}
	if err = os.CopyFS(src, os.DirFS(module.Dir)); err != nil {
		return nil, err
	}
	if _, err = command(ctx, "", "chmod", "-R", "u+w", src); err != nil {
		return nil, err
	}
	binary := filepath.Join(w.dir, "bin", p.name)
	_, err = command(ctx, src, "go", "build", "-o", binary, p.build)
	return []string{binary}, err
}

// longest is how long a program may take to tell of a command.
const longest = 20 * time.Second

// mostDeep is how many words name a command at most.
const mostDeep = 5

// crawl asks for the help of a command and of those below it.
func crawl(ctx context.Context, p program, call, words []string, told surface) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	args := append(append(call[1:len(call):len(call)], words...), p.help)
	out, err := command(ctx, "", call[0], args...)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err // to be asked for help is a failure to some
	}
	path := strings.Join(append([]string{p.name}, words...), " ")
	told.add(path, thing{kind: "command"})
	if !strings.Contains(strings.ToLower(string(out)), "usage") {
		told.guard(path) // it refuses to tell
	}
	for _, t := range readHelp(p, string(out)) {
		if t.kind != "command" {
			told.add(path, t)
			continue
		}
		if t.name == "help" || t.name == "completion" || len(words) == mostDeep {
			continue // those that the libraries add
		}
		if err := crawl(ctx, p, call, append(words[:len(words):len(words)], t.name), told); err != nil {
			return err
		}
	}
	return nil
}

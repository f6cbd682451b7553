package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

//go:embed public.py
var publicPy string

// pythonInspect lists the names that inspect finds in the package, imported from its directory.
func pythonInspect(ctx context.Context, dir string) (account, error) {
	public, either, err := lines(exec.CommandContext(ctx, "python3", "-c", publicPy, dir, "names")) //nolint:gosec // the directory is the user's argument
	if err != nil {
		return account{}, err
	}
	told, err := told(exec.CommandContext(ctx, "python3", "-c", publicPy, dir, "tell")) //nolint:gosec // as above
	return account{public, func(s *symbol) bool {
		return slices.Contains([]source.Kind{source.Func, source.Class, source.Method, source.Field}, s.Kind) && !named(s, either) &&
			!either[strings.TrimSuffix(s.As[0], "."+s.Symbol.Name[strings.IndexByte(s.Symbol.Name, '.')+1:])] // its module cannot be imported
	}, told, equal(parameters)}, err
}

//go:embed exports.mjs
var exportsJS string

// nodeExports lists the exports of the published package, in the version of the directory. CAUSAL_TYPESCRIPT is the directory of the
// typescript package.
func nodeExports(ctx context.Context, dir string) (account, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return account{}, err
	}
	var p struct{ Name, Version string }
	if err := json.Unmarshal(data, &p); err != nil {
		return account{}, fmt.Errorf("read package.json: %w", err)
	}
	compiler := os.Getenv("CAUSAL_TYPESCRIPT")
	if compiler == "" {
		return account{}, errors.New("CAUSAL_TYPESCRIPT does not name the directory of the typescript package")
	}
	place, err := os.MkdirTemp("", "causal-api")
	if err != nil {
		return account{}, err
	}
	defer func() { _ = os.RemoveAll(place) }()
	script := filepath.Join(place, "exports.mjs")
	err = errors.Join(os.WriteFile(filepath.Join(place, "package.json"), []byte("{}"), 0o600), os.WriteFile(script, []byte(exportsJS), 0o600))
	if err != nil {
		return account{}, err
	}
	install := exec.CommandContext(ctx, "npm", "install", "--silent", "--ignore-scripts", p.Name+"@"+cmp.Or(released(ctx, dir), p.Version))
	install.Dir, install.Stderr = place, os.Stderr
	if err := install.Run(); err != nil {
		return account{}, fmt.Errorf("install %s: %w", p.Name, err)
	}
	ask := func(what string) *exec.Cmd {
		return exec.CommandContext(ctx, "node", script, compiler, place, p.Name, what) //nolint:gosec // the directory is the user's argument
	}
	public, either, err := lines(ask("names"))
	if err != nil {
		return account{}, err
	}
	told, err := told(ask("tell"))
	return account{public, func(s *symbol) bool {
		return s.Import == p.Name && !strings.HasSuffix(s.As[0], ".constructor") && !strings.HasSuffix(s.As[0], "]") && !named(s, either)
	}, told, scriptAlike}, err
}

// released is the version that the last tag of a repository names: a package.json may say anything in between. Empty when none does.
func released(ctx context.Context, dir string) string {
	text, err := exec.CommandContext(ctx, "git", "-C", dir, "describe", "--tags", "--abbrev=0").Output() //nolint:gosec // the directory is the user's argument
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(release.FindString(strings.TrimSpace(string(text))), "v")
}

var release = regexp.MustCompile(`^v?\d+\.\d+\.\d+$`)

// lines runs a command that prints one name per line. A question mark marks names that may be public or not.
func lines(c *exec.Cmd) (public, either map[string]bool, err error) {
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.Base(c.Path), err)
	}
	public, either = map[string]bool{}, map[string]bool{}
	for _, name := range strings.Fields(string(text)) {
		if rest, ok := strings.CutPrefix(name, "?"); ok {
			either[rest] = true
		} else {
			public[name] = true
		}
	}
	return public, either, nil
}

// told runs a command that prints descriptions of symbols.
func told(c *exec.Cmd) (map[string]telling, error) {
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(c.Path), err)
	}
	return tellings(text)
}

// named reports whether callers know a symbol by one of the names.
func named(s *symbol, names map[string]bool) bool {
	return slices.ContainsFunc(s.As, func(as string) bool { return names[as] })
}

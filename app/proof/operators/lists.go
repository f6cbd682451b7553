package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// found is what people found by reading the code of repositories: the routes and variables of each, with the place of each. The
// first line says which commit they read.
//
//go:embed lists/*.txt
var found embed.FS

// readList reads one list: "route GET /x file:line" and "env NAME=default file:line".
func readList(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		kind, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		at := strings.LastIndexByte(rest, ' ')
		if !ok || kind == "#" || at < 0 {
			continue
		}
		name, value, has := rest[:at], "", false
		if kind == "env" {
			name, value, has = strings.Cut(name, "=")
		}
		out[kind+" "+name] = true
		if has {
			out[kind+" "+name+" = "+value] = true
		}
	}
	return out
}

// tables are the sections of the page of operations that are compared, by their titles.
var tables = map[string]string{"Environment variables": "env", "Variables of builds, tests and tools": "env", "Routes": "route"}

var (
	cell   = regexp.MustCompile(`(?:[^|\\]|\\.)*`)
	quoted = regexp.MustCompile("^\\[?`+ ?(.*?) ?`+(?:\\]\\([^)]*\\))?$")
)

// readOperations reads what the page of operations tells.
func readOperations(text string) map[string]bool {
	out := map[string]bool{}
	kind, fallbackAt := "", -1
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			kind, fallbackAt = tables[title], -1
			continue
		}
		if kind == "" || !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := splitRow(line)
		name := quoted.FindStringSubmatch(cells[0])
		if name == nil { // the head
			fallbackAt = slices.Index(cells, "Default")
			continue
		}
		element := kind + " " + plainCell(name[1])
		out[element] = true
		if fallbackAt > 0 && fallbackAt < len(cells) {
			if value := quoted.FindStringSubmatch(cells[fallbackAt]); value != nil {
				out[element+" = "+plainCell(value[1])] = true
			}
		}
	}
	return out
}

func splitRow(line string) []string {
	var out []string
	for _, c := range cell.FindAllString(strings.Trim(line, "|"), -1) {
		if c = strings.TrimSpace(c); c != "" || len(out) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func plainCell(text string) string { return html.UnescapeString(strings.ReplaceAll(text, `\|`, "|")) }

// compareLists compares what people found with what the page tells, of one kind.
func compareLists(listed, page map[string]bool, kind string) score {
	var s score
	for e := range listed {
		if !strings.HasPrefix(e, kind+" ") {
			continue
		}
		if s.told++; page[e] {
			s.both++
		} else {
			s.misses = append(s.misses, "missing: "+e)
		}
	}
	for e := range page {
		if !strings.HasPrefix(e, kind+" ") {
			continue
		}
		if s.page++; !listed[e] {
			s.misses = append(s.misses, "wrong: "+e)
		}
	}
	slices.Sort(s.misses)
	return s
}

// measureLists compares the lists with the pages of the repositories in a directory, and prints a line for each.
func (w *workshop) measureLists(ctx context.Context, dir string, misses bool, out io.Writer) (score, error) {
	names, err := fs.Glob(found, "lists/*.txt")
	if err != nil {
		return score{}, err
	}
	var sum score
	for _, name := range names {
		text, err := found.ReadFile(name)
		if err != nil {
			return score{}, err
		}
		repo := strings.TrimSuffix(filepath.Base(name), ".txt")
		page, err := w.operations(ctx, filepath.Join(dir, repo), repo)
		if errors.Is(err, fs.ErrNotExist) {
			_, _ = fmt.Fprintf(out, "%-28s not there\n", repo)
			continue
		}
		if err != nil {
			return score{}, fmt.Errorf("%s: %w", repo, err)
		}
		for _, kind := range []string{"route", "env"} {
			s := compareLists(readList(string(text)), page, kind)
			sum.add(s)
			_, _ = fmt.Fprintln(out, s.line(repo+" "+kind))
			for _, m := range s.misses {
				if misses {
					_, _ = fmt.Fprintln(out, "    "+m)
				}
			}
		}
	}
	return sum, nil
}

// operations is what the page of operations tells that causal makes of a copy of a repository.
func (w *workshop) operations(ctx context.Context, dir, name string) (map[string]bool, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	copied := filepath.Join(w.dir, "lists", name)
	if err := os.MkdirAll(filepath.Dir(copied), 0o700); err != nil {
		return nil, err
	}
	if _, err := command(ctx, "", "git", "clone", "-q", dir, copied); err != nil {
		return nil, err
	}
	if _, err := command(ctx, copied, w.causal, "update"); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(copied, "docs", "causal", "operations.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without a page it tells nothing
		return nil, err
	}
	return readOperations(string(text)), nil
}

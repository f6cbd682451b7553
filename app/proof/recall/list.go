package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/proof/reference"
)

//go:embed lists/*.txt
var lists embed.FS

// list holds the variables, routes, commands, flags, tables and jobs of a repository at a commit.
type list struct {
	Repository, Commit, Kind string
	Seen                     bool // the readers were improved with this repository
	Sources, Notes           []string
	entries                  map[reference.Kind][]entry
	outside                  map[reference.Kind]map[string]bool // right on a page, but not required
	skipped                  map[reference.Kind]bool
}

// entry is a name with all its spellings, and its default if the list has one.
type entry struct {
	names    []string
	fallback string
}

// kinds are the compared kinds in the order of the report.
var kinds = []reference.Kind{reference.Variable, reference.Route, reference.Command, reference.Flag, reference.Table, reference.Job}

// readLists reads all lists.
func readLists() ([]list, error) {
	files, err := fs.Glob(lists, "lists/*.txt")
	if err != nil {
		return nil, fmt.Errorf("find the lists: %w", err)
	}
	var out []list
	for _, file := range files {
		text, err := lists.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a list: %w", err)
		}
		l, err := readList(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, l)
	}
	return out, nil
}

var errLine = errors.New("not a line of a list")

// readList reads one list. A line is a word and its text, such as "env NAME = DEFAULT", "route GET /x" or "flag COMMAND --name".
// " | " separates spellings.
func readList(text string) (list, error) {
	l := list{entries: map[reference.Kind][]entry{}, outside: map[reference.Kind]map[string]bool{}, skipped: map[reference.Kind]bool{}}
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "repository":
			l.Repository = rest
		case "commit":
			l.Commit = rest
		case "kind":
			l.Kind = rest
		case "seen":
			l.Seen = true
		case "source":
			l.Sources = append(l.Sources, rest)
		case "note":
			l.Notes = append(l.Notes, rest)
		case "skip":
			l.skipped[reference.Kind(rest)] = true
		case "outside":
			kind, name, _ := strings.Cut(rest, " ")
			if l.outside[reference.Kind(kind)] == nil {
				l.outside[reference.Kind(kind)] = map[string]bool{}
			}
			l.outside[reference.Kind(kind)][key(reference.Kind(kind), name)] = true
		default:
			kind := reference.Kind(word)
			if !slices.Contains(kinds, kind) || rest == "" {
				return l, fmt.Errorf("%w: %q", errLine, line)
			}
			if e := readEntry(kind, rest); !slices.ContainsFunc(l.entries[kind], func(o entry) bool { return slices.Equal(o.names, e.names) }) {
				l.entries[kind] = append(l.entries[kind], e) // routes may differ only in the names of parameters
			}
		}
	}
	return l, nil
}

func readEntry(kind reference.Kind, text string) entry {
	name, value, _ := strings.Cut(text, " = ")
	e := entry{fallback: value}
	for _, spelling := range strings.Split(name, " | ") {
		e.names = append(e.names, key(kind, spelling))
	}
	return e
}

var (
	group     = regexp.MustCompile(`\(\?P?<\w+>(?:[^()\\]|\\.|\([^()]*\))*\)`)
	parameter = regexp.MustCompile(`\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|<[^<>]*>|\[{1,2}[^\[\]]*\]{1,2}|:\w+(?:\([^()]*\))?|\*\w+`)
	dashes    = regexp.MustCompile(` --?(\S+)$`)
)

// key normalizes a name: it removes the names of route parameters and the dashes of flags.
func key(kind reference.Kind, name string) string {
	switch kind {
	case reference.Flag:
		return dashes.ReplaceAllString(name, " $1")
	case reference.Route:
		method, path, ok := strings.Cut(name, " ")
		if !ok {
			method, path = "", name
		}
		path = strings.NewReplacer("/?$", "", "^", "", "{$}", "", "$", "").Replace(group.ReplaceAllString(path, "{}"))
		path = "/" + strings.Trim(parameter.ReplaceAllString(path, "{}"), "/")
		return strings.TrimSpace(method + " " + path)
	}
	return name
}

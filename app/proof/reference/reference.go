// Package reference reads the rows of the reference pages commands.md, operations.md and data.md.
package reference

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of the listed names.
type Kind string

// The kinds of rows.
const (
	Variable Kind = "env"
	Route    Kind = "route"
	Command  Kind = "command"
	Flag     Kind = "flag"
	Table    Kind = "table"
	Job      Kind = "job"
)

// Row is a row of a page.
type Row struct {
	Kind    Kind
	Command string   // the command of a flag
	Names   []string // all spellings
	Default string
}

// pages maps the reference pages to their readers.
var pages = []struct {
	file string
	read func(text string) []Row
}{{"commands.md", readCommands}, {"operations.md", readOperations}, {"data.md", readData}}

// Read reads the pages of a directory. A page that does not exist has no rows.
func Read(dir fs.FS) ([]Row, error) {
	var out []Row
	for _, p := range pages {
		text, err := fs.ReadFile(dir, p.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the page: %w", err)
		}
		out = append(out, p.read(string(text))...)
	}
	return out, nil
}

var (
	cell     = regexp.MustCompile(`(?:[^|\\]|\\.)*`)
	quoted   = regexp.MustCompile("^\\[?(?:`+ ?(.*?) ?`+|<code>(.*?)</code>)(?:\\]\\([^)]*\\))?$")
	plain    = strings.NewReplacer(`\`, "", "`", "")
	flagName = regexp.MustCompile(`^--?(?:\[no-\])?([A-Za-z0-9?#][\w.-]*)`)
	// inHelp matches the default of a flag in its help.
	inHelp  = regexp.MustCompile(`\([dD]efault:? ("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^)]*)\)|\[default: ([^\]]*)\]`)
	heading = regexp.MustCompile("^#{3} `+ ?(.*?) ?`+$")
	stored  = regexp.MustCompile("^Declared in .* as the table `+ ?(.*?) ?`+\\.$")
	// oneLine matches a table without a section.
	oneLine = regexp.MustCompile("^- `+ ?(.*?) ?`+ in ")
)

// readCommands reads the page of commands. The names of flags have no dashes.
func readCommands(text string) []Row {
	var out []Row
	path := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			path = html.UnescapeString(plain.Replace(title))
			out = append(out, Row{Kind: Command, Names: []string{path}})
			continue
		}
		if row, ok := flagRow(path, line); ok && path != "" {
			out = append(out, row)
		}
	}
	return out
}

// flagRow reads the row of a flag. The default has a column or is part of the help.
func flagRow(path, line string) (row Row, ok bool) {
	cells := splitRow(line)
	if !strings.HasPrefix(line, "| ") || len(cells) < 2 {
		return row, false
	}
	row = Row{Kind: Flag, Command: path}
	for _, word := range strings.FieldsFunc(code(cells[0]), func(r rune) bool { return r == ' ' || r == ',' }) {
		if m := flagName.FindStringSubmatch(word); m != nil {
			row.Names = append(row.Names, m[1])
		}
	}
	if value := code(cells[1]); len(cells) > 2 && value != "" {
		row.Default = value
	} else if d := inHelp.FindStringSubmatch(html.UnescapeString(plain.Replace(cells[len(cells)-1]))); d != nil {
		row.Default = d[1] + d[2]
	}
	row.Default = unquoted(row.Default)
	return row, row.Names != nil
}

// unquoted returns a default without quotes and surrounding spaces, which tables do not keep.
func unquoted(value string) string {
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	return strings.TrimSpace(strings.Trim(value, `"`))
}

// tables maps titles of the operations page to kinds.
var tables = map[string]Kind{
	"Environment variables": Variable, "Variables of builds, tests and tools": Variable, "Routes": Route, "Jobs": Job,
}

// readOperations reads the page of operations.
func readOperations(text string) []Row {
	var out []Row
	kind, fallbackAt := Kind(""), -1
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
		name := code(cells[0])
		if name == "" { // the head
			fallbackAt = slices.Index(cells, "Default")
			continue
		}
		row := Row{Kind: kind, Names: []string{name}}
		if fallbackAt > 0 && fallbackAt < len(cells) {
			row.Default = code(cells[fallbackAt])
		}
		out = append(out, row)
	}
	return out
}

// readData reads the data page. A model has the name of its table as a second name.
func readData(text string) []Row {
	var out []Row
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		m := heading.FindStringSubmatch(line)
		if m == nil {
			m = oneLine.FindStringSubmatch(line)
		}
		if m != nil {
			out = append(out, Row{Kind: Table, Names: []string{m[1]}})
		} else if m = stored.FindStringSubmatch(line); m != nil && len(out) > 0 {
			out[len(out)-1].Names = append(out[len(out)-1].Names, m[1])
		}
	}
	return out
}

// splitRow returns the cells of a row.
func splitRow(line string) []string {
	var out []string
	for _, c := range cell.FindAllString(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), -1) {
		if c = strings.TrimSpace(c); c != "" || len(out) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// code returns the text of a code cell, also within a link.
func code(cell string) string {
	m := quoted.FindStringSubmatch(cell)
	if m == nil {
		return ""
	}
	return html.UnescapeString(strings.ReplaceAll(m[1]+m[2], `\|`, "|"))
}

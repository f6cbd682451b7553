// Package adr reads architecture decision records: documents that people keep one decision in each, numbered, with a status. It reads the
// forms of Nygard and adr-tools ("## Status") and of MADR (front matter, or a list below the title).
package adr

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Status is what became of a decision by its document.
type Status string

// The statuses. What a document says in another way is Proposed.
const (
	Proposed   Status = "proposed"
	Accepted   Status = "accepted"
	Rejected   Status = "rejected"
	Deprecated Status = "deprecated"
	Superseded Status = "superseded"
)

// Record is one document.
type Record struct {
	Path   string // as it was given
	Number int
	Title  string
	// Decision is the paragraph that says what was decided, on one line; empty where there is none.
	Decision string
	Status   Status
	Date     string // YYYY-MM-DD, empty where it has none
	Deciders string
	// By and Over are the documents that this one names as those that superseded it, and that it supersedes: file names, or numbers.
	By, Over []string
}

// Largest is how many bytes a document has.
const Largest = 1 << 20

var (
	named     = lazyregexp.New(`^(?:adr[-_]?)?([0-9]{1,6})[-_. ].*\.(?:md|markdown)$`)
	numbered  = lazyregexp.New(`^(?:(?i:ADR)[- ]?)?[0-9]{1,6}[.:)]? *[-–—:]? +`)
	announced = lazyregexp.New(`^(?i:architecture decision record|adr) *[:–—-] +`)
	dated     = lazyregexp.New(`[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	linked    = lazyregexp.New(`\]\(([^)\s]+)\)`)
	reference = lazyregexp.New(`(?i)(?:adr[- ]?|#)([0-9]{1,6})`)
	superior  = lazyregexp.New(`(?i)\bsuper[sc]eded\b`)
	inferior  = lazyregexp.New(`(?i)\bsuper[sc]edes\b`)
)

// Named reports whether a file is called like a document, and by which number.
func Named(file string) (number int, ok bool) {
	m := named.FindStringSubmatch(strings.ToLower(path.Base(file)))
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}

// Read reads a document. False where it is none: it has no title.
func Read(file, text string) (Record, bool) {
	r := Record{Path: file, Status: Proposed}
	r.Number, _ = Named(file)
	fields, body := frontMatter(strings.ReplaceAll(text, "\r\n", "\n"))
	r.fields(fields)
	section, said := "", map[string][]string{}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# ") && r.Title == "":
			r.Title = strings.TrimSpace(numbered.ReplaceAllString(announced.ReplaceAllString(strings.TrimSpace(line[2:]), ""), ""))
			section = ""
		case strings.HasPrefix(line, "## "):
			section = strings.ToLower(strings.TrimSpace(line[3:]))
		default:
			said[section] = append(said[section], line)
		}
	}
	r.fields(said[""])
	for _, line := range said["status"] {
		r.status(line)
	}
	for _, name := range []string{"decision", "decision outcome"} {
		if r.Decision == "" {
			r.Decision = paragraph(said[name])
		}
	}
	return r, r.Title != ""
}

// frontMatter divides a document into the lines between its first marks and the rest.
func frontMatter(text string) (fields []string, body string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	head, body, ok := strings.Cut(rest, "\n---")
	if !ok {
		return nil, text
	}
	return strings.Split(head, "\n"), body
}

// fields takes over what lines of the form "status: accepted" or "* Date: 2024-01-02" say.
func (r *Record) fields(lines []string) {
	for _, line := range lines {
		key, value, ok := strings.Cut(strings.TrimLeft(line, "*- "), ":")
		if !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(strings.TrimLeft(value, "*")), `"'`)
		switch strings.ToLower(strings.Trim(key, "* ")) {
		case "status":
			r.status(value)
		case "date":
			r.Date = cmp.Or(r.Date, dated.FindString(value))
		case "deciders", "decision-makers":
			r.Deciders = cmp.Or(r.Deciders, strings.Trim(value, "[] "))
		}
	}
}

// words are what documents call their statuses.
var words = []struct {
	word string
	Status
}{
	{"accepted", Accepted}, {"approved", Accepted}, {"implemented", Accepted}, {"rejected", Rejected}, {"declined", Rejected},
	{"deprecated", Deprecated}, {"obsolete", Deprecated}, {"proposed", Proposed},
}

// status takes over what one line says of the status. A template that lists all of them says nothing.
func (r *Record) status(line string) {
	lower := strings.ToLower(line)
	switch {
	case strings.Contains(line, "|"):
	case superior.MatchString(line):
		r.Status = Superseded
		r.By = append(r.By, references(line)...)
	case inferior.MatchString(line):
		r.Over = append(r.Over, references(line)...)
	case r.Status != Superseded:
		for _, w := range words {
			if strings.Contains(lower, w.word) {
				r.Status = w.Status
				break
			}
		}
	}
}

// references are the documents that a line names: by links, and where there is none, by numbers.
func references(line string) (out []string) {
	for _, m := range linked.FindAllStringSubmatch(line, -1) {
		file, _, _ := strings.Cut(m[1], "#")
		out = append(out, path.Base(file))
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range reference.FindAllStringSubmatch(line, -1) {
		out = append(out, strings.TrimLeft(m[1], "0"))
	}
	return out
}

// Is reports whether a document is the one that a reference names.
func (r *Record) Is(reference string) bool {
	return reference == path.Base(r.Path) || reference == strconv.Itoa(r.Number)
}

// paragraph is the first paragraph of a section, on one line, with the list that it leads to.
func paragraph(lines []string) string {
	var words []string
	for i, line := range lines {
		end := line == "" && len(words) > 0
		if end && leads(words[len(words)-1]) && i+1 < len(lines) && lines[i+1] != "" {
			continue
		}
		if end || strings.HasPrefix(line, "#") {
			break
		}
		if item := strings.TrimLeft(line, "*-+ "); item != line && len(words) > 0 && !leads(words[len(words)-1]) {
			words[len(words)-1] += ";"
		}
		if !strings.HasPrefix(line, "<!--") {
			words = append(words, strings.Fields(strings.TrimLeft(line, "*-+ "))...)
		}
	}
	return strings.Join(words, " ")
}

// leads reports whether a sentence that ends with a word goes on in what follows.
func leads(word string) bool { return strings.HasSuffix(word, ":") || word == "because" }

// Sort puts documents into the order of their numbers.
func Sort(records []Record) {
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.Path, b.Path)) })
}

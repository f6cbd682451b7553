// Package adr reads architecture decision records: numbered documents with a decision and its status each. It
// supports the forms of Nygard and adr-tools ("## Status") and of MADR (front matter, or a list below the title).
package adr

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Status is the status of a decision.
type Status string

// The statuses. Unknown ones count as Proposed.
const (
	Proposed   Status = "proposed"
	Accepted   Status = "accepted"
	Rejected   Status = "rejected"
	Deprecated Status = "deprecated"
	Superseded Status = "superseded"
)

// Record is one document.
type Record struct {
	Path   string // as given
	Number int
	Title  string
	// Decision is the first paragraph of the decision on one line; it may be empty.
	Decision string
	Status   Status
	Date     string // YYYY-MM-DD, or empty
	Deciders string
	// By and Over are the documents that supersede this one and that it supersedes: file names, or numbers.
	By, Over []string
}

// Largest bounds the bytes of a document.
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

// Named reports whether a file name has the form of a document, and returns its number.
func Named(file string) (number int, ok bool) {
	m := named.FindStringSubmatch(strings.ToLower(path.Base(file)))
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}

// Read reads a document; false if it has no title.
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

// frontMatter separates the front matter from the rest.
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

// fields reads lines of the form "status: accepted" or "* Date: 2024-01-02".
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

// words are the words for statuses.
var words = []struct {
	word string
	Status
}{
	{"accepted", Accepted}, {"approved", Accepted}, {"implemented", Accepted}, {"rejected", Rejected}, {"declined", Rejected},
	{"deprecated", Deprecated}, {"obsolete", Deprecated}, {"proposed", Proposed},
}

// status reads a line about the status. A template that lists all statuses says nothing.
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

// references returns the documents that a line names by links, or else by numbers.
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

// Is reports whether a reference names the document.
func (r *Record) Is(reference string) bool {
	return reference == path.Base(r.Path) || reference == strconv.Itoa(r.Number)
}

// paragraph returns the first paragraph of a section on one line, with the list that it introduces.
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

// leads reports whether a sentence that ends with a word continues.
func leads(word string) bool { return strings.HasSuffix(word, ":") || word == "because" }

// Sort sorts documents by number.
func Sort(records []Record) {
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.Path, b.Path)) })
}

// Package record stores the findings of a closed change in .causal/reviews/KEY.jsonl: a line about the change and one
// for each finding with its history. A record is written once and never edited, and no two changes share a file, so
// branches merge. All counts are derived from the records.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Dir is the directory of the records.
const Dir = store.Reviews

// Outcome is the end of a change.
type Outcome string

// The outcomes.
const (
	Merged   Outcome = "merged"
	Unmerged Outcome = "unmerged"
)

// Change is the first line of a record.
type Change struct {
	Key     string    `json:"key"`
	Base    string    `json:"base"`
	Head    string    `json:"head"`
	Outcome Outcome   `json:"outcome"`
	At      time.Time `json:"at"` // commit time of the head, in UTC
	Author  string    `json:"author,omitempty"`
}

// Finding is a line about a finding.
type Finding struct {
	ID        string           `json:"id"`
	Rule      string           `json:"rule"`
	Category  finding.Category `json:"category,omitempty"`
	Severity  finding.Severity `json:"severity"`
	Path      string           `json:"path"`
	Line      int              `json:"line"`
	Symbol    string           `json:"symbol,omitempty"`
	Quote     string           `json:"quote,omitempty"`
	Message   string           `json:"message,omitempty"`
	Pattern   string           `json:"pattern,omitempty"`
	Status    life.Status      `json:"status"`
	FirstSeen string           `json:"first_seen,omitempty"`
	FixedBy   string           `json:"fixed_by,omitempty"`
	History   []life.Event     `json:"history"`
}

// Record is a closed change with its findings.
type Record struct {
	Change
	Findings []Finding
}

// longestKey is in bytes. File systems allow names of 255 bytes, including the extension and a temporary suffix.
const longestKey = 200

// CheckKey reports why a key cannot be a file name on some system.
func CheckKey(key string) error {
	refused := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`/\<>:"|?*`, r)
	}
	stem, _, _ := strings.Cut(strings.ToLower(key), ".")
	switch {
	case key == "":
		return errors.New("the key of a change is empty: it is to be a name such as pr-12")
	case len(key) > longestKey:
		return fmt.Errorf("the key of a change has %d bytes: it may have %d", len(key), longestKey)
	case !utf8.ValidString(key) || strings.ContainsFunc(key, refused):
		return fmt.Errorf("the key %q cannot be the name of a file: letters, digits, dots and dashes are fine", key)
	case strings.HasPrefix(key, ".") || strings.HasPrefix(key, "-") || strings.HasPrefix(key, " "), strings.HasSuffix(key, ".") || strings.HasSuffix(key, " "):
		return fmt.Errorf("the key %q begins or ends with a character that is not allowed in file names", key)
	case slices.Contains(devices, stem):
		return fmt.Errorf("the key %q is the name of a device on some systems", key)
	}
	return nil
}

var devices = strings.Fields("con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9")

// Path returns the file of a change's record.
func Path(key string) string { return Dir + "/" + key + ".jsonl" }

// KeyOf returns the key of a record's file, and false for other files.
func KeyOf(name string) (string, bool) {
	key, ok := strings.CutSuffix(path.Base(name), ".jsonl")
	return key, ok && Path(key) == name && CheckKey(key) == nil
}

// New makes the record of a change. If the change was not merged, the record has no findings.
func New(c Change, s *life.State) *Record {
	c.At = c.At.UTC().Truncate(time.Second)
	r := &Record{Change: c}
	if c.Outcome != Merged {
		return r
	}
	for _, e := range s.Findings {
		r.Findings = append(r.Findings, Finding{
			ID: e.ID, Rule: e.Rule, Category: e.Category, Severity: e.Severity, Path: e.Path, Line: e.Line, Symbol: e.Symbol, Quote: e.Quote,
			Message: e.Message, Pattern: e.Pattern, Status: e.Status, FirstSeen: e.FirstSeen, FixedBy: e.FixedBy(), History: e.History,
		})
	}
	return r
}

// Encode formats the record.
func (r *Record) Encode() ([]byte, error) {
	if err := r.check(r.Key); err != nil {
		return nil, fmt.Errorf("record of %s: %w", r.Key, err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(r.Change)
	for i := range r.Findings {
		f := r.Findings[i]
		f.Path = canonical.Path(f.Path)
		err = errors.Join(err, e.Encode(f))
	}
	data := canonical.JSON(b.Bytes())
	if err == nil && len(data) > largest {
		err = fmt.Errorf("its %d findings take more than %d MB", len(r.Findings), largest>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("record of %s: %w", r.Key, err)
	}
	return data, nil
}

// largest is the size limit in bytes, as for the state that a record is made from.
const largest = life.LargestState

// Decode parses the record of a change. Unknown fields are errors that name the line.
func Decode(key string, data []byte) (*Record, error) {
	r, err := decode(data)
	if err == nil {
		err = r.check(key)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Path(key), err)
	}
	return r, nil
}

func decode(data []byte) (*Record, error) {
	if len(data) > largest {
		return nil, fmt.Errorf("larger than %d MB", largest>>20)
	}
	r, number := &Record{}, 0
	for line := range bytes.Lines(data) {
		number++
		var err error
		if number == 1 {
			err = strict(line, &r.Change)
		} else {
			var f Finding
			if err = strict(line, &f); err == nil {
				f.Path, err = canonical.ParsePath(f.Path)
			}
			r.Findings = append(r.Findings, f)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if number == 0 {
		return nil, errors.New("it is empty")
	}
	return r, nil
}

func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows on the line")
	}
	return nil
}

func (r *Record) check(key string) error {
	switch {
	case r.Key != key:
		return fmt.Errorf("it is about %q", r.Key)
	case CheckKey(key) != nil:
		return CheckKey(key)
	case r.Outcome != Merged && r.Outcome != Unmerged:
		return fmt.Errorf("outcome %q is none", r.Outcome)
	case r.Outcome == Unmerged && len(r.Findings) > 0:
		return errors.New("it has findings of a change that was not merged")
	case r.At.Year() < 1 || r.At.Year() > 9999:
		return fmt.Errorf("its time %s is none", r.At)
	}
	seen := map[string]bool{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.ID == "" || f.Rule == "" || f.Path == "" || f.Line < 1 || !f.Severity.Valid() || seen[f.ID] {
			return fmt.Errorf("line %d: finding %.40q lacks a unique id, a rule, a place or a severity", i+2, f.ID)
		}
		seen[r.Findings[i].ID] = true
	}
	return nil
}

// Kept reads records.
type Kept interface {
	Read(name string) ([]byte, error)
	List(dir string) ([]string, error)
}

// All reads the records of all changes. An unreadable record is an error, because skipping it would lose data
// silently.
func All(files Kept) ([]*Record, error) {
	names, err := files.List(Dir)
	if err != nil {
		return nil, err
	}
	var all []*Record
	for _, name := range names {
		key, ok := KeyOf(name)
		if !ok {
			continue
		}
		data, err := files.Read(name)
		if err != nil {
			return nil, err
		}
		r, err := Decode(key, data)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Files stores records.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
}

// Save writes a record, and reports whether it did. An existing record stays unchanged.
func Save(files Files, r *Record) (bool, error) {
	data, err := r.Encode()
	if err != nil {
		return false, err
	}
	if _, err := files.Read(Path(r.Key)); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	_, err = files.Write(Path(r.Key), data)
	return err == nil, err
}

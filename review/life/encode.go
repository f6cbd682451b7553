package life

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/review/finding"
)

// formVersion is the version of the state format. Other versions are rejected.
const formVersion = 1

// Limits of a state. It comes with a pull request or from a file, so it is untrusted input.
const (
	// LargestState is the size limit in bytes, for some fifty thousand findings.
	LargestState  = 16 << 20
	mostFindings  = 50_000
	longestQuote  = 200  // bytes of code
	longestSaying = 1000 // bytes of a message
)

type document struct {
	Version  int      `json:"version"`
	Findings []stored `json:"findings"`
}

type stored struct {
	ID        string           `json:"id"`
	Rule      string           `json:"rule"`
	Category  finding.Category `json:"category,omitempty"`
	Severity  finding.Severity `json:"severity"`
	Path      string           `json:"path"`
	Line      int              `json:"line"`
	EndLine   int              `json:"end_line"`
	Side      finding.Side     `json:"side"`
	Symbol    string           `json:"symbol,omitempty"`
	Scope     string           `json:"scope,omitempty"`
	Quote     string           `json:"quote,omitempty"`
	Message   string           `json:"message,omitempty"`
	Pattern   string           `json:"pattern,omitempty"`
	Principle *string          `json:"principle,omitempty"`
	Anchor    string           `json:"anchor,omitempty"`
	Context   string           `json:"context,omitempty"`
	Blob      string           `json:"blob,omitempty"`
	Said      string           `json:"said"`
	Status    Status           `json:"status"`
	FirstSeen string           `json:"first_seen,omitempty"`
	Why       string           `json:"why,omitempty"`
	History   []Event          `json:"history"`
}

// Encode writes the state as text with one finding per line. Equal states give equal bytes.
func (s *State) Encode() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"version":%d,"findings":[`, formVersion)
	for i, e := range s.Findings {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if err := line(&b, e.stored()); err != nil {
			return nil, fmt.Errorf("encode %s: %w", e.ID, err)
		}
	}
	b.WriteString("\n]}\n")
	if b.Len() > LargestState || len(s.Findings) > mostFindings {
		return nil, fmt.Errorf("encode the state of the change: its %d findings are more than the %d, or %d MB, that are kept", len(s.Findings), mostFindings, LargestState>>20)
	}
	return b.Bytes(), nil
}

func line(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	b.Truncate(b.Len() - min(1, b.Len()))
	return err
}

func (e *Entry) stored() stored {
	return stored{
		e.ID, e.Rule, e.Category, e.Severity, canonical.Path(e.Path), e.Line, e.EndLine, e.Side, e.Symbol, e.Scope, clip(e.Quote, longestQuote),
		clip(e.Message, longestSaying), e.Pattern, e.Principle, e.Anchor, e.Context, e.Blob, e.Said, e.Status, e.FirstSeen, e.Why, e.History,
	}
}

func clip(text string, most int) string {
	if text = strings.ToValidUTF8(text, "\ufffd"); len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// Decode reads the output of Encode. Unknown fields and invalid values are errors that name the line.
func Decode(data []byte) (*State, error) {
	s, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("state of the change: %w", err)
	}
	return s, nil
}

func decode(data []byte) (*State, error) {
	if len(data) > LargestState {
		return nil, fmt.Errorf("larger than %d MB", LargestState>>20)
	}
	var doc document
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return nil, where(data, d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: something follows", lineAt(data, d.InputOffset()))
	}
	if doc.Version != formVersion {
		return nil, fmt.Errorf("version %d, and this program reads %d", doc.Version, formVersion)
	}
	if len(doc.Findings) > mostFindings {
		return nil, fmt.Errorf("%d findings, more than %d", len(doc.Findings), mostFindings)
	}
	s, seen := &State{}, map[string]bool{}
	for i := range doc.Findings {
		e, err := doc.Findings[i].entry()
		if err == nil && seen[e.ID] {
			err = errors.New("its id comes twice")
		}
		if err != nil {
			return nil, fmt.Errorf("finding %d, %.40q: %w", i+1, doc.Findings[i].ID, err)
		}
		seen[e.ID] = true
		s.Findings = append(s.Findings, e)
	}
	s.sort()
	return s, nil
}

func where(data []byte, d *json.Decoder, err error) error {
	at := d.InputOffset()
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = wrong.Offset
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = wrong.Offset
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = int64(len(data)), errors.New("it ends too early")
	}
	return fmt.Errorf("line %d: %w", lineAt(data, at), err)
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}

func (f *stored) entry() (*Entry, error) {
	path, err := canonical.ParsePath(f.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case !strings.HasPrefix(f.ID, "f-"):
		return nil, errors.New("its id does not begin with f-")
	case f.Rule == "":
		return nil, errors.New("it has no rule")
	case !fs.ValidPath(strings.ToValidUTF8(path, "x")) || path == ".":
		return nil, fmt.Errorf("%q is no path of a repository", path)
	case f.Line < 1 || f.EndLine < f.Line:
		return nil, fmt.Errorf("lines %d to %d are none", f.Line, f.EndLine)
	case f.Side != finding.Right && f.Side != finding.Left:
		return nil, fmt.Errorf("side %q is none", f.Side)
	case !f.Severity.Valid():
		return nil, fmt.Errorf("severity %q is none", f.Severity)
	case !slices.Contains(statuses, f.Status):
		return nil, fmt.Errorf("status %q is none", f.Status)
	case len(f.History) == 0 || len(f.History) > mostEvents:
		return nil, fmt.Errorf("%d events, and there are from 1 to %d", len(f.History), mostEvents)
	}
	for _, event := range f.History {
		if event.Event == "" {
			return nil, errors.New("an event of its history is none")
		}
	}
	return &Entry{
		Finding: finding.Finding{
			ID: f.ID, Rule: f.Rule, Category: f.Category, Severity: f.Severity, Path: path, Line: f.Line, EndLine: f.EndLine, Side: f.Side,
			Symbol: f.Symbol, Scope: f.Scope, Quote: f.Quote, Message: f.Message, Pattern: f.Pattern, Principle: f.Principle, Anchor: f.Anchor,
			Context: f.Context, Blob: f.Blob,
		},
		Status: f.Status, FirstSeen: f.FirstSeen, Said: f.Said, Why: f.Why, History: f.History,
	}, nil
}

// Package session stores sessions. A session has one trigger: a push, a pull request event, a command, a question, or
// the run of a coding agent. It holds the prompt, the files and the call tree as YAML, one file per session. Later
// sessions compare with it to find invalidated and resumable frames.
package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// Role is a session's use of a file.
type Role string

// Roles of files.
const (
	Read     Role = "read"
	Modified Role = "modified"
	Created  Role = "created"
	Deleted  Role = "deleted" // has no hash
)

// FileRecord is a file in scope.
type FileRecord struct {
	Path string `yaml:"-"` // the key in Artifacts.Files, as canonical.Path writes it
	Hash string `yaml:"hash,omitempty"`
	Role Role   `yaml:"role"`
}

// Artifacts is the data for comparisons with other sessions.
type Artifacts struct {
	SessionID     string `yaml:"session_id"`
	InitialPrompt string `yaml:"initial_prompt,omitempty"` // reason why the session started
	// RootFrameID is the root of the call tree, or empty without one.
	RootFrameID     string `yaml:"root_frame_id,omitempty"`
	ConversationLog string `yaml:"conversation_log,omitempty"` // path to the raw transcript
	// Commit is the checked-out commit, or empty if a source differed from it. Date is its day.
	Commit string `yaml:"commit,omitempty"`
	Date   string `yaml:"date,omitempty"`
	// Files holds the files of the trigger or the question by path. The inputs of a conclusion are in its evidence.
	Files map[string]FileRecord `yaml:"-"`
	// Concluded lists the conclusions that are stored with their units, sorted by unit.
	Concluded []Conclusion `yaml:"-"`
}

// Note records a change of a file. The hash is empty if the file does not exist before or after.
func (a *Artifacts) Note(path, before, after string) {
	r := FileRecord{Path: canonical.Path(path), Hash: after, Role: Modified}
	switch {
	case after == "":
		r.Role = Deleted
	case before == "":
		r.Role = Created
	}
	if a.Files == nil {
		a.Files = map[string]FileRecord{}
	}
	a.Files[r.Path] = r
}

// Conclusion links a unit to the frame that concluded it.
type Conclusion struct {
	Unit   string // "module/internal/auth"
	Frame  string // ID of the frame
	Digest string // digest of the stored conclusion
	// Evidence is the evidence of the conclusion at that time.
	Evidence []fact.Observation
}

// Record is a stored session.
type Record struct {
	Artifacts
	Tree *frame.Tree
}

// ID derives a session's ID from its prompt and files, so a redelivered trigger is the same session.
func ID(prompt string, files map[string]FileRecord) string {
	h := sha256.New()
	add := func(part string) {
		h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	add(prompt)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		add(path)
		add(files[path].Hash)
		add(string(files[path].Role))
	}
	return "s-" + hex.EncodeToString(h.Sum(nil)[:6])
}

// check validates a record. Texts must be UTF-8, as YAML requires.
func (r Record) check() error {
	if r.SessionID == "" {
		return errors.New("session_id is missing")
	}
	for _, text := range []string{r.SessionID, r.InitialPrompt, r.RootFrameID, r.ConversationLog, r.Commit, r.Date} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is not valid UTF-8", text)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		if err := r.Files[path].check(path); err != nil {
			return fmt.Errorf("file %q: %w", path, err)
		}
	}
	if err := checkConcluded(r.Concluded); err != nil {
		return err
	}
	return r.checkTree()
}

func checkConcluded(list []Conclusion) error {
	for i, c := range list {
		switch {
		case c.Unit == "" || c.Frame == "" || c.Digest == "":
			return fmt.Errorf("conclusion %d lacks a unit, a frame or a digest", i+1)
		case strings.ContainsAny(c.Frame+c.Digest, " \n\"") || !utf8.ValidString(c.Frame+c.Digest):
			return fmt.Errorf("conclusion of %q: frame and digest must be single words in UTF-8", c.Unit)
		case i > 0 && list[i-1].Unit >= c.Unit:
			return fmt.Errorf("conclusions are not sorted by unit, or %q is there twice", c.Unit)
		}
	}
	return nil
}

func (f FileRecord) check(path string) error {
	switch {
	case path == "":
		return errors.New("the path is empty")
	case f.Path != path:
		return fmt.Errorf("it is recorded under another path, %q", f.Path)
	case (f.Hash == "") != (f.Role == Deleted):
		return errors.New("hash is missing, or given of a deleted file")
	case !utf8.ValidString(path) || !utf8.ValidString(f.Hash):
		return errors.New("path or hash is not valid UTF-8")
	case !slices.Contains([]Role{Read, Modified, Created, Deleted}, f.Role):
		return fmt.Errorf("unknown role %q: it is read, modified, created or deleted", f.Role)
	}
	return nil
}

func (r Record) checkTree() error {
	if r.Tree == nil {
		return errors.New("there is no call tree")
	}
	if got := r.Tree.SessionID(); got != r.SessionID {
		return fmt.Errorf("the call tree is of session %q", got)
	}
	roots := r.Tree.Roots()
	if len(roots) > 0 && !slices.Contains(roots, r.RootFrameID) || len(roots) == 0 && r.RootFrameID != "" && len(r.Concluded) == 0 {
		return fmt.Errorf("root_frame_id %q is not a root of the call tree", r.RootFrameID)
	}
	return nil
}

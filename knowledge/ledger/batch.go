package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

// Batch is a log file of events in canonical form, one per line. It is immutable.
type Batch struct {
	Path string // relative to the repository's root
	Data []byte
	// Events holds the IDs of the events in a new batch.
	Events []ID
}

// Limits of one batch. Readers load a whole batch into memory, and it may be untrusted.
const (
	MostBatch  = 1 << 20 // bytes
	mostEvents = 1000
)

// BatchPath returns the path of a batch, which contains the SHA-256 of its bytes. Equal batches are one file.
func BatchPath(data []byte) string {
	name := sumOf(data)
	return path.Join(store.Log, name[:2], name+batchEnding)
}

const batchEnding = ".jsonl"

// IsBatch reports whether a path is that of a batch.
func IsBatch(file string) bool {
	return strings.HasPrefix(file, store.Log+"/") && path.Ext(file) == batchEnding
}

func batches(events []Event) []Batch {
	var out []Batch
	var b Batch
	flush := func() {
		if len(b.Events) > 0 {
			b.Path = BatchPath(b.Data)
			out = append(out, b)
		}
		b = Batch{}
	}
	for i := range events {
		line := append(events[i].canonical(true), '\n')
		if len(b.Events) == mostEvents || len(b.Data)+len(line) > MostBatch {
			flush()
		}
		b.Data, b.Events = append(b.Data, line...), append(b.Events, events[i].ID)
	}
	flush()
	return out
}

// Kind is the kind of a Problem.
type Kind string

// Kinds of problems.
const (
	Edited     Kind = "edited"          // a file or an event does not match its name
	Missing    Kind = "missing"         // a file was removed
	Dangling   Kind = "dangling_parent" // an event names a missing one
	Truncated  Kind = "truncated"       // events that a checkpoint has seen are missing
	Rewritten  Kind = "rewritten"       // the log has other events than a checkpoint has seen, or a checkpoint is forged
	Unreadable Kind = "unreadable"      // not a valid event, key or checkpoint of this version
)

// Problem is a defect of the log, with its event, file and commit if known.
type Problem struct {
	Kind   Kind   `json:"kind"`
	Event  ID     `json:"event,omitempty"`
	File   string `json:"file,omitempty"`
	Commit string `json:"commit,omitempty"`
	Detail string `json:"detail"`
}

func (b Batch) read() (events []Event, problems []Problem) {
	report := func(kind Kind, id ID, format string, args ...any) {
		problems = append(problems, Problem{Kind: kind, Event: id, File: b.Path, Detail: fmt.Sprintf(format, args...)})
	}
	if len(b.Data) > MostBatch {
		report(Unreadable, "", "it has %d bytes, and %d are the most", len(b.Data), MostBatch)
		return nil, problems
	}
	if BatchPath(b.Data) != b.Path {
		b.Data = bytes.ReplaceAll(b.Data, []byte("\r\n"), []byte("\n")) // git's line ends on Windows
	}
	if BatchPath(b.Data) != b.Path {
		report(Edited, "", "its content does not match its name")
	}
	n := 0
	for line := range bytes.Lines(b.Data) {
		n++
		e, err := decode(bytes.TrimSuffix(line, []byte("\n")))
		switch {
		case n > mostEvents:
			report(Unreadable, "", "it has more than %d events", mostEvents)
			return events, problems
		case err == nil && line[len(line)-1] == '\n':
			events = append(events, e)
		case err == nil:
			report(Edited, e.ID, "line %d: it does not end", n)
		case errors.Is(err, errEdited):
			report(Edited, e.ID, "line %d: %v", n, err)
		default:
			report(Unreadable, e.ID, "line %d: %v", n, err)
		}
	}
	if n == 0 {
		report(Edited, "", "it is empty")
	}
	return events, problems
}

package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
)

// Batch is a file of the log: events, one a line, each in its canonical form. It is never written again.
type Batch struct {
	Path string // relative to the repository's root
	Data []byte
	// Events are the ids of those in one that was made here.
	Events []ID
}

// Limits of one batch. A reader takes a whole one into memory, whoever wrote it.
const (
	MostBatch  = 1 << 20 // bytes
	mostEvents = 1000
)

// BatchPath is where a batch lies: it is named by the SHA-256 of its bytes, so that two with the same events are one file, and two with
// others never the same.
func BatchPath(data []byte) string {
	name := sumOf(data)
	return path.Join(store.Log, name[:2], name+batchEnding)
}

const batchEnding = ".jsonl"

// IsBatch reports whether a path is where a batch lies.
func IsBatch(file string) bool {
	return strings.HasPrefix(file, store.Log+"/") && path.Ext(file) == batchEnding
}

// batches are the files that hold some events, in their order.
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

// Kind says what is wrong with the log.
type Kind string

// The kinds of problems.
const (
	Edited     Kind = "edited"          // a file or an event is another than its name says
	Missing    Kind = "missing"         // a file was there, and is not any more
	Dangling   Kind = "dangling_parent" // an event names one that is not there
	Truncated  Kind = "truncated"       // a checkpoint has seen events that are not there any more
	Rewritten  Kind = "rewritten"       // the log has other events than a checkpoint has seen, or a checkpoint is forged
	Unreadable Kind = "unreadable"      // no event, key or checkpoint of this version
)

// Problem is one thing that is wrong with the log, with the event, the file and the commit where that is known.
type Problem struct {
	Kind   Kind   `json:"kind"`
	Event  ID     `json:"event,omitempty"`
	File   string `json:"file,omitempty"`
	Commit string `json:"commit,omitempty"`
	Detail string `json:"detail"`
}

// read returns the events of a batch that are what their ids say, and what is wrong with it and with others.
func (b Batch) read() (events []Event, problems []Problem) {
	report := func(kind Kind, id ID, format string, args ...any) {
		problems = append(problems, Problem{Kind: kind, Event: id, File: b.Path, Detail: fmt.Sprintf(format, args...)})
	}
	if len(b.Data) > MostBatch {
		report(Unreadable, "", "it has %d bytes, and %d are the most", len(b.Data), MostBatch)
		return nil, problems
	}
	if BatchPath(b.Data) != b.Path {
		b.Data = bytes.ReplaceAll(b.Data, []byte("\r\n"), []byte("\n")) // as git checks text out on Windows
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

package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// version is the version of the event format. Readers reject others, whose fields may change an event's meaning.
const version = 1

// canonical returns the canonical JSON of an event (RFC 8785). All its numbers are small integers.
func (e *Event) canonical(withID bool) []byte {
	line, _, _ := e.written(withID)
	return line
}

func (e *Event) written(withID bool) (line []byte, from, to int) {
	w := &writer{append(make([]byte, 0, 512), '{')}
	w.text("about", e.About)
	w.text("actor", e.Actor)
	w.text("at", e.At)
	w.text("cause", string(e.Cause))
	w.ids("considers", e.Considers)
	w.text("effect", string(e.Effect))
	from = len(w.b)
	if withID {
		w.text("id", string(e.ID))
	}
	to = len(w.b)
	if from == 1 {
		to++ // with the comma before lamport
	}
	w.number("lamport", e.Lamport)
	w.ids("parents", e.Parents)
	w.text("relationship", e.Relationship)
	w.ids("resolves", e.Resolves)
	w.text("source", e.Source)
	if e.Supersedes {
		w.key("supersedes")
		w.b = append(w.b, "true"...)
	}
	w.ids("targets", e.Targets)
	w.text("text", e.Text)
	w.text("type", string(e.Type))
	w.number("v", version)
	return append(w.b, '}'), from, to
}

func (e *Event) identify() ID { return identity(e.canonical(false)) }

func identity(said []byte) ID {
	sum := sha256.Sum256(said)
	return ID(hex.EncodeToString(sum[:]))
}

type writer struct{ b []byte }

func (w *writer) key(name string) {
	if len(w.b) > 1 {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, `":`...)
}

func (w *writer) text(name, value string) {
	if value != "" {
		w.key(name)
		w.quoted(value)
	}
}

func (w *writer) number(name string, n int64) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) ids(name string, list []ID) {
	if len(list) == 0 {
		return
	}
	w.key(name)
	w.b = append(w.b, '[')
	for i, id := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.quoted(string(id))
	}
	w.b = append(w.b, ']')
}

var shorts = map[byte]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}

// quoted writes a string as in RFC 8785. encoding/json escapes more.
func (w *writer) quoted(s string) {
	w.b = append(w.b, '"')
	begin := 0 // start of the text without escapes
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		w.b = append(w.b, s[begin:i]...)
		if short, ok := shorts[c]; ok {
			w.b = append(w.b, '\\', short)
		} else {
			w.b = fmt.Appendf(w.b, `\u%04x`, c)
		}
		begin = i + 1
	}
	w.b = append(append(w.b, s[begin:]...), '"')
}

var errEdited = errors.New("its id does not match its content")

// decode parses one line of a batch, which must be canonical and match its ID: the comparison with its canonical form finds
// unknown fields. On error it returns the ID if known.
func decode(line []byte) (Event, error) {
	var e struct {
		Event
		V int
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return Event{}, fmt.Errorf("it is no event: %w", err)
	}
	if !e.ID.valid() {
		return Event{}, fmt.Errorf("%q is no id of an event", e.ID)
	}
	if e.V > version {
		return e.Event, fmt.Errorf("it was written by a newer version of causal (form %d, this one reads %d)", e.V, version)
	}
	whole, from, to := e.written(true)
	if !bytes.Equal(whole, line) || identity(slices.Delete(whole, from, to)) != e.ID {
		return e.Event, errEdited
	}
	return e.Event, e.check()
}

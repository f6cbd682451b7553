package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// mostOfEvent bounds an event, in bytes: a tool response may be a whole file.
	mostOfEvent = 32 << 20
	// mostOfValue bounds the part of a prompt or a tool response that is considered, in bytes.
	mostOfValue = 128 << 10
)

// The handled events.
const (
	sessionStart = "SessionStart"
	userPrompt   = "UserPromptSubmit"
	postToolUse  = "PostToolUse"
	stop         = "Stop"
)

// Events are the events that Install registers.
var Events = []string{sessionStart, userPrompt, postToolUse, stop}

// event is one event of the agent. Missing fields and fields of an unexpected type are empty.
type event struct {
	name       string
	session    string // the agent's id, in any format
	transcript string
	dir        string
	source     string // of a SessionStart: startup, resume, clear or compact
	prompt     string
	tool       string
	use        string
	input      value
	response   value
	message    string // the agent's last message
}

// readEvent returns all members that precede an error.
func readEvent(in io.Reader) (event, error) {
	m, err := members(io.LimitReader(in, mostOfEvent))
	text := func(name string) string { return m[name].string() }
	return event{
		name: text("hook_event_name"), session: text("session_id"), transcript: text("transcript_path"), dir: text("cwd"), source: text("source"),
		prompt: text("prompt"), tool: text("tool_name"), use: text("tool_use_id"), input: m["tool_input"], response: m["tool_response"],
		message: text("last_assistant_message"),
	}, err
}

// longestKey bounds names within an event, in bytes.
const longestKey = 256

// value is the JSON text of a value.
type value []byte

// members reads the members of a JSON object from a stream, in any order. It returns all members that precede an error.
// It stops at the end of the object, without waiting for more input.
func members(in io.Reader) (map[string]value, error) {
	d := json.NewDecoder(in)
	out := map[string]value{}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return out, errors.Join(errors.New("it does not begin as a JSON object"), err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return out, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return out, fmt.Errorf("the value of %.40q: %w", name, err)
		}
		out[name.(string)] = value(v)
	}
	_, err := d.Token() // the end
	return out, err
}

// string returns the text of a string; empty for other types.
func (v value) string() string {
	var s string
	_ = json.Unmarshal(v, &s)
	return s
}

// members returns the members of an object; none for other types.
func (v value) members() map[string]value {
	out, _ := members(bytes.NewReader(v))
	return out
}

// plain returns a string's text, or the JSON text of another value.
func (v value) plain() string {
	if len(v) > 0 && v[0] == '"' {
		return v.string()
	}
	return strings.TrimSpace(string(v))
}

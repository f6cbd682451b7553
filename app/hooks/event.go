package hooks

import (
	"io"
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

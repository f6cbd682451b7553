package hooks

import (
	"io"
)

// mostOfValue is how much is looked at of one value that the agent sends: the answer of a tool may be a whole file.
const mostOfValue = 128 << 10

// The events that something is done for.
const (
	sessionStart = "SessionStart"
	userPrompt   = "UserPromptSubmit"
	postToolUse  = "PostToolUse"
	stop         = "Stop"
)

// Events are those that Install asks the agent for.
var Events = []string{sessionStart, userPrompt, postToolUse, stop}

// event is what the agent tells of one event. A field that is missing or of another type than expected is empty.
type event struct {
	name       string
	session    string // as the agent calls it: anything at all
	transcript string
	dir        string // where the agent works
	source     string // of a start: startup, resume, clear or compact
	prompt     string
	tool       string
	use        string // id of the tool's use
	input      value
	response   value
	message    string // what the agent said last
}

// readEvent reads what it can. With an error, what came before that is returned.
func readEvent(in io.Reader) (event, error) {
	m, err := members(in, mostOfValue)
	text := func(name string) string { return m[name].string() }
	return event{
		name: text("hook_event_name"), session: text("session_id"), transcript: text("transcript_path"), dir: text("cwd"), source: text("source"),
		prompt: text("prompt"), tool: text("tool_name"), use: text("tool_use_id"), input: m["tool_input"], response: m["tool_response"],
		message: text("last_assistant_message"),
	}, err
}

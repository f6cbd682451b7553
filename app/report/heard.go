package report

// Heard is the result of a command in a comment about decisions: a recorded or rejected event, or an answer.
type Heard struct {
	// Event is the recorded event, or the one that was asked about.
	Event *Event `json:"event,omitempty"`
	// Touched are the positions that the event affected, with their new status.
	Touched []Event `json:"touched,omitempty"`
	// Reason and Detail say why nothing was recorded or found; Candidates are possible matches.
	Reason     string  `json:"reason,omitempty"`
	Detail     string  `json:"detail,omitempty"`
	Candidates []Event `json:"candidates,omitempty"`
	// Trail is the history of the event, the earliest first.
	Trail []Event `json:"trail,omitempty"`
	// State lists the current positions; nil if the command asked for something else.
	State *State `json:"state,omitempty"`
}

// Event is a short form of an event of the log.
type Event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Text     string `json:"text"`
	Status   string `json:"status,omitempty"`
	Standing string `json:"standing,omitempty"`
	Actor    string `json:"actor,omitempty"`
	At       string `json:"at,omitempty"`
}

// State lists the first positions of each status.
type State struct {
	Settled      []Event `json:"settled,omitempty"`
	Contested    []Event `json:"contested,omitempty"`
	Unchallenged []Event `json:"unchallenged,omitempty"`
	Open         []Event `json:"open,omitempty"` // objections without an answer
	Past         []Event `json:"past,omitempty"` // only if the command names a subject
	Left         int     `json:"left,omitempty"` // omitted positions
	AsOf         string  `json:"as_of"`          // scope of the log
}

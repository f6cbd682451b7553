package report

// Heard is what became of what somebody said about decisions: an event was recorded, or was not, or a question was answered.
type Heard struct {
	// Event is the one that was recorded, or that was asked about.
	Event *Event `json:"event,omitempty"`
	// Touched are the positions that it did something to, as they are now.
	Touched []Event `json:"touched,omitempty"`
	// Reason is why nothing was recorded or found, Detail says it in words, and Candidates are what may have been meant.
	Reason     string  `json:"reason,omitempty"`
	Detail     string  `json:"detail,omitempty"`
	Candidates []Event `json:"candidates,omitempty"`
	// Trail is how something came to what it is, the earliest first.
	Trail []Event `json:"trail,omitempty"`
	// State is what is thought now; nil where that was not the question.
	State *State `json:"state,omitempty"`
}

// Event is one of the log, as much of it as stands in a line.
type Event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Text     string `json:"text"`
	Status   string `json:"status,omitempty"`
	Standing string `json:"standing,omitempty"`
	Actor    string `json:"actor,omitempty"`
	At       string `json:"at,omitempty"`
}

// State is what is thought now, with as many of each as there is room for.
type State struct {
	Settled      []Event `json:"settled,omitempty"`
	Contested    []Event `json:"contested,omitempty"`
	Unchallenged []Event `json:"unchallenged,omitempty"`
	Open         []Event `json:"open,omitempty"` // objections that nobody answered
	Past         []Event `json:"past,omitempty"` // of what was asked about
	Left         int     `json:"left,omitempty"` // how many more there are
	AsOf         string  `json:"as_of"`          // how far it goes
}

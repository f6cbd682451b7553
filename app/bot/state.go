package bot

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
)

// state is what is known of the analysis of a pull request. It lives in the pull request: in a comment, signed, so that
// nobody else can make it say something.
type state struct {
	Head    string `json:"head"` // the commit that was analysed
	Session string `json:"session"`
	Status  string `json:"status"`
	Aside   string `json:"aside,omitempty"` // the session that keeps a suspended one in the repository

	Push   string   `json:"push,omitempty"`   // what Head meant for what was analysed before: one of the words below
	Named  []string `json:"named,omitempty"`  // the findings that have a short name, by id: F1 is the first
	Read   int64    `json:"read,omitempty"`   // the last comment with a command that was read
	Beside int64    `json:"beside,omitempty"` // the last one of those beside lines
	Paused bool     `json:"paused,omitempty"` // whether reviews are
	From   int      `json:"from,omitempty"`   // the pull request whose review was taken over
	// Review is what is known of the findings, as the sandbox packs it.
	Review []byte `json:"-"`
}

// What may be the state of an analysis, in the words of the frames.
const (
	active    = "active"
	suspended = "suspended"
	completed = "completed"
)

// What a new head means for the analysis of an earlier one.
const (
	refined     = "refined"
	resumed     = "resumed"
	backtracked = "backtracked"
)

const (
	stateOpen  = "<!-- causal:state "
	stateClose = " -->"
)

// sign writes a state as a line that Markdown does not show: what the state is, what is known of the findings, and a signature of both.
func (b *Bot) sign(repository int64, number int, s state) string {
	data, _ := json.Marshal(s) // texts, numbers and flags: it cannot fail
	text := base64.RawURLEncoding.EncodeToString(data) + "." + base64.RawURLEncoding.EncodeToString(s.Review)
	return stateOpen + text + "." + b.signature(repository, number, text) + stateClose
}

// signature names the repository and the pull request: what is copied into another says nothing there.
func (b *Bot) signature(repository int64, number int, text string) string {
	h := hmac.New(sha256.New, b.config.Secret)
	fmt.Fprintf(h, "repository %d, pull request %d: %s", repository, number, text)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// read finds the state in a comment; the zero state when there is none that this server signed for this pull request.
func (b *Bot) read(repository int64, number int, body string) state {
	_, rest, found := strings.Cut(body, stateOpen)
	signed, _, closed := strings.Cut(rest, stateClose)
	at := strings.LastIndexByte(signed, '.')
	if !found || !closed || at < 0 || !hmac.Equal([]byte(signed[at+1:]), []byte(b.signature(repository, number, signed[:at]))) {
		return state{}
	}
	text, packed, _ := strings.Cut(signed[:at], ".") // older versions kept nothing of findings
	var s state
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return state{}
	}
	if s.Review, err = base64.RawURLEncoding.DecodeString(packed); err != nil {
		return state{}
	}
	return s
}

func withoutState(body string) string {
	before, _, _ := strings.Cut(body, stateOpen)
	return strings.TrimRight(before, "\n")
}

// priorOf is the state of the earlier analysis, and what people have said since; of a fork's and of the bot's own pull request nothing is
// kept.
func (b *Bot) priorOf(ctx context.Context, c Client, repository int64, p github.Pull) (state, []github.Said, error) {
	if p.Fork || own(p) {
		return state{}, nil, nil
	}
	comment, found, said, err := c.Conversation(ctx, p.Number, summary.Marker)
	if err != nil || !found {
		return state{}, said, err
	}
	return b.read(repository, p.Number, comment.Body), said, nil
}

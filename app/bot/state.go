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

// state is the state of a pull request's analysis. It is stored in a signed comment of the pull request.
type state struct {
	Head    string `json:"head"` // the analyzed commit
	Session string `json:"session"`
	Status  string `json:"status"`
	Aside   string `json:"aside,omitempty"` // the stored session of a suspended analysis

	Push   string   `json:"push,omitempty"`   // how Head relates to the earlier analysis: refined, resumed or backtracked
	Named  []string `json:"named,omitempty"`  // ids of findings with a short name: F1 is the first
	Read   int64    `json:"read,omitempty"`   // the last comment read with a command
	Beside int64    `json:"beside,omitempty"` // the last review comment read with a command
	Paused bool     `json:"paused,omitempty"`
	From   int      `json:"from,omitempty"` // the pull request whose review was taken over
	// Review is the packed state of the findings.
	Review []byte `json:"-"`
}

// The status of an analysis, in the terms of frames.
const (
	active    = "active"
	suspended = "suspended"
	completed = "completed"
)

// How a new head relates to the earlier analysis.
const (
	refined     = "refined"
	resumed     = "resumed"
	backtracked = "backtracked"
)

const (
	stateOpen  = "<!-- causal:state "
	stateClose = " -->"
)

// sign encodes a state as an HTML comment: the state, the findings, and a signature of both.
func (b *Bot) sign(repository int64, number int, s state) string {
	data, _ := json.Marshal(s) // texts, numbers and flags cannot fail
	text := base64.RawURLEncoding.EncodeToString(data) + "." + base64.RawURLEncoding.EncodeToString(s.Review)
	return stateOpen + text + "." + b.signature(repository, number, text) + stateClose
}

// signature includes the repository and the pull request, so a copied comment is invalid elsewhere.
func (b *Bot) signature(repository int64, number int, text string) string {
	h := hmac.New(sha256.New, b.config.Secret)
	fmt.Fprintf(h, "repository %d, pull request %d: %s", repository, number, text)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// read returns the state in a comment, the zero state without a valid signature.
func (b *Bot) read(repository int64, number int, body string) state {
	_, rest, found := strings.Cut(body, stateOpen)
	signed, _, closed := strings.Cut(rest, stateClose)
	at := strings.LastIndexByte(signed, '.')
	if !found || !closed || at < 0 || !hmac.Equal([]byte(signed[at+1:]), []byte(b.signature(repository, number, signed[:at]))) {
		return state{}
	}
	text, packed, _ := strings.Cut(signed[:at], ".") // older versions stored no findings
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

// priorOf returns the state of the earlier analysis and the new comments. Forks and the bot's own pull requests have no
// state.
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

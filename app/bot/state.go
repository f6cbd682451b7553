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

// sign writes a state as a line that Markdown does not show.
func (b *Bot) sign(repository int64, number int, s state) string {
	data, _ := json.Marshal(s) // strings only: it cannot fail
	text := base64.RawURLEncoding.EncodeToString(data)
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
	text, signature, dotted := strings.Cut(signed, ".")
	if !found || !closed || !dotted || !hmac.Equal([]byte(signature), []byte(b.signature(repository, number, text))) {
		return state{}
	}
	var s state
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return state{}
	}
	return s
}

func withoutState(body string) string {
	before, _, _ := strings.Cut(body, stateOpen)
	return strings.TrimRight(before, "\n")
}

// priorOf is the state of the earlier analysis; that of a fork and of the bot's own pull request is not kept.
func (b *Bot) priorOf(ctx context.Context, c Client, repository int64, p github.Pull) (state, error) {
	if p.Fork || own(p) {
		return state{}, nil
	}
	comment, found, err := c.Sticky(ctx, p.Number, summary.Marker)
	if err != nil || !found {
		return state{}, err
	}
	return b.read(repository, p.Number, comment.Body), nil
}

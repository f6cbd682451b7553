// Package answer builds causal's answers, as JSON and as text: current decisions, the history of an event, search
// results, and the reasons for a statement. The command line, the MCP server and comments share it, so all give the
// same answer.
package answer

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// JSON encodes an answer as indented JSON without terminal control characters.
func JSON(value any) ([]byte, error) {
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return plain.JSON(data.Bytes()), nil
}

// Scope says which part of the log an answer is based on.
type Scope struct {
	Heads    []ledger.ID         `json:"heads"`
	Events   int                 `json:"events"`
	Channels []reasoning.Channel `json:"channels"`
	History  string              `json:"history"`
	Gaps     []ledger.ID         `json:"gaps,omitempty"` // missing events that others refer to
}

// ScopeOf returns the scope of a log.
func ScopeOf(log *workspace.Ledger) Scope {
	history := "checked"
	if !log.Checked {
		history = "unchecked"
	}
	return Scope{append([]ledger.ID{}, log.Heads()...), len(log.Events()), reasoning.Channels(log.Log), history, log.Gaps()}
}

// ScopeText describes the scope of a log in one line.
func ScopeText(log *workspace.Ledger) string {
	text := reasoning.AsOf(log.Log)
	if !log.Checked {
		text += "; this clone is shallow, so causal cannot check whether the log lacks events"
	}
	return text
}

// LogWarning warns that a log has problems; empty if it has none.
func LogWarning(log *workspace.Ledger) string {
	if len(log.Problems) == 0 {
		return ""
	}
	text := "the log has " + summary.Count(len(log.Problems), "problem")
	if lacks := reasoning.Lacks(log.Log); lacks != "" {
		text += " (" + lacks + ")"
	}
	return text + "; this answer is based on the intact events only; see `causal verify`"
}

func day(at string) string {
	date, _, _ := strings.Cut(at, "T")
	return date
}

func short(id string) string { return id[:min(len(id), 10)] }

// longLine bounds the runes of a text in a line of several columns.
const longLine = 90

// Line returns the first line of a text, truncated.
func Line(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > longLine {
		return string(r[:longLine-1]) + "…"
	}
	return s
}

// ShellWord quotes a word for a shell if necessary.
func ShellWord(s string) string {
	if strings.HasPrefix(s, "#") || strings.ContainsAny(s, " \t\n\"'$`\\&|;<>()*?[]~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

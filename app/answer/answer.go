// Package answer is what causal answers, as JSON and as text: what is thought, what became of an event, what led to what, why something is
// believed. The command line, coding agents and comments ask for it here, so that all are told the same.
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

// JSON is an answer as a JSON object that no terminal obeys.
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

// Scope is how far the log goes that an answer follows from: what was said elsewhere is not known.
type Scope struct {
	Heads    []ledger.ID         `json:"heads"`
	Events   int                 `json:"events"`
	Channels []reasoning.Channel `json:"channels"`
	History  string              `json:"history"`
	Gaps     []ledger.ID         `json:"gaps,omitempty"` // missing events that others name
}

// ScopeOf tells how far a log goes.
func ScopeOf(log *workspace.Ledger) Scope {
	history := "checked"
	if !log.Checked {
		history = "unchecked"
	}
	return Scope{append([]ledger.ID{}, log.Heads()...), len(log.Events()), reasoning.Channels(log.Log), history, log.Gaps()}
}

// Told says how far an answer goes.
func Told(log *workspace.Ledger) string {
	text := reasoning.AsOf(log.Log)
	if !log.Checked {
		text += "; this clone is shallow, so causal cannot check whether the log lacks events"
	}
	return text
}

// Doubt says that a log is not whole, to whoever is told what follows from it; empty where it is.
func Doubt(log *workspace.Ledger) string {
	if len(log.Problems) == 0 {
		return ""
	}
	text := "the log has " + summary.Count(len(log.Problems), "problem")
	if lacks := reasoning.Lacks(log.Log); lacks != "" {
		text += " (" + lacks + ")"
	}
	return text + "; this answer is based on the intact events only; see `causal verify`"
}

// day is the day of a time.
func day(at string) string {
	date, _, _ := strings.Cut(at, "T")
	return date
}

// short is a commit as people are told of it.
func short(id string) string { return id[:min(len(id), 10)] }

// longLine is how much of a text stands in a line beside something else.
const longLine = 90

// Line is the beginning of a text.
func Line(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > longLine {
		return string(r[:longLine-1]) + "…"
	}
	return s
}

// ShellWord is a word as it is typed in a shell.
func ShellWord(s string) string {
	if strings.HasPrefix(s, "#") || strings.ContainsAny(s, " \t\n\"'$`\\&|;<>()*?[]~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

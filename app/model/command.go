package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/redact"
)

// command runs a program with the conversation on standard input and the answer on standard output. It runs in an empty
// directory, out of reach of the repository's files.
type command struct{ line string }

func newCommand(s Settings) provider { return &command{s.Command} }

const endAfter = 2 * time.Second // for a stopped program that keeps its output open

func (c *command) send(ctx context.Context, q prompt.Request, _ map[string]bool) (reply, error) {
	run, err := c.start(ctx)
	if err != nil {
		return reply{}, &answerError{err, ""}
	}
	dir, err := os.MkdirTemp("", "causal-model-")
	if err != nil {
		return reply{}, &answerError{err, ""}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out, complaint := &bounded{most: longestAnswer}, &bounded{most: longestError}
	run.Dir, run.WaitDelay = dir, endAfter
	run.Stdin, run.Stdout, run.Stderr = strings.NewReader(conversation(q)), out, complaint
	err = run.Run()
	switch {
	case out.over:
		return reply{}, &answerError{fmt.Errorf("%s printed more than %d bytes", run.Path, longestAnswer), prompt.NotTheForm}
	case err != nil:
		words := strings.TrimSpace(complaint.String())
		return reply{}, &answerError{fmt.Errorf("%s: %w: %s", run.Path, err, plain.Line(redact.Text(words), longestWords)), ""}
	}
	return asReply(out.String(), len(q.Tools) > 0), nil
}

// start looks up the whole setting as a program, then its first word with arguments.
func (c *command) start(ctx context.Context) (*exec.Cmd, error) {
	words := []string{c.line}
	name, err := exec.LookPath(c.line)
	if err != nil {
		if words = strings.Fields(c.line); len(words) == 0 {
			return nil, errors.New("no program is named")
		}
		if name, err = exec.LookPath(words[0]); err != nil {
			return nil, fmt.Errorf("%w: check %s", err, CommandSetting)
		}
	}
	if name, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	return exec.CommandContext(ctx, name, words[1:]...), nil
}

func conversation(q prompt.Request) string {
	var b strings.Builder
	b.WriteString(q.System + "\n\n")
	if len(q.Tools) > 0 {
		b.WriteString("Each of your answers is one call of a tool, as one JSON object {\"tool\": NAME, \"arguments\": {...}} and no other text. The tools:\n")
		for _, t := range allTools(q) {
			fmt.Fprintf(&b, "- %s: %s Arguments: %s\n", t.Name, t.Description, t.Schema)
		}
	} else {
		b.WriteString(formRule(q.Schema) + "\n")
	}
	for _, t := range q.Turns {
		if t.Role == prompt.Assistant {
			b.WriteString("\nYour answer was:\n" + t.Text)
			for _, call := range t.Calls {
				fmt.Fprintf(&b, "{\"tool\": %q, \"arguments\": %s}\n", call.Name, call.Arguments)
			}
			continue
		}
		for _, r := range t.Results {
			b.WriteString("\nThe result:\n" + r.Text + "\n")
		}
		b.WriteString("\n" + t.Text + "\n")
	}
	return b.String()
}

func asReply(text string, tools bool) reply {
	if !tools {
		return reply{text: text}
	}
	call, ok := calledIn(text)
	if !ok {
		return reply{text: text}
	}
	return reply{calls: []prompt.Call{call}}
}

// bounded keeps the beginning of its input.
type bounded struct {
	kept bytes.Buffer // not embedded: its ReadFrom would have no bound
	most int
	over bool
}

var errTooLong = errors.New("too much output")

func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.most {
		b.over = true
		return 0, errTooLong
	}
	return b.kept.Write(p)
}

func (b *bounded) String() string { return b.kept.String() }

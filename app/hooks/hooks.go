// Package hooks connects causal to a coding agent, which runs `causal hooks run` with an event on standard input. It
// records the files and conclusions of each session in the git directory, and reports invalidated conclusions and
// unfinished work to the next session.
//
// A hook must not disturb the agent: it ends quickly and silently, and logs its errors.
package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/session"
)

const (
	// Patience bounds a hook's run time; unfinished work is dropped.
	Patience = 4 * time.Second
	// lookFor bounds the staleness check at session start.
	lookFor = 2 * time.Second
	// largestLog is the size at which the log is rotated.
	largestLog = 256 << 10
	longestLog = 1000
	logFile    = "hooks.log"
)

// Options are the environment of one hook.
type Options struct {
	In        io.Reader
	Out       io.Writer
	Getenv    func(string) string
	Now       func() time.Time
	Random    io.Reader
	Dir       string // working directory
	SessionID string // default if the event names none
	Event     string
	Patience  time.Duration
}

// Run handles one event. It returns within Patience and never reports a failure.
func Run(ctx context.Context, o Options) {
	h := &hook{Options: o}
	ctx, cancel := context.WithTimeout(ctx, o.Patience)
	defer cancel()
	done := make(chan []byte, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				h.log(fmt.Errorf("%v\n%s", r, debug.Stack()))
				done <- nil
			}
		}()
		out, err := h.handle(ctx)
		if err != nil {
			h.log(err)
		}
		done <- out
	}()
	select {
	case out := <-done:
		if _, err := o.Out.Write(out); err != nil {
			h.log(err)
		}
	case <-ctx.Done():
		h.log(fmt.Errorf("not done: %w", context.Cause(ctx)))
	}
}

type hook struct {
	Options
	place atomic.Pointer[Place] // set once known
}

func (h *hook) handle(ctx context.Context) ([]byte, error) {
	e, unread := readEvent(h.In)
	if ctx.Err() != nil {
		return nil, nil // Run has logged it and returned
	}
	e.name, e.dir = cmp.Or(e.name, h.Event), cmp.Or(e.dir, h.Dir)
	p, err := find(ctx, h.Getenv("CLAUDE_PROJECT_DIR"), e.dir)
	if err != nil {
		return nil, err
	}
	h.place.Store(p)
	if unread != nil {
		unread = fmt.Errorf("read the event: %w", unread)
	}
	do := map[string]func(context.Context, *Place, event, string) (string, error){
		sessionStart: h.start, userPrompt: h.asked, postToolUse: h.used, stop: h.stopped,
	}[e.name]
	if do == nil {
		return nil, errors.Join(unread, fmt.Errorf("nothing is done for the event %q", plain.Line(e.name, longestKey)))
	}
	id, err := h.session(p, e)
	if err != nil {
		return nil, errors.Join(unread, err)
	}
	text, err := do(ctx, p, e, id)
	if text == "" {
		return nil, errors.Join(unread, err)
	}
	out, failed := told(e.name, text)
	return out, errors.Join(unread, err, failed)
}

// told encodes a text as additional context for the agent.
func told(event, text string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text}})
	return b.Bytes(), err
}

// session returns the session id of an event. The event's own id takes precedence, which keeps concurrent sessions
// apart.
func (h *hook) session(p *Place, e event) (string, error) {
	if e.session != "" {
		return e.session, nil
	}
	if id := p.SessionID(h.SessionID, h.Getenv, h.Now()); id != "" {
		return id, nil
	}
	return newID(h.Random)
}

func (h *hook) used(_ context.Context, p *Place, e event, id string) (string, error) {
	now := h.Now()
	return "", errors.Join(p.add(folderName(id), p.toolEntry(e, now)), p.announce(id, now))
}

// asked records a prompt. If an earlier session began with the same prompt, it reports that session's state.
func (h *hook) asked(ctx context.Context, p *Place, e event, id string) (string, error) {
	now, folder := h.Now(), folderName(id)
	before, err := p.events(folder)
	first := !slices.ContainsFunc(before, func(b entry) bool { return b.Event == userPrompt })
	asked := promptEntry(e, now)
	err = errors.Join(err, p.add(folder, asked), p.announce(id, now))
	if !first || asked.Prompt == "" {
		return "", err
	}
	text, failed := p.tellSame(ctx, id, asked)
	return text, errors.Join(err, failed)
}

// stopFiles is the number of files that fit into a line.
const stopFiles = 50

// stopped records the agent's last message and the final state of the session's files, and extracts the call tree.
// Agents stop after each answer and may continue.
func (h *hook) stopped(_ context.Context, p *Place, e event, id string) (string, error) {
	now, folder := h.Now().UTC().Truncate(time.Millisecond), folderName(id)
	events, err := p.events(folder)
	if err != nil {
		return "", err
	}
	end := entry{At: now, Event: stop, Message: kept(e.message, longestPrompt), Transcript: e.transcript}
	all := turns(events)
	unknown := len(all) == 0 || all[len(all)-1].prompt == ""
	if e.transcript != "" && (e.message == "" || unknown) {
		t, failed := readTranscript(e.transcript)
		err = failed
		if end.Message == "" {
			end.Message = kept(t.last, longestPrompt)
		}
		if unknown {
			end.Prompt = kept(t.first, longestPrompt)
		}
	}
	var files []touched
	if len(all) > 0 {
		files = p.left(all[len(all)-1].files)
	}
	for {
		n := min(len(files), stopFiles)
		end.Files, files = files[:n], files[n:]
		if failed := p.add(folder, end); failed != nil {
			err = errors.Join(err, failed)
		} else {
			events = append(events, end)
		}
		if len(files) == 0 {
			break
		}
	}
	return "", errors.Join(err, p.extract(id, events), p.announce(id, now))
}

// left returns the files that differ from their state after the last tool use, because shell commands format and remove
// files. A file that was only read keeps its recorded state unless it was removed.
func (p *Place) left(files []touched) []touched {
	var out []touched
	for _, f := range files {
		now, ok := p.look(f.Path, f.Role)
		if ok && now.Hash != f.Hash && (f.Role != session.Read || now.Role == session.Deleted) {
			out = append(out, touched{now.Path, now.Hash, now.Role})
		}
	}
	return out
}

var shellWord = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)

// start reports invalidated conclusions of earlier sessions, and passes the session id to later commands of the agent.
func (h *hook) start(ctx context.Context, p *Place, e event, id string) (string, error) {
	err := p.announce(id, h.Now())
	if name := h.Getenv("CLAUDE_ENV_FILE"); name != "" && shellWord.MatchString(id) {
		err = errors.Join(err, appendTo(name, []byte("export CLAUDE_SESSION_ID="+id+"\n"), 0))
	}
	text, failed := h.tellStart(ctx, p, e, id)
	return text, errors.Join(err, failed, p.prune(folderName(id), h.Now()))
}

// log writes an error to the repository's log, if the repository is known.
func (h *hook) log(err error) {
	p := h.place.Load()
	if p == nil {
		var nowhere error
		if p, nowhere = find(context.Background(), h.Getenv("CLAUDE_PROJECT_DIR"), h.Dir); nowhere != nil {
			return
		}
		defer func() { _ = p.Close() }()
	}
	line := h.Now().UTC().Format(time.RFC3339) + " " + plain.Line(redact.Text(plain.Cut(err.Error(), mostRedacted)), longestLog) + "\n"
	_ = os.MkdirAll(p.dir, 0o700)
	_ = appendTo(filepath.Join(p.dir, logFile), []byte(line), largestLog) // a failure cannot be reported
}

// appendTo appends with a single write. It rotates a file that would exceed most bytes; 0 is no limit.
func appendTo(name string, data []byte, most int64) error {
	if info, err := os.Lstat(name); err == nil && most > 0 && info.Size()+int64(len(data)) > most {
		if err := os.Rename(name, name+".1"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

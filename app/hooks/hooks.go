// Package hooks listens to a coding agent, and tells it what it should know. The agent runs `causal hooks run` at certain events and
// says on standard input what happened. What it read, changed and concluded is kept in a folder for each session, within the git
// directory; the next session is told which of that does not hold any more, and what was not finished.
//
// An agent must not be kept from its work: whatever happens here ends soon and silently, and is noted in a log.
package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/session"
)

const (
	// Patience is how long an agent waits for a hook. What is not done then is left.
	Patience = 4 * time.Second
	// lookFor is how long a start may look for what is stale.
	lookFor = 2 * time.Second
	// largestLog is when the log begins anew; the one before is kept.
	largestLog = 256 << 10
	longestLog = 1000
	logFile    = "hooks.log"
)

// Options are the world of one hook.
type Options struct {
	In        io.Reader
	Out       io.Writer
	Getenv    func(string) string
	Now       func() time.Time
	Random    io.Reader
	Dir       string // where the program runs
	SessionID string // for events that name none
	Event     string // likewise
	Patience  time.Duration
}

// Run does what there is to do for one event. It always comes back, within the patience, and has nothing to say of failures.
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

// hook is one run of Run.
type hook struct {
	Options
	place atomic.Pointer[Place] // once it is known
}

func (h *hook) handle(ctx context.Context) ([]byte, error) {
	e, unread := readEvent(h.In)
	e.name, e.dir = firstOf(e.name, h.Event), firstOf(e.dir, h.Dir)
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

// told is the answer that makes the agent know a text.
func told(event, text string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text}})
	return b.Bytes(), err
}

// session is the id of the session that an event belongs to: what the event says goes before all else, so that sessions side by
// side never get into each other's folders.
func (h *hook) session(p *Place, e event) (string, error) {
	if e.session != "" {
		return e.session, nil
	}
	if id := p.SessionID(h.SessionID, h.Getenv, h.Now()); id != "" {
		return id, nil
	}
	return newID(h.Random)
}

// used keeps that a tool was used.
func (h *hook) used(_ context.Context, p *Place, e event, id string) (string, error) {
	now := h.Now()
	return "", errors.Join(p.add(folderName(id), p.toolEntry(e, now)), p.announce(id, now))
}

// asked keeps what the agent was asked. Who asks the same as an earlier session did is told what became of that.
func (h *hook) asked(ctx context.Context, p *Place, e event, id string) (string, error) {
	now, folder := h.Now(), folderName(id)
	before, err := p.more(folder, history{})
	first := true
	for _, b := range before.entries {
		first = first && b.Event != userPrompt
	}
	asked := promptEntry(e, now)
	err = errors.Join(err, p.add(folder, asked), p.announce(id, now))
	if !first || asked.Prompt == "" {
		return "", err
	}
	text, failed := p.tellSame(ctx, id, asked)
	return text, errors.Join(err, failed)
}

// stopFiles is how many files a line has room for.
const stopFiles = 50

// stopped keeps how the turn ended: what the agent said, and how it left the files that it had to do with. Then the call tree of
// the session is extracted. Agents stop with each answer, and may go on.
func (h *hook) stopped(_ context.Context, p *Place, e event, id string) (string, error) {
	now, folder := h.Now(), folderName(id)
	before, err := p.more(folder, history{})
	if err != nil {
		return "", err
	}
	end := entry{At: now, Event: stop, Message: kept(e.message, longestPrompt), Transcript: e.transcript}
	all := turns(before.entries)
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
		err = errors.Join(err, p.add(folder, end))
		if len(files) == 0 {
			break
		}
	}
	_, failed := p.extract(id, before)
	return "", errors.Join(err, failed, p.announce(id, now))
}

// left are the files that are otherwise now than they were when a tool left them: commands of the agent format and remove some. What
// was only read counts as it was then, as long as it is there.
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

// start tells what fell since the last sessions. Commands that the agent runs from now on are told which session they belong to.
func (h *hook) start(ctx context.Context, p *Place, e event, id string) (string, error) {
	err := p.announce(id, h.Now())
	if name := h.Getenv("CLAUDE_ENV_FILE"); name != "" && shellWord.MatchString(id) {
		err = errors.Join(err, appendTo(name, []byte("export CLAUDE_SESSION_ID="+id+"\n"), 0))
	}
	text, failed := h.tellStart(ctx, p, e, id)
	return text, errors.Join(err, failed, p.prune(folderName(id), h.Now()))
}

// log notes what went wrong, where it is known which repository it is about.
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
	_ = appendTo(filepath.Join(p.dir, logFile), []byte(line), largestLog) // there is nobody else to be told
}

// appendTo adds to a file, in one piece. One that would grow beyond most bytes begins anew, and the one before is kept beside it;
// zero is no limit.
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

package ask

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/session"
)

// mostSessions is how many sessions are kept; the oldest go first. mostFrames is when a session begins a new call tree.
const (
	mostSessions = 100
	mostFrames   = 300
)

// Suspended is a suspended question.
type Suspended struct {
	Frame string `json:"frame"`
	Query string `json:"query"`
}

// conversation is one session with the call tree of its questions. Questions stay active as long as their line of thought is followed.
type conversation struct {
	id   string
	tree *frame.Tree
}

// line is the place of a question in its session: its frame, and the question that it refines.
type line struct {
	session *conversation
	frame   string
	after   string // the question that was asked before on the same line of thought
}

func (a *Asker) sessionsDir() string { return filepath.Join(a.Workspace.Private(), "ask", "sessions") }

var plainName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// fileOf is the name of the file of a session. An id that is no file name is hashed.
func (a *Asker) fileOf(id string) string {
	if !plainName.MatchString(id) {
		sum := sha256.Sum256([]byte(id))
		id = "x-" + hex.EncodeToString(sum[:12])
	}
	return filepath.Join(a.sessionsDir(), id+".yml")
}

// open reads a session, or begins one. An unreadable record is replaced: it is a cache. A session without an id is not stored.
func (a *Asker) open(id string) *conversation {
	if id == "" {
		return &conversation{"", frame.NewTree("")}
	}
	data, err := os.ReadFile(a.fileOf(id))
	if err == nil {
		if r, err := session.Decode(data); err == nil && r.SessionID == id && r.Tree.Len() < mostFrames {
			return &conversation{id, r.Tree}
		}
	}
	return &conversation{id, frame.NewTree(id)}
}

// sessions lists all sessions in the store, sorted by file name. An unreadable store is empty.
func (a *Asker) sessions() (out []*conversation) {
	names, _ := os.ReadDir(a.sessionsDir()) // a cache
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(a.sessionsDir(), n.Name()))
		if err != nil {
			continue // removed meanwhile
		}
		if r, err := session.Decode(data); err == nil {
			out = append(out, &conversation{r.SessionID, r.Tree})
		}
	}
	return out
}

// record is the session as it is stored.
func (c *conversation) record() session.Record {
	first, _ := c.tree.Frame(c.tree.Roots()[0])
	return session.Record{Artifacts: session.Artifacts{SessionID: c.id, InitialPrompt: first.Query, RootFrameID: first.ID}, Tree: c.tree}
}

// Session is the record of a session of questions; false if there is none.
func (a *Asker) Session(id string) (session.Record, bool) {
	c := a.open(id)
	if c.tree.Len() == 0 {
		return session.Record{}, false
	}
	return c.record(), true
}

// write stores a session.
func (a *Asker) write(c *conversation) error {
	if c.id == "" {
		return nil
	}
	data, err := session.Encode(c.record())
	if err != nil {
		return err
	}
	a.unsaved(writeFile(a.fileOf(c.id), data, mostSessions))
	return nil
}

// pivots are the words with which a question begins that leaves the direction of the one before.
var pivots = []string{"wait", "instead"}

func isPivot(question string) bool {
	first, _, _ := strings.Cut(strings.ToLower(question), " ")
	return slices.Contains(pivots, strings.Trim(first, ",.:;!-–—…"))
}

// follow finds the frame of a question in its session. It fills in the text of a question that is resumed.
func (a *Asker) follow(q *Question) (*line, error) {
	if q.Resume != "" {
		return a.resume(q)
	}
	if q.Text == "" {
		return nil, usage("no question given; see `causal ask --help`")
	}
	l := &line{session: a.open(q.Session)}
	t := l.session.tree
	last, some := l.session.last()
	var err error
	switch {
	case !some:
		l.frame, err = t.Start(q.Text, nil)
		if f, _ := t.Frame(l.frame); err == nil && f.Status == frame.Suspended { // asked before and put aside: another attempt
			l.frame, err = t.Start(q.Text, l.session.attempt(q.Text))
		}
	case q.Backtrack:
		l.frame, err = t.Backtrack(last.ID, q.Text, l.session.attempt(q.Text))
	case q.Pivot || isPivot(q.Text):
		l.frame, err = t.Pivot(last.ID, q.Text, l.session.attempt(q.Text))
	case slices.Equal(Terms(last.Query), Terms(q.Text)):
		l.frame = last.ID
	default:
		l.after = last.Query
		l.frame, err = t.Refine(last.ID, q.Text, l.session.attempt(q.Text))
	}
	return l, err
}

// last is the question that the session follows: of the active frames the lowest.
func (c *conversation) last() (frame.Frame, bool) {
	active := c.tree.Active()
	if len(active) == 0 {
		return frame.Frame{}, false
	}
	return active[len(active)-1], true
}

// attempt sets a question apart from the same one in the session, which is another frame.
func (c *conversation) attempt(question string) map[string]any {
	n := 0
	for _, f := range c.tree.Frames() {
		if f.Query == question {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return map[string]any{"attempt": n + 1}
}

// resume resumes a suspended frame of any session, and suspends the current one of that session.
func (a *Asker) resume(q *Question) (*line, error) {
	for _, c := range a.sessions() {
		f, ok := c.tree.Frame(q.Resume)
		if !ok {
			continue
		}
		if f.Status != frame.Suspended {
			return nil, usage("frame %s is not suspended; `causal ask --branches` lists the suspended ones", q.Resume)
		}
		if err := c.turnTo(f.ID); err != nil {
			return nil, err
		}
		if q.Session = c.id; q.Text == "" {
			q.Text = f.Query
			return &line{session: c, frame: f.ID}, nil
		}
		id, err := c.tree.Refine(f.ID, q.Text, c.attempt(q.Text))
		return &line{session: c, frame: id, after: f.Query}, err
	}
	return nil, usage("there is no frame %s; `causal ask --branches` lists the suspended ones", q.Resume)
}

// turnTo resumes a frame and suspends the active ones that it does not lie below.
func (c *conversation) turnTo(id string) error {
	if err := c.tree.Resume(id); err != nil {
		return err
	}
	above := map[string]bool{}
	for at := id; at != ""; {
		above[at] = true
		f, _ := c.tree.Frame(at)
		at = f.ParentID
	}
	for _, f := range c.tree.Active() {
		if !above[f.ID] {
			if err := c.tree.Suspend(f.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// record concludes the frame of a question and stores the session.
func (a *Asker) record(l *line, f *Frame) error {
	if err := f.into(l.session.tree, l.frame); err != nil {
		return err
	}
	return a.write(l.session)
}

// Branches lists the suspended questions of a session, or of all sessions if the id is empty.
func (a *Asker) Branches(id string) []Suspended {
	out := []Suspended{}
	for _, c := range a.sessions() {
		if id != "" && c.id != id {
			continue
		}
		for _, f := range c.tree.Suspended() {
			out = append(out, Suspended{f.ID, f.Query})
		}
	}
	return out
}

// similar lists the suspended questions that are about the same as a question.
func (a *Asker) similar(question, except string) []Suspended {
	terms := Terms(question)
	return slices.DeleteFunc(a.Branches(""), func(s Suspended) bool {
		other, shared := Terms(s.Query), 0
		for _, t := range other {
			if slices.Contains(terms, t) {
				shared++
			}
		}
		return s.Frame == except || 2*shared < min(len(terms), len(other)) || shared == 0
	})
}

// earlier is the stored answer that a question refines; nil if there is none that holds.
func (a *Asker) earlier(ctx context.Context, l *line) (*stored, error) {
	if l.after == "" {
		return nil, nil
	}
	s := a.stored(l.after)
	if !s.answers() {
		return nil, nil
	}
	outdated, err := a.outdated(ctx, s)
	if outdated || err != nil {
		return nil, err
	}
	return s, nil
}

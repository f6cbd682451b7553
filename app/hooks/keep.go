package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

const (
	// mostPrompts bounds the prompts of a session's artifacts; the last ones are kept.
	mostPrompts = 50
	// mostFrames bounds the frames of one run.
	mostFrames = 2000
	// mostRuns bounds the runs stored with a session.
	mostRuns = 20
	// largestFile bounds the reading of this package's own files.
	largestFile = 16 << 20
)

// storedFrame is a frame as a line of JSON, with the keys of its YAML form.
type storedFrame struct {
	Session string `json:"session_id"`
	frame.Frame
}

// artifacts is the content of artifacts.json.
type artifacts struct {
	SessionID       string             `json:"session_id"`
	InitialPrompt   string             `json:"initial_prompt"`
	RootFrameID     string             `json:"root_frame_id,omitempty"`
	ConversationLog string             `json:"conversation_log,omitempty"` // path of the transcript, which is not copied
	Last            time.Time          `json:"last"`                       // time of the last event
	Files           map[string]touched `json:"files"`                      // state at the end of the session
	Prompts         []asked            `json:"prompts"`
}

type asked struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	Hash string    `json:"sha256,omitempty"`
}

// extract derives a session's artifacts and frames from its events and runs, and stores them.
func (p *Place) extract(id string, events []entry) error {
	folder, all := folderName(id), turns(events)
	a := artifactsOf(id, events, all)
	tree, err := a.tree(all)
	if err != nil {
		return err
	}
	x, unread := p.index(folder)
	if unread != nil {
		x = new(savedIndex) // continue with the session's own frames
	}
	err = p.saveFrames(folder, tree, x.Runs)
	data, failed := json.MarshalIndent(a, "", "  ")
	if err = errors.Join(err, failed); err == nil {
		err = writeFile(filepath.Join(p.dir, folder, artifactsFile), append(data, '\n'))
	}
	return errors.Join(err, unread)
}

// tree builds the call tree, and sets its root.
func (a *artifacts) tree(all []turn) (*frame.Tree, error) {
	tree, err := grow(a.SessionID, all)
	if err != nil {
		return nil, fmt.Errorf("make the call tree: %w", err)
	}
	if roots := tree.Roots(); len(roots) > 0 {
		a.RootFrameID = roots[0]
	}
	return tree, nil
}

func artifactsOf(id string, list []entry, all []turn) *artifacts {
	a := &artifacts{SessionID: id, Files: map[string]touched{}, Prompts: []asked{}}
	for _, e := range list {
		a.Last = e.At
		a.ConversationLog = cmp.Or(e.Transcript, a.ConversationLog)
		if e.Event == userPrompt {
			a.Prompts = append(a.Prompts, asked{e.At, e.Prompt, e.PromptHash})
		}
	}
	a.Prompts = a.Prompts[max(len(a.Prompts)-mostPrompts, 0):]
	for i := range all {
		for _, f := range all[i].files {
			if before, ok := a.Files[f.Path]; ok {
				f.Role = roleOf(before.Role, f.Role)
			}
			a.Files[f.Path] = f
		}
	}
	if len(all) > 0 {
		a.InitialPrompt = all[0].prompt
	}
	return a
}

// saveFrames writes the frames of the session's tree, then those of its runs.
func (p *Place) saveFrames(folder string, tree *frame.Tree, runs []run) error {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	for _, r := range append([]run{{SessionID: tree.SessionID(), Frames: tree.Frames()}}, runs...) {
		for _, f := range r.Frames {
			if err := lines.Encode(storedFrame{r.SessionID, f}); err != nil {
				return err
			}
		}
	}
	return writeFile(filepath.Join(p.dir, folder, framesFile), b.Bytes())
}

// record returns a session for comparison.
func (a *artifacts) record(all []turn) (session.Record, error) {
	tree, err := a.tree(all)
	if err != nil {
		return session.Record{}, err
	}
	r := session.Record{Tree: tree, Artifacts: session.Artifacts{
		SessionID: a.SessionID, InitialPrompt: a.InitialPrompt, RootFrameID: a.RootFrameID, ConversationLog: a.ConversationLog,
		Files: map[string]session.FileRecord{},
	}}
	for path, f := range a.Files {
		r.Files[path] = session.FileRecord{Path: path, Hash: f.Hash, Role: f.Role}
	}
	return r, nil
}

// savedIndex is the content of index.json; the newest run is last.
type savedIndex struct {
	SessionID string `json:"session_id"`
	Runs      []run  `json:"runs"`
}

type run struct {
	SessionID     string        `json:"session_id"`
	InitialPrompt string        `json:"initial_prompt"`
	RootFrameID   string        `json:"root_frame_id,omitempty"`
	LeftOut       int           `json:"frames_left_out,omitempty"`
	Frames        []frame.Frame `json:"frames"`
}

func (p *Place) index(folder string) (*savedIndex, error) {
	x := new(savedIndex)
	data, err := readUpTo(filepath.Join(p.dir, folder, indexFile), largestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err == nil {
		err = json.Unmarshal(data, x)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", indexFile, err)
	}
	return x, nil
}

// SaveRun stores the call tree of one of causal's runs with the agent's session, for the Stop hook in another process.
func (p *Place) SaveRun(id string, r session.Record) error {
	folder := folderName(id)
	x, err := p.index(folder)
	if err != nil {
		x = new(savedIndex) // replace an unreadable index
	}
	x.SessionID = id
	saved := run{SessionID: r.SessionID, InitialPrompt: r.InitialPrompt, RootFrameID: r.RootFrameID, Frames: r.Tree.Frames()}
	if n := len(saved.Frames); n > mostFrames { // a partial tree is invalid
		saved.LeftOut, saved.Frames = n, []frame.Frame{}
	}
	x.Runs = slices.DeleteFunc(x.Runs, func(o run) bool { return o.SessionID == saved.SessionID })
	x.Runs = append(x.Runs, saved)
	x.Runs = x.Runs[max(len(x.Runs)-mostRuns, 0):]
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(p.dir, folder, indexFile), append(data, '\n'))
}

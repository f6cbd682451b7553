package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	// From has the sizes of the source files at extraction.
	From map[string]int64 `json:"extracted_from"`
}

type asked struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	Hash string    `json:"sha256,omitempty"`
}

// extract derives a session's artifacts and frames from its events and runs, and stores them. It stores nothing if the
// sources are unchanged. known is the history read so far.
func (p *Place) extract(id string, known history) (*artifacts, history, error) {
	folder := folderName(id)
	dir := filepath.Join(p.dir, folder)
	h, err := p.more(folder, known)
	if err != nil {
		return nil, h, err
	}
	from := map[string]int64{toolsFile: h.size}
	if info, err := os.Stat(filepath.Join(dir, indexFile)); err == nil {
		from[indexFile] = info.Size()
	}
	if a, err := p.artifacts(folder); err == nil && a.From[toolsFile] == from[toolsFile] && a.From[indexFile] == from[indexFile] {
		return a, h, nil
	}
	all := turns(h.entries)
	tree, err := grow(id, all)
	if err != nil {
		return nil, h, fmt.Errorf("make the call tree: %w", err)
	}
	a := artifactsOf(id, h.entries, all)
	a.From = from
	if roots := tree.Roots(); len(roots) > 0 {
		a.RootFrameID = roots[0]
	}
	x, unread := p.index(folder)
	if unread != nil {
		x = new(savedIndex) // continue with the session's own frames
	}
	err = p.saveFrames(folder, tree, x.Runs)
	data, failed := json.MarshalIndent(a, "", "  ")
	if err = errors.Join(err, failed); err == nil {
		err = writeFile(filepath.Join(dir, artifactsFile), append(data, '\n'))
	}
	return a, h, errors.Join(err, unread)
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

func (p *Place) artifacts(folder string) (*artifacts, error) {
	data, err := readUpTo(filepath.Join(p.dir, folder, artifactsFile), largestFile)
	if err != nil {
		return nil, err
	}
	a := new(artifacts)
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fmt.Errorf("read %s: %w", artifactsFile, err)
	}
	return a, nil
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
func (a *artifacts) record(events []entry) (session.Record, error) {
	tree, err := grow(a.SessionID, turns(events))
	if err != nil {
		return session.Record{}, fmt.Errorf("make the call tree: %w", err)
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

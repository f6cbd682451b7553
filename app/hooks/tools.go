package hooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/session"
)

const (
	// longestLine bounds an event, in bytes: it is written with a single write.
	longestLine = 16 << 10
	// mostTools bounds the events of a session, in bytes: about ten thousand, which take 0.1 s to read.
	mostTools = 4 << 20

	// Bounds of stored texts, in bytes.
	longestPrompt   = 2 << 10
	longestResponse = 1 << 10
	longestInput    = 512
	mostInputs      = 12
	// mostRedacted bounds the text searched for secrets before truncation.
	mostRedacted = 8 << 10
)

// touched is a file used by a tool or by the agent itself.
type touched struct {
	Path string       `json:"path"`
	Hash string       `json:"hash,omitempty"`
	Role session.Role `json:"role"`
}

// entry is a line of toolsFile.
type entry struct {
	At         time.Time         `json:"at"`
	Event      string            `json:"event"`
	Prompt     string            `json:"prompt,omitempty"`
	PromptHash string            `json:"prompt_sha256,omitempty"` // of the redacted prompt
	Tool       string            `json:"tool_name,omitempty"`
	Use        string            `json:"tool_use_id,omitempty"`
	Input      map[string]string `json:"tool_input,omitempty"`
	Response   string            `json:"tool_response,omitempty"`
	LeftOut    string            `json:"left_out,omitempty"` // what was omitted, and why
	Files      []touched         `json:"files,omitempty"`
	Message    string            `json:"message,omitempty"`
	Transcript string            `json:"transcript,omitempty"` // path
}

// kept redacts and truncates a text.
func kept(text string, most int) string {
	if len(text) > mostRedacted {
		text = plain.Cut(text, mostRedacted)
	}
	return plain.Text(redact.Text(text), most)
}

func promptEntry(e event, now time.Time) entry {
	sum := sha256.Sum256([]byte(redact.Text(plain.Cut(e.prompt, mostOfValue))))
	return entry{At: now, Event: userPrompt, Prompt: kept(e.prompt, longestPrompt), PromptHash: hex.EncodeToString(sum[:]), Transcript: e.transcript}
}

// fileTools are the tools that operate on one file, with the parameter for its path.
var fileTools = lazy.Value[map[string]fileTool]{Make: func() map[string]fileTool {
	return map[string]fileTool{
		"Read": {"file_path", session.Read}, "NotebookRead": {"notebook_path", session.Read},
		"Edit": {"file_path", session.Modified}, "MultiEdit": {"file_path", session.Modified}, "Write": {"file_path", session.Modified},
		"NotebookEdit": {"notebook_path", session.Modified},
	}
}}

type fileTool struct {
	param string
	role  session.Role
}

// toolEntry records a tool use. It stores hashes of files instead of contents, and nothing about files with secrets.
func (p *Place) toolEntry(e event, now time.Time) entry {
	out := entry{At: now, Event: postToolUse, Tool: kept(e.tool, longestKey), Use: kept(e.use, longestKey)}
	in := e.input.members()
	if t, ok := fileTools.Get()[e.tool]; ok {
		name := in[t.param].string()
		local, inside := p.local(name, e.dir)
		switch {
		case redact.SecretFile(name):
			out.LeftOut = "a file with secrets"
		case !inside:
			out.LeftOut = "a file outside of the repository"
		default:
			out.LeftOut = "the content of files"
			out.Input = map[string]string{t.param: local}
			role := t.role
			if kind := e.response.members()["type"]; kind.string() == "create" {
				role = session.Created
			}
			if f, ok := p.look(local, role); ok {
				out.Files = []touched{{f.Path, f.Hash, f.Role}}
			}
		}
		return out
	}
	out.Input = inputs(in)
	if redact.SecretCommand(in["command"].string()) {
		out.LeftOut = "the output of a command about a file with secrets"
		return out
	}
	out.Response = kept(answer(e.response), longestResponse)
	if len(e.response) > mostOfValue {
		out.LeftOut = "the rest of a long answer"
	}
	return out
}

func inputs(in map[string]value) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if len(out) == mostInputs {
			break
		}
		if text := in[name].plain(); text != "" {
			out[kept(name, longestKey)] = plain.Text(redact.Named(name, plain.Cut(text, mostRedacted)), longestInput)
		}
	}
	return out
}

// answer returns a tool's response as text.
func answer(v value) string {
	m := v.members()
	if len(m) == 0 {
		return v.plain()
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if text := m[name].plain(); text != "" && text != "false" && b.Len() < mostRedacted {
			fmt.Fprintf(&b, "%s: %s\n", name, redact.Named(name, plain.Cut(text, mostRedacted)))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// line encodes an entry as one line, shortened to longestLine.
func (e entry) line() ([]byte, error) {
	e.At = e.At.UTC().Truncate(time.Millisecond)
	for _, shorten := range []func(){
		func() {}, func() { e.Response, e.LeftOut = "", "an answer of mostly escaped characters" }, func() { e.Input = nil },
		func() { e.Prompt, e.Message = plain.Cut(e.Prompt, longestInput), plain.Cut(e.Message, longestInput) },
		func() { e.Files, e.Transcript = nil, "" },
	} {
		shorten()
		data, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if len(data) < longestLine {
			return append(data, '\n'), nil
		}
	}
	return nil, errors.New("the event is too long to be kept")
}

// add appends an entry with a single write, which is safe for concurrent processes.
func (p *Place) add(folder string, e entry) error {
	data, err := e.line()
	if err != nil {
		return err
	}
	dir := filepath.Join(p.dir, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, toolsFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("it is no regular file")
	case info.Size()+int64(len(data)) > mostTools:
		err = fmt.Errorf("the session has %d bytes of events, and no more are kept", info.Size())
	default:
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("add to %s: %w", toolsFile, err)
	}
	return nil
}

// events reads the events of a session. Lines are written atomically.
func (p *Place) events(folder string) ([]entry, error) {
	data, err := readUpTo(filepath.Join(p.dir, folder, toolsFile), mostTools)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []entry
	for line := range bytes.Lines(data) {
		var e entry
		if len(line) <= longestLine && json.Unmarshal(line, &e) == nil && e.Event != "" {
			out = append(out, e)
		}
	}
	return out, err
}

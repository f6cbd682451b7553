package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/causaldocs/causal/knowledge/redact"
)

const (
	// A transcript may have hundreds of MB, so only both ends are read, for the first prompt and the last answer.
	headOfTranscript = 256 << 10
	tailOfTranscript = 512 << 10
)

// transcript is an extract of the agent's transcript, whose format is private and may change. Unexpected lines are
// ignored.
type transcript struct {
	first string // first prompt
	last  string // last message of the agent
}

func readTranscript(name string) (t transcript, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return t, err
	}
	if !info.Mode().IsRegular() {
		return t, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return t, err
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.NewSectionReader(f, 0, headOfTranscript))
	if err != nil {
		return t, err
	}
	from := max(info.Size()-tailOfTranscript, 0)
	tail, err := io.ReadAll(io.NewSectionReader(f, from, tailOfTranscript))
	if err != nil {
		return t, err
	}
	if from > 0 {
		_, tail, _ = bytes.Cut(tail, []byte("\n")) // the first line may be incomplete
	}
	return parseTranscript(head, tail), nil
}

func parseTranscript(head, tail []byte) (t transcript) {
	for line := range bytes.Lines(head) {
		if text := spoken(line, "user"); text != "" {
			t.first = text
			break
		}
	}
	for len(tail) > 0 && t.last == "" {
		tail = bytes.TrimRight(tail, "\n")
		i := bytes.LastIndexByte(tail, '\n') + 1
		t.last = spoken(tail[i:], "assistant")
		tail = tail[:i]
	}
	return t
}

// spoken returns the text of a line by who, without tool output and side conversations.
func spoken(line []byte, who string) string {
	var l struct {
		Type    string `json:"type"`
		Aside   bool   `json:"isSidechain"`
		Meta    bool   `json:"isMeta"`
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &l) != nil || l.Type != who || l.Aside || l.Meta {
		return ""
	}
	var text string
	if json.Unmarshal(l.Message.Content, &text) == nil {
		return text
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return ""
	}
	for _, b := range blocks {
		if b.Type == "text" && b.Text != "" {
			text += b.Text + "\n"
		}
	}
	return text
}

// longestSpoken bounds a line with speech, in bytes: longer lines are tool output.
const longestSpoken = 1 << 20

// Said converts a transcript into a discussion with the same line numbers: each line has the redacted words of the user
// or the agent, or is empty. It returns at most most bytes, or one more if there are more.
func Said(transcript io.Reader, most int) (string, error) {
	in := bufio.NewReaderSize(transcript, 64<<10)
	var out strings.Builder
	for out.Len() <= most {
		line, err := spokenLine(in)
		if text := said(line); text != "" {
			out.WriteString(redact.Text(text))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("read the transcript: %w", err)
		}
		out.WriteByte('\n')
	}
	return out.String(), nil
}

// said returns speaker and text of a line; empty for other lines.
func said(line []byte) string {
	for _, who := range []string{"user", "assistant"} {
		if text := strings.Join(strings.Fields(spoken(line, who)), " "); text != "" {
			return who + ": " + text
		}
	}
	return ""
}

// spokenLine returns a line without its end; empty if it is too long.
func spokenLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestSpoken; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// IsTranscript reports whether head is the beginning of a session transcript.
func IsTranscript(head []byte) bool {
	for line := range bytes.Lines(head) {
		var l struct {
			Type    string `json:"type"`
			Session string `json:"sessionId"`
		}
		if json.Unmarshal(line, &l) != nil {
			return false
		}
		if l.Type != "" && l.Session != "" {
			return true
		}
	}
	return false
}

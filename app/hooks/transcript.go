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
	// headOfTranscript and tailOfTranscript are what is read of a transcript, which may have hundreds of megabytes: what was asked
	// first, and what was said last.
	headOfTranscript = 256 << 10
	tailOfTranscript = 512 << 10
)

// transcript is what is taken from one: it stays where it is, in a form that is the agent's own affair and may change. A line
// that says something else than expected says nothing.
type transcript struct {
	first string // what people asked first
	last  string // what the agent said last
}

// readTranscript reads the ends of a transcript.
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
		_, tail, _ = bytes.Cut(tail, []byte("\n")) // the first line may be half one
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

// spoken is what a line has somebody say: not what tools say, not what is said aside.
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

// longestSpoken is how many bytes a line of a transcript may have that says something: what tools print is longer, and says nothing.
const longestSpoken = 1 << 20

// Said is a transcript as a discussion: for each line of it one that has what people or the agent said there, without secrets, and is empty
// where that is nothing. So both have the same numbers. most is how many bytes of it are made at most, and one more where there is more.
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

// said is who said what on a line, on one line; empty where nobody said anything.
func said(line []byte) string {
	for _, who := range []string{"user", "assistant"} {
		if text := strings.Join(strings.Fields(spoken(line, who)), " "); text != "" {
			return who + ": " + text
		}
	}
	return ""
}

// spokenLine reads a line, without what ends it; nothing of one that is too long.
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

// IsTranscript reports whether a file is the transcript of a session, by its beginning.
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

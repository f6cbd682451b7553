package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
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

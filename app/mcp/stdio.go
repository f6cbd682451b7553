package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio is the transport for a single client over two streams. It answers pending calls after the client closes its end,
// because they may have recorded something.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	to := &output{Writer: out}
	from := &messages{lines: bufio.NewScanner(in), out: to}
	from.lines.Buffer(nil, mcp.DefaultMaxLineLength)
	return answering{&mcp.IOTransport{Reader: io.NopCloser(from), Writer: to}}
}

// output writes one message at a time, and hides the writer's Close method.
type output struct {
	io.Writer
	mu sync.Mutex
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Writer.Write(p)
}

// Close implements io.Closer.
func (*output) Close() error { return nil }

// messages passes on the lines that are messages, and answers others with an error: one bad line would end the session.
type messages struct {
	lines *bufio.Scanner
	out   io.Writer
	rest  []byte
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if !m.lines.Scan() {
			return 0, cmp.Or(m.lines.Err(), io.EOF)
		}
		line := bytes.TrimSpace(m.lines.Bytes())
		if refusal := refusalOf(line); refusal != "" {
			if _, err := io.WriteString(m.out, refusal); err != nil {
				return 0, err
			}
		} else if len(line) > 0 {
			m.rest = append(line, '\n')
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// refusalOf returns the answer to a line that is no message of JSON-RPC, empty for one that is and for a blank line.
func refusalOf(line []byte) string {
	const form = `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"%s"}}` + "\n"
	switch _, err := jsonrpc.DecodeMessage(line); {
	case len(line) == 0:
	case !json.Valid(line):
		return fmt.Sprintf(form, jsonrpc.CodeParseError, "the line is not JSON")
	case err != nil && line[0] != '[': // a batch
		return fmt.Sprintf(form, jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC")
	}
	return ""
}

type answering struct{ mcp.Transport }

// Connect implements mcp.Transport.
func (t answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &owing{Connection: c}, nil
}

// owing is a connection that stays open until all calls are answered.
type owing struct {
	mcp.Connection

	calls sync.WaitGroup
}

// Read implements mcp.Connection.
func (c *owing) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		c.calls.Add(1)
	}
	if errors.Is(err, io.EOF) {
		c.settle(ctx)
	}
	return m, err
}

// Write implements mcp.Connection.
func (c *owing) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.calls.Done()
	}
	return err
}

// settle waits up to patience for pending answers.
func (c *owing) settle(ctx context.Context) {
	answered := make(chan struct{})
	go func() {
		c.calls.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(patience):
	case <-ctx.Done():
	}
}

package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio is the transport for a single client over two streams. It answers pending calls after the client closes its end,
// because they may have recorded something.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	return answering{&mcp.IOTransport{Reader: io.NopCloser(in), Writer: open{out}}}
}

// open hides the writer's Close method.
type open struct{ io.Writer }

func (open) Close() error { return nil }

type answering struct{ mcp.Transport }

// Connect implements mcp.Transport.
func (t answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &owing{Connection: c, paid: make(chan struct{}, 1)}, nil
}

// owing is a connection that stays open until all calls are answered.
type owing struct {
	mcp.Connection

	mu   sync.Mutex
	owed int
	paid chan struct{} // signals each answer
}

// Read implements mcp.Connection.
func (c *owing) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		c.owe(1)
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
		c.owe(-1)
	}
	return err
}

func (c *owing) owe(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed += n
	select {
	case c.paid <- struct{}{}:
	default: // a signal is already pending
	}
}

func (c *owing) owes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owed > 0
}

// settle waits up to patience for pending answers.
func (c *owing) settle(ctx context.Context) {
	late := time.After(patience)
	for c.owes() {
		select {
		case <-c.paid:
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

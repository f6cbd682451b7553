package server_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
)

// TestAServerThatCannotStartSaysWhy, and holds nothing that the next start needs.
func TestAServerThatCannotStartSaysWhy(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*server.Options)
		want   string
	}{
		"a port that is taken":        {func(o *server.Options) { o.Listen = taken.Addr().String() }, "address already in use"},
		"an admin port that is taken": {func(o *server.Options) { o.Admin = taken.Addr().String() }, "address already in use"},
		"no directory":                {func(o *server.Options) { o.Data = file }, "open the data directory"},
		"no database":                 {func(o *server.Options) { o.Database = "mysql://x" }, "must begin with"},
		"no key":                      {func(o *server.Options) { o.Credentials = &web.Credentials{ID: 1, PrivateKey: "x", WebhookSecret: "y"} }, "key"},
		"no public address":           {func(o *server.Options) { o.PublicURL = "ftp://x" }, "public address"},
	} {
		o := server.Options{Listen: "127.0.0.1:0", Data: t.TempDir(), Out: io.Discard, Log: io.Discard, Now: time.Now}
		o2 := o
		c.change(&o2)
		if _, err := server.New(t.Context(), o2); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		s, err := server.New(t.Context(), o)
		if err != nil {
			t.Errorf("%s: the next start fails: %v", name, err)
			continue
		}
		if _, err := server.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "another process has") {
			t.Errorf("a second server in one directory: %v", err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Serve(ended); err != nil {
			t.Errorf("%s: the next start ends with %v", name, err)
		}
	}
}

package server_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/sandbox"
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
		"no public address":           {func(o *server.Options) { o.PublicURL = "ftp://x" }, "public URL"},
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

// TestDataIsPrivate checks the permissions of the data directory.
func TestDataIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows tells in other ways who may read")
	}
	for name, c := range map[string]struct {
		mode  os.FileMode
		holds bool // something
		taken bool
	}{
		"private":                {0o700, true, true},
		"of a group":             {0o770, true, true},
		"open and empty":         {0o755, false, true},
		"open":                   {0o755, true, false},
		"open to pass through":   {0o711, true, false},
		"open, but not readable": {0o703, true, false},
	} {
		dir := t.TempDir()
		if c.holds {
			if err := os.WriteFile(filepath.Join(dir, "causal.db"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, c.mode); err != nil {
			t.Fatal(err)
		}
		err := server.OpenData(dir)
		if c.taken != (err == nil) || err != nil && !strings.Contains(err.Error(), "chmod 700 "+dir) {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(dir); err != nil || c.taken && info.Mode().Perm()&0o007 != 0 {
			t.Errorf("%s: its mode is %v, %v", name, info.Mode(), err)
		}
	}
}

// TestStartSpeaksToTheRightPeople: the link goes to the person who started the server, and nowhere else; the log has one line
// for each thing that is open and then says where the server is, without a word about its tables.
func TestStartSpeaksToTheRightPeople(t *testing.T) {
	t.Parallel()
	var out, log strings.Builder
	s, err := server.New(t.Context(), server.Options{
		Listen: "127.0.0.1:0", Admin: "127.0.0.1:0", Data: t.TempDir(), Out: &out, Log: &log, Now: time.Now, PublicURL: "http://causal.example.com",
		Workers: 1, Limits: sandbox.Limits{Memory: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Serve(ended); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "http://causal.example.com/setup?token=") || strings.Contains(out.String(), `"level"`) {
		t.Errorf("people are told\n%s", out.String())
	}
	if strings.Contains(log.String(), "token=") {
		t.Errorf("the log has the link:\n%s", log.String())
	}
	var said []string
	for line := range strings.Lines(log.String()) {
		var l struct{ Level, Msg, Mend string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		word, _, _ := strings.Cut(l.Msg, " ")
		said = append(said, l.Level+" "+word)
		if (l.Mend == "") != (l.Level == "INFO") {
			t.Errorf("a warning says what mends it, and nothing else does: %s", line)
		}
	}
	if want := []string{"WARN log-ins", "WARN http://causal.example.com", "INFO serving", "INFO stopping"}; !slices.Equal(said, want) {
		t.Errorf("the log says %q, want %q", said, want)
	}
}

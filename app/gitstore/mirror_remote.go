package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

type remote struct {
	url, host string
	auth      func(ctx context.Context) (string, error)
	traces    string
	most      int64 // maximum bytes of one fetch
	yields    bool
	received  atomic.Int64
}

// fetch fetches refspecs to a depth. Depth 0 means single objects, without negotiation, which would cost more than the
// objects. The caller has the lock. filter is the --filter of git fetch.
func (r *remote) fetch(ctx context.Context, c *bareRepo, specs []string, depth int, filter string) error {
	trace, err := os.CreateTemp(r.traces, traceName)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer func() { _, _ = trace.Close(), os.Remove(trace.Name()) }()
	// git traces the received bytes only with progress output.
	args := []string{"fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--filter=" + filter, "--stdin", "origin"}
	if depth > 0 {
		args = slices.Insert(args, 1, "--depth="+strconv.Itoa(depth))
	} else {
		args = slices.Insert(args, 0, "-c", "fetch.negotiationAlgorithm=noop")
	}
	watched, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go c.watch(watched, r.most, stop)
	_, err = r.run(watched, c, trace.Name(), strings.NewReader(strings.Join(specs, "\n")+"\n"), args...)
	received := receivedBytes(trace)
	r.received.Add(received)
	if received > r.most || errors.Is(context.Cause(watched), ErrTooLarge) {
		return fmt.Errorf("fetch: the repository sends more than %d MB at once: %w", r.most>>20, ErrTooLarge)
	}
	return err
}

// mostFetched is in bytes. One commit of the largest repositories has some hundred MB of files.
const mostFetched = 2 << 30

// watch aborts a fetch that exceeds most bytes. git keeps received data in a temporary file until it is complete.
func (c *bareRepo) watch(ctx context.Context, most int64, stop context.CancelCauseFunc) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		files, _ := filepath.Glob(filepath.Join(escapeGlob(c.dir), "objects", "pack", "tmp_*"))
		sum := int64(0)
		for _, file := range files {
			if info, err := os.Stat(file); err == nil {
				sum += info.Size()
			}
		}
		if sum > most {
			stop(ErrTooLarge)
			return
		}
	}
}

// watchEvery is the interval of size checks: a fast connection transfers about 100 MB in it.
const watchEvery = time.Second

// run starts a git process that gets the remote's address and token. trace is the trace file, or "".
func (r *remote) run(ctx context.Context, c *bareRepo, trace string, stdin io.Reader, args ...string) ([]byte, error) {
	token := ""
	if r.auth != nil {
		var err error
		if token, err = r.auth(ctx); err != nil {
			return nil, fmt.Errorf("get a token for git: %w", err)
		}
	}
	release, err := c.git.slot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
	cmd, _ := c.git.command(ctx, true, args...)
	cmd.Env = append(cmd.Env, r.environment(c, token, basic)...)
	// The remote may send a delta against an object that is not in the cache, which git then fetches too.
	cmd.Env = append(cmd.Env, "GIT_TRACE2_EVENT="+trace, "GIT_NO_LAZY_FETCH=0")
	stdout, said := &bounded{}, &lastWords{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, said
	if err = cmd.Start(); err == nil {
		if r.yields {
			yield(cmd)
		}
		err = cmd.Wait()
	}
	for args[0] == "-c" {
		args = args[2:]
	}
	if stdout.over {
		return nil, fmt.Errorf("git %s: the repository lists more than %d MB: %w", args[0], longestList>>20, ErrTooLarge)
	}
	return stdout.text.Bytes(), remoteFailure(ctx, args[0], err, hide(said.String(), token, basic))
}

// bounded buffers git's output and fails above longestList, which ends git.
type bounded struct {
	text bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over = b.over || b.text.Len()+len(p) > longestList; b.over {
		return 0, ErrTooLarge
	}
	return b.text.Write(p)
}

// environment configures a git process. Redirects are disabled, because git would send the token to the new host; a
// moved repository is found by its id.
func (r *remote) environment(c *bareRepo, token, basic string) []string {
	config := [][2]string{
		{"remote.origin.url", r.url}, {"remote.origin.promisor", "true"}, {"remote.origin.partialclonefilter", c.filter},
		{"core.hooksPath", os.DevNull}, {"credential.helper", ""}, {"protocol.version", "2"}, {"maintenance.auto", "false"},
		{"fetch.recurseSubmodules", "false"}, {"fetch.writeCommitGraph", "false"},
		{"http.followRedirects", "false"}, {"http.lowSpeedLimit", "1000"}, {"http.lowSpeedTime", "60"},
	}
	if token != "" {
		config = append(config, [2]string{"http." + r.host + ".extraHeader", "Authorization: Basic " + basic})
	}
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(config))}
	for i, setting := range config {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+setting[0], "GIT_CONFIG_VALUE_"+n+"="+setting[1])
	}
	return env
}

func receivedBytes(trace io.Reader) int64 {
	var sum int64
	lines := bufio.NewScanner(trace)
	for lines.Scan() {
		var event struct{ Category, Key, Value string }
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.Category != "progress" || event.Key != "total_bytes" {
			continue
		}
		if n, err := strconv.ParseInt(event.Value, 10, 64); err == nil {
			sum += n
		}
	}
	return sum
}

// remoteAnswers classifies messages of remotes and git's transport. The first match counts.
var remoteAnswers = []struct {
	says *regexp.Regexp
	err  error
}{
	{regexp.MustCompile(`not our ref|unadvertised object`), ErrUnknownObject},
	{regexp.MustCompile(`returned error: (30\d|403|404|410|451)|[Rr]epository .*not found|unable to update url base`), ErrGone},
	{regexp.MustCompile(`unable to access|returned error|Authentication failed|could not read Username|RPC failed|early EOF|` +
		`unexpected disconnect|hung up|index-pack failed|expected flush|protocol error|bad line length|remote error`), ErrUnavailable},
}

func remoteFailure(ctx context.Context, subcommand string, err error, said string) error {
	if err == nil || ctx.Err() != nil {
		return failure(ctx, subcommand, err, said)
	}
	for _, a := range remoteAnswers {
		if a.says.MatchString(said) {
			return fmt.Errorf("git %s: %w: %s", subcommand, a.err, redact(said))
		}
	}
	return failure(ctx, subcommand, err, said)
}

func hide(text string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}

// lastWords keeps the end of stderr, where the errors are, and drops the progress output before it.
type lastWords struct{ text []byte }

func (l *lastWords) Write(p []byte) (int, error) {
	l.text = append(l.text, p...)
	if over := len(l.text) - 2*excerptSize; over > 0 {
		l.text = slices.Clone(l.text[over+excerptSize:])
	}
	return len(p), nil
}

var complaint = lazyregexp.New(`^(fatal|error|warning|remote): `)

var counting = lazyregexp.New(`^remote: (Enumerating|Counting|Compressing|Total) `)

func (l *lastWords) String() string {
	var kept []string
	for line := range strings.Lines(string(l.text)) {
		line = strings.TrimSpace(line[strings.LastIndexByte(strings.TrimRight(line, "\r\n"), '\r')+1:])
		if complaint.MatchString(line) && !counting.MatchString(line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

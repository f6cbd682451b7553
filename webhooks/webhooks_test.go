package webhooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	oldSecret = "it rotates"
	newSecret = "its successor"
)

// inbox remembers what it was given.
type inbox struct {
	accepted []queue.Subject
	delivery queue.Delivery
	outcome  string
	answer   queue.Acceptance
	err      error
}

func (i *inbox) Accept(_ context.Context, d queue.Delivery, s []queue.Subject) (queue.Acceptance, error) {
	i.delivery, i.accepted = d, s
	return i.answer, i.err
}

func (i *inbox) Note(_ context.Context, d queue.Delivery, outcome string) error {
	i.delivery, i.outcome = d, outcome
	return i.err
}

func newDoor(t testing.TB, box Inbox, change func(*Config)) *Door {
	t.Helper()
	config := Config{
		Secrets: []string{oldSecret, newSecret}, Inbox: box,
		Bot: func() string { return "causal[bot]" },
		Own: func(p string) bool { return strings.HasPrefix(p, ".causal/") },
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
	}
	if change != nil {
		change(&config)
	}
	d, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sign(body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// request is a delivery as GitHub makes it.
func request(event, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, DefaultPath, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Github-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
	r.Header.Set("X-Github-Event", event)
	r.Header.Set(signatureHeader, sign(body, oldSecret))
	return r
}

const pushed = `{"ref": "refs/heads/main", "after": "b", "repository": {"id": 7, "full_name": "octo/shop"}, "installation": {"id": 3},
	"sender": {"login": "ann"}, "commits": [{"id": "b", "modified": ["a.go"]}]}`

func TestAnswers(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	inForm := "payload=" + url.QueryEscape(pushed)
	large := `{"x": "` + strings.Repeat("x", bodyLimit) + `"}`
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	tests := []struct {
		name   string
		event  string
		body   string
		change func(*http.Request)
		box    inbox
		want   int
		says   string
		noted  bool // it is signed: GitHub must not be asked for it again
	}{
		{name: "new", body: pushed, box: inbox{answer: queue.New}, want: 202, says: "Accepted. Updates asked for: 1."},
		{name: "again", body: pushed, box: inbox{answer: queue.Again}, want: 202, says: "Accepted"},
		{name: "known", body: pushed, box: inbox{answer: queue.Known}, want: 200, says: "known"},
		{name: "next secret", body: pushed, change: set(signatureHeader, sign(pushed, newSecret)), want: 202},
		{name: "form", body: inForm, change: set("Content-Type", form+"; charset=utf-8"), want: 202},
		{name: "charset", body: pushed, change: set("Content-Type", "application/json; charset=utf-8"), want: 202},
		{name: "ping", event: "ping", body: `{"zen": "Mind your words."}`, want: 200, says: "pong"},
		{name: "unknown event", event: "moon_phase", body: `{"action": {"phase": 1}}`, want: 200, says: "ignored"},
		{name: "database is busy", body: pushed, box: inbox{err: errors.New("database is locked")}, want: 503, says: "again"},
		{name: "not signed", body: pushed, change: func(r *http.Request) { r.Header.Del(signatureHeader) }, want: 401, says: "X-Hub-Signature-256"},
		{name: "SHA-1 only", body: pushed, change: func(r *http.Request) {
			r.Header.Del(signatureHeader)
			r.Header.Set("X-Hub-Signature", "sha1=5d0eb0ebe8eb4b6bcaf9bd8b4b0ca8d0a8b0a9f4")
		}, want: 401},
		{name: "other secret", body: pushed, change: set(signatureHeader, sign(pushed, "guessed")), want: 401, says: "not of any"},
		{name: "no secret", body: pushed, change: set(signatureHeader, sign(pushed, "")), want: 401},
		{name: "other body", body: pushed, change: set(signatureHeader, sign(pushed+" ", oldSecret)), want: 401},
		{name: "two signatures", body: pushed, change: func(r *http.Request) { r.Header.Add(signatureHeader, "sha256=00") }, want: 401},
		{name: "half a signature", body: pushed, change: set(signatureHeader, sign(pushed, oldSecret)[:40]), want: 401},
		{name: "no digits", body: pushed, change: set(signatureHeader, "sha256="+strings.Repeat("z", 64)), want: 401},
		{name: "no GUID", body: pushed, change: func(r *http.Request) { r.Header.Del("X-Github-Delivery") }, want: 400, says: "X-GitHub-Delivery"},
		{name: "odd GUID", body: pushed, change: set("X-Github-Delivery", "a b"), want: 400},
		{name: "no event", body: pushed, change: func(r *http.Request) { r.Header.Del("X-Github-Event") }, want: 400},
		{name: "no content type", body: pushed, change: func(r *http.Request) { r.Header.Del("Content-Type") }, want: 415},
		{name: "XML", body: pushed, change: set("Content-Type", "text/xml"), want: 415, says: "application/json"},
		{name: "too large", body: large, want: 413, says: "25 MiB"},
		{name: "no JSON", body: "push!", want: 400, noted: true, says: "JSON"},
		{name: "cut JSON", body: pushed[:40], want: 400, noted: true},
		{name: "list", body: "[]", want: 400, noted: true},
		{name: "null", body: "null", want: 400, noted: true},
		{name: "empty", body: "", want: 400, noted: true},
		{name: "ref of another type", body: `{"ref": 1}`, want: 400, noted: true},
		{name: "two payloads", body: inForm + "&" + inForm, change: set("Content-Type", form), want: 400, noted: true},
		{name: "too deep", body: `{"x": ` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `}`, want: 400, noted: true},
		{name: "bad form", body: "payload=%zz", change: set("Content-Type", form), want: 400, noted: true},
		{name: "form without payload", body: "x=1", change: set("Content-Type", form), want: 400, noted: true},
		{name: "read only", body: pushed, change: func(r *http.Request) { r.Method = http.MethodGet }, want: 405},
		{name: "other path", body: pushed, change: func(r *http.Request) { r.URL.Path = "/" }, want: 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.event == "" {
				tt.event = "push"
			}
			r := request(tt.event, tt.body)
			if tt.change != nil {
				tt.change(r)
			}
			w := httptest.NewRecorder()
			newDoor(t, &tt.box, nil).ServeHTTP(w, r)
			if w.Code != tt.want || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got %d %q, want %d and %q", w.Code, w.Body, tt.want, tt.says)
			}
			if written := tt.box.delivery.GUID != ""; written != (tt.want/100 == 2 || tt.noted) && tt.want != 503 {
				t.Errorf("answered %d, and written is %v", w.Code, written)
			}
			if (w.Header().Get("Retry-After") != "") != (tt.want == 503) {
				t.Errorf("answered %d with Retry-After %q", w.Code, w.Header().Get("Retry-After"))
			}
		})
	}
}

// TestNotAllowed: what is about others' repositories leaves a line in the log, and nothing else.
func TestNotAllowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event, body string
		outcome     string
		accepted    int
	}{
		"a push of it":      {"push", pushed, "new", 1},
		"a push of another": {"push", strings.Replace(pushed, "octo/shop", "eve/shop", 1), NotAllowed, 0},
		"a star":            {"star", strings.Replace(pushed, "octo/shop", "eve/shop", 1), NotAllowed, 0},
		"one without name":  {"push", strings.Replace(pushed, `"full_name": "octo/shop"`, `"x": 1`, 1), NotAllowed, 0},
		"an installation of both": {"installation", `{"action": "created", "installation": {"id": 3}, "repositories": [
			{"id": 1, "full_name": "octo/a"}, {"id": 2, "full_name": "eve/b"}]}`, "new", 1},
		"an installation of another": {"installation", `{"action": "created", "installation": {"id": 3}, "repositories": [{"id": 2, "full_name": "eve/b"}]}`, NotAllowed, 0},
		"a ping":                     {"ping", `{"zen": "x"}`, "pong", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := &inbox{answer: queue.New}
			var log bytes.Buffer
			metrics := NewMetrics()
			door := newDoor(t, box, func(config *Config) {
				config.Allowed = func(owner, _ string) bool { return owner == "octo" }
				config.Logger, config.Metrics = slog.New(slog.NewTextHandler(&log, nil)), metrics
			})
			w := httptest.NewRecorder()
			door.ServeHTTP(w, request(c.event, c.body))
			refused := c.outcome == NotAllowed
			if len(box.accepted) != c.accepted || refused && (w.Code != http.StatusAccepted || box.delivery.GUID != "") {
				t.Errorf("answered %d %s; written: %+v, %v", w.Code, w.Body, box.delivery, box.accepted)
			}
			if !strings.Contains(strings.ReplaceAll(log.String(), `"`, ""), "outcome="+c.outcome+" ") {
				t.Errorf("the log says %s", log.String())
			}
			families, err := metrics.registry.Gather()
			if err != nil {
				t.Fatal(err)
			}
			if text := fmt.Sprint(families); !strings.Contains(text, `value:"`+c.outcome+`"`) {
				t.Errorf("no delivery is counted as %s", c.outcome)
			}
		})
	}
}

func TestDeliveryIsWrittenDown(t *testing.T) {
	t.Parallel()
	box := &inbox{answer: queue.New}
	body := `{"action": "opened", "number": 4, "repository": {"id": 7, "full_name": "octo/shop"}, "installation": {"id": 3}}`
	newDoor(t, box, nil).ServeHTTP(httptest.NewRecorder(), request("pull_request", body))
	want := queue.Delivery{
		GUID: "72d3162e-cc78-11e3-81ab-4c9367dc0958", Event: "pull_request", Action: "opened", Installation: 3, Repository: 7,
		Received: time.Unix(1_700_000_000, 0),
	}
	if box.delivery != want {
		t.Errorf("got %+v, want %+v", box.delivery, want)
	}
}

func TestNoSecretNoDoor(t *testing.T) {
	t.Parallel()
	for name, secrets := range map[string][]string{"none": nil, "empty": {"good", ""}, "blank": {"\n"}} {
		if _, err := New(Config{Secrets: secrets, Inbox: &inbox{}}); err == nil || !strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := New(Config{Secrets: []string{"good"}}); err == nil {
		t.Error("a door without inbox")
	}
}

func TestDrain(t *testing.T) {
	t.Parallel()
	box := &inbox{answer: queue.New}
	d := newDoor(t, box, nil)
	d.Drain()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, request("push", pushed))
	if w.Code != http.StatusServiceUnavailable || !d.Draining() || box.delivery.GUID != "" {
		t.Errorf("got %d, written %+v", w.Code, box.delivery)
	}
}

// faulty is an inbox with a bug.
type faulty struct{ inbox }

func (*faulty) Accept(context.Context, queue.Delivery, []queue.Subject) (queue.Acceptance, error) {
	panic("a bug")
}

func TestPanicIsAnswered(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	newDoor(t, &faulty{}, nil).ServeHTTP(w, request("push", pushed))
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "fault of the server") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

func TestLogSaysWhichDelivery(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := newDoor(t, &inbox{answer: queue.New}, func(c *Config) {
		c.Logger = slog.New(logctx.Handler(slog.NewJSONHandler(&out, nil)))
	})
	d.ServeHTTP(httptest.NewRecorder(), request("push", pushed))
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958", "event": "push", "repository": "octo/shop", "outcome": "new", "status": 202.0,
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v, in %s", key, line[key], want, out.String())
		}
	}
}

// TestQueueBehindTheDoor sends one delivery twice through the real queue.
func TestQueueBehindTheDoor(t *testing.T) {
	t.Parallel()
	q, err := queue.Open(context.Background(), "sqlite://"+t.TempDir()+"/queue.db", queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	server := httptest.NewServer(newDoor(t, q, nil))
	defer server.Close()
	send := func() int {
		r := request("push", pushed)
		r.RequestURI = ""
		r.URL, _ = url.Parse(server.URL + DefaultPath)
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	if first, second := send(), send(); first != 202 || second != 200 {
		t.Errorf("got %d and %d", first, second)
	}
	jobs, err := q.Jobs(context.Background(), queue.Filter{})
	if err != nil || len(jobs) != 1 || jobs[0].Subject.Key() != "7:refs/heads/main" || jobs[0].State != queue.Queued {
		t.Errorf("got jobs %+v, %v", jobs, err)
	}
	q.Close()
	if after := send(); after != 503 {
		t.Errorf("got %d from a door without a database", after)
	}
}

func FuzzSignature(f *testing.F) {
	f.Add([]byte(pushed), sign(pushed, oldSecret))
	f.Add([]byte(""), "sha256=")
	f.Add([]byte("x"), "sha1=00")
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		signature := readSignature(header)
		got := signature != nil && signedWith([]string{oldSecret, newSecret}, body, signature)
		want := strings.EqualFold(header, sign(string(body), oldSecret)) || strings.EqualFold(header, sign(string(body), newSecret))
		if got != want && strings.HasPrefix(header, "sha256=") {
			t.Errorf("%q is taken: %v", header, got)
		}
		if got && !want {
			t.Errorf("%q was forged", header)
		}
	})
}

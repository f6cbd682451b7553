package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/web"
)

// TestThroughATunnel: a server on a laptop, which GitHub and people reach under the name of a tunnel.
func TestThroughATunnel(t *testing.T) {
	t.Parallel()
	var laptop atomic.Pointer[url.URL]
	tunnel := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(laptop.Load())
		r.Out.Host = r.In.Host
		r.SetXForwarded()
	}})
	t.Cleanup(tunnel.Close)
	f := setup(t)
	f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
	if err := f.sim.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := len(f.sim.Deliveries())
	f.stop()
	app := f.sim.App()
	f.run(server.Options{GitHubURL: f.sim.URL(), PublicURL: tunnel.URL, Out: io.Discard, StatusToken: token, Credentials: &web.Credentials{
		Host: f.sim.URL(), ID: app.ID, Slug: app.Slug, WebhookSecret: app.Secret, PrivateKey: app.PEM(),
	}})
	here, err := url.Parse("http://" + f.server.PublicAddr())
	if err != nil {
		t.Fatal(err)
	}
	laptop.Store(here)
	f.sim.SetWebhook(f.server.WebhookURL())
	f.push(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)})
	f.eventually("the page follows a push", f.has(moneyPage, "uint64"))
	somebody(t).logIn(tunnel.URL)
	for _, d := range f.sim.Deliveries()[before:] {
		if d.Code >= 400 {
			t.Errorf("%s was answered %d: %s", d.Event, d.Code, d.Answer)
		}
	}
}

// TestThroughARelay checks deliveries through a relay: GitHub posts to a channel, a program listens to it by EventSource and posts to the
// server. The signature is valid if the relay keeps the bytes. A relay that re-encodes JSON changes escapes, and its deliveries are
// refused.
func TestThroughARelay(t *testing.T) {
	t.Parallel()
	asItIs := func(body []byte) []byte { return body }
	anew := func(body []byte) []byte { // as programs do that escape what could end a script
		var out bytes.Buffer
		json.HTMLEscape(&out, body)
		return out.Bytes()
	}
	for name, c := range map[string]struct {
		carry   func([]byte) []byte
		message string
		code    int
	}{
		"bytes as they are":                {asItIs, "Say a < b", http.StatusAccepted},
		"JSON anew, of the same bytes":     {anew, "Say it", http.StatusAccepted},
		"JSON anew, with another spelling": {anew, "Say a < b", http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.eventually("the first docs are there", f.has(moneyPage, "Holds amounts."))
			if err := f.sim.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			answers := make(chan answered, 100)
			f.sim.SetWebhook(channel(t, c.carry, f.server.WebhookURL(), answers))
			if _, err := f.repo.Push("main", githubsim.Change{Write: map[string]string{"a.txt": "a"}, Message: c.message}); err != nil {
				t.Fatal(err)
			}
			for a := range answers {
				if a.event != "push" {
					continue
				}
				if a.code != c.code {
					t.Errorf("the push is answered %d, want %d", a.code, c.code)
				}
				return
			}
		})
	}
}

// carried is a delivery on its way through a relay.
type carried struct {
	Header http.Header
	Body   []byte
}

// answered is how a delivery was answered.
type answered struct {
	event string
	code  int
}

// channel opens a channel of a relay, posts its messages to target, and sends the answers to a channel.
func channel(t *testing.T, carry func([]byte) []byte, target string, answers chan<- answered) string {
	t.Helper()
	events := make(chan []byte, 100)
	relay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body)
			event, encoding := json.Marshal(carried{r.Header, carry(body)})
			if err != nil || encoding != nil {
				t.Errorf("the relay fails: %v, %v", err, encoding)
			}
			events <- event
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		for {
			select {
			case e := <-events:
				_, _ = w.Write([]byte("data: " + string(e) + "\n\n"))
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	ctx, hangUp := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, relay.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(request) //nolint:bodyclose // the reading goroutine closes it
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = stream.Body.Close() }()
		for lines := bufio.NewReader(stream.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				answers <- repost(t, data, target)
			}
		}
	}()
	t.Cleanup(func() {
		hangUp()
		<-ended
		relay.Close()
	})
	return relay.URL
}

// repost posts a delivery that came through a relay, and returns how it was answered.
func repost(t *testing.T, data, target string) answered {
	var c carried
	if err := json.Unmarshal([]byte(data), &c); err != nil {
		t.Errorf("the relay sent %q: %v", data, err)
		return answered{}
	}
	request, err := http.NewRequest(http.MethodPost, target, bytes.NewReader(c.Body))
	if err != nil {
		t.Error(err)
		return answered{}
	}
	request.Header = c.Header
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return answered{}
	}
	_ = answer.Body.Close()
	return answered{c.Header.Get("X-Github-Event"), answer.StatusCode}
}

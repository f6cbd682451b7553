package githubsim

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

type mail struct {
	client  *http.Client
	log     []*Delivery
	queue   []*Delivery
	sending int
	wake    chan struct{}
	ended   chan struct{}
	idle    []chan struct{} // closed once every delivery is answered
	held    bool
	lose    int
	twice   int
}

// Delivery is one entry of the webhook delivery log.
type Delivery struct {
	ID                       int64
	GUID                     string
	Event                    string
	Action                   string
	Redelivery               bool
	Code                     int // HTTP status of the answer; 0: not answered yet
	Status                   string
	Answer                   string
	Payload                  []byte
	Sent                     time.Time // zero: queued
	installation, repository int64
	url                      string
	headers                  map[string]string
	at                       time.Time
	took                     time.Duration
}

// Deliveries lists the delivery log, oldest first.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Delivery
	for _, d := range s.mail.log {
		out = append(out, *d)
	}
	return out
}

// Hold queues deliveries until Release.
func (s *Server) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail.held = true
}

// Release sends the held deliveries, in their order or reversed.
func (s *Server) Release(reversed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reversed {
		slices.Reverse(s.mail.queue)
	}
	s.mail.held = false
	s.mail.ring()
}

// LoseDeliveries makes the next deliveries fail. They are logged as failed and, as on GitHub, not retried.
func (s *Server) LoseDeliveries(count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail.lose = count
}

// DuplicateDeliveries makes the next deliveries arrive twice.
func (s *Server) DuplicateDeliveries(count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail.twice = count
}

// Settle waits until every delivery that is not held has been answered.
func (s *Server) Settle(ctx context.Context) error {
	s.mu.Lock()
	done := make(chan struct{})
	if s.mail.settled() {
		close(done)
	} else {
		s.mail.idle = append(s.mail.idle, done)
	}
	s.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for deliveries: %w", ctx.Err())
	}
}

func (m *mail) settled() bool { return m.sending == 0 && (m.held || len(m.queue) == 0) }

func (m *mail) start(s *Server) {
	m.client = &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	m.wake, m.ended = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(m.ended)
		defer m.client.CloseIdleConnections()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-m.wake:
				for m.next(s) {
				}
			}
		}
	}()
}

func (m *mail) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *mail) next(s *Server) bool {
	s.mu.Lock()
	if m.held || len(m.queue) == 0 || s.ctx.Err() != nil {
		s.mu.Unlock()
		return false
	}
	d := m.queue[0]
	m.queue = m.queue[1:]
	m.sending++
	lost := m.lose > 0
	if lost {
		m.lose--
	}
	m.duplicate(d)
	d.Sent = s.now()
	s.mu.Unlock()
	code, status, answer := http.StatusBadGateway, "failed to connect to host", ""
	if !lost {
		code, status, answer = m.post(s, d)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d.Code, d.Status, d.Answer, d.took = code, status, answer, max(0, s.now().Sub(d.at))
	m.sending--
	if m.settled() {
		for _, done := range m.idle {
			close(done)
		}
		m.idle = nil
	}
	return true
}

func (m *mail) duplicate(d *Delivery) {
	if m.twice == 0 {
		return
	}
	m.twice--
	again := *d
	m.log = append(m.log, &again)
	m.queue = append([]*Delivery{&again}, m.queue...)
}

// patience is GitHub's timeout for a webhook receiver.
const patience = 10 * time.Second

func (m *mail) post(s *Server, d *Delivery) (int, string, string) {
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(d.Payload))
	if err != nil {
		return http.StatusBadGateway, "failed to connect to host", err.Error()
	}
	for name, value := range d.headers {
		request.Header.Set(name, value)
	}
	response, err := m.client.Do(request)
	if err != nil {
		return http.StatusBadGateway, "failed to connect to host", err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return http.StatusBadGateway, "failed to read the answer", err.Error()
	}
	return response.StatusCode, http.StatusText(response.StatusCode), string(body)
}

func (s *Server) deliver(event, action string, in *installation, repo *Repository, payload object) {
	app := s.app
	always := event == "ping" || strings.HasPrefix(event, "installation")
	if app == nil || app.WebhookURL == "" || !always && (in == nil || !in.hears(event)) {
		return
	}
	d := &Delivery{ID: s.id(), GUID: s.guid(), Event: event, Action: action, Payload: encode(payload), url: app.WebhookURL, at: s.time()}
	if in != nil {
		d.installation = in.id
	}
	if repo != nil {
		d.repository = repo.id
	}
	d.sign(app)
	name := strings.ReplaceAll(event, "_", "-")
	if action != "" {
		name += "-" + strings.ReplaceAll(action, "_", "-")
	}
	if s.contract != nil {
		if err := s.contract.CheckPayload(name, d.Payload); err != nil {
			s.violate("%v", err)
		}
	}
	s.mail.put(d)
}

func (m *mail) put(d *Delivery) {
	m.log = append(m.log, d)
	m.queue = append(m.queue, d)
	m.ring()
}

// redeliver repeats a delivery under the same GUID, to the App's current webhook URL.
func (s *Server) redeliver(d *Delivery) {
	again := *d
	again.ID, again.url, again.Redelivery, again.at = s.id(), s.app.WebhookURL, true, s.time()
	again.Sent, again.Code, again.Status, again.Answer, again.took = time.Time{}, 0, "", "", 0
	again.sign(s.app)
	s.mail.put(&again)
}

func (s *Server) guid() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", s.url, s.id()))
	h := hex.EncodeToString(sum[:16])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

func (d *Delivery) sign(app *App) {
	mac := hmac.New(sha256.New, []byte(app.Secret))
	mac.Write(d.Payload)
	d.headers = map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/simulated", "X-GitHub-Delivery": d.GUID,
		"X-GitHub-Event": d.Event, "X-GitHub-Hook-ID": fmt.Sprint(app.ID), "X-GitHub-Hook-Installation-Target-ID": fmt.Sprint(app.ID),
		"X-GitHub-Hook-Installation-Target-Type": "integration", "X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil)),
	}
}

func (d *Delivery) delivered() bool { return d.Code >= 200 && d.Code < 300 }

func (d *Delivery) view() object {
	return object{
		"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.at), "redelivery": d.Redelivery, "duration": d.took.Seconds(), "status": d.Status,
		"status_code": d.Code, "event": d.Event, "action": orNil(d.Action), "installation_id": orNil(d.installation), "repository_id": orNil(d.repository),
		"throttled_at": nil,
	}
}

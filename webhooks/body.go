package webhooks

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	// bodyLimit is the maximum that GitHub delivers.
	bodyLimit = 25 << 20
	// smallBody is larger than nearly all payloads. Small bodies have their own room, which large ones cannot fill.
	smallBody = 64 << 10
	// chunk is the part of a body held in memory at a time.
	chunk = 16 << 10

	// The rooms hold 640 bodies. An attacker can make them use 50 MiB, with chunk and mostKept bytes each.
	smallSeats = 512
	largeSeats = 128
	// A small body arrives at once unless its sender is slow; a large one takes longer.
	smallFair = 100 * time.Millisecond
	largeFair = time.Second
	// GitHub waits ten seconds, part of which is needed to store the delivery.
	smallPatience = 2 * time.Second
	largePatience = 4 * time.Second

	// grace is how long a body may take, plus one second for every slowest bytes received.
	grace   = 5 * time.Second
	slowest = 1 << 20
)

var (
	guidForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,100}$`) })
	eventForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_]{1,64}$`) })
)

const formType = "application/x-www-form-urlencoded"

// read authenticates and reads a delivery. It returns a refusal with its cause if it fails, without reading the body
// where possible.
func (d *Door) read(w http.ResponseWriter, r *http.Request, delivery queue.Delivery) (*body, reply, error) {
	refuse := func(status int, outcome, sentence string, err error) (*body, reply, error) {
		return nil, reply{status: status, outcome: outcome, sentence: sentence, unread: true}, err
	}
	if d.Draining() {
		return refuse(http.StatusServiceUnavailable, "draining", "The server is stopping. Please deliver again.", nil)
	}
	if !guidForm().MatchString(delivery.GUID) || !eventForm().MatchString(delivery.Event) {
		return refuse(http.StatusBadRequest, "malformed", "The headers X-GitHub-Delivery and X-GitHub-Event are needed.", nil)
	}
	const unsigned = "One X-Hub-Signature-256 is needed: set the webhook secret of the App."
	headers := r.Header.Values(signatureHeader)
	if len(headers) != 1 {
		return refuse(http.StatusUnauthorized, "unsigned", unsigned, nil)
	}
	signature, ok := readSignature(headers[0], d.config.Secrets)
	if !ok {
		return refuse(http.StatusUnauthorized, "unsigned", unsigned, nil)
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && kind != formType {
		return refuse(http.StatusUnsupportedMediaType, "malformed", "The content type must be application/json.", err)
	}
	if r.ContentLength > bodyLimit {
		return refuse(tooLarge.status, tooLarge.outcome, tooLarge.sentence, nil)
	}
	b := &body{signature: signature, sieve: newSieve(payloadFields), size: r.ContentLength}
	if kind == formType {
		b.form = &form{next: b.sieve}
	}
	if refusal, err := d.sit(w, r, b); refusal.status != 0 {
		refusal.unread = true
		return nil, refusal, err
	}
	if !signature.holds() {
		return nil, reply{status: http.StatusUnauthorized, outcome: "forged", sentence: "The signature is not of any webhook secret of this server."}, nil
	}
	return b, reply{}, nil
}

var (
	tooLarge = reply{status: http.StatusRequestEntityTooLarge, outcome: "too large", sentence: "The payload is larger than 25 MiB."}
	tooSlow  = reply{status: http.StatusRequestTimeout, outcome: "too slow", sentence: "The payload came too slowly."}
	cutOff   = reply{status: http.StatusBadRequest, outcome: "cut off", sentence: "The payload ended too early."}
	crowded  = reply{status: http.StatusServiceUnavailable, outcome: "crowded", sentence: "Too many deliveries come in at once. Please deliver it again."}
)

type body struct {
	signature *signature
	sieve     *sieve
	form      *form // nil for plain JSON
	size      int64 // Content-Length; -1 if unknown
	cut       bool  // a list was truncated
}

func (b *body) write(p []byte) {
	_, _ = b.signature.Write(p)
	if b.form != nil {
		_, _ = b.form.Write(p)
		return
	}
	_, _ = b.sieve.Write(p)
}

func (b *body) payload(event string) (payload, error) {
	if b.form != nil {
		if err := b.form.end(); err != nil {
			return payload{}, err
		}
	}
	kept, err := b.sieve.document()
	if err != nil {
		return payload{}, err
	}
	b.cut = b.sieve.cut
	return parse(event, kept)
}

// sit reads a body to its end in the room for its size.
func (d *Door) sit(w http.ResponseWriter, r *http.Request, b *body) (reply, error) {
	where := d.small
	large := b.size < 0 || b.size > smallBody
	if large {
		where = d.large
	}
	in := http.NewResponseController(w)
	// Without a connection deadline, as in some tests, a blocked read is not interrupted.
	seat := where.enter(r.Context(), sourceOf(r.RemoteAddr), func() { _ = in.SetReadDeadline(time.Unix(1, 0)) })
	if seat == nil {
		return crowded, nil
	}
	defer where.leave(seat)
	reading := &reading{from: r.Body, in: in, guest: seat}
	if large {
		reading.turns = d.turns
	}
	refusal, err := reading.to(b)
	if refusal.status == 0 {
		_ = in.SetReadDeadline(time.Time{}) // the deadline must not apply to the next request of the connection
	}
	return refusal, err
}

var chunks = sync.Pool{New: func() any { return new([chunk]byte) }}

type reading struct {
	from  io.Reader
	in    *http.ResponseController
	guest *guest
	turns chan struct{} // nil for a small body, which does not wait for others
}

func (r *reading) to(b *body) (reply, error) {
	piece := chunks.Get().(*[chunk]byte)
	defer chunks.Put(piece)
	began, read := time.Now(), 0
	for due := 0; ; {
		if read >= due {
			_ = r.in.SetReadDeadline(began.Add(grace + time.Duration(due/slowest)*time.Second))
			due += slowest
		}
		select {
		case <-r.guest.told:
			return crowded, nil
		default:
		}
		n, err := r.from.Read(piece[:])
		if read += n; read > bodyLimit {
			return tooLarge, nil
		}
		if !r.work(b, piece[:n]) {
			return crowded, nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return reply{}, nil
		case err != nil:
			return r.ended(err)
		}
	}
}

func (r *reading) work(b *body, piece []byte) bool {
	if r.turns != nil {
		select {
		case r.turns <- struct{}{}:
			defer func() { <-r.turns }()
		case <-r.guest.told:
			return false
		}
	}
	b.write(piece)
	return true
}

func (r *reading) ended(err error) (reply, error) {
	select {
	case <-r.guest.told:
		return crowded, nil
	default:
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return tooSlow, nil
	}
	return cutOff, err
}

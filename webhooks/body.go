package webhooks

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

const (
	// bodyLimit is the maximum that GitHub delivers.
	bodyLimit = 25 << 20
	// smallBody is larger than nearly all payloads. Small bodies have their own room, which large ones cannot fill.
	smallBody = 64 << 10

	// The seats limit the memory that senders without a secret can make the server use: 132 MiB.
	smallSeats = 512
	largeSeats = 4
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

// read reads and authenticates a delivery, and returns its payload as JSON. It returns a refusal with its cause if it fails,
// without reading the body where possible.
func (d *Door) read(w http.ResponseWriter, r *http.Request, delivery queue.Delivery) ([]byte, reply, error) {
	refuse := func(status int, outcome, sentence string, err error) ([]byte, reply, error) {
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
	signature := readSignature(headers[0])
	if signature == nil {
		return refuse(http.StatusUnauthorized, "unsigned", unsigned, nil)
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && kind != formType {
		return refuse(http.StatusUnsupportedMediaType, "malformed", "The content type must be application/json.", err)
	}
	if r.ContentLength > bodyLimit {
		return refuse(tooLarge.status, tooLarge.outcome, tooLarge.sentence, nil)
	}
	body, refusal, err := d.sit(w, r)
	if refusal.status != 0 {
		refusal.unread = true
		return nil, refusal, err
	}
	if !signedWith(d.config.Secrets, body, signature) {
		return nil, reply{status: http.StatusUnauthorized, outcome: "forged", sentence: "The signature is not of any webhook secret of this server."}, nil
	}
	if kind == formType {
		body = payloadOf(body)
	}
	return body, reply{}, nil
}

// payloadOf returns the field "payload" of a URL-encoded form; nil if the form does not have exactly one.
func payloadOf(form []byte) []byte {
	fields, err := url.ParseQuery(string(form))
	if found := fields["payload"]; err == nil && len(found) == 1 {
		return []byte(found[0])
	}
	return nil
}

var (
	tooLarge = reply{status: http.StatusRequestEntityTooLarge, outcome: "too large", sentence: "The payload is larger than 25 MiB."}
	tooSlow  = reply{status: http.StatusRequestTimeout, outcome: "too slow", sentence: "The payload came too slowly."}
	cutOff   = reply{status: http.StatusBadRequest, outcome: "cut off", sentence: "The payload ended too early."}
	crowded  = reply{status: http.StatusServiceUnavailable, outcome: "crowded", sentence: "Too many deliveries come in at once. Please deliver it again."}
)

// sit reads a body to its end in the room for its size.
func (d *Door) sit(w http.ResponseWriter, r *http.Request) ([]byte, reply, error) {
	where := d.small
	if r.ContentLength < 0 || r.ContentLength > smallBody {
		where = d.large
	}
	in := http.NewResponseController(w)
	// Without a connection deadline, as in some tests, a blocked read is not interrupted.
	seat := where.enter(r.Context(), sourceOf(r.RemoteAddr), func() { _ = in.SetReadDeadline(time.Unix(1, 0)) })
	if seat == nil {
		return nil, crowded, nil
	}
	defer where.leave(seat)
	reading := &reading{from: r.Body, in: in, guest: seat}
	body, refusal, err := reading.all(r.ContentLength)
	if refusal.status == 0 {
		_ = in.SetReadDeadline(time.Time{}) // the deadline must not apply to the next request of the connection
	}
	return body, refusal, err
}

type reading struct {
	from  io.Reader
	in    *http.ResponseController
	guest *guest
}

// all reads a body of an announced size; -1 if it is unknown.
func (r *reading) all(size int64) ([]byte, reply, error) {
	if size < 0 {
		size = smallBody
	}
	body := make([]byte, 0, size+1) // with room to find the end
	began := time.Now()
	for due := 0; ; {
		if len(body) >= due {
			_ = r.in.SetReadDeadline(began.Add(grace + time.Duration(len(body)/slowest)*time.Second))
			due = len(body) + slowest
		}
		select {
		case <-r.guest.told:
			return nil, crowded, nil
		default:
		}
		if len(body) == cap(body) {
			body = slices.Grow(body, len(body))
		}
		n, err := r.from.Read(body[len(body):cap(body)])
		if body = body[:len(body)+n]; len(body) > bodyLimit {
			return nil, tooLarge, nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return body, reply{}, nil
		case err != nil:
			refusal, err := r.ended(err)
			return nil, refusal, err
		}
	}
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

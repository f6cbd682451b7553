package githubsim

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"
)

// Fault injects an effect into matching requests.
type Fault struct {
	Operation string // a path.Match pattern: "checks/create", "git/*", "graphql/*"; empty: all. Fetches with git have none
	Skip      int    // matching requests that succeed first
	Times     int    // requests that fail; 0: one, negative: all
	Effect    Effect
}

// Effect is the failure that a fault causes.
type Effect struct {
	performed bool // the operation is carried out; only the answer is broken
	cut       bool // close the connection half-way through the answer
	until     <-chan struct{}
	status    int
	message   string
	docs      string // documentation_url of the error
	header    http.Header
}

// SecondaryLimit refuses with GitHub's secondary rate limit. A zero duration omits Retry-After.
func SecondaryLimit(after time.Duration) Effect {
	message := "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	docs := "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	e := Effect{status: http.StatusForbidden, message: message, docs: docs}
	if after > 0 {
		e.header = http.Header{"Retry-After": {strconv.Itoa(int(after.Seconds()))}}
	}
	return e
}

// BadGateway answers 502 without carrying out the operation.
func BadGateway() Effect { return Effect{status: http.StatusBadGateway} }

// LostAnswer carries out the operation and answers 502.
func LostAnswer() Effect { return Effect{status: http.StatusBadGateway, performed: true} }

// Cut carries out the operation and closes the connection half-way through the answer.
func Cut() Effect { return Effect{performed: true, cut: true} }

// Slow delays the answer until the channel is closed or the client gives up.
func Slow(until <-chan struct{}) Effect { return Effect{performed: true, until: until} }

// Refuse answers with a status and a message without carrying out the operation.
func Refuse(status int, message string) Effect { return Effect{status: status, message: message} }

// Faults injects faults into future requests. The first matching fault takes effect.
func (s *Server) Faults(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		s.faults = append(s.faults, &f)
	}
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Skew shifts the server's clock. Apps sign with their own clock.
func (s *Server) Skew(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew = d
}

func (s *Server) fault(operation string) *Effect {
	for i, f := range s.faults {
		if match, err := path.Match(f.Operation, operation); f.Operation != "" && (err != nil || !match) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		effect := f.Effect
		if f.Times >= 0 {
			if f.Times--; f.Times <= 0 {
				s.faults = slices.Delete(slices.Clone(s.faults), i, i+1)
			}
		}
		return &effect
	}
	return nil
}

// serve sends the answer to a call, which it performs under the lock, unless a fault has another effect.
func (s *Server) serve(w http.ResponseWriter, c *call, do func() answer) {
	perform := func() answer {
		s.mu.Lock()
		defer s.mu.Unlock()
		return do()
	}
	s.mu.Lock()
	e := s.fault(c.op)
	s.mu.Unlock()
	if e == nil {
		perform().send(w)
		return
	}
	if e.until != nil {
		select {
		case <-e.until:
		case <-c.r.Context().Done():
			return
		}
	}
	var a answer
	if e.performed {
		a = perform()
	}
	if e.cut {
		a.sendHalf(w)
	}
	if e.status != 0 {
		a = s.broken(e)
	}
	a.send(w)
}

func (s *Server) broken(e *Effect) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := answer{status: e.status, header: http.Header{"Content-Type": {"text/html"}}, body: []byte("<html><body><h1>502 Bad Gateway</h1></body></html>")}
	maps.Copy(a.header, e.header)
	if e.message != "" {
		a.header.Set("Content-Type", "application/json; charset=utf-8")
		a.body = encode(object{"message": e.message, "documentation_url": cmp.Or(e.docs, "https://docs.github.com/rest"), "status": strconv.Itoa(e.status)})
	}
	a.header.Set("Date", s.time().Format(http.TimeFormat))
	return a
}

func (a answer) sendHalf(w http.ResponseWriter) {
	a.header.Set("Content-Length", strconv.Itoa(len(a.body)+1))
	half := answer{status: a.status, header: a.header, body: a.body[:len(a.body)/2]}
	half.send(w)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
